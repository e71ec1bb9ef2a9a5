/** What is deleted and made again under its name: connections, roles and static roles. */
import { comesToHold, type JsonObject, recreated } from '../../../harness/checks/index.ts'
import { needs, placeFor } from '../fixtures.ts'
import { kinds, note, noted, runs } from '../kinds.ts'
import { STATIC_ROLES, staticChecksOf } from '../static-roles/static-checks.ts'

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
          full: async () => ({
            ...full,
            creation_statements: [...bare.creation_statements, note('deleted', '{{username}}')],
            renew_statements: ['SELECT 1'],
          }),
          bare: async () => bare,
          async look(name) {
            const { answer, credential } = await place.ask(name)
            const asDeleted = (await noted(place.sql, 'deleted')).includes(credential.username)
            return { ok: answer.ok, lasts: Math.round(credential.duration / 60), asDeleted }
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

  staticChecksOf(kind)(
    `database/${kind.id}/static-user-free`,
    ['DATABASE-STATIC-25', 'DATABASE-STATIC-08'],
    'a user whose static role is deleted may have another, which is rotated when it is made',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const { name: gone, user } = await place.staticRole()
      const credsOf = async (name: string) => {
        const { data } = await bench.given('database.readStaticCreds', { path: { name } })
        bench.secret(String(data.password))
        return data
      }
      const rotatedAt = ({ last_service_rotation }: JsonObject): number => Date.parse(String(last_service_rotation))
      const first = await credsOf(gone)
      // Long enough for a new time to differ, where a server counts in whole seconds. That the time runs is for another check.
      await comesToHold(bench, async () => Number((await credsOf(gone)).ttl) <= Number(first.ttl) - 2, { within: 5000, every: 500 })
      await bench.given('database.deleteStaticRole', { path: { name: gone } })
      // Whether the user went with its role or is locked, somebody makes it again.
      await place.userAgain(user.username)
      // By another name, and by the one that it had.
      for (const name of [bench.mixedName('static'), gone]) {
        const path = { name }
        place.keepStatic(name)
        const { rotation: rotation_statements } = place.texts
        const body = { db_name: place.connection, username: user.username, rotation_period: 86_400, rotation_statements }
        const written = await bench.call('database.writeStaticRole', { path, body })
        await bench.decide('DATABASE-STATIC-25', () => expect(written, 'another role for the user of a deleted one').toSucceed())
        const data = await credsOf(name)
        await bench.decide('DATABASE-STATIC-25', async () =>
          expect(await place.sql.login({ username: user.username, password: String(data.password) }), 'its password').toBe(true),
        )
        await bench.decide('DATABASE-STATIC-08', () => {
          expect(data.password === first.password, 'it has the password of the deleted role').toBe(false)
          expect(rotatedAt(data), 'its last rotation, later than that of the deleted role').toBeGreaterThan(rotatedAt(first))
        })
        if (name === gone) continue
        await bench.given('database.deleteStaticRole', { path })
        await place.userAgain(user.username)
      }
    },
  )
}
