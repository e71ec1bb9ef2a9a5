import { type Answer, check, isBackendFailure, type JsonObject } from '../../harness/checks/index.ts'
import { needs, placeFor } from './fixtures.ts'

const BECAUSE = 'no row reads the connection; that it still works is another check'

check(
  'broker/connection',
  ['BROKER-CONN-01', 'BROKER-CONN-02'],
  'a connection is set, and setting another replaces it',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench, { unconnected: true })
    const tried = await bench.call('broker.writeConnection', { body: place.connection })
    const set = tried.ok ? tried : await bench.call('broker.writeConnection', { body: place.connection })
    await bench.decide('BROKER-CONN-01', () => expect(set, 'the first connection of the mount').toSucceed())
    const role = await place.role()
    const first = await bench.call('broker.readCreds', { path: { name: role } })
    await bench.decide('BROKER-CONN-01', () => expect(first).toSucceed())
    place.keep(first)
    const written = await bench.call('broker.writeConnection', { body: { ...place.connection, ...(await place.administrator()) } })
    await bench.decide('BROKER-CONN-02', async () => {
      expect(written).toSucceed()
      // A server that still used the first administrator could do nothing any more.
      await place.admin.deleteUser(String(place.connection.username))
      const second = await bench.call('broker.readCreds', { path: { name: role } })
      expect(second).toSucceed()
      place.keep(second)
    })
  },
)

check(
  'broker/connection-moved',
  'BROKER-CONN-02',
  'a connection that is set again is used at its new address',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const [role, other] = [await place.role(), await place.role()]
    for (const name of [role, other]) await place.credential(name)
    const nowhere = { ...place.connection, connection_uri: 'http://127.0.0.1:1', verify_connection: false }
    await bench.given('broker.writeConnection', { body: nowhere })
    const path = { name: role }
    const refused = await bench.call('broker.readCreds', { path })
    if (refused.ok) place.keep(refused)
    expect(refused.ok, 'credentials while the connection is one to nowhere').toBe(false)
    await bench.given('broker.writeConnection', { body: place.connection })
    // A role of which no request failed: the other one need not serve at once.
    const answer = await bench.call('broker.readCreds', { path: { name: other } })
    expect(answer, 'credentials once the address is the right one again').toSucceed()
    place.keep(answer)
  },
)

check('broker/password-letters', 'BROKER-CONN-01', 'a password may hold any letters', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const role = await place.role()
  let before = String(place.connection.username)
  for (const end of [` %41/+@:;?#&="'\\{{x}}`, '  ', '\t', 'é日本']) {
    const administrator = await place.administrator(end)
    expect(await bench.call('broker.writeConnection', { body: { ...place.connection, ...administrator } })).toSucceed()
    await place.admin.deleteUser(before)
    before = administrator.username
    const creds = await bench.call('broker.readCreds', { path: { name: role } })
    expect(creds, `credentials, with a password that ends in ${JSON.stringify(end)}`).toSucceed()
    expect(await place.login(place.keep(creds)), 'the new user logs in').toBe(true)
  }
})

const refused = (behaviour: string, clause: string, title: string, bads: ((good: JsonObject) => JsonObject)[]): void =>
  check(`broker/${behaviour}`, clause, title, needs(), async ({ bench }) => {
    const place = await placeFor(bench)
    for (const bad of bads)
      await bench.refuses('broker.writeConnection', {
        bad: { body: bad(place.connection) },
        control: { body: place.connection },
        unchanged: null,
        because: BECAUSE,
      })
    // Without verification nothing but the parameters themselves can be the reason.
    const unverified = { ...place.connection, verify_connection: false }
    for (const bad of bads.filter((one) => one(unverified).verify_connection === false))
      await bench.refuses('broker.writeConnection', {
        bad: { body: bad(unverified) },
        control: { body: unverified },
        unchanged: null,
        because: BECAUSE,
      })
  })

refused('uri-missing', 'BROKER-CONN-03', 'no connection without its URI', [({ connection_uri: _uri, ...rest }) => rest])
refused('username-missing', 'BROKER-CONN-04', 'no connection without a user name', [({ username: _name, ...rest }) => rest])
refused('password-missing', 'BROKER-CONN-05', 'no connection without a password', [({ password: _password, ...rest }) => rest])
refused('connection-objects', 'BROKER-CONN-09', 'objects as connection parameters are refused', [
  (good) => ({ ...good, connection_uri: { a: {} } }),
  (good) => ({ ...good, username: { a: {} } }),
  (good) => ({ ...good, password: { a: {} } }),
])
refused('verify-object', 'BROKER-CONN-10', 'an object is not a boolean', [(good) => ({ ...good, verify_connection: { a: {} } })])

