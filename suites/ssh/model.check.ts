/** Random programs of roles, zero-address lists, credentials, lookups and verifications, held against a model of the mount. */
import { type Bench, type CheckContext, commandsOf, fc, type Model, model, ReadBack, race } from '../../harness/checks/index.ts'
import { entries, otpFields, ownMount } from './fixtures.ts'
import { ADDRESSES, BLOCKS, covers, issues, named, ROLES, type State, USERS, unclear, type World } from './model.ts'

const on = commandsOf<State, World>()
const role = fc.record({ role: fc.nat(ROLES - 1) })
const address = fc.nat(ADDRESSES.length - 1)

const commands: Model<State, World>['commands'] = {
  writeRole: on({
    arguments: fc.record({ role: fc.nat(ROLES - 1), block: fc.nat(3), excluded: fc.integer({ min: -1, max: 3 }), user: fc.nat(1) }),
    weight: 3,
    async run(bench, { role, block, excluded, user }, { names, roles }) {
      const fields = {
        cidr_list: BLOCKS[block]!,
        exclude_cidr_list: BLOCKS[excluded] ?? '',
        default_user: USERS[user]!,
        allowed_users: 'visitor',
      }
      const answer = await bench.call('ssh.writeRole', { path: { name: names[role]! }, body: otpFields(fields) })
      if (answer.ok) await roles?.written(names[role]!)
      return answer
    },
    expects: (_state, _input, seen, expect) => expect(seen).toSucceed(),
    next: (state, { role, ...fields }) => ({
      ...state,
      roles: { ...state.roles, [role]: fields },
      passwords: unclear(state.passwords, (which) => which === role),
    }),
  }),
  // What becomes of a role's place on the list when the role goes is open, as is what becomes of its passwords.
  deleteRole: on({
    arguments: role,
    resolve: (state, drawn) => (drawn.role in state.roles && !state.free?.includes(drawn.role) ? drawn : undefined),
    async run(bench, { role }, { names, roles }) {
      const answer = await bench.call('ssh.deleteRole', { path: { name: names[role]! } })
      if (answer.ok) roles?.removed(names[role]!)
      return answer
    },
    expects: (_state, _input, seen, expect) => expect(seen.ok || seen.status === 404).toBe(true),
    next: (state, { role }) => ({
      ...state,
      roles: Object.fromEntries(Object.entries(state.roles).filter(([which]) => which !== String(role))),
      passwords: unclear(state.passwords, (which) => which === role),
    }),
  }),
  // Whether a second list adds to the first is another check's concern.
  setFree: on({
    arguments: fc.record({ roles: fc.uniqueArray(fc.nat(ROLES - 1), { minLength: 1 }) }),
    weight: 2,
    resolve(state, drawn) {
      const roles = drawn.roles.filter((which) => which in state.roles)
      return roles.length === 0 || state.free !== undefined ? undefined : { roles }
    },
    run: (bench, { roles }, { names }) =>
      bench.call('ssh.writeZeroAddress', { body: { roles: roles.map((which) => names[which]!).join(',') } }),
    expects: (_state, _input, seen, expect) => expect(seen).toSucceed(),
    next: (state, { roles }) => ({ ...state, free: roles }),
  }),
  clearFree: on({
    arguments: fc.constant(null),
    resolve: (state, drawn) => (state.free === undefined ? undefined : drawn),
    run: (bench) => bench.call('ssh.deleteZeroAddress'),
    expects: (_state, _input, seen, expect) => expect(seen).toSucceed(),
    next: (state) => ({
      ...state,
      free: undefined,
      passwords: unclear(state.passwords, (which) => state.free?.includes(which) === true),
    }),
  }),
  issue: on({
    arguments: fc.record({ role: fc.nat(ROLES - 1), at: address, user: fc.boolean() }),
    weight: 5,
    run: (bench, { role, at, user }, { names }) =>
      bench.call('ssh.createCredential', {
        path: { name: names[role]! },
        body: { ip: ADDRESSES[at]!.ip, ...(user ? { username: 'visitor' } : {}) },
      }),
    expects(state, { role, at, user }, seen, expect) {
      if (!issues(state, role, at)) return expect(seen).toBeRefused()
      expect(seen).toHaveStatus(200)
      expect(seen.data).toMatchObject({ ip: ADDRESSES[at]!.ip, username: user ? 'visitor' : USERS[state.roles[role]!.user]! })
    },
    next(state, { role, at }, seen) {
      if (seen?.ok !== true) return state
      const password = {
        otp: String(seen.data.key),
        role,
        ip: ADDRESSES[at]!.ip,
        user: String(seen.data.username),
        used: false,
        unclear: false,
      }
      return { ...state, passwords: [...state.passwords, password] }
    },
  }),
  verify: on({
    arguments: fc.record({ pick: fc.nat(3), otp: fc.constant<string>('') }),
    weight: 4,
    resolve: (state, drawn) => {
      const found = state.passwords.at(-1 - drawn.pick)
      return found === undefined ? undefined : { ...drawn, otp: found.otp }
    },
    run: (bench, { otp }) => bench.call('ssh.verifyOtp', { body: { otp }, as: 'none' }),
    expects(state, { otp }, seen, expect) {
      const password = state.passwords.find((one) => one.otp === otp)
      if (password === undefined || password.used || (password.unclear && !seen.ok)) return expect(seen).toBeRefused()
      expect(seen).toHaveStatus(200)
      expect(seen.data).toMatchObject({ ip: password.ip, username: password.user })
    },
    // One that is refused for its role's sake may be accepted once the role has changed again.
    next: (state, { otp }, seen) => ({
      ...state,
      passwords: state.passwords.map((one) => (one.otp === otp && !(one.unclear && seen?.ok !== true) ? { ...one, used: true } : one)),
    }),
  }),
  // Whether a lookup names the roles that take any address is open, and those that exclude the address are not a matter of programs.
  lookup: on({
    arguments: fc.record({ at: address }),
    weight: 3,
    run: async (bench, { at }, { names }) => {
      const { data } = await bench.call('ssh.lookupRoles', { body: { ip: ADDRESSES[at]!.ip } })
      const shown = (data.roles ?? []) as string[]
      return names.flatMap((name, which) => (shown.includes(name) ? [which] : []))
    },
    expects(state, { at }, seen, expect) {
      const { blocks } = ADDRESSES[at]!
      const decided = (which: number) => !state.free?.includes(which) && !blocks.includes(state.roles[which]?.excluded ?? -1)
      const wanted = named(state, (found, which) => decided(which) && covers(found, at))
      expect(seen.filter(decided)).toEqual(wanted)
    },
    next: (state) => state,
  }),
}

