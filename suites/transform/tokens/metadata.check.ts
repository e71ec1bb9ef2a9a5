/** What is kept beside a token, and when it says that it ends. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { resultsOf } from '../fixtures.ts'
import { newText, newTokens } from './fixtures.ts'

const PAIRS = ['purpose=test,owner=me', 'a=1', 'z=1,a=2,m=3', 'key=value with spaces', 'ключ=значение,x=😀']

const pairsOf = (text: unknown): string[] =>
  String(text ?? '')
    .split(/,\s*/)
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .sort()

check(
  'transform/metadata',
  ['TF-METADATA-01', 'TF-METADATA-02', 'TF-METADATA-03', 'TF-METADATA-05', 'TF-SECRET-04', 'TF-METADATA-04'],
  'a token carries its metadata and its end',
  async ({ bench, expect }) => {
    const tokens = await newTokens(bench)
    const all: { value: string; token: string; metadata: string; ttl: number; from: number; to: number }[] = []
    const same = newText(bench)
    for (const [index, metadata] of [...PAIRS, 'first=1', 'second=2'].entries()) {
      const ttl = [60, 3_600, 86_400][index % 3]!
      const value = index < PAIRS.length ? newText(bench) : same
      const from = Date.now()
      const token = await tokens.token(value, { metadata, ttl: index % 2 === 0 ? ttl : `${ttl}s` })
      all.push({ value, token, metadata, ttl, from, to: Date.now() })
    }
    for (const [index, one] of all.entries()) {
      const answer = await tokens.metadata(one.token)
      const shared = all.filter(({ token }) => token === one.token)
      const clause = index < PAIRS.length ? 'TF-METADATA-01' : 'TF-METADATA-03'
      await bench.decide(clause, () => {
        expect(answer).toHaveStatus(200)
        expect(
          shared.map(({ metadata }) => pairsOf(metadata)),
          'the pairs of the token',
        ).toContainEqual(pairsOf(answer.data.metadata))
      })
      await bench.decide('TF-METADATA-05', () =>
        expect(String(answer.data.expiration_time)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/),
      )
      if (shared.length > 1) continue
      const end = Date.parse(String(answer.data.expiration_time)) - bench.clockSkew * 1_000
      await bench.decide('TF-METADATA-02', () => {
        expect(end, 'the end of the token, not before').toBeGreaterThanOrEqual(one.from + one.ttl * 1_000 - bench.grace)
        expect(end, 'the end of the token, not after').toBeLessThanOrEqual(one.to + one.ttl * 1_000 + bench.grace)
      })
      await bench.decide('TF-SECRET-04', () => expect(answer.text.includes(one.value), 'the value among the metadata').toBe(false))
    }
    const bare = await tokens.metadata(await tokens.token(newText(bench)))
    bench.observe('TF-METADATA-04', {
      status: bare.status,
      metadata: bare.data.metadata ?? null,
      expiration_time: bare.data.expiration_time ?? null,
    })
  },
)

check('transform/metadata-of-ended', 'TF-METADATA-09', 'metadata of a token that has ended', async ({ bench }) => {
  const tokens = await newTokens(bench)
  const token = await tokens.token(newText(bench), { ttl: 3, metadata: 'a=1' })
  await bench.eventually(async () => !(await tokens.decode(token)).ok, { within: 3_000 + bench.grace, every: 300 })
  bench.observe('TF-METADATA-09', (await tokens.metadata(token)).status)
})

check('transform/batch-metadata', 'TF-BATCH-20', 'each item of a batch has its own metadata', async ({ bench, expect }) => {
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
      if (pairs[index] === '') expect(shown.text.includes('nobody'), 'metadata from beside the batch').toBe(false)
      else expect(pairsOf(shown.data.metadata)).toEqual(pairsOf(pairs[index]))
    }
  }
})
