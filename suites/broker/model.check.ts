/** Random programs of roles, lease settings, credentials and revocations, held against a model and against the broker itself. */
import {
  type Bench,
  type CallInput,
  type CheckContext,
  commandsOf,
  fc,
  type Model,
  model,
  ReadBack,
  race,
} from '../../harness/checks/index.ts'
import { needs } from './fixtures.ts'
import { type Issued, issue, type Rights, refusedInTheEnd, type World, worldFor } from './issued.ts'

const TTLS = [600, 1800]
const MAX_TTL = 7200
/** Seconds by which a whole number may fall short of what was asked. */
const ROUNDING = 2

interface State {
  /** By name, the version that was written last; null for an absent role. */
  roles: (number | null)[]
  /** Seconds. */
  ttl: number
  /**
   * In the order in which they were made; `unclear` where the target did not acknowledge a revocation, or where the role is gone: nothing says
   * whether its users go with it.
   */
  users: { username: string; role: number; is: 'alive' | 'revoked' | 'unclear' }[]
}

/** What a role is written as: no two share a tag or a pattern, so that a mixture shows. */
const versions: { tags: string[]; pattern: string; vhosts: number }[] = [
  { tags: ['monitoring'], pattern: '^a', vhosts: 1 },
  { tags: ['management'], pattern: '^b', vhosts: 1 },
  { tags: [], pattern: '^c', vhosts: 2 },
]

const rightsOf = (version: number, vhosts: string[]): Rights => {
  const { pattern, vhosts: count } = versions[version]!
  const patterns = { configure: `${pattern}1`, write: `${pattern}2`, read: `${pattern}3` }
  return Object.fromEntries(vhosts.slice(0, count).map((vhost) => [vhost, patterns]))
}

/** Numbers below a limit, evenly. */
const upTo = (limit: number) => fc.constantFrom(...Array.from({ length: limit }).keys())

const on = commandsOf<State, World>()
const roleOf = ({ names, vhosts }: World, name: number, version: number): CallInput => ({
  path: { name: names[name]! },
  body: { tags: versions[version]!.tags.join(','), vhosts: JSON.stringify(rightsOf(version, vhosts)) },
})
const oneUser = fc.record({ user: fc.nat(3) })
const ifIssued = (state: State, drawn: { user: number }) => (drawn.user < state.users.length ? drawn : undefined)
const withRole = (state: State, at: number, version: number | null): State => ({
  ...state,
  roles: state.roles.map((had, index) => (index === at ? version : had)),
})

const expectsCredential = (state: State, version: number, seen: Issued, expect: CheckContext['expect']): void => {
  expect(seen.answer).toSucceed()
  expect(
    state.users.some(({ username }) => username === seen.username),
    'the user is one that was issued before',
  ).toBe(false)
  expect(seen.tags, 'tags of the new user').toEqual(versions[version]!.tags)
  expect(seen.rights, 'rights of the new user').toEqual(rightsOf(version, ['first', 'second']))
  expect(seen.loggedIn, 'the new user logs in').toBe(true)
  expect(Math.abs(seen.duration - state.ttl), 'difference of the lease from its settings').toBeLessThanOrEqual(ROUNDING)
}

const nameOf = (names: number) => fc.record({ name: upTo(names) })