const world = async (bench: Bench): Promise<World> => {
  // The list is the mount's: that of an earlier program goes.
  await bench.call('ssh.deleteZeroAddress')
  return { names: Array.from({ length: ROLES }, () => bench.mixedName('role')) }
}

const initial = (): State => ({ roles: {}, free: undefined, passwords: [] })

const agreed = async ({ bench, expect }: CheckContext, state: State, { names, roles }: World): Promise<void> => {
  await roles?.agrees({ bench, expect }, names)
  const free = await bench.call('ssh.readZeroAddress')
  // Nothing says in which order it is shown.
  if (state.free !== undefined)
    expect(entries(free.data.roles).toSorted(), 'the zero-address list').toEqual(state.free.map((which) => names[which]!).toSorted())
  for (const [which, name] of names.entries()) {
    const read = await bench.call('ssh.readRole', { path: { name } })
    const found = state.roles[which]
    if (found === undefined) expect(read).toHaveStatus(404)
    else expect([entries(read.data.cidr_list), read.data.default_user]).toEqual([[BLOCKS[found.block]!], USERS[found.user]!])
  }
}

const written = { command: 'writeRole', drawn: { role: 0, block: 2, excluded: -1, user: 0 } }
const issued = { command: 'issue', drawn: { role: 0, at: 0, user: false } }
const verified = { command: 'verify', drawn: { pick: 0, otp: '' } }

model(
  'ssh/model',
  'SSH-CREDS-17',
  'programs of roles, lists, credentials and verifications follow the model',
  { ...ownMount, runs: [2, 30], minimum: 2 },
  {
    world: async (bench) => ({
      ...(await world(bench)),
      roles: await ReadBack.begin(bench, { read: 'ssh.readRole', list: 'ssh.listRoles' }),
    }),
    initial,
    commands,
    invariants: agreed,
    examples: [[written, issued, verified, verified, { command: 'lookup', drawn: { at: 0 } }]],
  },
)

race(
  'ssh/race',
  'SSH-CREDS-18',
  'concurrent changes of roles, credentials and verifications have an order',
  { ...ownMount },
  {
    world,
    initial,
    commands,
    concurrent: ['writeRole', 'issue', 'verify'],
    prefix: 4,
    examples: [
      { prefix: [written, issued], branches: [[verified], [verified]] },
      { prefix: [written, issued], branches: [[verified], [issued], [written]] },
    ],
    probes: [0, 1, 2].map((at) => ({ command: 'lookup', drawn: { at } })),
  },
)
