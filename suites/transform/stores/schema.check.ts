/** The call that makes what a store needs in its database, with credentials that are used for nothing else. */
import { type Answer, type Bench, check, isBackendFailure, type JsonObject, neverShown } from '../../../harness/checks/index.ts'
import { asking, newText, newTokens } from '../tokens/fixtures.ts'
import { anotherSchema, keptIn, kinds, needs, newStore, type Place, placeFor, schemaCall } from './place.ts'

const OBJECT = { a: {} }

/** Bodies that differ from a good one in one field. */
const REFUSED: [id: string, clause: string, title: string, ...changes: ((good: JsonObject) => JsonObject)[]][] = [
  [
    'other-types',
    'TRANSFORM-SCHEMA-03',
    'the call is for tokenization only',
    (good) => ({ ...good, transformation_type: 'fpe' }),
    (good) => ({ ...good, transformation_type: 'masking' }),
  ],
  ['without-username', 'TRANSFORM-SCHEMA-04', 'the call needs a user name', ({ username: _left, ...rest }) => rest],
  ['without-password', 'TRANSFORM-SCHEMA-05', 'the call needs a password', ({ password: _left, ...rest }) => rest],
  ['object-username', 'TRANSFORM-SCHEMA-06', 'an object is not a user name of the call', (good) => ({ ...good, username: OBJECT })],
  ['object-password', 'TRANSFORM-SCHEMA-07', 'an object is not a password of the call', (good) => ({ ...good, password: OBJECT })],
  ['object-type', 'TRANSFORM-SCHEMA-08', 'an object is not a type of the call', (good) => ({ ...good, transformation_type: OBJECT })],
]

/** Tables of the place, by schema and name. */
const tablesOf = async (place: Place): Promise<string[]> => {
  const hidden = place.kind.hasSchemas ? `table_schema NOT IN ('pg_catalog', 'information_schema')` : `table_schema = '${place.schema}'`
  const rows = await place.sql.query(
    `SELECT table_schema AS place, table_name AS name FROM information_schema.tables WHERE ${hidden} ORDER BY 1, 2`,
  )
  return rows.map(({ place: schema, name }) => `${String(schema)}.${String(name)}`)
}

/** Names that would drop the table `victim` where they were put into a statement as they are, within quotes or without. */
const attacks = (schema: string): string[] => [
  ...['', '"', "'", '`', '")', "')"].map((quote) => `${schema}${quote}; DROP TABLE victim; --`),
  ...['', '"', '`'].map((quote) => `${schema}${quote}.a (n int); DROP TABLE victim; CREATE TABLE ${quote}${schema}`),
]

/** Asks for a token in a store whose schema nobody has made; a server may want that before it takes a transformation. */
const usedTooEarly = async (bench: Bench, store: string): Promise<void> => {
  const [role, name] = [bench.mixedName('role'), bench.mixedName('early')]
  const body = { stores: [store], allowed_roles: [role] }
  if (!(await bench.call('transform.writeTokenization', { path: { name }, body })).ok) return
  await bench.call('transform.writeRole', { path: { name: role }, body: { transformations: [name] } })
  await asking(bench, role, name).encode(newText(bench))
}

