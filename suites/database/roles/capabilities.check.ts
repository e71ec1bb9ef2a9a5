import { type Bench, check, type Expect, type JsonObject } from '../../../harness/checks/index.ts'
import { needs, placeFor } from '../fixtures.ts'
import { kinds } from '../kinds.ts'
import { unverified, unverifiedBody } from '../unverified.ts'

const separates = async (bench: Bench, expect: Expect, operation: string, path: { name: string }, body: JsonObject): Promise<void> => {
  const creator = await bench.identity([{ operation, path, capabilities: ['create'] }])
  const updater = await bench.identity([{ operation, path, capabilities: ['update'] }])
  expect(await bench.call(operation, { path, body, as: updater })).toHaveStatus(403, 404)
  expect(await bench.call(operation, { path, body, as: creator })).toSucceed()
  expect(await bench.call(operation, { path, body, as: creator })).toHaveStatus(403, 404)
  expect(await bench.call(operation, { path, body, as: updater })).toSucceed()
}

const identities = { needs: { features: ['identities' as const] } }

check(
  'database/capability-connection',
  'DATABASE-CAP-01',
  'creating and updating connections are granted apart',
  identities,
  async ({ bench, expect }) => {
    const path = { name: bench.fresh('connection') }
    bench.defer(() => bench.call('database.deleteConnection', { path }))
    await separates(bench, expect, 'database.writeConnection', path, unverifiedBody(bench))
  },
)

check(
  'database/capability-role',
  'DATABASE-CAP-02',
  'creating and updating roles are granted apart',
  identities,
  async ({ bench, expect }) => {
    const body = { db_name: await unverified(bench), creation_statements: ['CREATE ROLE "{{name}}"'] }
    await separates(bench, expect, 'database.writeRole', { name: bench.fresh('role') }, body)
  },
)

for (const kind of kinds)
  check(
    `database/${kind.id}/capability-static-role`,
    'DATABASE-CAP-03',
    'creating and updating static roles are granted apart',
    needs(kind, { features: ['identities'] }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const path = { name: bench.fresh('static') }
      place.keepStatic(path.name)
      const { username } = await place.staticUser()
      const body = { db_name: place.connection, username, rotation_period: 86_400, rotation_statements: place.texts.rotation }
      await separates(bench, expect, 'database.writeStaticRole', path, body)
    },
  )
