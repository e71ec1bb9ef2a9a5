import { check, type JsonObject } from '../../harness/checks/index.ts'
import { needs, parsed, placeFor } from './fixtures.ts'

/** Roles can be written without a broker, but an engine that was seen without one has not been seen. */
const mounted = { needs: { backends: ['rabbitmq'], mounts: { broker: { type: 'broker' } } } }

check(
  'broker/role-round-trip',
  ['BROKER-ROLE-01', 'BROKER-ROLE-03', 'BROKER-TAGS-03', 'BROKER-VHOSTS-05', 'BROKER-TOPICS-04'],
  'a role is read as it was written',
  mounted,
  async ({ bench, expect }) => {
    const path = { name: bench.mixedName('role') }
    // Letters of either case, what JSON and regular expressions escape, and letters beyond ASCII: all of it is kept as it is.
    const vhosts = {
      '/': { configure: '^a', write: '^B\\.\\d+$', read: '^c|"q"' },
      'Other Host/é': { configure: '', write: '.*', read: "^[\\\\/']ü" },
    }
    const topics = { '/': { 'amq.topic': { write: '^d\\.#', read: '^E' }, 'Own.Exchange-é': { write: '', read: '\\\\' } } }
    const one = { write: '^f', read: '^g' }
    for (const [tags, hosts, exchanges] of [
      ['monitoring,management,policymaker', vhosts, topics],
      // One of each, and one in one host beside several in another.
      ['management', { '/': vhosts['/'] }, { '/': { 'amq.topic': one } }],
      ['monitoring', vhosts, { 'Other Host/é': { 'amq.topic': one }, ...topics }],
    ] as const) {
      const body = { tags, vhosts: JSON.stringify(hosts), vhost_topics: JSON.stringify(exchanges) }
      const written = await bench.call('broker.writeRole', { path, body })
      await bench.decide('BROKER-ROLE-01', () => expect(written, 'the answer to a role with all fields').toSucceed())
      const answer = await bench.call('broker.readRole', { path })
      await bench.decide('BROKER-ROLE-03', () => expect(answer).toHaveStatus(200))
      await bench.decide('BROKER-TAGS-03', () => expect(answer.data.tags).toBe(tags))
      await bench.decide('BROKER-VHOSTS-05', () => expect(parsed(answer.data.vhosts)).toEqual(hosts))
      await bench.decide('BROKER-TOPICS-04', () => expect(parsed(answer.data.vhost_topics)).toEqual(exchanges))
    }
  },
)

check('broker/role-unknown', ['BROKER-ROLE-04', 'BROKER-ROLE-06'], 'an unknown role is not found', mounted, async ({ bench, expect }) => {
  const path = { name: bench.fresh('unknown') }
  const read = await bench.call('broker.readRole', { path })
  await bench.decide('BROKER-ROLE-04', () => expect(read).toHaveStatus(404))
  bench.observe('BROKER-ROLE-06', (await bench.call('broker.deleteRole', { path, observing: true })).status)
})

const refused = (behaviour: string, clause: string, title: string, ...bads: JsonObject[]): void =>
  check(`broker/${behaviour}`, clause, title, mounted, async ({ bench }) => {
    const path = { name: bench.mixedName('role') }
    const good = { tags: '', vhosts: '{"/":{"configure":"","write":"","read":".*"}}', vhost_topics: '' }
    for (const bad of bench.few(bads))
      await bench.refuses('broker.writeRole', {
        bad: { path, body: { ...good, ...bad } },
        control: { path, body: good },
        unchanged: { operation: 'broker.readRole', input: { path } },
      })
  })

refused('tags-object', 'BROKER-TAGS-04', 'an object is not a list of tags', { tags: { a: {} } })

/** JSON, and no map. */
const OTHER_JSON = ['[]', '["/"]', '"/"', '7', 'true']
const otherJson = (field: string): JsonObject[] => OTHER_JSON.map((text) => ({ [field]: text }))

