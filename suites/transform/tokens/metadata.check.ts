/** What is kept beside a token, and when it says that it ends. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { OBSERVING, resultsOf } from '../fixtures.ts'
import { newText, newTokens, ODD_METADATA, pairsOf, type Tokens } from './fixtures.ts'

const PAIRS = [
  'purpose=test,owner=me',
  'a=1',
  'z=1,a=2,m=3',
  'key=value with spaces',
  'Key=Value,UPPER=CASE,a.b-c_d=1',
  'ключ=значение,x=😀',
]

/** Seconds: minutes to a year, because a token is not a lease and has none of its limits. */
const LIFETIMES = [60, 3_600, 86_400, 3_456_000, 31_536_000]

interface Kept {
  value: string
  token: string
  metadata: string
  /** Seconds. */
  ttl: number
  /** Milliseconds since the epoch between which it was made. */
  from: number
  to: number
}

const keep = async (tokens: Tokens, value: string, metadata: string, index: number): Promise<Kept> => {
  const ttl = LIFETIMES[index % LIFETIMES.length]!
  const from = Date.now()
  const token = await tokens.token(value, { metadata, ttl: index % 2 === 0 ? ttl : `${ttl}s` })
  return { value, token, metadata, ttl, from, to: Date.now() }
}

check(
  'transform/metadata',
  ['TRANSFORM-METADATA-01', 'TRANSFORM-METADATA-02', 'TRANSFORM-METADATA-05', 'TRANSFORM-SECRET-04'],
  'a token carries its metadata and its end, and shows no value',
  async ({ bench, expect }) => {
    const tokens = await newTokens(bench)
    const all: Kept[] = []
    for (const [index, metadata] of PAIRS.entries()) all.push(await keep(tokens, newText(bench), metadata, index))
    for (const one of all) {
      const answer = await tokens.metadata(one.token)
      await bench.decide('TRANSFORM-METADATA-01', () => {
        expect(answer).toHaveStatus(200)
        expect(pairsOf(answer.data.metadata), 'the pairs of the token').toEqual(pairsOf(one.metadata))
      })
      await bench.decide('TRANSFORM-METADATA-05', () =>
        expect(String(answer.data.expiration_time)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/),
      )
      const end = Date.parse(String(answer.data.expiration_time)) - bench.clockSkew * 1_000
      await bench.decide('TRANSFORM-METADATA-02', () => {
        expect(end, 'the end of the token, not before').toBeGreaterThanOrEqual(one.from + one.ttl * 1_000 - bench.grace)
        expect(end, 'the end of the token, not after').toBeLessThanOrEqual(one.to + one.ttl * 1_000 + bench.grace)
      })
      await bench.decide('TRANSFORM-SECRET-04', () => expect(answer.text.includes(one.value), 'the value among the metadata').toBe(false))
    }
  },
)

check(
  'transform/metadata-verbatim',
  'TRANSFORM-METADATA-01',
  'values of metadata that are taken are shown whole, whatever letters they have',
  async ({ bench, expect }) => {
    const tokens = await newTokens(bench)
    let shown = 0
    for (const metadata of ODD_METADATA) {
      const item: JsonObject = { value: newText(bench), transformation: tokens.name, metadata }
      const alone = await tokens.encode(newText(bench), { metadata })
      const batch = await bench.call('transform.encode', { path: { role_name: tokens.role }, body: { batch_input: [item, item] } })
      for (const token of [alone.data.encoded_value, ...resultsOf(batch).map(({ encoded_value }) => encoded_value)]) {
        // How much of it a value may hold is not said: what is taken is kept.
        if (typeof token !== 'string') continue
        const read = await tokens.metadata(token)
        expect(pairsOf(read.data.metadata), 'the pairs of the token').toEqual(pairsOf(metadata))
        shown += 1
      }
    }
    expect(shown, 'metadata that were taken').toBeGreaterThan(0)
  },
)

check(
  'transform/metadata-of-one-value',
  'TRANSFORM-METADATA-03',
  'each token of a value has its own metadata',
  async ({ bench, expect }) => {
    const tokens = await newTokens(bench)
    const value = newText(bench)
    const all = [await keep(tokens, value, 'first=1', 0), await keep(tokens, value, 'second=2', 0)]
    for (const { token } of all) {
      // Where equal values have one token, either may be what it shows.
      const either = all.filter((one) => one.token === token).map(({ metadata }) => pairsOf(metadata))
      const answer = await tokens.metadata(token)
      expect(answer).toHaveStatus(200)
      expect(either, 'the pairs of the token').toContainEqual(pairsOf(answer.data.metadata))
    }
  },
)

check('transform/metadata-none', 'TRANSFORM-METADATA-04', 'what is kept beside a token without metadata', async ({ bench }) => {
  const tokens = await newTokens(bench)
  const bare = await tokens.metadata(await tokens.token(newText(bench)), {}, OBSERVING)
  bench.observe('TRANSFORM-METADATA-04', {
    status: bare.status,
    metadata: bare.data.metadata ?? null,
    expiration_time: bare.data.expiration_time ?? null,
  })
})

check('transform/metadata-of-ended', 'TRANSFORM-METADATA-09', 'metadata of a token that has ended', async ({ bench }) => {
  const tokens = await newTokens(bench)
  const token = await tokens.token(newText(bench), { ttl: 3, metadata: 'a=1' })
  await bench.eventually(async () => !(await tokens.decode(token)).ok, { within: 3_000 + bench.grace, every: 300 })
  bench.observe('TRANSFORM-METADATA-09', (await tokens.metadata(token, {}, OBSERVING)).status)
})

check('transform/batch-metadata', 'TRANSFORM-BATCH-20', 'each item of a batch has its own metadata', async ({ bench, expect }) => {
  const tokens = await newTokens(bench)
  const pairs = ['a=1,b=2', '', 'a=3', 'c=4']
  const items = pairs.map(
    (metadata): JsonObject => ({ value: newText(bench), transformation: tokens.name, ...(metadata === '' ? {} : { metadata }) }),
  )
  for (const beside of [{}, { metadata: 'of=nobody' }] as JsonObject[]) {
    const answer = await bench.given('transform.encode', { path: { role_name: tokens.role }, body: { ...beside, batch_input: items } })
    const made = resultsOf(answer).map((result) => String(result.encoded_value))
    expect(made.length, 'results').toBe(pairs.length)
    for (const [index, token] of made.entries()) {
      const shown = await tokens.metadata(token)
      if (pairs[index] === '')
        expect(
          pairsOf(shown.data.metadata).filter((pair) => ['of=nobody', ...pairs.flatMap(pairsOf)].includes(pair)),
          'metadata from beside the batch or of other items',
        ).toEqual([])
      else expect(pairsOf(shown.data.metadata)).toEqual(pairsOf(pairs[index]))
    }
  }
})
