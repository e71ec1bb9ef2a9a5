/** Tokens stand for values and show nothing of them. */
import { createHash } from 'node:crypto'
import {
  type Answer,
  type Bench,
  type CheckContext,
  check,
  fc,
  type JsonObject,
  nastyTexts,
  property,
} from '../../../harness/checks/index.ts'
import { newScheme, newValue, plaintextOf, resultsOf, WORDS } from '../fixtures.ts'
import { asking, newText, newTokens, type Tokens } from './fixtures.ts'

const usable = (text: string): boolean => text !== '' && Buffer.from(text).toString() === text && !text.includes('\0')

const texts = () =>
  fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
      fc.constantFrom(...nastyTexts.filter((text) => text.length <= 10_000)),
      fc.integer({ min: 1, max: 10_000 }).map((length) => 'xä€😀'.repeat(length).slice(0, length)),
    )
    .filter(usable)

property(
  'transform/token-round-trip',
  'TF-TOKEN-01',
  'any text comes back from its token',
  {
    runs: [15, 60, 300],
    first: ['a', ' ', '0', '{{value}}', "'; DROP TABLE tokens; --", 'x'.repeat(10_000), '😀'.repeat(5_000), 'null', 'é'],
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

/** What would give a value away: it, its parts, its spellings, and its digests. */
const traces = (value: string): string[] => {
  const bytes = Buffer.from(value)
  const encodings = [
    value,
    [...value].reverse().join(''),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ]
  const digests = DIGESTS.flatMap((name) => {
    const digest = createHash(name).update(value).digest()
    return [digest.toString('hex'), digest.toString('base64').replace(/=+$/, ''), digest.toString('base64url')]
  })
  // Eight characters in a row of the value or of a digest come into a token by chance less than once in 10^9 runs.
  return [...encodings, ...digests]
    .flatMap((text) => [text, text.slice(0, 12), text.slice(-12), text.slice(4, 16)])
    .filter((text) => text.length >= 8)
}

check(
  'transform/token-tells-nothing',
  ['TF-TOKEN-02', 'TF-TOKEN-03', 'TF-TOKEN-06', 'TF-TOKEN-07'],
  'a token holds nothing of its value',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const [one, two] = [await newTokens(bench), await newTokens(bench)]
    const seen = new Map<string, string>()
    for (let round = 0; round < 8; round += 1) {
      const value = round % 2 === 0 ? newText(bench) : newValue(bench, WORDS, 16)
      const token = await one.token(value)
      await bench.decide('TF-TOKEN-02', () => {
        const lower = token.toLowerCase()
        expect(traces(value).filter((trace) => lower.includes(trace.toLowerCase())).length, 'traces of the value in its token').toBe(0)
        expect(
          traces(value).filter((trace) => Buffer.from(token, 'base64').toString('latin1').includes(trace)).length,
          'traces in a decoded token',
        ).toBe(0)
      })
      await bench.decide('TF-TOKEN-03', () => expect(seen.has(token), 'the token of another value').toBe(false))
      seen.set(token, value)
      const elsewhere = await two.token(value)
      await bench.decide('TF-TOKEN-07', () => expect(elsewhere === token, 'the same token under another transformation').toBe(false))
      bench.observe('TF-TOKEN-06', { equal: (await one.token(value)) === token })
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
  'transform/no-tokens',
  ['TF-TOKEN-04', 'TF-TOKEN-05', 'TF-VALIDATE-02', 'TF-VALIDATE-03', 'TF-VALIDATE-04', 'TF-METADATA-06', 'TF-SECRET-04'],
  'what is no token of the transformation is neither decoded nor valid, and shows nothing',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const [own, foreign] = [await newTokens(bench), await newTokens(bench)]
    const [value, other] = [newText(bench), newText(bench)]
    const metadata = `owner=${bench.fresh('owner')}`
    const token = await own.token(value, { metadata })
    const beside = await foreign.token(other, { metadata })
    const judged = async (text: string, clauses: { decode: string; validate: string }): Promise<void> => {
      const answers = { decode: await own.decode(text), validate: await own.validate(text), metadata: await own.metadata(text) }
      await bench.decide(clauses.decode, () => {
        expect(answers.decode.status, 'status of decoding').toBeLessThan(500)
        expect(answers.decode.ok, 'whether it is decoded').toBe(false)
      })
      await bench.decide(clauses.validate, () => {
        expect(answers.validate.status, 'status of validating').toBeLessThan(500)
        expect(answers.validate.data.valid ?? false, 'valid').toBe(false)
      })
      await bench.decide('TF-VALIDATE-04', () => expect(answers.validate.data.valid, 'valid').toBe(false))
      await bench.decide('TF-METADATA-06', () => {
        expect(answers.metadata.status, 'status of metadata').toBeLessThan(500)
        expect(answers.metadata.text.includes(metadata), 'metadata of what is no token').toBe(false)
      })
      await bench.decide('TF-SECRET-04', () => {
        for (const answer of Object.values(answers))
          expect(answer.text.includes(other) || answer.text.includes(value), 'a value').toBe(false)
      })
    }
    for (const text of changed(bench, token, beside)) await judged(text, { decode: 'TF-TOKEN-05', validate: 'TF-VALIDATE-03' })
    await judged(beside, { decode: 'TF-TOKEN-04', validate: 'TF-VALIDATE-02' })
    const asToken = [await own.decode(newText(bench)), await own.validate(value)]
    await bench.decide('TF-TOKEN-05', () => expect(asToken[0]!.ok, 'a value decoded as a token').toBe(false))
    await bench.decide('TF-VALIDATE-03', () => expect(asToken[1]!.data.valid ?? false, 'a value as a token').toBe(false))
    const right = await own.decode(token)
    await bench.decide('TF-TOKEN-04', () => expect(right.data.decoded_value === value, 'its own token').toBe(true))
  },
)

check(
  'transform/questions',
  ['TF-VALIDATE-01', 'TF-TOKENIZED-01', 'TF-TOKENIZED-02', 'TF-TOKENIZED-03', 'TF-TOKENIZED-05', 'TF-SECRET-04'],
  'tokens are valid and values tokenized, and neither answer shows the other',
  async ({ bench, expect }) => {
    const [own, foreign] = [await newTokens(bench), await newTokens(bench)]
    const value = newText(bench)
    const before = await own.tokenized(value)
    await bench.decide('TF-TOKENIZED-02', () => expect(before.data.tokenized, 'before it was encoded').toBe(false))
    const elsewhere = await foreign.token(value)
    const foreignOnly = await own.tokenized(value)
    await bench.decide('TF-TOKENIZED-03', () => expect(foreignOnly.data.tokenized, 'encoded by another transformation').toBe(false))
    const known = [await own.token(value), await own.token(value), await own.token(newText(bench))]
    const valid: Answer[] = []
    for (const token of known) valid.push(await own.validate(token))
    await bench.decide('TF-VALIDATE-01', () => {
      for (const answer of valid) {
        expect(answer).toHaveStatus(200)
        expect(answer.data.valid).toBe(true)
      }
    })
    const after = await own.tokenized(value)
    await bench.decide('TF-TOKENIZED-01', () => {
      expect(after).toHaveStatus(200)
      expect(after.data.tokenized).toBe(true)
    })
    await bench.decide('TF-TOKENIZED-05', () => {
      const headers = Object.values(after.headers).join('\n')
      for (const token of [...known, elsewhere])
        expect(after.text.includes(token) || headers.includes(token), 'a token in the answer').toBe(false)
    })
    await bench.decide('TF-SECRET-04', () => {
      for (const answer of [...valid, after]) expect(answer.text.includes(value), 'the value in the answer').toBe(false)
    })
    for (const near of [
      value.slice(0, -1),
      `${value}x`,
      ` ${value}`,
      `${value} `,
      [...value].reverse().join(''),
      known[0]!,
      value.slice(1),
    ]) {
      const answer = await own.tokenized(near)
      await bench.decide('TF-TOKENIZED-02', () => expect(answer.data.tokenized, 'a value near one that was encoded').toBe(false))
    }
  },
)

check(
  'transform/questions-of-others',
  ['TF-VALIDATE-05', 'TF-TOKENIZED-04', 'TF-METADATA-07'],
  'questions about tokens are refused for encryption and masking',
  async ({ bench }) => {
    for (const kind of ['fpe', 'masking'] as const) {
      const scheme = await newScheme(bench, kind, { letters: WORDS })
      const tokens = await newTokens(bench, {}, [scheme.role])
      await bench.given('transform.writeRole', { path: { name: scheme.role }, body: { transformations: [scheme.name, tokens.name] } })
      const value = newValue(bench, WORDS, 32)
      const encoded = await scheme.encoded(value)
      const token = await tokens.token(value)
      for (const [operation, clause] of [
        ['validate', 'TF-VALIDATE-05'],
        ['tokenized', 'TF-TOKENIZED-04'],
        ['metadata', 'TF-METADATA-07'],
      ] as const)
        for (const text of [encoded, value])
          await bench.decide(clause, async () => {
            await bench.refuses(`transform.${operation}`, {
              label: kind,
              bad: { path: { role_name: scheme.role }, body: { value: text, transformation: scheme.name } },
              control: {
                path: { role_name: scheme.role },
                body: { value: operation === 'tokenized' ? value : token, transformation: tokens.name },
              },
              unchanged: null,
              because: 'questions change nothing',
            })
          })
    }
  },
)

for (const [operation, clause] of [
  ['validate', 'TF-VALIDATE-09'],
  ['metadata', 'TF-METADATA-10'],
] as const)
  check(`transform/${operation}-value-missing`, clause, 'a token is required', async ({ bench }) => {
    const tokens = await newTokens(bench)
    const token = await tokens.token(newText(bench))
    const path = { role_name: tokens.role }
    for (const body of [{ transformation: tokens.name }, {}] as JsonObject[])
      await bench.refuses(`transform.${operation}`, {
        bad: { path, body, invalid: true },
        control: { path, body: { value: token, transformation: tokens.name } },
        unchanged: null,
        because: 'questions change nothing',
      })
  })

interface Side {
  about: string
  clauses: Record<'encode' | 'decode' | 'validate' | 'tokenized' | 'metadata', string>
  listed(name: string): string[]
  allowed(role: string): string[]
}

const near = (name: string): string[] => [`${name}-2`, name.slice(0, -1), `a-${name}`]
const ROLE = {
  encode: 'TF-ACCESS-01',
  decode: 'TF-ACCESS-03',
  validate: 'TF-ACCESS-14',
  tokenized: 'TF-ACCESS-16',
  metadata: 'TF-ACCESS-18',
}
const TRANSFORMATION = {
  encode: 'TF-ACCESS-02',
  decode: 'TF-ACCESS-04',
  validate: 'TF-ACCESS-15',
  tokenized: 'TF-ACCESS-17',
  metadata: 'TF-ACCESS-19',
}
const SIDES: Side[] = [
  { about: 'role', clauses: ROLE, listed: () => [], allowed: (role) => [role] },
  { about: 'role-with-others', clauses: ROLE, listed: near, allowed: (role) => [role] },
  { about: 'transformation', clauses: TRANSFORMATION, listed: (name) => [name], allowed: () => [] },
  { about: 'transformation-with-others', clauses: TRANSFORMATION, listed: (name) => [name], allowed: near },
]

for (const side of SIDES)
  check(
    `transform/tokens-denied-by-${side.about}`,
    [...new Set(Object.values(side.clauses))],
    'a role does nothing with tokens of a transformation that either side does not allow',
    { kind: 'security' },
    async ({ bench }) => {
      const role = bench.fresh('role')
      const tokens = await newTokens(bench, {}, side.allowed(role))
      await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: side.listed(tokens.name) } })
      const value = newText(bench)
      const token = await tokens.token(value)
      for (const [operation, clause] of Object.entries(side.clauses)) {
        const body = { value: operation === 'encode' || operation === 'tokenized' ? value : token, transformation: tokens.name }
        await bench.decide(clause, async () => {
          await bench.refuses(`transform.${operation}`, {
            label: operation,
            bad: { path: { role_name: role }, body },
            control: { path: { role_name: tokens.role }, body },
            unchanged: async () => (await tokens.validate(token)).data.valid,
          })
        })
      }
    },
  )

