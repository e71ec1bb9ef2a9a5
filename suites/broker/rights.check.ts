import { type AmqpAction, amqpLogin, amqpMay, check } from '../../harness/checks/index.ts'
import { needs, placeFor } from './fixtures.ts'

check('broker/tags', 'BROKER-TAGS-01', 'the user carries the tags of its role', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const made = await place.credential(await place.role({ tags: 'monitoring,management' }))
  expect(await place.admin.tagsOf(made.username)).toEqual(['management', 'monitoring'])
})

check(
  'broker/vhost-rights',
  ['BROKER-VHOSTS-01', 'BROKER-VHOSTS-02', 'BROKER-VHOSTS-03'],
  'the user may configure, write and read what the patterns of its role allow',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    for (const queue of ['read-mine', 'not-mine']) await place.admin.createQueue(place.vhost, queue)
    for (const exchange of ['write-mine', 'not-mine']) await place.admin.createTopicExchange(place.vhost, exchange)
    const rights = { configure: '^configure-', write: '^write-', read: '^read-' }
    const role = await place.role({ vhosts: JSON.stringify({ [place.vhost]: rights }) })
    const made = await place.credential(role)
    const user = { username: made.username, password: made.password, vhost: place.vhost }
    const handle = bench.backend('rabbitmq')
    const may = (action: AmqpAction): Promise<boolean> => amqpMay(handle, user, action)
    const reported = (await place.admin.rightsOf(made.username)).find(({ vhost }) => vhost === place.vhost)
    await bench.decide('BROKER-VHOSTS-01', async () => {
      expect(reported?.configure).toBe(rights.configure)
      expect(await may({ declare: 'configure-mine' })).toBe(true)
      expect(await may({ declare: 'mine' })).toBe(false)
    })
    // The virtual host that every new broker has is one like any other.
    if (await place.admin.hasVhost('/')) {
      const { username } = await place.credential(await place.role({ vhosts: JSON.stringify({ '/': rights }) }))
      await bench.decide('BROKER-VHOSTS-01', async () => expect(await place.admin.rightsOf(username)).toEqual([{ vhost: '/', ...rights }]))
    }
    await bench.decide('BROKER-VHOSTS-02', async () => {
      expect(reported?.write).toBe(rights.write)
      expect(await may({ publish: { exchange: 'write-mine', routingKey: 'k' } })).toBe(true)
      expect(await may({ publish: { exchange: 'not-mine', routingKey: 'k' } })).toBe(false)
    })
    await bench.decide('BROKER-VHOSTS-03', async () => {
      expect(reported?.read).toBe(rights.read)
      expect(await may({ fetch: 'read-mine' })).toBe(true)
      expect(await may({ fetch: 'not-mine' })).toBe(false)
    })
  },
)

check(
  'broker/other-vhosts',
  'BROKER-VHOSTS-04',
  'the user has rights in the virtual hosts of its role only',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const other = bench.fresh('other')
    bench.defer(() => place.admin.deleteVhost(other))
    await place.admin.createVhost(other)
    const { username, password } = await place.credential(await place.role())
    expect((await place.admin.rightsOf(username)).map(({ vhost }) => vhost)).toEqual([place.vhost])
    expect(await amqpLogin(bench.backend('rabbitmq'), { username, password, vhost: other })).toBe(false)
  },
)

check(
  'broker/topic-rights',
  ['BROKER-TOPICS-01', 'BROKER-TOPICS-02', 'BROKER-TOPICS-03'],
  'the user has the topic patterns of its role, and the broker obeys them',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    await place.admin.createTopicExchange(place.vhost, 'events')
    const topics = { [place.vhost]: { events: { write: '^orders\\.', read: '^invoices\\.' } } }
    const made = await place.credential(await place.role({ vhost_topics: JSON.stringify(topics) }))
    const reported = (await place.admin.topicRightsOf(made.username)).filter(({ vhost }) => vhost === place.vhost)
    await bench.decide('BROKER-TOPICS-01', () =>
      expect(reported.map(({ exchange, write }) => [exchange, write])).toEqual([['events', '^orders\\.']]),
    )
    await bench.decide('BROKER-TOPICS-02', () => expect(reported.map(({ read }) => read)).toEqual(['^invoices\\.']))
    if (await place.admin.hasVhost('/')) {
      const rights = { write: '^orders\\.', read: '^invoices\\.' }
      const vhosts = JSON.stringify({ '/': { configure: '', write: '', read: '' } })
      const role = await place.role({ vhosts, vhost_topics: JSON.stringify({ '/': { 'amq.topic': rights } }) })
      const { username } = await place.credential(role)
      await bench.decide('BROKER-TOPICS-01', async () =>
        expect(await place.admin.topicRightsOf(username)).toEqual([{ vhost: '/', exchange: 'amq.topic', ...rights }]),
      )
    }
    const user = { username: made.username, password: made.password, vhost: place.vhost }
    const publish = (routingKey: string): Promise<boolean> =>
      amqpMay(bench.backend('rabbitmq'), user, { publish: { exchange: 'events', routingKey } })
    await bench.decide('BROKER-TOPICS-03', async () => {
      expect(await publish('orders.new')).toBe(true)
      expect(await publish('salaries.new')).toBe(false)
    })
  },
)