check(
  'broker/verify-default',
  ['BROKER-CONN-06', 'BROKER-CONN-08', 'BROKER-CONN-11', 'BROKER-CONN-13'],
  'credentials that the broker does not know are refused, and the stored connection stays',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const role = await place.role()
    const nowhere = { connection_uri: 'http://127.0.0.1:1' }
    // Where nothing is said of it, and where it is asked for; credentials that nobody knows, and an address at which nobody answers.
    for (const more of [{}, { verify_connection: true }, nowhere, { ...nowhere, verify_connection: true }] as JsonObject[]) {
      const password = bench.canary('wrong')
      const answer = await bench.call('broker.writeConnection', { body: { ...place.connection, ...more, password } })
      await bench.decide('BROKER-CONN-06', () =>
        expect(isBackendFailure(answer.status), `4xx, 500 or 502 for ${JSON.stringify(more)}; it was ${answer.status}`).toBe(true),
      )
      let creds: Answer | undefined
      // The refused change may have closed the connection: the server may need a moment to open it again.
      await bench.decide('BROKER-CONN-08', async () => {
        await bench.eventually(async () => {
          creds = await bench.call('broker.readCreds', { path: { name: role } })
          expect(creds, 'credentials by the stored connection').toSucceed()
        })
      })
      if (creds?.ok) place.keep(creds)
      const read = await bench.call('broker.readRole', { path: { name: role } })
      await bench.decide('BROKER-CONN-11', () => {
        for (const { text } of [...(creds === undefined ? [] : [creds]), read])
          expect(text).not.toContain(String(place.connection.password))
      })
      await bench.decide('BROKER-CONN-13', () => expect(answer.text).not.toContain(password))
    }
  },
)

check(
  'broker/verify-again',
  'BROKER-CONN-06',
  'a connection is verified where nothing is said of it, also after one that was not',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    await bench.given('broker.writeConnection', { body: { ...place.connection, verify_connection: false } })
    const wrong = { ...place.connection, password: bench.canary('wrong') }
    const answer = await bench.call('broker.writeConnection', { body: wrong })
    expect(isBackendFailure(answer.status), `4xx, 500 or 502; it was ${answer.status}`).toBe(true)
    await bench.given('broker.writeConnection', { body: place.connection })
  },
)

check(
  'broker/verify-false',
  'BROKER-CONN-07',
  'without verification a connection is stored as it is',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const role = await place.role()
    const body = { ...place.connection, password: bench.canary('wrong'), verify_connection: false }
    expect(await bench.call('broker.writeConnection', { body })).toSucceed()
    const creds = await bench.call('broker.readCreds', { path: { name: role } })
    expect(isBackendFailure(creds.status), 'the stored connection, which cannot log in, is the one in use').toBe(true)
    await bench.given('broker.writeConnection', { body: place.connection })
  },
)

check(
  'broker/connections-of-two-mounts',
  'BROKER-CONN-01',
  'each mount makes its users by its own connection, whichever was set last',
  needs({ mounts: { broker: { type: 'broker', exclusive: true }, other: { type: 'broker', exclusive: true } } }),
  async ({ bench, expect }) => {
    const here = await placeFor(bench)
    const there = await placeFor(bench, { mount: 'other' })
    const [role, another] = [await here.role(), await there.role()]
    there.keep(await bench.given('broker.readCreds', { path: { name: another }, mount: 'other' }))
    // A server that used the administrator of the other mount could do nothing any more.
    await there.admin.deleteUser(String(there.connection.username))
    const answer = await bench.call('broker.readCreds', { path: { name: role } })
    expect(answer, 'credentials of the mount whose administrator is still there').toSucceed()
    here.keep(answer)
  },
)

check(
  'broker/connection-late',
  ['BROKER-CONN-12', 'BROKER-CONN-01'],
  'a mount gives nothing before it is connected, though another is, and credentials of the roles that were there by then',
  needs({ mounts: { broker: { type: 'broker', exclusive: true }, bare: { type: 'broker', exclusive: true } }, features: ['mounts'] }),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const path = { name: bench.mixedName('role') }
    await bench.given('broker.writeRole', { path, body: { vhosts: place.allRights }, mount: 'bare' })
    const early = await bench.call('broker.readCreds', { path, mount: 'bare' })
    if (early.ok) place.keep(early)
    await bench.decide('BROKER-CONN-12', async () => {
      expect(early.ok, 'credentials of a mount without a connection').toBe(false)
      expect(await place.admin.usersOf(place.vhost), 'users that are there').toEqual([])
    })
    await bench.given('broker.writeConnection', { body: place.connection, mount: 'bare' })
    const late = await bench.call('broker.readCreds', { path, mount: 'bare' })
    await bench.decide('BROKER-CONN-01', () => expect(late, 'credentials of a role that was there before the connection').toSucceed())
    place.keep(late)
  },
)
