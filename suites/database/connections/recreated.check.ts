/** What is deleted and made again under its name: connections, roles and static roles. */
import { recreated } from '../../../harness/checks/index.ts'
import { needs, placeFor } from '../fixtures.ts'
import { kinds } from '../kinds.ts'

for (const kind of kinds) {
  const { needs: own = {} } = needs(kind)

  recreated(
    `database/${kind.id}/connection-recreated`,
    'DB-ALLOWED-01',
    'a connection that is made again without allowed roles allows none, whatever the deleted one allowed',
    {
      needs: own,
      operations: { write: 'database.writeConnection', read: 'database.readConnection', remove: 'database.deleteConnection' },
      async recreations({ bench }) {
        const place = await placeFor(bench, kind)
        const { allowed_roles: _star, ...bare } = place.body
        return [
          {
            what: 'without allowed_roles',
            full: async () => ({ ...bare, allowed_roles: ['*'] }),
            bare: async () => bare,
            async look(name) {
              const role = await place.role({ db_name: name, creation_statements: place.texts.bareCreation })
              return (await place.ask(role)).answer.ok
            },
          },
        ]
      },
    },
  )

  recreated(`database/${kind.id}/role-recreated`, 'DB-ROLE-06', 'a role that is made again has nothing of the deleted one', {
    needs: own,
    operations: { write: 'database.writeRole', read: 'database.readRole', remove: 'database.deleteRole' },
    async recreations({ bench }) {
      const place = await placeFor(bench, kind)
      const bare = { db_name: place.connection, creation_statements: place.texts.bareCreation }
      const { revocation: revocation_statements } = place.texts
      const full = { ...bare, default_ttl: 600, max_ttl: 900, revocation_statements, rollback_statements: revocation_statements }
      return [
        {
          what: 'without its optional fields',
          full: async () => ({ ...full, renew_statements: ['SELECT 1'] }),
          bare: async () => bare,
          async look(name) {
            const { answer, credential } = await place.ask(name)
            return { ok: answer.ok, lasts: Math.round(credential.duration / 60) }
          },
        },
      ]
    },
  })
}
