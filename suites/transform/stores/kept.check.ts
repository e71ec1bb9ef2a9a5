/** Where the tokens of a store are, and what the database shows of their values. */
import { type Bench, check, type Expect, isBackendFailure } from '../../../harness/checks/index.ts'
import { resultsOf } from '../fixtures.ts'
import { newText } from '../tokens/fixtures.ts'
import { anotherSchema, type Kept, keptIn, keptOf, kinds, needs, newStore, placeFor, rowsOf, schemaCall } from './place.ts'

const MANY = 40

/** Some megabytes in values that any column for texts holds; every so many of them are decoded. */
const LARGE = { items: 120, letters: 40_000, every: 13 }

/** The part of a text in base64 that is the same whatever stands around it, for each place at which it may begin. */
const base64Parts = (bytes: Buffer): string[] =>
  [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
      .slice(before === 0 ? 0 : before + 1, -1),
  )

/** Spellings of a value that anybody reads without a key. */
const spellings = (value: string): string[] => {
  const bytes = Buffer.from(value)
  const base64 = [bytes, Buffer.from(encodeURI(value))].flatMap(base64Parts)
  return [
    value,
    [...value].reverse().join(''),
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    Buffer.from(value, 'utf16le').toString('hex'),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}

/** Encodes values one by one and as a batch, and sees that the database has a row for each of them. */
const rowsAppear = async (bench: Bench, expect: Expect, kept: Kept): Promise<void> => {
  const before = (await rowsOf(kept)).length
  const elsewhere = (await kept.sql.contents()).length - before
  for (let index = 0; index < 3; index += 1) await kept.tokens.token(newText(bench))
  const single = (await rowsOf(kept)).length
  expect(single - before, 'rows for three tokens').toBeGreaterThanOrEqual(3)
  const batch_input = Array.from({ length: MANY }, () => ({ value: newText(bench), transformation: kept.tokens.name }))
  const answer = await bench.call('transform.encode', { path: { role_name: kept.tokens.role }, body: { batch_input } })
  expect(resultsOf(answer).filter(({ encoded_value }) => typeof encoded_value === 'string').length, 'tokens of a batch').toBe(MANY)
  const after = (await rowsOf(kept)).length
  expect(after - single, `rows for a batch of ${MANY}`).toBeGreaterThanOrEqual(MANY)
  expect((await kept.sql.contents()).length - after, 'rows outside the schema').toBe(elsewhere)
  bench.count('rows seen in databases', after)
}

for (const kind of kinds) {
  check(
    `transform/${kind.id}-rows`,
    kind.hasSchemas ? ['TRANSFORM-KEPT-01', 'TRANSFORM-KEPT-02'] : 'TRANSFORM-KEPT-01',
    'each token is a row of the chosen schema',
    needs(kind),
    async ({ bench, expect }) => {
      const first = await keptIn(bench, await placeFor(bench, kind))
      await bench.decide(kind.hasSchemas ? 'TRANSFORM-KEPT-02' : 'TRANSFORM-KEPT-01', () => rowsAppear(bench, expect, first))
      if (!kind.hasSchemas) return
      // The name of this schema has capital letters.
      const place = await anotherSchema(bench, first, 'Schema_Of_It')
      const store = await newStore(bench, place)
      const made = await bench.call('transform.makeSchema', schemaCall(place, store))
      await bench.decide('TRANSFORM-KEPT-01', async () => {
        expect(made, 'the call for the schema').toSucceed()
        await rowsAppear(bench, expect, await keptOf(bench, place, store))
      })
    },
  )

  check(
    `transform/${kind.id}-no-plaintext`,
    'TRANSFORM-KEPT-03',
    'no column of any table holds a value',
    needs(kind, { kind: 'security' }),
    async ({ bench, expect }) => {
      const kept = await keptIn(bench, await placeFor(bench, kind))
      const values = [newText(bench), `${newText(bench)} mit Umlauten äöü €😀`, `4111-${newText(bench)}`, newText(bench).repeat(40)]
      for (const value of values) bench.secret(value)
      for (const value of values) await kept.tokens.token(value, { metadata: 'kind=card', ttl: '1h' })
      const batch_input = values.map((value) => ({ value, transformation: kept.tokens.name }))
      await bench.given('transform.encode', { path: { role_name: kept.tokens.role }, body: { batch_input } })
      const stored = await kept.sql.contents()
      if (stored.length === 0) bench.blocked('the database has no rows', 'see the clause about the rows of a store')
      const looked = values.flatMap(spellings)
      const holding = stored.flatMap(({ schema, table, values: columns }) =>
        columns
          .filter(({ text, bytes }) => looked.some((spelling) => text.includes(spelling) || bytes.includes(spelling)))
          .map(({ column }) => `${schema}.${table}.${column}`),
      )
      expect([...new Set(holding)], 'columns that hold a value').toEqual([])
    },
  )

  check(
    `transform/${kind.id}-works`,
    'TRANSFORM-KEPT-04',
    'tokens of a store do what tokens do',
    needs(kind),
    async ({ bench, expect }) => {
      const { tokens } = await keptIn(bench, await placeFor(bench, kind))
      for (const value of [newText(bench), `${newText(bench)} ä€😀 '"\\;--`, newText(bench).repeat(200)]) {
        bench.secret(value)
        const began = Date.now()
        const token = await tokens.token(value, { ttl: '1h', metadata: 'kind=card,owner=7' })
        const made = Date.now()
        const decoded = await tokens.decode(token)
        expect(decoded.data.decoded_value === value, 'the value came back').toBe(true)
        expect((await tokens.validate(token)).data.valid, 'valid').toBe(true)
        expect((await tokens.decode(`${token}x`)).ok, 'a value that is not a token').toBe(false)
        expect((await tokens.tokenized(value)).data.tokenized, 'tokenized').toBe(true)
        expect((await tokens.tokenized(newText(bench))).data.tokenized, 'another value').toBe(false)
        const { data } = await tokens.metadata(token)
        const pairs = String(data.metadata).split(',')
        expect(pairs.map((pair) => pair.trim()).sort(), 'metadata').toEqual(['kind=card', 'owner=7'])
        const end = Date.parse(String(data.expiration_time)) - bench.clockSkew * 1_000 - 3_600_000
        expect(end, 'an hour before its end').toBeGreaterThanOrEqual(began - bench.grace)
        expect(end, 'an hour before its end').toBeLessThanOrEqual(made + bench.grace)
      }
    },
  )

  check(
    `transform/${kind.id}-large-batch`,
    'TRANSFORM-KEPT-04',
    'every token of a batch that no single statement may hold gives its value back',
    needs(kind),
    async ({ bench, expect }) => {
      const { tokens } = await keptIn(bench, await placeFor(bench, kind))
      const values = Array.from({ length: LARGE.items }, () => `${newText(bench)}${'x'.repeat(LARGE.letters)}`)
      const batch_input = values.map((value) => ({ value, transformation: tokens.name }))
      const answer = await bench.call('transform.encode', { path: { role_name: tokens.role }, body: { batch_input } })
      // A database may have no room for so much: then nothing is said to be kept.
      if (!answer.ok) return expect(isBackendFailure(answer.status), `a token for each, or 4xx, 500 or 502: ${answer.status}`).toBe(true)
      const results = resultsOf(answer)
      expect(results, 'results of the batch').toHaveLength(values.length)
      for (let at = LARGE.items - 1; at >= 0; at -= LARGE.every) {
        const token = results[at]?.encoded_value
        if (typeof token !== 'string') continue
        expect((await tokens.decode(token)).data.decoded_value === values[at], `the value of item ${at} came back`).toBe(true)
      }
    },
  )

  check(
    `transform/${kind.id}-store-moved`,
    'TRANSFORM-STORE-02',
    'tokens are kept where the store that was written last has them',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const kept = await keptIn(bench, place)
      await kept.tokens.token(newText(bench))
      const before = (await rowsOf(place)).length
      const other = await anotherSchema(bench, place)
      await bench.given('transform.writeStore', { path: { name: kept.store }, body: other.body })
      await bench.given('transform.makeSchema', schemaCall(other, kept.store))
      const value = newText(bench)
      const answer = await kept.tokens.encode(value)
      expect(answer, 'a token after the store was written again').toSucceed()
      expect((await kept.tokens.decode(String(answer.data.encoded_value))).data.decoded_value === value, 'the value came back').toBe(true)
      expect((await rowsOf(other)).length, 'rows where the store is now').toBeGreaterThan(0)
      expect((await rowsOf(place)).length, 'rows where it was').toBe(before)
    },
  )
}