refused(
  'vhosts-not-json',
  'BROKER-VHOSTS-06',
  'virtual hosts must be a map in JSON',
  { vhosts: '{"/": {"configure": ".*"' },
  ...otherJson('vhosts'),
)
refused(
  'topics-not-json',
  'BROKER-TOPICS-05',
  'topics must be a map in JSON',
  { vhost_topics: '{"/": {"amq.topic"}' },
  ...otherJson('vhost_topics'),
)

/** JSON values that cannot be coerced to text. */
const NO_PATTERNS = [{ read: '.*' }, [['.*']], [{ read: '.*' }]]

refused(
  'vhosts-pattern-no-text',
  'BROKER-VHOSTS-08',
  'a pattern in a virtual host must be text',
  ...NO_PATTERNS.flatMap((bad) => [
    { configure: bad, write: '', read: '.*' },
    { configure: '', write: '.*', read: bad },
  ]).map((rights) => ({
    vhosts: JSON.stringify({ '/': rights }),
  })),
)
refused(
  'topics-pattern-no-text',
  'BROKER-TOPICS-08',
  'a pattern at an exchange must be text',
  ...NO_PATTERNS.flatMap((bad) => [
    { write: bad, read: '.*' },
    { write: '', read: bad },
  ]).map((rights) => ({
    vhost_topics: JSON.stringify({ '/': { 'amq.topic': rights } }),
  })),
)

check('broker/role-minimal', 'BROKER-ROLE-01', 'a role needs nothing but its name', mounted, async ({ bench, expect }) => {
  const defaults = { tags: '', vhosts: '', vhost_topics: '' }
  // Each default may be sent as well: alone, and together with the others.
  const alone = Object.entries(defaults).map(([field, value]) => ({ [field]: value }))
  for (const body of [{}, defaults, ...alone]) {
    const path = { name: bench.mixedName('role') }
    expect(await bench.call('broker.writeRole', { path, body }), `a role of ${JSON.stringify(body)}`).toSucceed()
    expect(await bench.call('broker.readRole', { path })).toHaveStatus(200)
  }
})

check('broker/tags-default', 'BROKER-TAGS-02', 'a role without tags makes a user without tags', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const role = await place.role()
  expect((await bench.given('broker.readRole', { path: { name: role } })).data.tags).toBe('')
  expect(await place.admin.tagsOf((await place.credential(role)).username)).toEqual([])
})

check(
  'broker/vhosts-default',
  'BROKER-VHOSTS-07',
  'a role without virtual hosts makes a user without rights',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const path = { name: bench.mixedName('role') }
    await bench.given('broker.writeRole', { path, body: { tags: 'monitoring' } })
    const made = await bench.call('broker.readCreds', { path })
    expect(made, 'credentials of a role without virtual hosts').toSucceed()
    expect(await place.admin.rightsOf(place.keep(made).username)).toEqual([])
  },
)

check(
  'broker/topics-default',
  'BROKER-TOPICS-06',
  'a role without topics makes a user without topic patterns',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    expect(await place.admin.topicRightsOf((await place.credential(await place.role())).username)).toEqual([])
  },
)

check('broker/role-rewrite', 'BROKER-ROLE-02', 'credentials follow the role as it is now', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const narrow = JSON.stringify({ [place.vhost]: { configure: '', write: '', read: '^a$' } })
  const path = { name: await place.role({ tags: 'monitoring', vhosts: narrow }) }
  const body = { tags: 'management', vhosts: place.allRights }
  await bench.given('broker.readRole', { path })
  const written = await bench.call('broker.writeRole', { path, body })
  expect(written).toSucceed()
  const { data } = await bench.given('broker.readRole', { path })
  expect([data.tags, parsed(data.vhosts)], 'the role that was read before').toEqual([body.tags, parsed(body.vhosts)])
  expect(await place.admin.tagsOf((await place.credential(path.name)).username)).toEqual(['management'])
})

