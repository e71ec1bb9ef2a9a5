/** Everything that a user may do, as the broker has it, compared whole with what its role says: several hosts, exchanges and tags, and none. */
import { type Bench, type CheckContext, check, isObject, type JsonObject } from '../../harness/checks/index.ts'
import { needs, type Place, placeFor } from './fixtures.ts'

type Patterns = { configure: string; write: string; read: string }
type Topics = { write: string; read: string }

interface Role {
  tags: string[]
  vhosts: Record<string, Patterns>
  topics: Record<string, Record<string, Topics>>
}

/** One name goes on from another behind a dot, and one holds what parts names elsewhere: all of it belongs to the name. */
const EXCHANGES = ['events', 'Events', 'events.news', 'audit/2:a_b-c', 'größe 日本']

/** Virtual hosts with topic exchanges: an ordinary name, some that have to be escaped on the way to the broker, and one in both cases and between slashes. */
const hostsFor = async (bench: Bench, { admin, vhost }: Place): Promise<string[]> => {
  const cased = bench.fresh('vhost')
  const more = [
    `${bench.fresh('vhost')}/a.b c%2f`,
    `${cased}-UPPER`,
    `${cased}-upper`,
    `/${cased}-upper/`,
    `${bench.fresh('vhost')}-größe 日本`,
  ]
  for (const name of more) {
    bench.defer(() => admin.deleteVhost(name))
    await admin.createVhost(name)
  }
  const hosts = [vhost, ...more]
  for (const host of hosts) for (const exchange of EXCHANGES) await admin.createTopicExchange(host, exchange)
  return hosts
}

/** Patterns with what gets lost on the way: none at all, backslashes, alternatives, quotes, characters beyond ASCII. */
const several = ([one, two, three]: string[]): Role => ({
  tags: ['monitoring', 'management', 'policymaker'],
  vhosts: {
    [one!]: { configure: '', write: '^(a|b)\\.\\d+$', read: '.*' },
    [two!]: { configure: '^c\\\\', write: '', read: '' },
    [three!]: { configure: '^"d"$', write: '^é+$', read: '^e$' },
  },
  topics: {
    [one!]: {
      events: { write: '^f\\.', read: '^g$' },
      'events.news': { write: '', read: '^h$' },
      'audit/2:a_b-c': { write: '^i$', read: '' },
    },
    [two!]: { 'events.news': { write: '^j$', read: '^k\\w' } },
    [three!]: { 'audit/2:a_b-c': { write: '^l$', read: '^m$' }, events: { write: '^n$', read: '^o$' } },
  },
})

/** Names with a slash at their ends or with characters beyond ASCII. */
const named = ([, , , , slashed, scripts]: string[]): Role => ({
  tags: ['management'],
  vhosts: {
    [slashed!]: { configure: '^s$', write: '^t$', read: '^u$' },
    [scripts!]: { configure: '^v$', write: '^w$', read: '^x$' },
  },
  topics: {
    [slashed!]: { events: { write: '^y$', read: '^z$' }, 'größe 日本': { write: '^é$', read: '^ß$' } },
    [scripts!]: { 'größe 日本': { write: '^1$', read: '^2$' } },
  },
})

/** Patterns that mean something, and something else, without their backslashes, or with the signs of routing keys, wildcards and addresses. */
const literal = ([one, two]: string[]): Role => ({
  tags: [],
  vhosts: {
    [one!]: { configure: '^a\\.b$', write: '^\\w+\\.x$', read: '\\d' },
    [two!]: { configure: '^[a-z]*#?$', write: '^(x|y.*)+$', read: '^[%&<>;,*#+?]{1,2}$' },
  },
  topics: {
    [one!]: { events: { write: '^a\\.b$', read: '\\w' }, 'events.news': { write: '^a.*\\.#$', read: '^(c*|#)$' } },
    [two!]: { 'audit/2:a_b-c': { write: '^(b|#)*%2f$', read: '^[%&<>;,+?]{1,2}$' } },
  },
})

