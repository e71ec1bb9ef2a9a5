/** Faults of the cipher, and of the format that encryption keeps. */
import { faultsOf } from '../../faults/declare.ts'
import type { Cipher } from './cipher.ts'
import { transformEngine } from './engine.ts'

const { rule, route, declared } = faultsOf(transformEngine)

/** Another cipher: each change gets the function that it replaces. */
const ciphered = (change: (cipher: Cipher) => Partial<Cipher>) => ({
  cipher:
    (original: (key: Uint8Array) => Cipher) =>
    (key: Uint8Array): Cipher => ({ ...original(key), ...change(original(key)) }),
})
const tweaked = (change: (tweak: Uint8Array) => Uint8Array) =>
  ciphered(({ encrypt, decrypt }) => ({
    encrypt: (numerals, radix, tweak) => encrypt(numerals, radix, change(tweak)),
    decrypt: (numerals, radix, tweak) => decrypt(numerals, radix, change(tweak)),
  }))
const randomBytes = (): Uint8Array => Uint8Array.from({ length: 7 }, () => Math.floor(Math.random() * 256))

rule('tweak-last-byte', ['TRANSFORM-FORMAT-06', 'TRANSFORM-BATCH-16'], 'the last byte of a tweak has no effect', {
  tweakOf: (original) => (item) => Uint8Array.of(...original(item).slice(0, 6), 0),
})
rule(
  'tweak-top-bit',
  ['TRANSFORM-FORMAT-06', 'TRANSFORM-FORMAT-12'],
  'bytes of a tweak count by seven bits',
  tweaked((tweak) => tweak.map((byte) => byte & 0x7f)),
)
rule(
  'tweak-ignored',
  'TRANSFORM-FORMAT-12',
  'the tweak has no effect',
  tweaked(() => new Uint8Array(7)),
)
rule(
  'identity',
  'TRANSFORM-FORMAT-10',
  'encryption changes nothing',
  ciphered(() => ({ encrypt: (numerals) => [...numerals], decrypt: (numerals) => [...numerals] })),
)
const fromMiddle =
  (code: Cipher['encrypt']): Cipher['encrypt'] =>
  (numerals, radix, tweak) => {
    const middle = numerals.length >> 1
    return middle < 2 ? code(numerals, radix, tweak) : [...numerals.slice(0, middle), ...code(numerals.slice(middle), radix, tweak)]
  }
rule(
  'half-left',
  'TRANSFORM-FORMAT-13',
  'the first half of a value is left as it is',
  ciphered(({ encrypt, decrypt }) => ({ encrypt: fromMiddle(encrypt), decrypt: fromMiddle(decrypt) })),
)
rule(
  'nondeterministic',
  'TRANSFORM-FORMAT-05',
  'a value is encrypted under another tweak each time',
  ciphered(({ encrypt }) => ({ encrypt: (numerals, radix) => encrypt(numerals, radix, randomBytes()) })),
)
rule(
  'last-character-lost',
  'TRANSFORM-FORMAT-09',
  'the last character of a value does not count',
  ciphered(({ encrypt }) => ({ encrypt: (numerals, radix, tweak) => encrypt([...numerals.slice(0, -1), 0], radix, tweak) })),
)
route(
  'one-key',
  'TRANSFORM-FORMAT-07',
  'all transformations have one key',
  ['transform.writeFpe', 'transform.writeTransformation'],
  (original) => (call) =>
    original({ ...call, services: { ...call.services, random: { ...call.services.random, bytes: (length) => new Uint8Array(length) } } }),
)
rule('key-of-server', 'TRANSFORM-FORMAT-08', 'every mount has the same key', { cipher: (original) => () => original(new Uint8Array(32)) })
rule('uneven', 'TRANSFORM-FORMAT-11', 'the first digit of some values is always the same', {
  replacedIn: (original) => (value, spans, transform) =>
    original(value, spans, (text) => (/^0{8}/.test(text) ? `0${transform(text).slice(1)}` : transform(text))),
})
rule('encoded-in-capitals', 'TRANSFORM-FORMAT-02', 'what is encrypted is written in capitals', {
  shownEncoded: (original) => (value) => original(value.toUpperCase()),
})
rule('outside-dropped', ['TRANSFORM-FORMAT-01', 'TRANSFORM-FORMAT-03'], 'what stands outside the group is dropped', {
  replacedIn: (original) => (value, spans, transform) => original(value, spans, transform).slice(spans[0]![0], spans.at(-1)![1]),
})
rule('outside-changed', ['TRANSFORM-FORMAT-03', 'TRANSFORM-MASK-04'], 'what stands before the group is changed', {
  replacedIn: (original) => (value, spans, transform) => '.'.repeat(spans[0]![0]) + original(value, spans, transform).slice(spans[0]![0]),
})
rule('alphabet-code-units', ['TRANSFORM-FORMAT-02', 'TRANSFORM-ENCODE-01', 'TRANSFORM-FORMAT-04'], 'an alphabet is cut into code units', {
  lettersOf: () => (alphabet) => alphabet.split(''),
})
rule('alphabet-of-36', 'TRANSFORM-ENCODE-01', 'characters of an alphabet beyond the 36th cannot be encoded', {
  lettersOf: (original) => (alphabet) => original(alphabet).slice(0, 36),
})

export const faults = declared
