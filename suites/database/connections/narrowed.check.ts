/** What a connection stops to allow, and what it never allowed: also for a role that was served before, and for a name that begins its own. */
import { check, isBackendFailure } from '../../../harness/checks/index.ts'
import { needs, placeFor } from '../fixtures.ts'
import { kinds } from '../kinds.ts'
import { staticChecksOf } from '../static-roles/static-checks.ts'
import { givesNone, REFUSED_WELL } from './not-allowed.ts'

for (const kind of kinds) {
  const id = (name: string): string => `database/${kind.id}/${name}`

  check(
    id('allowed-narrowed'),
    ['DATABASE-ALLOWED-04', REFUSED_WELL],
    'a role that was served gives no more credentials once the connection allows others only',
    needs(kind),
    async (context) => {
      const { bench, expect } = context
      const place = await placeFor(bench, kind)
      const path = { name: place.connection }
      const role = await place.role({ creation_statements: place.texts.bareCreation })
      await place.credential(role)
      for (const allowed_roles of [[bench.fresh('other')], []]) {
        await bench.given('database.writeConnection', { path, body: { ...place.body, allowed_roles } })
        await givesNone(context, 'DATABASE-ALLOWED-04', (await place.ask(role)).answer, `a role beside ${allowed_roles.length} others`)
        await bench.given('database.writeConnection', { path, body: { ...place.body, allowed_roles: [role] } })
        await bench.decide('DATABASE-ALLOWED-04', async () => expect((await place.ask(role)).answer, 'allowed again').toSucceed())
      }
    },
  )

  check(
    id('role-db-continued'),
    'DATABASE-ROLE-11',
    'a role of a connection whose name only begins like one gives no credentials',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      for (const db_name of [place.connection.slice(0, -1), `${place.connection}-2`]) {
        const path = { name: bench.mixedName('role') }
        const body = { db_name, creation_statements: place.texts.bareCreation }
        const written = await bench.call('database.writeRole', { path, body })
        if (!written.ok) expect(written).toBeRefused()
        else {
          const { status } = (await place.ask(path.name)).answer
          expect(isBackendFailure(status), `no credentials; it was ${status}`).toBe(true)
        }
      }
      await place.credential(await place.role())
    },
  )

  check(
    id('connection-continued'),
    'DATABASE-CONN-07',
    'a role whose connection was deleted is not served by one whose name goes on from there',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const [path, longer] = [{ name: place.connection }, `${place.connection}-2`]
      place.keepConnection(longer)
      await bench.given('database.writeConnection', { path: { name: longer }, body: place.body })
      const role = await place.role({ creation_statements: place.texts.bareCreation })
      await bench.given('database.deleteConnection', { path })
      const { status } = (await place.ask(role)).answer
      expect(isBackendFailure(status), `no credentials; it was ${status}`).toBe(true)
      await bench.given('database.writeConnection', { path, body: place.body })
      expect((await place.ask(role)).answer, 'with its connection back').toSucceed()
    },
  )

  staticChecksOf(kind)(
    id('static-moved'),
    ['DATABASE-ALLOWED-08', REFUSED_WELL],
    'a static role that is moved to a connection which does not allow it gives no credentials there',
    needs(kind),
    async (context) => {
      const { bench, expect } = context
      const place = await placeFor(bench, kind)
      const other = bench.mixedName('connection')
      place.keepConnection(other)
      await bench.given('database.writeConnection', { path: { name: other }, body: { ...place.body, allowed_roles: ['nobody'] } })
      const { name, user } = await place.staticRole()
      const path = { name }
      const body = { username: user.username, rotation_period: 86_400, rotation_statements: place.texts.rotation }
      const moved = await bench.call('database.writeStaticRole', { path, body: { ...body, db_name: other } })
      const creds = await bench.call('database.readStaticCreds', { path })
      if (typeof creds.data.password === 'string') bench.secret(creds.data.password)
      await givesNone(
        context,
        'DATABASE-ALLOWED-08',
        moved.ok ? creds : moved,
        'a static role, moved to a connection that does not allow it',
      )
      if (!moved.ok) await bench.decide('DATABASE-ALLOWED-08', () => expect(creds, 'credentials by the connection of before').toSucceed())
    },
  )
}
