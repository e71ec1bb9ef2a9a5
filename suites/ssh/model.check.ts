/** Random programs of roles, zero-address lists, credentials, lookups and verifications, held against a model of the mount. */
import { type Bench, type CheckContext, commandsOf, fc, type Model, model, race } from '../../harness/checks/index.ts'
import { otpFields, ownMount } from './fixtures.ts'

const ROLES = 3
const BLOCKS = ['10.1.0.0/16', '10.2.0.0/16', '10.0.0.0/8', '2001:db8::/32']
/** Which of the blocks contain an address. */
const ADDRESSES = [
  { ip: '10.1.0.9', blocks: [0, 2] },
  { ip: '10.2.255.255', blocks: [1, 2] },
  { ip: '10.3.0.0', blocks: [2] },
  { ip: '2001:db8::7', blocks: [3] },
  { ip: '192.0.2.1', blocks: [] as number[] },
]
const USERS = ['ubuntu', 'deploy']

interface Role {
  block: number
  /** -1 for none. */
  excluded: number
  user: number
}
interface Password {
  otp: string
  role: number
  ip: string
  user: string
  used: boolean
}
interface State {
  /** By number of the role; absent where there is none. */
  roles: Record<string, Role>
  /** Numbers of the roles that take any address; undefined where no list is set. */
  free: number[] | undefined
  passwords: Password[]
}
interface World {
  names: string[]
}

const on = commandsOf<State, World>()
const role = fc.record({ role: fc.nat(ROLES - 1) })
const address = fc.nat(ADDRESSES.length - 1)

const covers = ({ block, excluded }: Role, at: number): boolean =>
  ADDRESSES[at]!.blocks.includes(block) && !ADDRESSES[at]!.blocks.includes(excluded)

const issues = (state: State, which: number, at: number): boolean => {
  const found = state.roles[which]
  return found !== undefined && (state.free?.includes(which) === true || covers(found, at))
}

const named = (state: State, accepts: (found: Role, which: number) => boolean): number[] =>
  Object.keys(state.roles)
    .map(Number)
    .filter((which) => accepts(state.roles[which]!, which))

const verified = (state: State, otp: string): Password | undefined => state.passwords.find((one) => one.otp === otp && !one.used)

const commands: Model<State, World>['commands'] = {
  writeRole: on({
    arguments: fc.record({ role: fc.nat(ROLES - 1), block: fc.nat(3), excluded: fc.integer({ min: -1, max: 3 }), user: fc.nat(1) }),
    weight: 3,
    run: (bench, { role, block, excluded, user }, { names }) => {
      const fields = {
        cidr_list: BLOCKS[block]!,
        exclude_cidr_list: BLOCKS[excluded] ?? '',
        default_user: USERS[user]!,
        allowed_users: 'visitor',
      }
      return bench.call('ssh.writeRole', { path: { name: names[role]! }, body: otpFields(fields) })
    },
    expects: (_state, _input, seen, expect) => expect(seen).toSucceed(),
    next: (state, { role, ...fields }) => ({ ...state, roles: { ...state.roles, [role]: fields } }),
  }),
  // What becomes of the passwords of a role that goes, and of its place on the list, is open: neither is asked about afterwards.
  deleteRole: on({
    arguments: role,
    resolve: (state, drawn) => (drawn.role in state.roles && !state.free?.includes(drawn.role) ? drawn : undefined),
    run: (bench, { role }, { names }) => bench.call('ssh.deleteRole', { path: { name: names[role]! } }),
    expects: (_state, _input, seen, expect) => expect(seen.ok || seen.status === 404).toBe(true),
    next: (state, { role }) => ({
      ...state,
      roles: Object.fromEntries(Object.entries(state.roles).filter(([which]) => which !== String(role))),
      passwords: state.passwords.filter((one) => one.role !== role),
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
    next: (state) => ({ ...state, free: undefined }),
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
      const password = { otp: String(seen.data.key), role, ip: ADDRESSES[at]!.ip, user: String(seen.data.username), used: false }
      return { ...state, passwords: [...state.passwords, password] }
    },
  }),
  verify: on({
    arguments: fc.record({ pick: fc.nat(3), otp: fc.constant<string>('') }),
    weight: 4,
    resolve: (state, drawn) => {
      const found = state.passwords[drawn.pick]
      return found === undefined ? undefined : { ...drawn, otp: found.otp }
    },
    run: (bench, { otp }) => bench.call('ssh.verifyOtp', { body: { otp }, as: 'none' }),
    expects(state, { otp }, seen, expect) {
      const password = verified(state, otp)
      if (password === undefined) return expect(seen).toBeRefused()
      expect(seen).toHaveStatus(200)
      expect(seen.data).toMatchObject({ ip: password.ip, username: password.user })
    },
    next: (state, { otp }) => ({ ...state, passwords: state.passwords.map((one) => (one.otp === otp ? { ...one, used: true } : one)) }),
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
  return { names: Array.from({ length: ROLES }, () => bench.fresh('role')) }
}

const initial = (): State => ({ roles: {}, free: undefined, passwords: [] })

const agreed = async ({ bench, expect }: CheckContext, state: State, { names }: World): Promise<void> => {
  for (const [which, name] of names.entries()) {
    const read = await bench.call('ssh.readRole', { path: { name } })
    const found = state.roles[which]
    if (found === undefined) expect(read).toHaveStatus(404)
    else expect(read.data).toMatchObject({ cidr_list: BLOCKS[found.block]!, default_user: USERS[found.user]! })
  }
}

model(
  'ssh/model',
  'SSH-CREDS-17',
  'programs of roles, lists, credentials and verifications follow the model',
  { ...ownMount },
  { world, initial, commands, invariants: agreed },
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
    probes: [0, 1, 2].map((at) => ({ command: 'lookup', drawn: { at } })),
  },
)
