/** Roles and connections whose names are alike. */
import { collection } from '../../../harness/checks/index.ts'
import { literal, needs, placeFor } from '../fixtures.ts'
import { kinds } from '../kinds.ts'

for (const kind of kinds) {
  collection(`database/roles-alike/${kind.id}`, `roles whose names are alike are kept apart, on ${kind.id}`, {
    ...needs(kind),
    clauses: { read: 'DB-ROLE-03', listed: 'DB-ROLE-05', deleted: 'DB-ROLE-06' },
    operations: { write: 'database.writeRole', read: 'database.readRole', remove: 'database.deleteRole', list: 'database.listRoles' },
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

  collection(`database/connections-alike/${kind.id}`, `connections whose names are alike are kept apart, on ${kind.id}`, {
    ...needs(kind),
    clauses: { read: 'DB-CONN-03', listed: 'DB-CONN-05', deleted: 'DB-CONN-06' },
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
