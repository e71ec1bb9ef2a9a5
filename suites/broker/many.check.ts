/** Many users, many rights, long leases, and roles of one name in two mounts. */
import { check } from '../../harness/checks/index.ts'
import { needs, parsed, placeFor } from './fixtures.ts'

const USERS = 35
const DAY = 86_400

check(
  'broker/many-users',
  'BROKER-CREDS-01',
  'every user of a role logs in, however many there are, until its lease ends',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const role = await place.role()
    const made = []
    for (let count = 0; count < USERS; count += 1) made.push(await place.credential(role))
    for (const index of [0, 1, 29, 30, USERS - 1]) expect(await place.login(made[index]!), `user ${index + 1} of ${USERS}`).toBe(true)
  },
)

check(
  'broker/long-rights',
  ['BROKER-ROLE-01', 'BROKER-VHOSTS-05', 'BROKER-VHOSTS-04'],
  'a role may say a great deal of one virtual host',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const pattern = `^(${Array.from({ length: 900 }, (_, index) => `queue-${index}`).join('|')})$`
    const vhosts = { [place.vhost]: { configure: pattern, write: '.*', read: '' } }
    const path = { name: bench.mixedName('role') }
    const written = await bench.call('broker.writeRole', { path, body: { vhosts: JSON.stringify(vhosts) } })
    await bench.decide('BROKER-ROLE-01', () => expect(written, `rights of ${JSON.stringify(vhosts).length} characters`).toSucceed())
    const { data } = await bench.given('broker.readRole', { path })
    await bench.decide('BROKER-VHOSTS-05', () => expect(parsed(data.vhosts), 'vhosts').toEqual(vhosts))
    const answer = await bench.call('broker.readCreds', { path })
    const { username } = place.keep(answer)
    await bench.decide('BROKER-VHOSTS-04', async () => {
      expect(answer, 'credentials with long rights').toSucceed()
      expect(await place.admin.rightsOf(username)).toEqual([{ vhost: place.vhost, ...vhosts[place.vhost] }])
    })
  },
)

check(
  'broker/topics-alone',
  ['BROKER-TOPICS-01', 'BROKER-TOPICS-02'],
  'a role without rights in virtual hosts still has its topic patterns, at the exchange as it is spelled',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    for (const exchange of ['Events', 'events']) {
      await place.admin.createTopicExchange(place.vhost, exchange)
      const name = bench.mixedName('role')
      const body = { tags: 'management', vhost_topics: JSON.stringify({ [place.vhost]: { [exchange]: { write: '^a$', read: '^b$' } } }) }
      await bench.given('broker.writeRole', { path: { name }, body })
      const { username } = await place.credential(name)
      const seen = (await place.admin.topicRightsOf(username)).map((row) => [row.exchange, row.write, row.read])
      await bench.decide('BROKER-TOPICS-01', () => expect(seen.map(([at, write]) => [at, write])).toEqual([[exchange, '^a$']]))
      await bench.decide('BROKER-TOPICS-02', () => expect(seen.map(([at, , read]) => [at, read])).toEqual([[exchange, '^b$']]))
    }
  },
)