/** Names that differ in the case of their letters or in slashes alone, in one role; and patterns that are all empty beside others. */
const alike = ([, , upper, lower, slashed]: string[]): Role => ({
  tags: ['policymaker', 'monitoring'],
  vhosts: {
    [upper!]: { configure: '^A$', write: '^B$', read: '^C$' },
    [slashed!]: { configure: '', write: '', read: '' },
    [lower!]: { configure: '^a$', write: '^b$', read: '^c$' },
  },
  topics: {
    [lower!]: { Events: { write: '^d$', read: '^e$' }, events: { write: '', read: '' } },
    [slashed!]: { events: { write: '^f$', read: '^g$' } },
    [upper!]: { events: { write: '^D$', read: '^E$' }, Events: { write: '^F$', read: '^G$' } },
  },
})

/** Empty patterns alone: the user may enter the virtual host, and may do nothing at the exchange, where one without them may do everything. */
const bare = ([one]: string[]): Role => ({
  tags: [],
  vhosts: { [one!]: { configure: '', write: '', read: '' } },
  topics: { [one!]: { events: { write: '', read: '' } } },
})

const NONE: Role = { tags: [], vhosts: {}, topics: {} }

const one = ([, two]: string[]): Role => ({
  tags: ['monitoring'],
  vhosts: { [two!]: { configure: '^p$', write: '^q$', read: '^r$' } },
  topics: {},
})

const backwards = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([name, member]) => [name, backwards(member)]),
      )
    : value

/** JSON in another form: on several lines, with white space around it, its members from the last to the first. */
const otherwise = (value: unknown): string => `\n ${JSON.stringify(backwards(value), undefined, 2)} \n`

/** What is not given is left out, as nearly every caller does; in the other form an empty map is written as one. */
const bodyOf = ({ tags, vhosts, topics }: Role, spelled?: (value: unknown) => string): JsonObject => ({
  ...(tags.length === 0 ? {} : { tags: tags.join(',') }),
  ...(Object.keys(vhosts).length === 0 ? {} : { vhosts: JSON.stringify(vhosts) }),
  ...(Object.keys(topics).length === 0 ? {} : { vhost_topics: JSON.stringify(topics) }),
  ...(spelled === undefined ? {} : { vhosts: spelled(vhosts), vhost_topics: spelled(topics) }),
})

const sorted = <T>(rows: T[]): T[] => rows.toSorted((left, right) => JSON.stringify(left).localeCompare(JSON.stringify(right)))

const part = (rights: Record<string, Patterns>, name: keyof Patterns): unknown =>
  sorted(Object.entries(rights).map(([vhost, patterns]) => [vhost, patterns[name]]))

/** Writes a role, or, where a server refuses one that grants nothing at all, the same with a tag. */
const written = async (
  { bench, expect }: Pick<CheckContext, 'bench' | 'expect'>,
  path: { name: string },
  role: Role,
  spelled?: (value: unknown) => string,
): Promise<Role> => {
  if (role === NONE && !(await bench.call('broker.writeRole', { path, body: bodyOf(role) })).ok)
    return written({ bench, expect }, path, { ...role, tags: ['management'] })
  const answer = await bench.call('broker.writeRole', { path, body: bodyOf(role, spelled) })
  if (!answer.ok) {
    // The same role in its plain form is taken: then it is the form that is refused.
    await bench.given('broker.writeRole', { path, body: bodyOf(role) })
    await bench.decide('BROKER-VHOSTS-04', () => expect(answer, 'a role whose maps are written in another form of JSON').toSucceed())
  }
  return role
}

