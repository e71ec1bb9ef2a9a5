import { type Bench, type Sample, sample } from '../../harness/checks/index.ts'
import { type Place, placeFor } from './fixtures.ts'
import { kinds } from './kinds.ts'

const kind = kinds[0]!
const backends = { backends: [kind.id] }

/** Everything that a request of the engine may presuppose. Sweeps use a sample several times: each gets a place of its own. */
const withPlace =
  <T>(prepare: (place: Place, bench: Bench) => Promise<T>) =>
  async (bench: Bench): Promise<T> =>
    prepare(await placeFor(bench, kind), bench)

const named =
  (operation: string) =>
  async (bench: Bench, input: { path?: Record<string, string> }): Promise<unknown> => {
    const { status, data } = await bench.call(operation, { path: input.path ?? {} })
    return status === 200 ? data : status
  }

const password = async (bench: Bench, input: { path?: Record<string, string> }): Promise<unknown> => {
  const { status, data } = await bench.call('database.readStaticCreds', { path: input.path ?? {} })
  return status === 200 ? data.password : status
}

const samples: Omit<Sample, 'needs'>[] = [
  {
    operation: 'database.writeConnection',
    input: withPlace(async (place, bench) => {
      const name = bench.mixedName('sample')
      bench.defer(() => bench.call('database.deleteConnection', { path: { name } }))
      return { path: { name }, body: place.body }
    }),
    state: named('database.readConnection'),
    excluded: { generated: 'what is generated for a connection names no database that exists' },
  },
  { operation: 'database.readConnection', input: withPlace(async (place) => ({ path: { name: place.connection } })) },
  { operation: 'database.listConnections', input: withPlace(async () => ({})) },
  {
    operation: 'database.deleteConnection',
    input: withPlace(async (place) => ({ path: { name: place.connection } })),
    state: named('database.readConnection'),
  },
  { operation: 'database.resetConnection', input: withPlace(async (place) => ({ path: { name: place.connection } })) },
  { operation: 'database.rotateRoot', input: withPlace(async (place) => ({ path: { name: place.connection } })) },
  {
    operation: 'database.writeRole',
    input: withPlace(async (place, bench) => ({
      path: { name: bench.mixedName('sample') },
      body: { db_name: place.connection, creation_statements: place.texts.creation, default_ttl: 60, max_ttl: 120 },
    })),
    state: named('database.readRole'),
  },
  { operation: 'database.readRole', input: withPlace(async (place) => ({ path: { name: await place.role() } })) },
  {
    operation: 'database.listRoles',
    input: withPlace(async (place) => {
      await place.role()
      return {}
    }),
  },
  {
    operation: 'database.deleteRole',
    input: withPlace(async (place) => ({ path: { name: await place.role() } })),
    state: named('database.readRole'),
  },
  {
    operation: 'database.readCreds',
    // What a sweep is given it does not hand back: these leases are short.
    async input(bench) {
      const place = await placeFor(bench, kind, { settle: true })
      return { path: { name: await place.role({ default_ttl: 2, max_ttl: 60 }) } }
    },
  },
  {
    operation: 'database.writeStaticRole',
    input: withPlace(async (place, bench) => {
      const name = bench.mixedName('sample')
      place.keepStatic(name)
      const { username } = await place.staticUser()
      return {
        path: { name },
        body: { db_name: place.connection, username, rotation_period: 86_400, rotation_statements: place.texts.rotation },
      }
    }),
    state: named('database.readStaticRole'),
    excluded: { generated: 'what is generated for a static role names no user that exists' },
  },
  { operation: 'database.readStaticRole', input: withPlace(async (place) => ({ path: { name: (await place.staticRole()).name } })) },
  {
    operation: 'database.listStaticRoles',
    input: withPlace(async (place) => {
      await place.staticRole()
      return {}
    }),
  },
  {
    operation: 'database.deleteStaticRole',
    input: withPlace(async (place) => ({ path: { name: (await place.staticRole()).name } })),
    state: named('database.readStaticRole'),
  },
  { operation: 'database.readStaticCreds', input: withPlace(async (place) => ({ path: { name: (await place.staticRole()).name } })) },
  {
    operation: 'database.rotateRole',
    input: withPlace(async (place) => ({ path: { name: (await place.staticRole()).name } })),
    state: password,
  },
]

for (const one of samples) {
  const allow = one.operation === 'database.rotateRoot' ? { allow: 'rotateRoot' as const } : {}
  sample({ ...one, needs: { ...backends, ...allow } })
}
