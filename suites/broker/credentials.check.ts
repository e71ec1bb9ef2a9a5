import { check, gateTo, isBackendFailure, type JsonObject, leasesNothing, outlivesCallers } from '../../harness/checks/index.ts'
import { type Credential, needs, placeFor } from './fixtures.ts'

check(
  'broker/creds',
  ['BROKER-CREDS-01', 'BROKER-CREDS-02', 'BROKER-CREDS-03'],
  'credentials log in, are new each time and come with a lease',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const role = await place.role()
    const [first, second] = [await place.credential(role), await place.credential(role)]
    await bench.decide('BROKER-CREDS-01', async () => {
      expect(await place.login(first)).toBe(true)
      expect(await place.login(second)).toBe(true)
    })
    await bench.decide('BROKER-CREDS-02', () => {
      expect(first.username).not.toBe(second.username)
      expect(first.password === second.password, 'both have the same password').toBe(false)
    })
    await bench.decide('BROKER-CREDS-03', () => {
      expect(first.lease).not.toBe('')
      expect(first.lease).not.toBe(second.lease)
      expect(first.duration).toBeGreaterThan(0)
    })
  },
)

const CLAUSES_AT_ONCE = ['BROKER-CREDS-02', 'BROKER-TAGS-01']

check(
  'broker/creds-at-once',
  CLAUSES_AT_ONCE,
  'of requests at once each is given a user of its own, of its own role',
  { ...needs(), kind: 'race' },
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const [one, two] = [await place.role({ tags: 'monitoring' }), await place.role({ tags: 'management' })]
    const asked = [one, one, two, one, two, one]
    const answers = await Promise.all(asked.map((name) => bench.call('broker.readCreds', { path: { name } })))
    // A request that was refused among the others was given nobody else's user.
    const made = answers.map((answer, index) => ({ answer, role: asked[index]! })).filter(({ answer }) => answer.ok)
    const users = made.map(({ answer, role }) => ({ ...place.keep(answer), role }))
    if (users.length < 2) {
      for (const clause of CLAUSES_AT_ONCE) bench.observe(clause, `${users.length} of ${asked.length} requests at once succeed`)
      return
    }
    await bench.decide('BROKER-CREDS-02', () => {
      expect(new Set(users.map(({ username }) => username)).size, 'different users').toBe(users.length)
      expect(new Set(users.map(({ password }) => password)).size, 'different passwords').toBe(users.length)
    })
    await bench.decide('BROKER-TAGS-01', async () => {
      for (const { username, role } of users)
        expect(await place.admin.tagsOf(username)).toEqual([role === one ? 'monitoring' : 'management'])
    })
  },
)

const CLAUSES_OF_LONG_NAMES = ['BROKER-CREDS-01', 'BROKER-CREDS-02', 'BROKER-TAGS-01']

check(
  'broker/creds-long-name',
  CLAUSES_OF_LONG_NAMES,
  'roles with long names that begin alike give each its own users, new ones each time',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const long = `${bench.fresh('role')}-${'long'.repeat(40)}`
    const users: (Credential & { tag: string })[] = []
    for (const [name, tag] of [
      [`${long}a`, 'monitoring'],
      [`${long}b`, 'management'],
    ] as const) {
      const body = { vhosts: place.allRights, tags: tag }
      if (!(await bench.call('broker.writeRole', { path: { name }, body })).ok) {
        // How long a name may be is for the server to say; what it took it gives credentials of.
        for (const clause of CLAUSES_OF_LONG_NAMES) bench.observe(clause, 'the name is refused')
        return
      }
      for (const turn of ['first', 'second']) {
        const answer = await bench.call('broker.readCreds', { path: { name } })
        await bench.decide('BROKER-CREDS-01', () => expect(answer, `the ${turn} credentials of a role with a long name`).toSucceed())
        users.push({ ...place.keep(answer), tag })
      }
    }
    await bench.decide('BROKER-CREDS-02', () => expect(new Set(users.map(({ username }) => username)).size, 'users').toBe(users.length))
    await bench.decide('BROKER-CREDS-01', async () => {
      for (const [index, user] of users.entries()) expect(await place.login(user), `whether user ${index + 1} logs in`).toBe(true)
    })
    await bench.decide('BROKER-TAGS-01', async () => {
      for (const { username, tag } of users) expect(await place.admin.tagsOf(username)).toEqual([tag])
    })
  },
)

