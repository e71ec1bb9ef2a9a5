/** Parameters of stores: which are required, of which type, and which values they take. */
import { check, type JsonObject, neverShown } from '../../../harness/checks/index.ts'
import { newText, newTokens } from '../tokens/fixtures.ts'
import { kinds, needs, newStore, placeFor, schemaCall } from './place.ts'

type Change = (good: JsonObject) => JsonObject

const without =
  (field: string): Change =>
  ({ [field]: _left, ...rest }) =>
    rest

const OBJECT = { a: {} }

const plain = (field: string): string => field.replaceAll('_', '-')

const as =
  (field: string, value: JsonObject[string]): Change =>
  (good) => ({ ...good, [field]: value })

/** What must be refused, each beside a store that is good but for this. */
const REFUSED: { id: string; clause: string; title: string; bad: Change[] }[] = [
  ...(
    [
      ['type', 'TRANSFORM-STORE-07'],
      ['connection_string', 'TRANSFORM-STORE-11'],
      ['username', 'TRANSFORM-STORE-12'],
      ['password', 'TRANSFORM-STORE-13'],
    ] as const
  ).map(([field, clause]) => ({ id: `without-${plain(field)}`, clause, title: `${field} is required`, bad: [without(field)] })),
  { id: 'other-types', clause: 'TRANSFORM-STORE-08', title: 'a store is of type sql', bad: [as('type', 'memory'), as('type', 'nosql')] },
  {
    id: 'other-transformations',
    clause: 'TRANSFORM-STORE-10',
    title: 'a store is for tokenization only',
    bad: [as('supported_transformations', ['fpe']), as('supported_transformations', ['tokenization', 'masking'])],
  },
  ...(
    [
      ['connection_string', 'TRANSFORM-STORE-14', OBJECT],
      ['username', 'TRANSFORM-STORE-15', OBJECT],
      ['password', 'TRANSFORM-STORE-16', OBJECT],
      ['schema', 'TRANSFORM-STORE-17', OBJECT],
      ['max_open_connections', 'TRANSFORM-STORE-18', OBJECT],
      ['max_idle_connections', 'TRANSFORM-STORE-19', OBJECT],
      ['max_connection_lifetime', 'TRANSFORM-STORE-20', OBJECT],
      ['supported_transformations', 'TRANSFORM-STORE-21', [OBJECT]],
    ] as const
  ).map(([field, clause, value]) => ({
    id: `object-${plain(field)}`,
    clause,
    title: `an object is not the ${field.replaceAll('_', ' ')} of a store`,
    bad: [as(field, value as JsonObject[string])],
  })),
]

/** The address of a database in the form of another kind, which has the forms of known kinds within it. */
const inDisguise = (connection: string): string[] => {
  const within = 'then=postgres://mysql://mariadb://'
  const [, address, database] = /@tcp\(([^)]*)\)\/([^?]*)/.exec(connection) ?? []
  if (address !== undefined) return [`gopher://{{username}}:{{password}}@${address}/${database}?${within}`]
  const rest = connection.slice(connection.indexOf(':'))
  return [`gopher${rest}${rest.includes('?') ? '&' : '?'}${within}`, `x${connection}`]
}

for (const kind of kinds) {
  for (const { id, clause, title, bad } of REFUSED)
    check(`transform/${kind.id}-store-${id}`, clause, title, needs(kind), async ({ bench }) => {
      const { body } = await placeFor(bench, kind)
      for (const change of bad) {
        const path = { name: bench.mixedName('store') }
        bench.defer(() => bench.call('transform.deleteStore', { path }))
        await bench.refuses('transform.writeStore', {
          bad: { path, body: change(body), invalid: true },
          control: { path, body },
          unchanged: { operation: 'transform.readStore', input: { path } },
        })
      }
    })

  check(
    `transform/${kind.id}-store-supports`,
    'TRANSFORM-STORE-09',
    'a store supports tokenization, said or not',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      for (const fields of [{}, { supported_transformations: ['tokenization'] }] as JsonObject[]) {
        const name = await newStore(bench, place, fields)
        const read = await bench.call('transform.readStore', { path: { name } })
        expect(read.data.supported_transformations).toEqual(['tokenization'])
      }
    },
  )

  check(
    `transform/${kind.id}-store-strange-connection`,
    'TRANSFORM-STORE-26',
    'a connection string of nothing keeps no tokens',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      for (const connection_string of [
        'gopher://{{username}}:{{password}}@127.0.0.1:70/tokens',
        'http://{{username}}:{{password}}@127.0.0.1:9/tokens',
        'nothing of this kind',
        '',
        ...inDisguise(String(place.body.connection_string)),
      ]) {
        const path = { name: bench.mixedName('store') }
        bench.defer(() => bench.call('transform.deleteStore', { path }))
        const written = await bench.call('transform.writeStore', { path, body: { ...place.body, connection_string } })
        if (!written.ok) {
          expect(written, `a store at ${connection_string}`).toBeRefused()
          continue
        }
        expect((await bench.call('transform.makeSchema', schemaCall(place, path.name))).ok, 'its schema').toBe(false)
        const tokens = await newTokens(bench, { stores: [path.name] })
        expect((await tokens.encode(newText(bench))).ok, `a token kept at ${connection_string}`).toBe(false)
      }
      const name = await newStore(bench, place)
      expect(await bench.call('transform.makeSchema', schemaCall(place, name)), 'the schema of a store that is').toSucceed()
    },
  )

  check(
    `transform/${kind.id}-store-password-hidden`,
    'TRANSFORM-STORE-24',
    'neither read nor listing shows the password',
    needs(kind, { kind: 'security' }),
    async (context) => {
      const { bench, expect } = context
      const place = await placeFor(bench, kind)
      const name = await newStore(bench, place)
      const read = await bench.call('transform.readStore', { path: { name } })
      const listed = await bench.call('transform.listStores')
      expect(read, 'the read').toHaveStatus(200)
      expect(listed.data.keys, 'the listing').toEqual(expect.arrayContaining([name]))
      neverShown(context, [read, listed], [place.user.password])
    },
  )
}