check(
  'broker/lease-of-days',
  ['BROKER-LEASE-01', 'BROKER-LEASE-03', 'BROKER-LEASE-05', 'BROKER-CREDS-01'],
  'a lease of days and of a month is one, and settings that are refused change none',
  needs({ mounts: { broker: { type: 'broker', exclusive: true, config: { maxLeaseTtl: 31 * DAY } } } }),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const role = await place.role()
    const lasting = async () => (await place.credential(role)).duration
    await bench.given('broker.writeLease', { body: { ttl: 30 * DAY, max_ttl: 31 * DAY } })
    const ofAMonth = await place.credential(role)
    // Longer than a counter of 32 bits has milliseconds.
    await bench.decide('BROKER-LEASE-01', () => expect(Math.abs(ofAMonth.duration - 30 * DAY), 'a month').toBeLessThanOrEqual(2))
    await bench.given('broker.writeLease', { body: { ttl: 2 * DAY, max_ttl: 3 * DAY } })
    await bench.decide('BROKER-LEASE-01', async () => expect(Math.abs((await lasting()) - 2 * DAY)).toBeLessThanOrEqual(2))
    for (const bad of [
      { ttl: 60, max_ttl: { seconds: 1 } },
      { ttl: { seconds: 1 }, max_ttl: 60 },
    ]) {
      const answer = await bench.call('broker.writeLease', { body: bad, invalid: true })
      await bench.decide('BROKER-LEASE-05', async () => {
        expect(answer).toBeRefused()
        expect(Math.abs((await lasting()) - 2 * DAY), 'seconds from what was set before').toBeLessThanOrEqual(2)
      })
    }
    await bench.given('broker.writeLease', { body: { ttl: 4 * DAY, max_ttl: 3 * DAY } })
    await bench.decide('BROKER-LEASE-03', async () => expect(await lasting()).toBeLessThanOrEqual(3 * DAY))
    await bench.decide('BROKER-CREDS-01', async () => expect(await place.login(ofAMonth), 'who has a lease of a month').toBe(true))
  },
)

check(
  'broker/names-of-roles',
  'BROKER-CREDS-01',
  'the user that is shown logs in, whatever the name of its role is made of',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const stem = bench.fresh('role')
    for (const name of [`READER-${stem}`, `App.V2_${stem}`, `a_B.${stem}`, `0${stem}.json`, stem, `${stem}.v2`]) {
      await bench.given('broker.writeRole', { path: { name }, body: { vhosts: place.allRights } })
      const made = place.keep(await bench.call('broker.readCreds', { path: { name } }))
      expect(await place.login(made), `the user of the role ${name}`).toBe(true)
      const vhosts = (await place.admin.rightsOf(made.username)).map(({ vhost }) => vhost)
      expect(vhosts, `virtual hosts of the user of ${name}, as the broker knows it`).toEqual([place.vhost])
    }
  },
)

check(
  'broker/roles-of-two-mounts',
  'BROKER-APART-01',
  'roles of one name in two mounts give each its own rights and leases, whichever was used before',
  needs({ features: ['mounts'], mounts: { broker: { type: 'broker', exclusive: true }, other: { type: 'broker', exclusive: true } } }),
  async ({ bench, expect }) => {
    const name = bench.mixedName('role')
    const patterns = { broker: '^here$', other: '^there$' }
    const ttls = { broker: 700, other: 1100 }
    const places = { broker: await placeFor(bench, { mount: 'broker' }), other: await placeFor(bench, { mount: 'other' }) }
    for (const mount of ['broker', 'other'] as const) {
      const vhosts = { [places[mount].vhost]: { configure: patterns[mount], write: '', read: '' } }
      await bench.given('broker.writeRole', { path: { name }, body: { vhosts: JSON.stringify(vhosts) }, mount })
      await bench.given('broker.writeLease', { body: { ttl: ttls[mount], max_ttl: 3600 }, mount })
    }
    for (const mount of ['broker', 'other', 'broker'] as const) {
      const { admin, vhost, credential } = places[mount]
      const { username, duration } = await credential(name)
      expect(Math.abs(duration - ttls[mount]), `seconds by which a lease by ${mount} is off`).toBeLessThanOrEqual(2)
      expect(
        (await admin.rightsOf(username)).map((row) => [row.vhost, row.configure]),
        `rights by ${mount}`,
      ).toEqual([[vhost, patterns[mount]]])
    }
  },
)

check(
  'broker/deletion-beside-longer-names',
  'BROKER-APART-01',
  'the deletion of a role leaves the users of those whose names go on from its own',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const name = bench.mixedName('role')
    const longer = [`${name}-more`, `${name}1`, `${name}.x`]
    for (const one of [name, ...longer]) await bench.given('broker.writeRole', { path: { name: one }, body: { vhosts: place.allRights } })
    const users = []
    for (const one of longer) users.push(await place.credential(one))
    await place.credential(name)
    await bench.given('broker.deleteRole', { path: { name } })
    for (const [index, user] of users.entries()) expect(await place.login(user), `a user of ${longer[index]}`).toBe(true)
  },
)
