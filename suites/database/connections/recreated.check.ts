/** What is deleted and made again under its name: connections, roles and static roles. */
import { recreated } from '../../../harness/checks/index.ts'
import { needs, placeFor } from '../fixtures.ts'
import { kinds, runs } from '../kinds.ts'
import { STATIC_ROLES } from '../static-roles/static-checks.ts'

for (const kind of kinds) {
  const { needs: own = {} } = needs(kind)

  recreated(
    `database/${kind.id}/connection-recreated`,
    'DATABASE-ALLOWED-01',
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
              const { answer, credential } = await place.ask(role)
              // While its connection is there: what becomes of the lease afterwards is not said.
              if (answer.ok) await bench.leases.revoke(credential.lease).catch(() => undefined)
              return answer.ok
            },
          },
        ]
      },
    },
  )

  recreated(`database/${kind.id}/role-recreated`, 'DATABASE-ROLE-06', 'a role that is made again has nothing of the deleted one', {
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

  recreated(
    `database/${kind.id}/static-role-recreated`,
    'DATABASE-STATIC-08',
    'a static role that is made again has nothing of the deleted one',
    {
      needs: own,
      operations: { write: 'database.writeStaticRole', read: 'database.readStaticRole', remove: 'database.deleteStaticRole' },
      async recreations({ bench }) {
        if (!runs(bench, kind, STATIC_ROLES)) return []
        const place = await placeFor(bench, kind)
        // The deletion of a static role ends its user: each life has another.
        const bare = async () => ({ db_name: place.connection, username: (await place.staticUser()).username, rotation_period: 86_400 })
        return [
          {
            what: 'without rotation_statements',
            full: async () => ({ ...(await bare()), rotation_statements: place.texts.rotation }),
            bare,
          },
        ]
      },
    },
  )
}
