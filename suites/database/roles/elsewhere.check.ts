/** Roles and connections of one name in several places. */
import { elsewhere } from '../../../harness/checks/index.ts'
import { placeFor } from '../fixtures.ts'
import { kinds } from '../kinds.ts'

for (const kind of kinds) {
  const about = { type: 'database', clause: 'DATABASE-APART-01', needs: { backends: [kind.id as string] } }

  elsewhere(`database/roles-elsewhere-${kind.id}`, `roles of one name, on ${kind.id},`, {
    ...about,
    operations: { write: 'database.writeRole', read: 'database.readRole', remove: 'database.deleteRole', list: 'database.listRoles' },
    uses: { operation: 'database.readCreds' },
    bodies: async (bench, mount) => {
      const { connection: db_name, texts } = await placeFor(bench, kind, { mount })
      const role = { db_name, creation_statements: texts.creation }
      return [
        { ...role, default_ttl: 60, max_ttl: 120 },
        { ...role, default_ttl: 3600 },
        { ...role, creation_statements: texts.bareCreation },
      ]
    },
  })

  elsewhere(`database/connections-elsewhere-${kind.id}`, `connections of one name, on ${kind.id},`, {
    ...about,
    operations: {
      write: 'database.writeConnection',
      read: 'database.readConnection',
      remove: 'database.deleteConnection',
      list: 'database.listConnections',
    },
    bodies: async (bench, mount) => {
      const { body } = await placeFor(bench, kind, { mount })
      return [
        { ...body, allowed_roles: ['first'] },
        { ...body, allowed_roles: ['second', 'third'] },
        { ...body, allowed_roles: ['*'] },
      ]
    },
  })
}
