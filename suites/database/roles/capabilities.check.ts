import { type Bench, check, type Expect, type JsonObject } from '../../../harness/checks/index.ts'
import { needs, type Place, placeFor } from '../fixtures.ts'
import { kinds } from '../kinds.ts'
import { unverified, unverifiedBody } from '../unverified.ts'

interface Separation {
  path: { name: string }
  body: JsonObject
  /** Makes what has the same name and is of another kind, where a server has both. */
  namesake(name: string): Promise<unknown>
}

/** By either verb, whatever else has the name. */
const separates = async (bench: Bench, expect: Expect, operation: string, things: () => Promise<Separation>): Promise<void> => {
  for (const method of bench.few(['POST', 'PUT'], 1))
    for (const beside of ['nothing', 'a namesake of another kind']) {
      const { path, body, namesake } = await things()
      if (beside !== 'nothing') await namesake(path.name)
      const ask = async (capability: 'create' | 'update') =>
        bench.call(operation, { path, body, method, as: await bench.identity([{ operation, path, capabilities: [capability] }]) })
      const what = `${method} beside ${beside}`
      expect(await ask('update'), `${what}: a new one, with update`).toHaveStatus(403, 404)
      expect(await ask('create'), `${what}: a new one, with create`).toSucceed()
      expect(await ask('create'), `${what}: one that is there, with create`).toHaveStatus(403, 404)
      expect(await ask('update'), `${what}: one that is there, with update`).toSucceed()
    }
}

const roleNamed = async (bench: Bench, name: string) =>
  bench.given('database.writeRole', {
    path: { name },
    body: { db_name: await unverified(bench), creation_statements: ['CREATE ROLE "{{username}}"'] },
  })

/** Whether the server lets a static role have the name of a role. */
const mayShareNames = (bench: Bench, place: Place): Promise<boolean> =>
  bench.memo('shared-names', async () => {
    const name = bench.mixedName('shared')
    await roleNamed(bench, name)
    place.keepStatic(name)
    const { username } = await place.staticUser()
    const body = { db_name: place.connection, username, rotation_period: 86_400, rotation_statements: place.texts.rotation }
    return (await bench.call('database.writeStaticRole', { path: { name }, body })).ok
  })

const identities = { needs: { features: ['identities' as const] } }

check(
  'database/capability-connection',
  'DATABASE-CAP-01',
  'creating and updating connections are granted apart',
  identities,
  async ({ bench, expect }) => {
    await separates(bench, expect, 'database.writeConnection', async () => {
      const path = { name: bench.mixedName('connection') }
      bench.defer(() => bench.call('database.deleteConnection', { path }))
      return { path, body: unverifiedBody(bench), namesake: (name) => roleNamed(bench, name) }
    })
  },
)

check(
  'database/capability-role',
  'DATABASE-CAP-02',
  'creating and updating roles are granted apart',
  identities,
  async ({ bench, expect }) => {
    const body = { db_name: await unverified(bench), creation_statements: ['CREATE ROLE "{{username}}"'] }
    await separates(bench, expect, 'database.writeRole', async () => ({
      path: { name: bench.mixedName('role') },
      body,
      namesake: async (name) => {
        bench.defer(() => bench.call('database.deleteConnection', { path: { name } }))
        await bench.given('database.writeConnection', { path: { name }, body: unverifiedBody(bench) })
      },
    }))
  },
)

for (const kind of kinds)
  check(
    `database/${kind.id}/capability-static-role`,
    ['DATABASE-CAP-03', 'DATABASE-CAP-02', 'DATABASE-CAP-01'],
    'creating and updating static roles are granted apart, and so are roles and connections that have the name of one',
    needs(kind, { features: ['identities'] }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const staticBody = async (name: string): Promise<JsonObject> => {
        place.keepStatic(name)
        const { username } = await place.staticUser()
        return { db_name: place.connection, username, rotation_period: 86_400, rotation_statements: place.texts.rotation }
      }
      const aStatic = async (name: string) => bench.given('database.writeStaticRole', { path: { name }, body: await staticBody(name) })
      // Whether a role and a static role may have one name is not said: where not, the second is refused for that.
      const shared = await mayShareNames(bench, place)
      await bench.decide('DATABASE-CAP-03', () =>
        separates(bench, expect, 'database.writeStaticRole', async () => {
          const path = { name: bench.mixedName('static') }
          return { path, body: await staticBody(path.name), namesake: async (name) => (shared ? roleNamed(bench, name) : undefined) }
        }),
      )
      const roleBody = { db_name: place.connection, creation_statements: place.texts.creation }
      await bench.decide('DATABASE-CAP-02', () =>
        separates(bench, expect, 'database.writeRole', async () => ({
          path: { name: bench.mixedName('role') },
          body: roleBody,
          namesake: async (name) => (shared ? aStatic(name) : undefined),
        })),
      )
      await bench.decide('DATABASE-CAP-01', () =>
        separates(bench, expect, 'database.writeConnection', async () => {
          const path = { name: bench.mixedName('connection') }
          bench.defer(() => bench.call('database.deleteConnection', { path }))
          return { path, body: unverifiedBody(bench), namesake: aStatic }
        }),
      )
    },
  )