check('broker/creds-hidden', 'BROKER-CREDS-09', 'a role does not show the passwords it issued', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const role = await place.role()
  const { password } = await place.credential(role)
  expect((await bench.given('broker.readRole', { path: { name: role } })).text).not.toContain(password)
})

check('broker/creds-lease-stays', 'CORE-ENV-10', 'what is read after credentials carries no lease', needs(), async (context) => {
  const place = await placeFor(context.bench)
  await context.bench.given('broker.writeLease', { body: { ttl: 600, max_ttl: 1200 } })
  const role = await place.role()
  await place.credential(role)
  await leasesNothing(context, 'broker.readRole', { path: { name: role } })
})

check('broker/creds-unknown', 'BROKER-CREDS-04', 'an unknown role gives no credentials', needs(), async ({ bench, expect }) => {
  await placeFor(bench)
  expect(await bench.call('broker.readCreds', { path: { name: bench.fresh('unknown') } })).toHaveStatus(400, 404)
})

check(
  'broker/creds-expiry',
  ['BROKER-CREDS-05', 'BROKER-CREDS-15'],
  'at the end of its lease the user is gone',
  { ...needs(), waits: true },
  async ({ bench }) => {
    const place = await placeFor(bench)
    await bench.given('broker.writeLease', { body: { ttl: 3, max_ttl: 60 } })
    const role = await place.role()
    const all = [await place.credential(role), await place.credential(role), await place.credential(role)]
    const ends = { within: 3000 + bench.grace, every: 500 }
    for (const made of all) {
      await bench.decide('BROKER-CREDS-05', async () => void (await bench.eventually(async () => !(await place.login(made)), ends)))
      await bench.decide(
        'BROKER-CREDS-15',
        async () => void (await bench.eventually(async () => (await place.admin.tagsOf(made.username)) === undefined, ends)),
      )
    }
  },
)

check(
  'broker/creds-revocation',
  'BROKER-CREDS-06',
  'a revoked credential no longer logs in, though its role or the connection was written again since, and others log in',
  needs({ features: ['leases'] }),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const role = await place.role()
    const since: (() => Promise<unknown>)[] = [
      async () => undefined,
      () => bench.given('broker.writeRole', { path: { name: role }, body: { vhosts: place.allRights, tags: 'monitoring' } }),
      async () => {
        await bench.given('broker.writeConnection', { body: { ...place.connection, ...(await place.administrator()) } })
        // A server that still used the first administrator could remove nothing any more.
        await place.admin.deleteUser(String(place.connection.username))
      },
    ]
    for (const happens of since) {
      const [made, kept] = [await place.credential(role), await place.credential(role)]
      expect(await place.login(made)).toBe(true)
      await happens()
      // A revocation that fails for what happened since has failed to revoke.
      await bench.leases.revoke(made.lease).catch((error: Error) => {
        if (happens === since[0]) throw error
      })
      await bench.eventually(async () => !(await place.login(made)), { because: 'a new login is refused' })
      expect(await place.login(kept), 'a credential that was not revoked').toBe(true)
    }
  },
)

check(
  'broker/creds-of-two-callers',
  'BROKER-CREDS-10',
  'a user stays where the token of another caller of the role ends',
  needs({ features: ['leases', 'identities'] }),
  async (context) => {
    const place = await placeFor(context.bench)
    const path = { name: await place.role() }
    await outlivesCallers(context, 'broker.readCreds', { path }, place.keep, place.login)
  },
)

/** Milliseconds for a server to try again what failed: when it does so is its own business. */
const TRIED_AGAIN = 60_000

