/** Parameters of connections that are refused, and defaults: nothing here needs a database. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { unverified, unverifiedBody } from '../unverified.ts'

const refusedConnection = (behaviour: string, clause: string, title: string, bad: (good: JsonObject) => JsonObject): void =>
  check(`database/${behaviour}`, clause, title, async ({ bench }) => {
    const path = { name: bench.mixedName('connection') }
    bench.defer(() => bench.call('database.deleteConnection', { path }))
    const good = unverifiedBody(bench)
    await bench.refuses('database.writeConnection', {
      bad: { path, body: bad(good) },
      control: { path, body: good },
      unchanged: { operation: 'database.readConnection', input: { path } },
    })
  })

refusedConnection('plugin-missing', 'DATABASE-PLUGIN-01', 'no connection without a plugin', ({ plugin_name: _name, ...rest }) => rest)
refusedConnection('plugin-object', 'DATABASE-PLUGIN-02', 'an object is not a plugin name', (good) => ({ ...good, plugin_name: { a: {} } }))
refusedConnection('plugin-unknown', 'DATABASE-PLUGIN-04', 'an unknown plugin is refused', (good) => ({
  ...good,
  plugin_name: 'no-such-database-plugin',
}))
refusedConnection('verify-object', 'DATABASE-VERIFY-05', 'an object is not a boolean', (good) => ({
  ...good,
  verify_connection: { a: {} },
}))
refusedConnection('allowed-object', 'DATABASE-ALLOWED-07', 'an object is not a list of roles', (good) => ({
  ...good,
  allowed_roles: [{ a: {} }],
}))
refusedConnection('url-object', 'DATABASE-URL-05', 'an object is not a connection URL', (good) => ({ ...good, connection_url: { a: {} } }))
refusedConnection('username-object', 'DATABASE-URL-07', 'an object is not a user name', (good) => ({ ...good, username: { a: {} } }))
refusedConnection('password-object', 'DATABASE-URL-08', 'an object is not a password', (good) => ({ ...good, password: { a: {} } }))
refusedConnection('policy-object', 'DATABASE-POLICY-09', 'an object is not a policy name', (good) => ({
  ...good,
  password_policy: { a: {} },
}))
refusedConnection('root-statements-object', 'DATABASE-ROOT-09', 'objects as root rotation statements are refused', (good) => ({
  ...good,
  root_rotation_statements: [{ a: {} }],
}))

check('database/allowed-default', 'DATABASE-ALLOWED-01', 'no role is allowed unless the connection says so', async ({ bench, expect }) => {
  const name = await unverified(bench)
  const answer = await bench.given('database.readConnection', { path: { name } })
  expect(answer.data.allowed_roles).toEqual([])
})

check(
  'database/connections-none',
  'DATABASE-CONN-05',
  'a listing of connections that are all deleted is answered with 404, whatever roles there are',
  { needs: { mounts: { own: { type: 'database' } } } },
  async ({ bench, expect }) => {
    const connection = await unverified(bench)
    const path = { name: bench.mixedName('role') }
    await bench.given('database.writeRole', { path, body: { db_name: connection, creation_statements: ['SELECT 1'] } })
    await bench.given('database.deleteConnection', { path: { name: connection } })
    expect(await bench.call('database.readConnection', { path: { name: connection } }), 'the deleted connection').toHaveStatus(404)
    for (const method of ['LIST', 'GET'])
      expect(await bench.call('database.listConnections', { method }), `the listing by ${method}`).toHaveStatus(404)
  },
)

check(
  'database/connections-listed',
  'DATABASE-CONN-05',
  'the listing holds the names of connections and nothing else',
  async ({ bench, expect }) => {
    const names = [await unverified(bench), await unverified(bench)]
    const { data, text } = await bench.given('database.listConnections')
    expect(data.keys).toEqual(expect.arrayContaining(names))
    const { connection_url, plugin_name } = unverifiedBody(bench)
    for (const detail of [String(connection_url), JSON.stringify(plugin_name)]) expect(text, 'the listing').not.toContain(detail)
  },
)

check('database/url-to-the-letter', 'DATABASE-URL-03', 'a connection URL is read as it was written', async ({ bench, expect }) => {
  const path = { name: await unverified(bench) }
  const plain = unverifiedBody(bench)
  for (const query of ['', '?sslmode=disable', '?sslmode=disable&connect_timeout=5&application_name=A%20b%2Bc', '?connect_timeout=5#end']) {
    const connection_url = `${plain.connection_url}${query}`
    const written = await bench.call('database.writeConnection', { path, body: { ...plain, connection_url } })
    // Which parameters a URL may have is for the database to say.
    if (query !== '' && !written.ok) continue
    expect(written, query).toSucceed()
    const { data } = await bench.given('database.readConnection', { path })
    expect((data.connection_details as JsonObject | undefined)?.connection_url, query).toBe(connection_url)
  }
})