const commandsOn = (names: number): Model<State, World>['commands'] => ({
  writeRole: on({
    arguments: fc.record({ name: upTo(names), version: upTo(versions.length) }),
    weight: 3,
    async run(bench, { name, version }, world) {
      const answer = await bench.call('broker.writeRole', roleOf(world, name, version))
      if (answer.ok) await world.roles?.written(world.names[name]!)
      return answer
    },
    expects: (_state, _input, seen, expect) => expect(seen).toSucceed(),
    next: (state, { name, version }) => withRole(state, name, version),
  }),
  readRole: on({
    arguments: nameOf(names),
    run: (bench, { name }, world) => bench.call('broker.readRole', { path: { name: world.names[name]! } }),
    expects(state, { name }, seen, expect) {
      const version = state.roles[name] ?? null
      if (version === null) return void expect(seen).toHaveStatus(404)
      expect(seen).toHaveStatus(200)
      expect(seen.data.tags).toBe(versions[version]!.tags.join(','))
    },
    next: (state) => state,
  }),
  deleteRole: on({
    arguments: nameOf(names),
    async run(bench, { name }, world) {
      const answer = await bench.call('broker.deleteRole', { path: { name: world.names[name]! } })
      if (answer.ok) world.roles?.removed(world.names[name]!)
      return answer
    },
    expects: (state, { name }, seen, expect) => void (state.roles[name] !== null && expect(seen).toSucceed()),
    next: (state, { name }) => ({
      ...withRole(state, name, null),
      users: state.users.map((had) => (had.role === name && had.is === 'alive' ? { ...had, is: 'unclear' } : had)),
    }),
  }),
  writeLease: on({
    arguments: fc.record({ ttl: fc.constantFrom(...TTLS) }),
    run: (bench, { ttl }) => bench.call('broker.writeLease', { body: { ttl, max_ttl: MAX_TTL } }),
    expects: (_state, _input, seen, expect) => expect(seen).toSucceed(),
    next: (state, { ttl }) => ({ ...state, ttl }),
  }),
  rewriteConnection: on({
    arguments: fc.constant(null),
    // A target that verifies by the list of all users is refused it now and then, while users are removed.
    run: async (bench, _input, { place }) => {
      const tried = await bench.call('broker.writeConnection', { body: place.connection })
      return tried.ok ? tried : bench.given('broker.writeConnection', { body: place.connection })
    },
    expects: () => {},
    next: (state) => state,
  }),
  issue: on({
    arguments: nameOf(names),
    weight: 4,
    run: (bench, { name }, world) => issue(bench, world.names[name]!, world),
    expects(state, { name }, seen, expect) {
      const version = state.roles[name] ?? null
      if (version === null) expect(seen.answer).toHaveStatus(400, 404)
      else expectsCredential(state, version, seen, expect)
    },
    next: (state, { name }, seen) =>
      seen?.answer.ok === true ? { ...state, users: [...state.users, { username: seen.username, role: name, is: 'alive' }] } : state,
  }),
  revoke: on({
    arguments: oneUser,
    weight: 2,
    resolve: ifIssued,
    // What a lease endpoint answers to a second revocation is its own business.
    run: async (bench, { user }, { issued, revoked }) => {
      const acknowledged = await bench.leases.revoke(issued[user]!.lease).then(
        () => true,
        () => false,
      )
      if (acknowledged) revoked.add(user)
      return acknowledged
    },
    expects: () => {},
    next: (state, { user }, acknowledged) => ({
      ...state,
      users: state.users.map((had, index) => {
        if (index !== user || had.is === 'revoked') return had
        return { ...had, is: acknowledged === true ? 'revoked' : 'unclear' }
      }),
    }),
  }),
})

const initial = ({ names }: World): State => ({ roles: names.map(() => 0), ttl: TTLS[0]!, users: [] })
const worldWith =
  (names: number) =>
  async (bench: Bench): Promise<World> => {
    const world = await worldFor(bench, names)
    await bench.given('broker.writeLease', { body: { ttl: TTLS[0]!, max_ttl: MAX_TTL } })
    for (const name of world.names.keys()) await bench.given('broker.writeRole', roleOf(world, name, 0))
    return world
  }

model<State, World>(
  'broker/model',
  'BROKER-CREDS-10',
  'credentials are those of the role and the settings at the moment, and live until their own lease ends',
  { ...needs({ features: ['leases'] }), runs: [5, 15] },
  {
    async world(bench) {
      const world = await worldWith(2)(bench)
      world.roles = await ReadBack.begin(bench, { read: 'broker.readRole' })
      for (const name of world.names) await world.roles.written(name)
      return world
    },
    initial,
    commands: commandsOn(2),
    async invariants(context, state, world) {
      const { bench, expect } = context
      const { place, issued } = world
      await world.roles?.agrees(context, world.names)
      const { users } = state
      expect(issued.length).toBe(users.length)
      for (const [index, { is }] of users.entries()) {
        if (is === 'alive') expect(await place.login(issued[index]!), 'a user whose lease has not ended logs in').toBe(true)
        if (is === 'revoked') expect(await refusedInTheEnd(bench, place, issued[index]!), 'a revoked user is refused').toBe(true)
      }
      for (const [name, version] of state.roles.entries())
        if (version !== null) expectsCredential(state, version, await issue(bench, world.names[name]!, world), expect)
    },
  },
)

const { writeRole, readRole, deleteRole, issue: issueOne, revoke } = commandsOn(1)

race<State, World>(
  'broker/race',
  'BROKER-CREDS-11',
  'concurrent credentials, revocations and role changes have an order',
  { ...needs({ features: ['leases'] }), runs: [5, 15] },
  {
    world: worldWith(1),
    initial,
    commands: {
      writeRole: { ...writeRole!, weight: 4 },
      deleteRole: deleteRole!,
      issue: { ...issueOne!, weight: 5 },
      revoke: revoke!,
      readRole: readRole!,
      /** The users of the prefix, once all is over. */
      look: on({
        arguments: oneUser,
        weight: 1,
        resolve: ifIssued,
        run: async (bench, { user }, { place, issued, revoked }) => ({
          refused: revoked.has(user) ? await refusedInTheEnd(bench, place, issued[user]!) : !(await place.login(issued[user]!)),
        }),
        expects(state, { user }, { refused }, expect) {
          const { is } = state.users[user]!
          if (is !== 'unclear') expect(refused, 'the broker refuses the user').toBe(is === 'revoked')
        },
        next: (state) => state,
      }),
    },
    concurrent: ['writeRole', 'deleteRole', 'issue', 'revoke'],
    prefix: 3,
    probes: [
      { command: 'readRole', drawn: { name: 0 } },
      { command: 'issue', drawn: { name: 0 } },
      { command: 'look', drawn: { user: 0 } },
    ],
  },
)
