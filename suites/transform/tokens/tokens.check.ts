/** Tokens stand for values and show nothing of them. */
import { createHash } from 'node:crypto'
import { type Bench, type CheckContext, check, fc, nastyTexts, property } from '../../../harness/checks/index.ts'
import { newValue, WORDS } from '../fixtures.ts'
import { newText, newTokens, ODD_TEXTS, pairsOf, type Tokens, twoTokens } from './fixtures.ts'

const usable = (text: string): boolean => text !== '' && Buffer.from(text).toString() === text && !text.includes('\0')

const SURROGATES = { from: 0xd800, count: 0x800 }
// The library's unit of this kind keeps a table of all million characters.
const anyCharacter = fc
  .nat({ max: 0x10ffff - SURROGATES.count })
  .map((at) => String.fromCodePoint(at < SURROGATES.from ? at : at + SURROGATES.count))

const texts = () =>
  fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 }),
      fc.constantFrom(...nastyTexts.filter((text) => text.length <= 10_000)),
      fc.integer({ min: 1, max: 10_000 }).map((length) => 'xä€😀'.repeat(length).slice(0, length)),
    )
    .filter(usable)

property(
  'transform/token-round-trip',
  'TRANSFORM-TOKEN-01',
  'any text comes back from its token',
  {
    runs: [15, 60],
    first: ['x'.repeat(10_000), '😀'.repeat(5_000), ...ODD_TEXTS],
  },
  texts,
  async ({ bench, expect }: CheckContext, value) => {
    const tokens = await bench.memo('tokens', () => newTokens(bench))
    const answer = await tokens.encode(value)
    expect(answer).toHaveStatus(200)
    expect(answer.data.encoded_value, 'a token').not.toBe(value)
    const decoded = await tokens.decode(String(answer.data.encoded_value))
    expect(decoded).toHaveStatus(200)
    expect(decoded.data.decoded_value === value, 'the value came back').toBe(true)
  },
)

const DIGESTS = ['md5', 'sha1', 'sha256', 'sha512', 'sha3-256']

/** A value and its spellings. */
const spellings = (value: string): string[] => {
  const bytes = Buffer.from(value)
  return [value, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]
}

/** What else gives a value away: parts of it and of its spellings, and its digests. */
const traces = (value: string): string[] => {
  const digests = DIGESTS.flatMap((name) => {
    const digest = createHash(name).update(value).digest()
    return [digest.toString('hex'), digest.toString('base64').replace(/=+$/, ''), digest.toString('base64url')]
  })
  // Eight characters in a row of the value or of a digest come into a token by chance less than once in 10^9 runs.
  return [...spellings(value), [...value].reverse().join(''), ...digests]
    .flatMap((text) => [text, text.slice(0, 12), text.slice(-12), text.slice(4, 16)])
    .filter((text) => text.length >= 8)
}

check(
  'transform/token-tells-nothing',
  ['TRANSFORM-TOKEN-02', 'TRANSFORM-TOKEN-03', 'TRANSFORM-TOKEN-06', 'TRANSFORM-TOKEN-08'],
  'a token holds nothing of its value',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const one = await newTokens(bench)
    const seen = new Map<string, string>()
    for (let round = 0; round < 8; round += 1) {
      const value = round % 2 === 0 ? newText(bench) : newValue(bench, WORDS, 16)
      const token = await one.token(value)
      for (const [clause, given, what] of [
        ['TRANSFORM-TOKEN-02', spellings(value), 'spellings'],
        ['TRANSFORM-TOKEN-08', traces(value), 'parts and digests'],
      ] as const)
        await bench.decide(clause, () => {
          const lower = token.toLowerCase()
          expect(given.filter((text) => lower.includes(text.toLowerCase())).length, `${what} of the value in its token`).toBe(0)
          const decoded = Buffer.from(token, 'base64').toString('latin1')
          expect(given.filter((text) => decoded.includes(text)).length, `${what} of the value in its decoded token`).toBe(0)
        })
      await bench.decide('TRANSFORM-TOKEN-03', () => expect(seen.has(token), 'the token of another value').toBe(false))
      seen.set(token, value)
      bench.observe('TRANSFORM-TOKEN-06', { equal: (await one.token(value)) === token })
    }
  },
)

/** A token with one character changed, cut, or put together of two. */
const changed = (bench: Bench, token: string, other: string): string[] => {
  const at = bench.random.integer(0, token.length - 1)
  const letter = token[at] === 'a' ? 'b' : 'a'
  return [
    `${token.slice(0, at)}${letter}${token.slice(at + 1)}`,
    token.slice(0, -1),
    `${token}a`,
    token.slice(0, 12) + other.slice(12),
    [...token].reverse().join(''),
    'a'.repeat(40),
    '%',
    '',
  ]
}

