/** Faults of the cipher and of the format that encryption keeps. */
import { faultsOf } from '../../mutations/declare.ts'
import type { Cipher } from './cipher.ts'
import { transformEngine } from './engine.ts'

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
  ['TRANSFORM-FORMAT-06', 'TRANSFORM-FORMAT-12'],
  'the tweak has no effect',
  tweaked(() => new Uint8Array(7)),
)
rule(
  'tweak-fourth-byte',
  'TRANSFORM-FORMAT-06',
  'the fourth byte of a tweak has no effect',
  tweaked((tweak) => tweak.map((byte, place) => (place === 3 ? 0 : byte))),
)
rule(
  'tweak-last-byte',
  'TRANSFORM-FORMAT-06',
  'the last byte of a tweak has no effect',
  tweaked((tweak) => tweak.map((byte, place) => (place === 6 ? 0 : byte))),
)
rule(
  'tweak-top-bit',
  ['TRANSFORM-FORMAT-06', 'TRANSFORM-FORMAT-12'],
  'bytes of a tweak count by seven bits',
  tweaked((tweak) => tweak.map((byte) => byte & 0x7f)),
)
rule('identity', 'TRANSFORM-FORMAT-10', 'encryption changes nothing', {
  cipher: () => () => ({ encrypt: (numerals) => [...numerals], decrypt: (numerals) => [...numerals] }),
})
rule('half-left', 'TRANSFORM-FORMAT-10', 'the first half of a value is left as it is', {
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
rule('decrypt-halves', 'TRANSFORM-FORMAT-04', 'decryption exchanges the halves', {
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
rule('nondeterministic', 'TRANSFORM-FORMAT-05', 'the tweak is another one each time and decoding never finds it', {
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
rule('collapses-last', 'TRANSFORM-FORMAT-09', 'the last character is lost', {
  cipher: (original) => (key) => {
    const cipher = original(key)
    return { ...cipher, encrypt: (numerals, radix, tweak) => cipher.encrypt([...numerals.slice(0, -1), 0], radix, tweak) }
  },
})
route(
  'one-key',
  'TRANSFORM-FORMAT-07',
  'all transformations have one key',
  ['transform.writeFpe', 'transform.writeTransformation'],
  (original) => (call) =>
    original({ ...call, services: { ...call.services, random: { ...call.services.random, bytes: (length) => new Uint8Array(length) } } }),
)
rule('key-of-mount', 'TRANSFORM-FORMAT-08', 'the key is that of every server', { cipher: (original) => () => original(new Uint8Array(32)) })
rule('uneven', 'TRANSFORM-FORMAT-11', 'the first digit is always the same', {
  replacedIn: (original) => (value, spans, transform) =>
    original(value, spans, (text) => (/^0{8}/.test(text) ? `0${transform(text).slice(1)}` : transform(text))),
})
rule('alphabet-cut', 'TRANSFORM-FORMAT-02', 'what comes out is written in upper case', {
  shownEncoded: (original) => (value) => original(value.toUpperCase()),
})
rule('one-longer', 'TRANSFORM-FORMAT-01', 'an encrypted value is a character longer', {
  replacedIn: (original) => (value, spans, transform) => original(value, spans, transform) + value.slice(-1),
})
rule('separators-dropped', ['TRANSFORM-FORMAT-01', 'TRANSFORM-FORMAT-03'], 'what stands outside the group is dropped', {
  replacedIn: (original) => (value, spans, transform) => original(value, spans, transform).slice(spans[0]![0], spans.at(-1)![1]),
})
rule('separators-star', ['TRANSFORM-FORMAT-03', 'TRANSFORM-MASK-04'], 'what stands before the group is changed', {
  replacedIn: (original) => (value, spans, transform) => '.'.repeat(spans[0]![0]) + original(value, spans, transform).slice(spans[0]![0]),
})
rule('code-units', ['TRANSFORM-FORMAT-02', 'TRANSFORM-ENCODE-01', 'TRANSFORM-FORMAT-04'], 'an alphabet is cut into code units', {
  lettersOf: () => (alphabet) => alphabet.split(''),
})
