/** A role that is deleted and made again, and one whose update is refused. */
import { check, type JsonObject, recreated } from '../../harness/checks/index.ts'
import { needs, placeFor } from './fixtures.ts'

const { needs: own = {} } = needs()

recreated('broker/role-recreated', 'BROKER-ROLE-05', 'a role that is made again has nothing of the deleted one', {
  needs: own,
  operations: { write: 'broker.writeRole', read: 'broker.readRole', remove: 'broker.deleteRole' },
  async recreations({ bench }) {
    const place = await placeFor(bench)
    await place.admin.createTopicExchange(place.vhost, 'events')
    const look = async (name: string): Promise<unknown> => {
      const { username } = await place.credential(name)
      return {
        tags: await place.admin.tagsOf(username),
        rights: await place.admin.rightsOf(username),
        topics: await place.admin.topicRightsOf(username),
      }
    }
    const fields: JsonObject = {
      tags: 'monitoring,management',
      vhosts: place.allRights,
      vhost_topics: JSON.stringify({ [place.vhost]: { events: { write: '^a$', read: '^b$' } } }),
    }
    return Object.keys(fields).map((field) => ({
      what: `without ${field}`,
      full: async () => fields,
      bare: async () => Object.fromEntries(Object.entries(fields).filter(([name]) => name !== field)),
      look,
    }))
  },
})

check('broker/role-update-refused', 'BROKER-ROLE-02', 'a refused update of a role changes no field', needs(), async ({ bench }) => {
  const { vhost } = await placeFor(bench)
  const rights = (pattern: string) => JSON.stringify({ [vhost]: { configure: pattern, write: pattern, read: pattern } })
  const topics = (pattern: string) => JSON.stringify({ [vhost]: { events: { write: pattern, read: pattern } } })
  const [good, other] = [
    { tags: 'monitoring', vhosts: rights('^a$'), vhost_topics: topics('^a$') },
    { tags: 'management', vhosts: rights('^b$'), vhost_topics: topics('^b$') },
  ]
  for (const [field, bad] of [
    ['tags', { a: {} }],
    ['vhosts', '{"/": {"configure": ".*"'],
    ['vhost_topics', '{"/": {"amq.topic"}'],
  ] as const) {
    const path = { name: bench.mixedName('role') }
    await bench.given('broker.writeRole', { path, body: good })
    await bench.refuses('broker.writeRole', {
      label: field,
      bad: { path, body: { ...other, [field]: bad } },
      control: { path, body: other },
      unchanged: { operation: 'broker.readRole', input: { path } },
    })
  }
})
