/** Roles, static roles and connections whose names are alike. */
import { type Bench, collection, type Needs } from '../../../harness/checks/index.ts'
import { literal, needs, type Place, placeFor } from '../fixtures.ts'
import { type Kind, kinds, runs } from '../kinds.ts'
import { STATIC_ROLES } from '../static-roles/static-checks.ts'

/** One database for all static roles of a check. */
const placeOf = (bench: Bench, kind: Kind): Promise<Place> => bench.memo('place', () => placeFor(bench, kind))

const emptyMount = (kind: Kind): Needs => ({
  backends: [kind.id],
  mounts: { database: { type: 'database', exclusive: true } },
  features: ['mounts'],
})

for (const kind of kinds) {
  collection(`database/roles-alike/${kind.id}`, `roles whose names are alike are kept apart, on ${kind.id}`, {
    ...needs(kind),
    clauses: { read: 'DATABASE-ROLE-03', listed: 'DATABASE-ROLE-05', deleted: 'DATABASE-ROLE-06' },
    operations: { write: 'database.writeRole', read: 'database.readRole', remove: 'database.deleteRole', list: 'database.listRoles' },
    emptied: emptyMount(kind),
    async bodies(bench) {
      const { connection: db_name, texts } = await placeFor(bench, kind)
      const role = { db_name, creation_statements: texts.creation }
      return [
        { ...role, default_ttl: 60, max_ttl: 120 },
        { ...role, creation_statements: texts.bareCreation, revocation_statements: texts.revocation },
        { ...role, default_ttl: 3600 },
        { ...role, max_ttl: 7200, revocation_statements: texts.revocation },
        { ...role, creation_statements: texts.bareCreation, default_ttl: 90, max_ttl: 900 },
      ]
    },
  })

  collection(`database/static-roles-alike/${kind.id}`, `static roles whose names are alike are kept apart, on ${kind.id}`, {
    ...needs(kind),
    clauses: { read: 'DATABASE-STATIC-01', listed: 'DATABASE-STATIC-07', deleted: 'DATABASE-STATIC-08' },
    operations: {
      write: 'database.writeStaticRole',
      read: 'database.readStaticRole',
      remove: 'database.deleteStaticRole',
      list: 'database.listStaticRoles',
    },
    emptied: emptyMount(kind),
    absent: (bench) => (runs(bench, kind, STATIC_ROLES) ? undefined : `the plugin for ${kind.id} has no static roles`),
    // Each has a user of the database: few more than the first page that a server may stop at.
    more: 35,
    own: async (bench) => ({ username: (await (await placeOf(bench, kind)).staticUser()).username }),
    async bodies(bench) {
      const { connection: db_name, texts } = await placeOf(bench, kind)
      const { rotation } = texts
      const role = { db_name, rotation_period: 86_400, rotation_statements: rotation }
      return [
        role,
        { ...role, rotation_period: '12h', rotation_statements: [...rotation, 'SELECT 1'] },
        { db_name, rotation_period: 43_200 },
        { ...role, rotation_period: 7200 },
      ]
    },
  })

  collection(`database/connections-alike/${kind.id}`, `connections whose names are alike are kept apart, on ${kind.id}`, {
    ...needs(kind),
    clauses: { read: 'DATABASE-CONN-03', listed: 'DATABASE-CONN-05', deleted: 'DATABASE-CONN-06' },
    operations: {
      write: 'database.writeConnection',
      read: 'database.readConnection',
      remove: 'database.deleteConnection',
      list: 'database.listConnections',
    },
    more: 0,
    async bodies(bench) {
      const { body } = await placeFor(bench, kind)
      return [
        { ...body, allowed_roles: ['first'] },
        { ...body, allowed_roles: ['second', 'third'], verify_connection: false },
        { ...literal(body), allowed_roles: [] },
        { ...body, max_open_connections: 3, allowed_roles: ['*'] },
        { ...body, allowed_roles: ['third'] },
      ]
    },
    async bystanders(bench, names) {
      const roles = [names[0]!, names[4]!].map((db_name) => ({
        name: `${db_name}role`,
        body: { db_name, creation_statements: ['SELECT 1'] },
      }))
      for (const { name, body } of roles) {
        bench.defer(() => bench.call('database.deleteRole', { path: { name } }))
        await bench.given('database.writeRole', { path: { name }, body })
      }
      return async () => {
        const reads = []
        for (const { name } of roles) reads.push((await bench.call('database.readRole', { path: { name } })).data)
        return reads
      }
    },
  })
}