check(
  'broker/role-narrowed',
  'BROKER-ROLE-02',
  'what an update takes out of a role nobody gets any more, and what it brings back everybody',
  needs(),
  async ({ bench, expect }) => {
    const [place, other] = [await placeFor(bench), await placeFor(bench)]
    const rights = (configure: string) => ({ configure, write: '.*', read: '^r$' })
    const both = { [place.vhost]: rights('^a$'), [other.vhost]: rights('^b$') }
    const topics = (vhost: string) => ({ [vhost]: { 'amq.topic': { write: '^t$', read: '.*' } } })
    const path = { name: await place.role({ tags: 'monitoring,management', vhosts: JSON.stringify(both) }) }
    for (const [tags, vhosts, vhost_topics] of [
      ['monitoring,management', both, { ...topics(place.vhost), ...topics(other.vhost) }],
      ['management', { [other.vhost]: rights('') }, topics(other.vhost)],
      ['monitoring,management', both, topics(place.vhost)],
      ['monitoring', { [place.vhost]: rights('^c$') }, {}],
    ] as const) {
      const body = { tags, vhosts: JSON.stringify(vhosts), vhost_topics: JSON.stringify(vhost_topics) }
      await bench.given('broker.writeRole', { path, body })
      const { username } = await place.credential(path.name)
      const seen = {
        tags: ((await place.admin.tagsOf(username)) ?? []).toSorted(),
        rights: Object.fromEntries((await place.admin.rightsOf(username)).map(({ vhost, ...row }) => [vhost, row])),
        topics: (await place.admin.topicRightsOf(username)).map(({ vhost }) => vhost).toSorted(),
      }
      expect(seen, `what a user has of ${JSON.stringify(body)}`).toEqual({
        tags: tags.split(',').toSorted(),
        rights: vhosts,
        topics: Object.keys(vhost_topics).toSorted(),
      })
    }
  },
)

check('broker/role-delete', 'BROKER-ROLE-05', 'a deleted role is gone and gives no credentials', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const path = { name: await place.role() }
  await place.credential(path.name)
  await bench.given('broker.deleteRole', { path })
  expect(await bench.call('broker.readRole', { path })).toHaveStatus(404)
  expect(await bench.call('broker.readCreds', { path })).toHaveStatus(400, 404)
})

/** Ways of showing an empty value. */
const NOTHING: unknown[] = ['', '{}', null, undefined]
const isNothing = (value: unknown): boolean =>
  NOTHING.includes(value) || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

check(
  'broker/roles-empty-fields',
  ['BROKER-TAGS-02', 'BROKER-VHOSTS-05'],
  'what a role has nothing of is empty, whichever role was read before it',
  needs(),
  async ({ bench, expect }) => {
    const { allRights } = await placeFor(bench)
    const names: Record<string, string> = {}
    const bodies = { full: { tags: 'monitoring', vhosts: allRights }, tags: { tags: 'management' }, rights: { vhosts: allRights } }
    for (const [what, body] of Object.entries(bodies)) {
      names[what] = bench.mixedName('role')
      await bench.given('broker.writeRole', { path: { name: names[what] }, body })
    }
    const read = async (what: string) => (await bench.given('broker.readRole', { path: { name: names[what]! } })).data
    for (const before of ['full', 'tags', 'full', 'rights']) {
      await read(before)
      const { vhosts } = await read('tags')
      await bench.decide('BROKER-VHOSTS-05', () =>
        expect(isNothing(vhosts), `vhosts of the role without, ${JSON.stringify(vhosts)}`).toBe(true),
      )
      await read(before)
      const { tags } = await read('rights')
      await bench.decide('BROKER-TAGS-02', () => expect(isNothing(tags), `tags of the role without, ${JSON.stringify(tags)}`).toBe(true))
    }
  },
)
