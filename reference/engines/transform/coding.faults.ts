/** Faults of encryption, of tweaks and of masking. */
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, refusal, replyData, replyDataWithout, requestNestedAs } from '../../mutations/wrappers.ts'
import type { Cipher } from './cipher.ts'
import { transformEngine } from './engine.ts'
import { byRules, CODING, dataOf } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

/** A cipher that is given another tweak. */
const tweaked = (change: (tweak: Uint8Array) => Uint8Array) => ({
  cipher:
    (original: (key: Uint8Array) => Cipher) =>
    (key: Uint8Array): Cipher => {
      const { encrypt, decrypt } = original(key)
      return {
        encrypt: (numerals, radix, tweak) => encrypt(numerals, radix, change(tweak)),
        decrypt: (numerals, radix, tweak) => decrypt(numerals, radix, change(tweak)),
      }
    },
})

rule(
  'tweak-ignored',
  ['TF-FORMAT-06', 'TF-FORMAT-12'],
  'the tweak has no effect',
  tweaked(() => new Uint8Array(7)),
)
rule(
  'tweak-fourth-byte',
  'TF-FORMAT-06',
  'the fourth byte of a tweak has no effect',
  tweaked((tweak) => tweak.map((byte, place) => (place === 3 ? 0 : byte))),
)
rule(
  'tweak-last-byte',
  'TF-FORMAT-06',
  'the last byte of a tweak has no effect',
  tweaked((tweak) => tweak.map((byte, place) => (place === 6 ? 0 : byte))),
)
rule(
  'tweak-top-bit',
  ['TF-FORMAT-06', 'TF-FORMAT-12'],
  'bytes of a tweak count by seven bits',
  tweaked((tweak) => tweak.map((byte) => byte & 0x7f)),
)
rule('identity', 'TF-FORMAT-10', 'encryption changes nothing', {
  cipher: () => () => ({ encrypt: (numerals) => [...numerals], decrypt: (numerals) => [...numerals] }),
})
rule('half-left', 'TF-FORMAT-10', 'the first half of a value is left as it is', {
  cipher: (original) => (key) => {
    const { encrypt, decrypt } = original(key)
    const half =
      (code: Cipher['encrypt']): Cipher['encrypt'] =>
      (numerals, radix, tweak) => {
        const middle = numerals.length >> 1
        return middle < 2 ? code(numerals, radix, tweak) : [...numerals.slice(0, middle), ...code(numerals.slice(middle), radix, tweak)]
      }
    return { encrypt: half(encrypt), decrypt: half(decrypt) }
  },
})
rule('decrypt-halves', 'TF-FORMAT-04', 'decryption exchanges the halves', {
  cipher: (original) => (key) => {
    const { encrypt, decrypt } = original(key)
    return {
      encrypt,
      decrypt: (...input) => {
        const plain = decrypt(...input)
        return [...plain.slice(plain.length >> 1), ...plain.slice(0, plain.length >> 1)]
      },
    }
  },
})
rule('nondeterministic', 'TF-FORMAT-05', 'the tweak is another one each time and decoding never finds it', {
  cipher: (original) => (key) => {
    const cipher = original(key)
    return {
      encrypt: (numerals, radix) =>
        cipher.encrypt(
          numerals,
          radix,
          Uint8Array.from({ length: 7 }, () => Math.floor(Math.random() * 256)),
        ),
      decrypt: cipher.decrypt,
    }
  },
})
rule('collapses-last', 'TF-FORMAT-09', 'the last character is lost', {
  cipher: (original) => (key) => {
    const cipher = original(key)
    return { ...cipher, encrypt: (numerals, radix, tweak) => cipher.encrypt([...numerals.slice(0, -1), 0], radix, tweak) }
  },
})
route(
  'one-key',
  'TF-FORMAT-07',
  'all transformations have one key',
  ['transform.writeFpe', 'transform.writeTransformation'],
  (original) => (call) =>
    original({ ...call, services: { ...call.services, random: { ...call.services.random, bytes: (length) => new Uint8Array(length) } } }),
)
rule('key-of-mount', 'TF-FORMAT-08', 'the key is that of every server', { cipher: (original) => () => original(new Uint8Array(32)) })
rule('uneven', 'TF-FORMAT-11', 'the first digit is always the same', {
  replacedIn: (original) => (value, spans, transform) =>
    original(value, spans, (text) => (/^0{8}/.test(text) ? `0${transform(text).slice(1)}` : transform(text))),
})
rule('alphabet-cut', 'TF-FORMAT-02', 'what comes out is written in upper case', {
  shownEncoded: (original) => (value) => original(value.toUpperCase()),
})
rule('one-longer', 'TF-FORMAT-01', 'an encrypted value is a character longer', {
  replacedIn: (original) => (value, spans, transform) => original(value, spans, transform) + value.slice(-1),
})
rule('separators-dropped', ['TF-FORMAT-01', 'TF-FORMAT-03'], 'what stands outside the group is dropped', {
  replacedIn: (original) => (value, spans, transform) => original(value, spans, transform).slice(spans[0]![0], spans.at(-1)![1]),
})
rule('separators-star', ['TF-FORMAT-03', 'TF-MASK-04'], 'what stands before the group is changed', {
  replacedIn: (original) => (value, spans, transform) => '.'.repeat(spans[0]![0]) + original(value, spans, transform).slice(spans[0]![0]),
})
rule('code-units', ['TF-FORMAT-02', 'TF-ENCODE-01', 'TF-FORMAT-04'], 'an alphabet is cut into code units', {
  lettersOf: () => (alphabet) => alphabet.split(''),
})
route(
  'encode-named-otherwise',
  'TF-ENCODE-01',
  'the encoded value stands under value',
  'transform.encode',
  replyData(({ encoded_value: value, ...rest }) => (value === undefined ? rest : { value, ...rest })),
)
route(
  'decode-named-otherwise',
  'TF-DECODE-01',
  'the decoded value stands under value',
  'transform.decode',
  replyData(({ decoded_value: value, ...rest }) => (value === undefined ? rest : { value, ...rest })),
)
for (const operation of CODING) {
  const action = operation.split('.')[1]!
  const topic = action.toUpperCase()
  const coding = (tweak: string): string => (action === 'encode' ? 'TF-TWEAK-15' : tweak)
  route(
    `${action}-without-value`,
    `TF-${topic}-02`,
    'without a value an empty one is coded',
    operation,
    (original) => (call) =>
      call.body.value === undefined && call.body.batch_input === undefined ? secret({ [`${action}d_value`]: '' }) : original(call),
  )
  route(
    `${action}-value-object`,
    `TF-${topic}-03`,
    'an object is coded as a text',
    operation,
    insteadOfRefusal(
      () => secret({ [`${action}d_value`]: 'object' }),
      ({ body }) => typeof body.value === 'object',
    ),
  )
  route(
    `${action}-transformation-object`,
    `TF-${topic}-04`,
    'an object for transformation is left out',
    operation,
    requestNestedAs('transformation'),
  )
  route(
    `${action}-tweak-object`,
    coding('TF-TWEAK-16'),
    'an object for tweak is coded with',
    operation,
    requestNestedAs('tweak', 'AAAAAAAAAA=='),
  )
  route(
    `${action}-without-tweak`,
    action === 'encode' ? 'TF-TWEAK-01' : 'TF-TWEAK-05',
    'a tweak that is missing or short is filled with zeros',
    operation,
    byRules((rules) => ({
      tweakOf: (item) => {
        const bytes = Buffer.from(textOf(item, 'tweak'), 'base64')
        return bytes.length > 7 ? rules.tweakOf(item) : Uint8Array.from({ length: 7 }, (_, place) => bytes[place] ?? 0)
      },
    })),
  )
}
route(
  'decode-last-tweak',
  'TF-TWEAK-02',
  'without a tweak the last one is used',
  CODING,
  (() => {
    let last = ''
    return (original) => (call) => {
      const tweak = textOf(call.body, 'tweak')
      if (tweak !== '') last = tweak
      return original(tweak === '' && call.body.batch_input === undefined ? { ...call, body: { ...call.body, tweak: last } } : call)
    }
  })(),
)
rule('tweak-long-cut', ['TF-TWEAK-04', 'TF-TWEAK-05'], 'a longer tweak is cut to seven bytes', {
  tweakOf: (original) => (item) => {
    const bytes = Buffer.from(textOf(item, 'tweak'), 'base64')
    return bytes.length > 7 ? bytes.subarray(0, 7) : original(item)
  },
})
rule('tweak-text-length', ['TF-TWEAK-03', 'TF-TWEAK-04'], 'seven characters are counted instead of seven bytes', {
  tweakOf: () => (item) => {
    const text = Buffer.from(textOf(item, 'tweak'))
    if (text.length < 7) throw new ApiError(400, 'tweak is too short')
    return text.subarray(0, 7)
  },
})
rule('tweak-lenient', 'TF-TWEAK-06', 'characters that are not base64 are skipped', {
  tweakOf: () => (item) => Uint8Array.from({ length: 7 }, (_, place) => Buffer.from(textOf(item, 'tweak'), 'base64')[place] ?? 0),
})
route('tweak-of-no-use', 'TF-TWEAK-03', 'a tweak of zeros counts as none', CODING, (original) => (call) => {
  if (call.body.tweak === 'AAAAAAAAAAA='.slice(0, 10) + '==') throw new ApiError(400, 'tweak is missing')
  return original(call)
})
route('generated-not-returned', 'TF-TWEAK-07', 'the generated tweak is not returned', 'transform.encode', replyDataWithout('tweak'))
rule('generated-short', 'TF-TWEAK-07', 'a byte is missing in the returned tweak', {
  shownTweak: (original) => (tweak) => original(tweak.subarray(1)),
})
rule('generated-fixed', 'TF-TWEAK-08', 'the generated tweak is always the same', {
  generatedTweak: () => () => Uint8Array.of(1, 2, 3, 4, 5, 6, 7),
})
rule('generated-other', 'TF-TWEAK-10', 'another tweak is returned than was used', {
  shownTweak: (original) => (tweak) => original(Uint8Array.from(tweak).reverse()),
})
route(
  'generated-remembered',
  'TF-TWEAK-09',
  'what was generated is found again without the caller',
  CODING,
  (() => {
    const tweaks = new Map<string, string>()
    return (original) => async (call) => {
      const known = tweaks.get(textOf(call.body, 'value'))
      const reply = await original(
        known !== undefined && call.body.tweak === undefined ? { ...call, body: { ...call.body, tweak: known } } : call,
      )
      const { encoded_value: encoded, tweak } = dataOf(reply)
      if (typeof tweak === 'string') tweaks.set(String(encoded), tweak)
      return reply
    }
  })(),
)
rule('internal-asks', 'TF-TWEAK-11', 'a transformation with internal tweaks asks for one', {
  internalTweak: () => () => {
    throw new ApiError(400, 'tweak is missing')
  },
})
rule('internal-fresh', ['TF-TWEAK-11', 'TF-TWEAK-12'], 'an internal tweak is another one each time', {
  internalTweak: () => () => Uint8Array.from({ length: 7 }, () => Math.floor(Math.random() * 256)),
})
rule('mask-code-units', ['TF-MASK-01', 'TF-MASK-04'], 'code units are masked instead of characters', {
  replacedIn: (original) => (value, spans, transform) => {
    const [[start, end]] = spans as [readonly [number, number]]
    const text = transform(value.slice(start, end))
    return /^(.)\1*$/u.test(text)
      ? value.slice(0, start) + [...text][0]!.repeat(end - start) + value.slice(end)
      : original(value, spans, transform)
  },
})
rule('mask-keeps-last', 'TF-MASK-01', 'the last four characters are not masked', {
  masked: (original) => (text, character) => original(text, character).slice(0, -4) + text.slice(-4),
})
route(
  'mask-always-star',
  'TF-MASK-02',
  'a star masks whatever is written',
  'transform.encode',
  byRules((rules) => ({ masked: (text) => rules.masked(text, '*') })),
)
rule('mask-whole-text', 'TF-MASK-03', 'the whole masking_character masks each character', {
  maskingCharacterOf: (original) => (body, kind, previous) =>
    (kind === 'masking' ? textOf(body, 'masking_character') : '') || original(body, kind, previous),
})
rule('mask-half-character', 'TF-MASK-02', 'the first code unit masks', {
  maskingCharacterOf: (original) => (body, kind, previous) => original(body, kind, previous).slice(0, 1),
})
route(
  'mask-reversible',
  'TF-MASK-05',
  'what was masked last is remembered',
  CODING,
  (() => {
    const values = new Map<string, string>()
    return (original) => async (call) => {
      const value = textOf(call.body, 'value')
      const remembered = values.get(value)
      try {
        const reply = await original(call)
        const encoded = String(dataOf(reply).encoded_value)
        if (encoded.includes('****')) values.set(encoded, value)
        return reply
      } catch (error) {
        if (remembered !== undefined) return secret({ decoded_value: remembered })
        throw error
      }
    }
  })(),
)
route(
  'value-in-refusal',
  'TF-SECRET-01',
  'a refusal repeats the value',
  CODING,
  refusal((refused, { body }) => new ApiError(refused.status, `${refused.message}: ${body.value}`)),
)
route(
  'value-in-read',
  'TF-SECRET-02',
  'a read of a transformation shows the last value',
  ['transform.encode', 'transform.readTransformation'],
  (() => {
    let last = ''
    return (original) => async (call) => {
      if (typeof call.body.value === 'string') last = call.body.value
      const reply = await original(call)
      return call.method === 'GET' ? replyData(() => ({ ...dataOf(reply), last }))(() => reply)(call) : reply
    }
  })(),
)
route('strange-text-fails', 'TF-SECRET-03', 'a character beyond 16 bits is an internal error', CODING, (original) => (call) => {
  if (textOf({ value: typeof call.body.value === 'string' ? call.body.value : '' }, 'value').length > 500_000)
    throw new ApiError(500, 'internal error')
  return original(call)
})
route(
  'tweak-default',
  'TF-TWEAK-01',
  'without a tweak zeros are used',
  'transform.encode',
  (original) => (call) => original(call.body.batch_input === undefined ? { ...call, body: { tweak: 'AAAAAAAAAA==', ...call.body } } : call),
)