check(
  'broker/revocation-outage',
  'BROKER-CREDS-16',
  'a user that could not be removed is removed once the cause is gone',
  { ...needs({ features: ['leases'] }), deadline: 4 * TRIED_AGAIN },
  async ({ bench, expect }) => {
    const handle = bench.backend('rabbitmq')
    const gate = await gateTo(bench, handle, Number(handle.extra.managementPort))
    const place = await placeFor(bench, { port: gate.port })
    const role = await place.role()
    const connect = (more: JsonObject) =>
      bench.given('broker.writeConnection', { body: { ...place.connection, verify_connection: false, ...more } })
    const causes: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      ['the broker was away', () => gate.shut(), () => gate.open()],
      ['the broker did not know the administrator', () => connect({ password: bench.canary('wrong') }), () => connect({})],
    ]
    for (const [what, begins, ends] of causes) {
      const made = await place.credential(role)
      expect(await place.login(made), 'the user logs in at first').toBe(true)
      // Whether the answer says that it failed, or that it is under way, is open.
      const revoked = () => bench.leases.revoke(made.lease).catch(() => undefined)
      await begins()
      await revoked()
      await ends()
      const isRefused = async () => {
        await revoked()
        return !(await place.login(made))
      }
      await bench.eventually(isRefused, { within: TRIED_AGAIN, every: 2000, because: `a new login is refused, after ${what}` })
    }
  },
)

check(
  'broker/creds-failed',
  ['BROKER-CREDS-07', 'BROKER-CREDS-13'],
  'when the broker refuses a right no user remains',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const all = { configure: '.*', write: '.*', read: '.*' }
    const vhosts = JSON.stringify({ [place.vhost]: all, [bench.fresh('unknown')]: all })
    const topic = { 'amq.topic': { write: '.*', read: '.*' } }
    const topics = JSON.stringify({ [place.vhost]: topic })
    const unknownTopics = JSON.stringify({ [place.vhost]: topic, [bench.fresh('unknown')]: topic })
    // What else the role gives makes no half of a user stay, and neither does a refusal that comes late.
    for (const body of [
      { vhosts },
      { vhosts, tags: 'monitoring' },
      { vhosts, vhost_topics: topics },
      { vhost_topics: unknownTopics },
    ] as JsonObject[]) {
      const answer = await bench.call('broker.readCreds', { path: { name: await place.role(body) } })
      await bench.decide('BROKER-CREDS-07', () =>
        expect(isBackendFailure(answer.status), `4xx, 500 or 502; it was ${answer.status}`).toBe(true),
      )
      await bench.decide('BROKER-CREDS-13', () => bench.eventually(async () => expect(await place.admin.usersOf(place.vhost)).toEqual([])))
    }
  },
)

check(
  'broker/creds-after-failure',
  ['BROKER-CREDS-12', 'BROKER-CREDS-14'],
  'a request that failed leaves its role and the connection as they were',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const later = bench.mixedName('later')
    const all = { configure: '.*', write: '.*', read: '.*' }
    const [plain, waiting] = [await place.role(), await place.role({ vhosts: JSON.stringify({ [later]: all }) })]
    const failed = await bench.call('broker.readCreds', { path: { name: waiting } })
    const expectGiven = async (name: string, what: string): Promise<void> => {
      const answer = await bench.call('broker.readCreds', { path: { name } })
      expect(answer, what).toSucceed()
      place.keep(answer)
    }
    await bench.decide('BROKER-CREDS-12', async () => {
      expect(isBackendFailure(failed.status), `4xx, 500 or 502; it was ${failed.status}`).toBe(true)
      await expectGiven(plain, 'another role')
    })
    bench.defer(() => place.admin.deleteVhost(later))
    await place.admin.createVhost(later)
    await bench.decide('BROKER-CREDS-14', () => expectGiven(waiting, 'the same role, once its virtual host is there'))
  },
)

check('broker/outage', 'BROKER-CREDS-08', 'without its broker a request for credentials fails', needs(), async ({ bench, expect }) => {
  const handle = bench.backend('rabbitmq')
  const gate = await gateTo(bench, handle, Number(handle.extra.managementPort))
  const place = await placeFor(bench, { port: gate.port })
  const role = await place.role()
  await place.credential(role)
  await gate.shut()
  const away = await bench.call('broker.readCreds', { path: { name: role } })
  await gate.open()
  expect(isBackendFailure(away.status), `4xx, 500 or 502; it was ${away.status}`).toBe(true)
})