const expectWhole = async (
  { bench, expect }: CheckContext,
  { admin, keep }: Place,
  asked: Role,
  spelled?: (value: unknown) => string,
): Promise<void> => {
  const path = { name: bench.mixedName('role') }
  const role = await written({ bench, expect }, path, asked, spelled)
  const given = await bench.call('broker.readCreds', { path })
  const isNone = asked === NONE
  // What the broker itself took as a name of a host or an exchange, a role may name.
  if (!isNone) await bench.decide('BROKER-VHOSTS-04', () => expect(given, 'credentials of the role').toSucceed())
  const { username } = keep(given.ok ? given : await bench.given('broker.readCreds', { path }))
  const rights = Object.fromEntries((await admin.rightsOf(username)).map(({ vhost, ...patterns }) => [vhost, patterns]))
  await bench.decide(isNone ? 'BROKER-VHOSTS-07' : 'BROKER-VHOSTS-04', () =>
    expect(Object.keys(rights).sort(), 'virtual hosts').toEqual(Object.keys(role.vhosts).sort()),
  )
  for (const [clause, name] of [
    ['BROKER-VHOSTS-01', 'configure'],
    ['BROKER-VHOSTS-02', 'write'],
    ['BROKER-VHOSTS-03', 'read'],
  ] as const)
    if (!isNone) await bench.decide(clause, () => expect(part(rights, name), `patterns to ${name}`).toEqual(part(role.vhosts, name)))
  const topics = await admin.topicRightsOf(username)
  const wanted = Object.entries(role.topics).flatMap(([vhost, exchanges]) =>
    Object.entries(exchanges).map(([exchange, patterns]) => ({ vhost, exchange, ...patterns })),
  )
  const of = (rows: typeof topics, name: 'write' | 'read') => sorted(rows.map((row) => [row.vhost, row.exchange, row[name]]))
  if (wanted.length === 0) await bench.decide('BROKER-TOPICS-06', () => expect(topics).toEqual([]))
  else
    for (const [clause, name] of [
      ['BROKER-TOPICS-01', 'write'],
      ['BROKER-TOPICS-02', 'read'],
    ] as const)
      await bench.decide(clause, () => expect(of(topics, name), `topics to ${name}`).toEqual(of(wanted, name)))
  await bench.decide(role.tags.length === 0 ? 'BROKER-TAGS-02' : 'BROKER-TAGS-01', async () =>
    expect(await admin.tagsOf(username), 'tags').toEqual(role.tags.toSorted()),
  )
}

check(
  'broker/rights-whole',
  [
    ...['BROKER-VHOSTS-01', 'BROKER-VHOSTS-02', 'BROKER-VHOSTS-03', 'BROKER-VHOSTS-04', 'BROKER-VHOSTS-07'],
    ...['BROKER-TOPICS-01', 'BROKER-TOPICS-02', 'BROKER-TOPICS-06', 'BROKER-TAGS-01', 'BROKER-TAGS-02'],
  ],
  'each user has all that its role says and nothing else, whichever users were made before',
  needs(),
  async (context) => {
    const place = await placeFor(context.bench)
    const hosts = await hostsFor(context.bench, place)
    const ordinary = [literal(hosts), several(hosts), NONE, one(hosts), named(hosts), NONE, several(hosts.toReversed())]
    for (const role of [...ordinary, alike(hosts), bare(hosts)]) await expectWhole(context, place, role)
  },
)

check(
  'broker/maps-otherwise',
  [
    'BROKER-VHOSTS-01',
    'BROKER-VHOSTS-02',
    'BROKER-VHOSTS-03',
    'BROKER-VHOSTS-04',
    'BROKER-TOPICS-01',
    'BROKER-TOPICS-02',
    'BROKER-TAGS-01',
  ],
  'a map is what it says, whatever white space is in its JSON and in whichever order its members come',
  needs(),
  async (context) => {
    const place = await placeFor(context.bench)
    const hosts = await hostsFor(context.bench, place)
    await expectWhole(context, place, several(hosts), otherwise)
  },
)

check('broker/maps-empty', ['BROKER-VHOSTS-07', 'BROKER-TOPICS-06'], 'an empty map grants nothing', needs(), async (context) => {
  const { bench, expect } = context
  const place = await placeFor(bench)
  const path = { name: bench.mixedName('role') }
  const bodies: JsonObject[] = [
    { tags: 'management', vhosts: '{}', vhost_topics: '{}' },
    { tags: 'management', vhosts: ' { } ' },
  ]
  for (const body of bodies) {
    const answers = [await bench.call('broker.writeRole', { path, body }), await bench.call('broker.readCreds', { path })]
    for (const answer of answers) await bench.decide('BROKER-VHOSTS-07', () => expect(answer, JSON.stringify(body)).toSucceed())
    const { username } = place.keep(answers[1]!.ok ? answers[1]! : await bench.given('broker.readCreds', { path }))
    await bench.decide('BROKER-VHOSTS-07', async () => expect(await place.admin.rightsOf(username)).toEqual([]))
    await bench.decide('BROKER-TOPICS-06', async () => expect(await place.admin.topicRightsOf(username)).toEqual([]))
  }
})