const batchOf = (bench: Bench, tokens: Tokens, operation: string, items: JsonObject[], beside: JsonObject = {}) =>
  bench.call(`transform.${operation}`, { path: { role_name: tokens.role }, body: { ...beside, batch_input: items } })

check(
  'transform/batches-of-tokens',
  ['TF-BATCH-21', 'TF-BATCH-22', 'TF-VALIDATE-08'],
  'batches of tokens come in order',
  async ({ bench, expect }) => {
    const tokens = await newTokens(bench)
    const values = [newText(bench), newText(bench), newText(bench), newText(bench)]
    const encoded = resultsOf(
      await batchOf(
        bench,
        tokens,
        'encode',
        values.map((value) => ({ value, transformation: tokens.name })),
      ),
    )
    const made = encoded.map((result) => String(result.encoded_value))
    const decoded = resultsOf(
      await batchOf(
        bench,
        tokens,
        'decode',
        made.map((value) => ({ value, transformation: tokens.name })),
      ),
    )
    await bench.decide('TF-BATCH-21', () =>
      expect(decoded.map(plaintextOf).every((value, index) => value === values[index]) && decoded.length === 4, 'values in order').toBe(
        true,
      ),
    )
    const questions = [made[0]!, 'no-token', made[1]!].map((value) => ({ value, transformation: tokens.name }))
    const answers = resultsOf(await batchOf(bench, tokens, 'validate', questions))
    await bench.decide('TF-BATCH-22', () => expect(answers.map((answer) => answer.valid ?? false)).toEqual([true, false, true]))
    const asked = resultsOf(
      await batchOf(
        bench,
        tokens,
        'tokenized',
        [values[0]!, newText(bench), values[2]!].map((value) => ({ value, transformation: tokens.name })),
      ),
    )
    await bench.decide('TF-BATCH-22', () => expect(asked.map((answer) => answer.tokenized ?? false)).toEqual([true, false, true]))
    await bench.decide('TF-VALIDATE-08', async () => {
      const path = { role_name: tokens.role }
      for (const operation of ['validate', 'tokenized', 'metadata']) {
        const answer = await bench.call(`transform.${operation}`, { path, body: { batch_input: { value: made[0]! } }, invalid: true })
        expect(answer, `${operation} of an object as batch`).toBeRefused()
      }
    })
  },
)

check(
  'transform/role-with-one-tokenization',
  'TF-ACCESS-06',
  'a role with one tokenization need not name it',
  async ({ bench, expect }) => {
    const tokens = await newTokens(bench)
    const use = asking(bench, tokens.role, tokens.name)
    const value = newText(bench)
    const none = { transformation: undefined }
    const token = await use.token(value, none)
    expect((await use.decode(token, none)).data.decoded_value === value, 'the value came back').toBe(true)
    expect((await use.validate(token, none)).data.valid).toBe(true)
    expect((await use.tokenized(value, none)).data.tokenized).toBe(true)
    expect(await use.metadata(token, none)).toSucceed()
  },
)
