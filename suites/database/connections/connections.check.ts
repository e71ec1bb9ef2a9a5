import { check, isBackendFailure } from '../../../harness/checks/index.ts'
import { literal, needs, placeFor } from '../fixtures.ts'
import { kinds } from '../kinds.ts'

for (const kind of kinds) {
  const id = (name: string): string => `database/${kind.id}/${name}`

  check(
    id('connection-read'),
    ['DB-CONN-01', 'DB-CONN-03', 'DB-PLUGIN-03', 'DB-ALLOWED-06', 'DB-URL-03', 'DB-URL-04', 'DB-SECRET-01'],
    'a written connection is read back, without its password',
    needs(kind),
    async ({ bench, expect }) => {
      const allowed = [bench.fresh('role'), bench.fresh('role')]
      const place = await placeFor(bench, kind, { connection: { allowed_roles: allowed } })
      const answer = await bench.call('database.readConnection', { path: { name: place.connection } })
      await bench.decide('DB-CONN-01', () => expect(answer).toHaveStatus(200))
      await bench.decide('DB-CONN-03', () => expect(answer.data).toHaveProperty('connection_details'))
      await bench.decide('DB-PLUGIN-03', () => expect(answer.data.plugin_name).toBe(place.texts.pluginName))
      await bench.decide('DB-ALLOWED-06', () => expect([...(answer.data.allowed_roles as string[])].sort()).toEqual([...allowed].sort()))
      const details = answer.data.connection_details as { connection_url?: string; username?: string }
      await bench.decide('DB-URL-03', () => expect(details.connection_url).toBe(place.body.connection_url))
      await bench.decide('DB-URL-04', () => expect(details.username).toBe(place.sql.admin.username))
      await bench.decide('DB-SECRET-01', () => expect(answer.text).not.toContain(place.sql.admin.password))
    },
  )

  check(id('connection-update'), 'DB-CONN-02', 'writing a connection again changes it', needs(kind), async ({ bench, expect }) => {
    const place = await placeFor(bench, kind)
    const allowed = [bench.fresh('role')]
    const body = { ...place.body, allowed_roles: allowed }
    expect(await bench.call('database.writeConnection', { path: { name: place.connection }, body })).toSucceed()
    const answer = await bench.call('database.readConnection', { path: { name: place.connection } })
    expect(answer.data.allowed_roles).toEqual(allowed)
  })

  check(
    id('connection-delete'),
    ['DB-CONN-06', 'DB-CONN-07', 'DB-CONN-09'],
    'a deleted connection is gone, and its roles give no more credentials',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const role = await place.role()
      const before = await place.credential(role)
      await bench.given('database.deleteConnection', { path: { name: place.connection } })
      const read = await bench.call('database.readConnection', { path: { name: place.connection } })
      await bench.decide('DB-CONN-06', () => expect(read).toHaveStatus(404))
      const creds = (await place.ask(role)).answer
      await bench.decide('DB-CONN-07', () => expect(isBackendFailure(creds.status), `no credentials; it was ${creds.status}`).toBe(true))
      bench.observe('DB-CONN-09', (await place.sql.login(before)) ? 'they still log in' : 'they no longer log in')
      // With the connection back, a target that needs it can revoke what it issued.
      await bench.given('database.writeConnection', { path: { name: place.connection }, body: place.body })
    },
  )

  check(
    id('url-template'),
    'DB-URL-01',
    'user name and password are put into the connection URL',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind, { literal: true })
      const name = bench.fresh('template')
      place.keepConnection(name)
      expect(await bench.call('database.writeConnection', { path: { name }, body: place.body })).toSucceed()
      const made = await place.ask(await place.role({ db_name: name }))
      expect(made.answer).toSucceed()
      expect(await place.sql.login(made.credential)).toBe(true)
    },
  )

  check(
    id('url-literal'),
    ['DB-URL-02', 'DB-URL-06'],
    'a connection URL may carry its credentials itself',
    needs(kind),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const name = bench.fresh('literal')
      place.keepConnection(name)
      const written = await bench.call('database.writeConnection', { path: { name }, body: literal(place.body) })
      await bench.decide('DB-URL-02', async () => {
        expect(written).toSucceed()
        const made = await place.ask(await place.role({ db_name: name }))
        expect(made.answer).toSucceed()
        expect(await place.sql.login(made.credential)).toBe(true)
      })
      const read = await bench.call('database.readConnection', { path: { name } })
      bench.observe('DB-URL-06', read.text.includes(place.sql.admin.password) ? 'shown' : 'not shown')
    },
  )
}