check(
  'transform/tokens-apart',
  'TRANSFORM-TOKEN-07',
  'equal values have different tokens under different transformations',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const [one, two] = [await newTokens(bench), await newTokens(bench)]
    for (const value of [newText(bench), newValue(bench, WORDS, 16), newText(bench), newValue(bench, WORDS, 16)])
      expect((await one.token(value)) === (await two.token(value)), 'the same token under both').toBe(false)
  },
)

interface Strange {
  own: Tokens
  /** Values that are not a token. */
  texts: string[]
  /** A token of another transformation. */
  beside: string
  /** Those of both tokens, and their metadata. */
  values: string[]
  metadata: string
  token: string
}

/** A token of a transformation, one of another, and what is near to both. */
const strangeTo = async (bench: Bench): Promise<Strange> => {
  const [own, another] = await twoTokens(bench)
  const values = [newText(bench), newText(bench)] as const
  const metadata = `owner=${bench.fresh('owner')}`
  const token = await own.token(values[0], { metadata })
  const beside = await another.token(values[1], { metadata })
  return { own, texts: changed(bench, token, beside), beside, values: [...values], metadata, token }
}

check(
  'transform/no-token-decoded',
  ['TRANSFORM-TOKEN-05', 'TRANSFORM-TOKEN-09', 'TRANSFORM-SECRET-04'],
  'a value that is not a token of the transformation is not decoded',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const { own, texts, beside, values, token } = await strangeTo(bench)
    for (const text of [...texts, beside, newText(bench)]) {
      const answer = await own.decode(text)
      await bench.decide(text === beside ? 'TRANSFORM-TOKEN-09' : 'TRANSFORM-TOKEN-05', () => {
        expect(answer.status, 'status of decoding').toBeLessThan(500)
        expect(answer.ok, 'whether it is decoded').toBe(false)
      })
      await bench.decide(text === beside ? 'TRANSFORM-TOKEN-09' : 'TRANSFORM-SECRET-04', () =>
        expect(
          values.some((value) => answer.text.includes(value)),
          'a value',
        ).toBe(false),
      )
    }
    const right = await own.decode(token)
    await bench.decide('TRANSFORM-TOKEN-05', () => expect(right.data.decoded_value === values[0], 'its own token').toBe(true))
  },
)

check(
  'transform/no-token-valid',
  ['TRANSFORM-VALIDATE-02', 'TRANSFORM-VALIDATE-03', 'TRANSFORM-VALIDATE-04'],
  'a value that is not a token of the transformation is not valid',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const { own, texts, beside, values } = await strangeTo(bench)
    for (const text of [...texts, beside, values[0]!]) {
      const answer = await own.validate(text)
      await bench.decide(text === beside ? 'TRANSFORM-VALIDATE-02' : 'TRANSFORM-VALIDATE-03', () => {
        expect(answer.status, 'status of validating').toBeLessThan(500)
        expect(answer.data.valid ?? false, 'valid').toBe(false)
      })
      await bench.decide('TRANSFORM-VALIDATE-04', () => expect(answer.data.valid, 'valid').toBe(false))
    }
  },
)

check(
  'transform/no-token-metadata',
  ['TRANSFORM-METADATA-06', 'TRANSFORM-TOKEN-09', 'TRANSFORM-SECRET-04'],
  'a value that is not a token of the transformation has no metadata',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const { own, texts, beside, values, metadata } = await strangeTo(bench)
    for (const text of [...texts, beside]) {
      const answer = await own.metadata(text)
      await bench.decide(text === beside ? 'TRANSFORM-TOKEN-09' : 'TRANSFORM-METADATA-06', () => {
        expect(answer.status, 'status of metadata').toBeLessThan(500)
        expect(answer.text.includes(metadata), 'metadata of a value that is not a token').toBe(false)
      })
      await bench.decide('TRANSFORM-SECRET-04', () =>
        expect(
          values.some((value) => answer.text.includes(value)),
          'a value',
        ).toBe(false),
      )
    }
  },
)

check(
  'transform/tokens-outlive-another',
  'TRANSFORM-APART-01',
  'tokens go on when another transformation for tokens is deleted',
  async ({ bench, expect }) => {
    const [own, another] = await twoTokens(bench)
    const values = [newText(bench), newText(bench)]
    const tokens = [await own.token(values[0]!, { metadata: 'a=1' }), await own.token(values[1]!)]
    await another.token(newText(bench))
    for (const name of [another.name, (await newTokens(bench)).name]) {
      await bench.given('transform.deleteTransformation', { path: { name } })
      for (const [index, token] of tokens.entries()) {
        expect((await own.decode(token)).data.decoded_value === values[index], 'the value came back').toBe(true)
        expect((await own.validate(token)).data.valid, 'valid').toBe(true)
        expect((await own.tokenized(values[index]!)).data.tokenized, 'tokenized').toBe(true)
      }
      expect(pairsOf((await own.metadata(tokens[0]!)).data.metadata), 'metadata').toEqual(['a=1'])
    }
  },
)
