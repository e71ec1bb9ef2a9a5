import { check, isBackendFailure } from '../../../harness/checks/index.ts'
import { literal, needs, placeFor } from '../fixtures.ts'
import { kinds } from '../kinds.ts'

for (const kind of kinds) {
  const id = (name: string): string => `database/${kind.id}/${name}`

  check(
    id('connection-read'),
    [
      'DATABASE-CONN-01',
      'DATABASE-CONN-03',
      'DATABASE-PLUGIN-03',
      'DATABASE-ALLOWED-06',
      'DATABASE-URL-03',
      'DATABASE-URL-04',
      'DATABASE-SECRET-01',
    ],
    'a written connection is read back, without its password',
    needs(kind),
    async ({ bench, expect }) => {
      const allowed = [bench.mixedName('role'), bench.mixedName('role')]
      const place = await placeFor(bench, kind, { connection: { allowed_roles: allowed } })
      const answer = await bench.call('database.readConnection', { path: { name: place.connection } })
      await bench.decide('DATABASE-CONN-01', () => expect(answer).toHaveStatus(200))
      await bench.decide('DATABASE-CONN-03', () => expect(answer.data).toHaveProperty('connection_details'))
      await bench.decide('DATABASE-PLUGIN-03', () => expect(answer.data.plugin_name).toBe(place.texts.pluginName))
      await bench.decide('DATABASE-ALLOWED-06', () =>
        expect([...(answer.data.allowed_roles as string[])].sort()).toEqual([...allowed].sort()),
      )
      const details = answer.data.connection_details as { connection_url?: string; username?: string }
      await bench.decide('DATABASE-URL-03', () => expect(details.connection_url).toBe(place.body.connection_url))
      await bench.decide('DATABASE-URL-04', () => expect(details.username).toBe(place.sql.admin.username))
      await bench.decide('DATABASE-SECRET-01', () => expect(answer.text).not.toContain(place.sql.admin.password))
    },
  )

  check(
    id('connection-password-escaped'),
    'DATABASE-SECRET-01',
    'a password that a URL has to escape is not read back, in whatever spelling',
    needs(kind),
    async ({ bench, expect }) => {
      // Whether a connection with such a password works is another matter.
      const place = await placeFor(bench, kind, { connection: { verify_connection: false } })
      for (const within of ['@', '/:', '%41', ' ?#', '&+=', 'é']) {
        const secret = bench.canary('escaped')
        const password = `${secret.slice(0, 8)}${within}${secret.slice(8)}`
        bench.secret(password)
        const body = { ...place.body, password, verify_connection: false }
        await bench.given('database.writeConnection', { path: { name: place.connection }, body })
        const { text } = await bench.given('database.readConnection', { path: { name: place.connection } })
        for (const spelling of [password, encodeURIComponent(password), encodeURI(password), secret.slice(8)])
          expect(text, `a password with ${within}`).not.toContain(spelling)
      }
      await bench.given('database.writeConnection', { path: { name: place.connection }, body: place.body })
    },
  )

  check(id('connection-update'), 'DATABASE-CONN-02', 'writing a connection again changes it', needs(kind), async ({ bench, expect }) => {
    const place = await placeFor(bench, kind)
    const allowed = [bench.mixedName('role')]
    const body = { ...place.body, allowed_roles: allowed }
    expect(await bench.call('database.writeConnection', { path: { name: place.connection }, body })).toSucceed()
    const answer = await bench.call('database.readConnection', { path: { name: place.connection } })
    expect(answer.data.allowed_roles).toEqual(allowed)
  })

  check(
    id('connection-delete'),
    ['DATABASE-CONN-06', 'DATABASE-CONN-07', 'DATABASE-CONN-09'],
    'a deleted connection is gone, and its roles give no more credentials',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const role = await place.role()
      const before = await place.credential(role)
      const deleted = await bench.call('database.deleteConnection', { path: { name: place.connection } })
      await bench.decide('DATABASE-CONN-06', () => expect(deleted).toSucceed())
      const read = await bench.call('database.readConnection', { path: { name: place.connection } })
      await bench.decide('DATABASE-CONN-06', () => expect(read).toHaveStatus(404))
      const creds = (await place.ask(role)).answer
      await bench.decide('DATABASE-CONN-07', () =>
        expect(isBackendFailure(creds.status), `no credentials; it was ${creds.status}`).toBe(true),
      )
      bench.observe('DATABASE-CONN-09', (await place.sql.login(before)) ? 'they still log in' : 'they no longer log in')
      // With the connection back, a target that needs it can revoke what it issued.
      await bench.given('database.writeConnection', { path: { name: place.connection }, body: place.body })
    },
  )

  check(
    id('url-template'),
    'DATABASE-URL-01',
    'user name and password are put into the connection URL',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind, { literal: true })
      const name = bench.mixedName('template')
      place.keepConnection(name)
      expect(await bench.call('database.writeConnection', { path: { name }, body: place.body })).toSucceed()
      const made = await place.ask(await place.role({ db_name: name }))
      expect(made.answer).toSucceed()
      expect(await place.sql.login(made.credential)).toBe(true)
    },
  )

  check(
    id('url-literal'),
    ['DATABASE-URL-02', 'DATABASE-URL-06'],
    'a connection URL may carry its credentials itself',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const name = bench.mixedName('literal')
      place.keepConnection(name)
      const written = await bench.call('database.writeConnection', { path: { name }, body: literal(place.body) })
      await bench.decide('DATABASE-URL-02', async () => {
        expect(written).toSucceed()
        const made = await place.ask(await place.role({ db_name: name }))
        expect(made.answer).toSucceed()
        expect(await place.sql.login(made.credential)).toBe(true)
      })
      const read = await bench.call('database.readConnection', { path: { name } })
      bench.observe('DATABASE-URL-06', read.text.includes(place.sql.admin.password) ? 'shown' : 'not shown')
    },
  )
}