for (const kind of kinds) {
  for (const [about, clause, fields] of [
    ['default', 'TRANSFORM-SCHEMA-01', {}],
    ['tokenization', 'TRANSFORM-SCHEMA-02', { transformation_type: 'tokenization' }],
  ] as const)
    check(
      `transform/${kind.id}-schema-${about}`,
      clause,
      'after the call a user of few rights keeps tokens',
      needs(kind),
      async ({ bench, expect }) => {
        const place = await placeFor(bench, kind)
        const store = await newStore(bench, place)
        // Whatever became of a token before the call, those after it are kept.
        if (about === 'tokenization') await usedTooEarly(bench, store)
        expect(await bench.call('transform.makeSchema', schemaCall(place, store, fields))).toSucceed()
        const tokens = await newTokens(bench, { stores: [store] })
        const value = newText(bench)
        const answer = await tokens.encode(value)
        expect(answer, 'a token').toSucceed()
        expect((await tokens.decode(String(answer.data.encoded_value))).data.decoded_value === value, 'the value came back').toBe(true)
      },
    )

  for (const [id, clause, title, ...changes] of REFUSED)
    check(`transform/${kind.id}-schema-${id}`, clause, title, needs(kind), async ({ bench }) => {
      const place = await placeFor(bench, kind)
      for (const change of changes) {
        // A second call for the same schema may be refused.
        const other = await anotherSchema(bench, place)
        const { path, body } = schemaCall(other, await newStore(bench, other))
        await bench.refuses('transform.makeSchema', {
          bad: { path, body: change(body), invalid: true },
          control: { path, body },
          unchanged: { operation: 'transform.readStore', input: { path } },
        })
      }
    })

  check(
    `transform/${kind.id}-schema-credentials`,
    ['TRANSFORM-SCHEMA-09', 'TRANSFORM-SCHEMA-10', 'TRANSFORM-SCHEMA-11'],
    'the credentials of the call are used for it only, and kept nowhere',
    needs(kind, { kind: 'security' }),
    async (context) => {
      const { bench, expect } = context
      const kept = await keptIn(bench, await placeFor(bench, kind))
      const { sql, maker, store, tokens } = kept
      const value = newText(bench)
      const token = await tokens.token(value)
      await bench.decide('TRANSFORM-SCHEMA-10', async () => {
        await bench.eventually(async () => (await sql.sessions(maker.username)).length === 0, {
          within: bench.grace,
          because: 'the session of the call ends',
        })
      })
      const shown = [
        await bench.call('transform.readStore', { path: { name: store } }),
        await bench.call('transform.listStores'),
        await bench.call('transform.makeSchema', { ...schemaCall(kept, store, { transformation_type: 'fpe' }), invalid: true }),
      ]
      const rows = (await sql.contents()).flatMap(({ values }) => values.map(({ text }) => text))
      await bench.decide('TRANSFORM-SCHEMA-11', () => {
        neverShown(context, shown, [maker.password])
        expect(rows.filter((text) => text.includes(maker.password)).length, 'values in the database that hold the password').toBe(0)
      })
      await sql.retire(maker.username)
      await bench.decide('TRANSFORM-SCHEMA-09', async () => {
        const second = newText(bench)
        const answers: Answer[] = [await tokens.encode(second), await tokens.decode(token)]
        for (const answer of answers) expect(answer, 'a request once the user of the call is gone').toSucceed()
        expect(answers[1]!.data.decoded_value === value, 'the value came back').toBe(true)
        expect((await tokens.decode(String(answers[0]!.data.encoded_value))).data.decoded_value === second, 'a later value').toBe(true)
      })
    },
  )

  check(
    `transform/${kind.id}-schema-unknown`,
    'TRANSFORM-SCHEMA-12',
    'the schema of an unknown store is not made',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const store = await newStore(bench, place)
      const answer = await bench.call('transform.makeSchema', schemaCall(place, bench.fresh('nobody')))
      expect(answer).toHaveStatus(400, 404)
      expect(await tablesOf(place), 'tables that were made').toEqual([])
      expect(await bench.call('transform.makeSchema', schemaCall(place, store)), 'the same of a store that is there').toSucceed()
    },
  )

  check(
    `transform/${kind.id}-schema-twice`,
    ['TRANSFORM-SCHEMA-13', 'TRANSFORM-SCHEMA-14'],
    'a second call loses no token',
    needs(kind),
    async ({ bench, expect }) => {
      const kept = await keptIn(bench, await placeFor(bench, kind))
      const [value, later] = [newText(bench), newText(bench)]
      const token = await kept.tokens.token(value)
      const again = await bench.call('transform.makeSchema', { ...schemaCall(kept, kept.store), observing: true })
      bench.observe('TRANSFORM-SCHEMA-14', { status: again.status })
      await bench.decide('TRANSFORM-SCHEMA-13', async () => {
        expect((await kept.tokens.decode(token)).data.decoded_value === value, 'a token of before').toBe(true)
        const answer = await kept.tokens.encode(later)
        expect((await kept.tokens.decode(String(answer.data.encoded_value))).data.decoded_value === later, 'a token of after').toBe(true)
      })
    },
  )

  check(
    `transform/${kind.id}-schema-wrong-password`,
    ['TRANSFORM-SCHEMA-15', 'TRANSFORM-STORE-25', 'TRANSFORM-SCHEMA-11'],
    'with a password that the database does not know nothing is made',
    needs(kind, { kind: 'security' }),
    async (context) => {
      const { bench, expect } = context
      const place = await placeFor(bench, kind)
      // The store's own user could make it: whose credentials the call has is what counts.
      const store = await newStore(bench, place, { username: place.maker.username, password: place.maker.password })
      const password = bench.canary('wrong')
      const answer = await bench.call('transform.makeSchema', schemaCall(place, store, { password }))
      const tables = await tablesOf(place)
      await bench.decide('TRANSFORM-SCHEMA-15', () => {
        expect(isBackendFailure(answer.status), `4xx, 500 or 502; it was ${answer.status}`).toBe(true)
        expect(tables, 'tables that were made').toEqual([])
      })
      await bench.decide('TRANSFORM-SCHEMA-11', () => neverShown(context, [answer], [password]))
      await bench.decide('TRANSFORM-STORE-25', () => neverShown(context, [answer], [place.user.password]))
      const control = await bench.call('transform.makeSchema', schemaCall(place, store))
      await bench.decide('TRANSFORM-SCHEMA-15', () => expect(control, 'the same with the right password').toSucceed())
    },
  )

  check(
    `transform/${kind.id}-schema-name`,
    'TRANSFORM-SCHEMA-16',
    'the name of a schema is data, never a statement',
    needs(kind, { kind: 'security' }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      await place.sql.as(place.maker, `CREATE TABLE ${kind.hasSchemas ? 'public.' : ''}victim (n int)`)
      const victim = (await tablesOf(place)).find((table) => table.endsWith('.victim'))
      for (const schema of bench.few(attacks(kind.hasSchemas ? 'public' : place.sql.database))) {
        const path = { name: bench.mixedName('store') }
        bench.defer(() => bench.call('transform.deleteStore', { path }))
        const written = await bench.call('transform.writeStore', { path, body: { ...place.body, schema } })
        // A server may ask the database, which does not know such a schema.
        expect(written.ok || isBackendFailure(written.status), `a store in ${schema}, with status ${written.status}`).toBe(true)
        if (!written.ok) continue
        await bench.call('transform.makeSchema', schemaCall(place, path.name))
        await (await newTokens(bench, { stores: [path.name] })).encode(newText(bench))
        expect(await tablesOf(place), `tables after a store in ${schema}`).toContain(victim)
      }
      const other = await anotherSchema(bench, place)
      const control = schemaCall(other, await newStore(bench, other))
      expect(await bench.call('transform.makeSchema', control), 'an ordinary schema').toSucceed()
    },
  )
}
