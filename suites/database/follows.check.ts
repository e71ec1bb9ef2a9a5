/** What is written again takes effect at once, also where it was used before; and what failed once works when its cause is gone. */
import { check, gateTo, isBackendFailure } from '../../harness/checks/index.ts'
import { needs, placeFor } from './fixtures.ts'
import { kinds, note, noted } from './kinds.ts'

for (const kind of kinds) {
  const id = (name: string): string => `database/${kind.id}/${name}`

  check(id('role-follows'), 'DATABASE-ROLE-02', 'credentials follow the role as it is now', needs(kind), async ({ bench, expect }) => {
    const place = await placeFor(bench, kind)
    const versions = ['first', 'second', 'third']
    const body = (version: string, index: number) => ({
      db_name: place.connection,
      creation_statements: [...place.texts.bareCreation, note('version', version)],
      default_ttl: 600 + index * 60,
      max_ttl: 7200,
    })
    const path = { name: await place.role() }
    await place.credential(path.name)
    for (const [index, version] of versions.entries()) {
      await bench.given('database.writeRole', { path, body: body(version, index) })
      for (const use of ['first', 'second']) {
        const { duration } = await place.credential(path.name)
        const words = `the ${use} credential after it was written as the ${version}`
        expect((await noted(place.sql, 'version')).at(-1), words).toBe(version)
        expect(Math.abs(duration - 600 - index * 60), `seconds from the lease, ${words}`).toBeLessThanOrEqual(2)
      }
    }
  })

  check(
    id('connection-follows'),
    'DATABASE-CONN-02',
    'credentials follow the connection as it is now',
    needs(kind),
    async ({ bench, expect }) => {
      const handle = bench.backend(kind.id)
      const gate = await gateTo(bench, handle)
      const place = await placeFor(bench, kind)
      const path = { name: place.connection }
      // That a role whose request failed serves again at once is advised: another one shows the address that counts.
      const statements = { creation_statements: place.texts.bareCreation }
      const [role, other] = [await place.role(statements), await place.role(statements)]
      await place.credential(role)
      const through = String(place.body.connection_url).replace(`:${handle.targetPort}`, `:${gate.port}`)
      await bench.given('database.writeConnection', { path, body: { ...place.body, connection_url: through } })
      // Nothing is issued by this address: nothing has to be taken back by it.
      await gate.shut()
      const away = await bench.call('database.readCreds', { path: { name: role } })
      expect(isBackendFailure(away.status), `through an address that is shut: 4xx, 500 or 502; it was ${away.status}`).toBe(true)
      await bench.given('database.writeConnection', { path, body: place.body })
      expect((await place.ask(other)).answer, 'by the address written last').toSucceed()
      const unverified = { ...place.body, connection_url: through, verify_connection: false }
      await bench.given('database.writeConnection', { path, body: unverified })
      const still = await bench.call('database.readCreds', { path: { name: role } })
      expect(isBackendFailure(still.status), `by an address that nobody verified: 4xx, 500 or 502; it was ${still.status}`).toBe(true)
      await bench.given('database.writeConnection', { path, body: place.body })
    },
  )

  check(
    id('creds-after-failure'),
    ['DATABASE-CREDS-11', 'DATABASE-CREDS-13'],
    'a request that failed leaves its role and its connection as they were',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const bare = place.texts.bareCreation
      const [plain, waiting] = [
        await place.role({ creation_statements: bare }),
        await place.role({ creation_statements: ['INSERT INTO later VALUES (1)', ...bare] }),
      ]
      const failed = await bench.call('database.readCreds', { path: { name: waiting } })
      await bench.decide('DATABASE-CREDS-11', async () => {
        expect(isBackendFailure(failed.status), `4xx, 500 or 502; it was ${failed.status}`).toBe(true)
        expect((await place.ask(plain)).answer, 'another role of the connection').toSucceed()
      })
      await place.sql.as(place.sql.admin, 'CREATE TABLE later (n int)')
      await bench.decide('DATABASE-CREDS-13', async () =>
        expect((await place.ask(waiting)).answer, 'the same role, once its statements can be run').toSucceed(),
      )
    },
  )

  check(
    id('password-letters'),
    'DATABASE-URL-10',
    'the password of a connection may hold letters that mean something in its URL, in a statement or to a shell',
    needs(kind),
    async ({ bench, expect }) => {
      // Blanks at the ends are as much of it as those within.
      const passwordWithin = [' ', `%41/@:+ #?&={x}$$5$&$1'"\\;\`|<>()[]!*~^,%s `] as const
      const place = await placeFor(bench, kind, { connection: { verify_connection: false }, passwordWithin })
      expect((await place.ask(await place.role())).answer).toSucceed()
    },
  )
}
