/** What a random program does with two rolesets, and what it expects to find at the provider. */
import { type Answer, type Bench, type CheckContext, comesToHold, commandsOf, fc, type Model } from '../../harness/checks/index.ts'
import { type Bindings, blocks, type Key, type Place, placeFor, rightsFor } from './fixtures.ts'

/** Keys of an account at one time, at most: the provider's own limit is 10. */
const MOST_KEYS = 6
const TYPES = ['access_token', 'service_account_key'] as const

export interface World {
  place: Place
  /** A roleset for tokens, and one for keys. */
  names: string[]
  issued: Key[]
  /** Accounts of rolesets that were deleted: whether they stay at the provider is not stated. */
  left: Set<string>
}

export interface State {
  /** By name, the version of the bindings; null for an absent roleset. */
  sets: (number | null)[]
  /** In the order in which they were issued. */
  keys: ('alive' | 'ended' | 'left')[]
}

const versions = ({ resources }: Place): Bindings[] => [
  { [resources.project]: ['roles/viewer'] },
  { [resources.project]: ['roles/browser'], [resources.alpha]: ['roles/pubsub.viewer', 'roles/pubsub.publisher'] },
  { [resources.beta]: ['roles/pubsub.viewer'] },
]

const VERSIONS = 3
const on = commandsOf<State, World>()
const oneSet = fc.record({ set: fc.nat(1) })
const keysEnded = (state: State, set: number, how: 'ended' | 'left' = 'ended'): State['keys'] =>
  state.keys.map((is) => (set === 1 && is === 'alive' ? how : is))
const withSet = (state: State, at: number, version: number | null): State['sets'] =>
  state.sets.map((had, index) => (index === at ? version : had))

const succeedsWhere = (exists: boolean, seen: Answer, expect: CheckContext['expect']): void =>
  exists ? expect(seen).toSucceed() : expect(seen).toHaveStatus(400, 404)

export const commands: Model<State, World>['commands'] = {
  write: on({
    arguments: fc.record({ set: fc.nat(1), version: fc.nat(VERSIONS - 1) }),
    weight: 3,
    run: (bench, { set, version }, { place, names }) =>
      bench.call('cloudc.writeRoleset', {
        path: { name: names[set]! },
        body: place.body({ secret_type: TYPES[set]!, bindings: blocks(versions(place)[version]!) }),
      }),
    // Bindings that are there already may give a new account or none: open, so it is left out.
    resolve: (state, drawn) => (state.sets[drawn.set] === drawn.version ? undefined : drawn),
    expects: (_state, _input, seen, expect) => expect(seen).toSucceed(),
    next: (state, { set, version }) => ({
      sets: withSet(state, set, version),
      keys: state.sets[set] === null ? state.keys : keysEnded(state, set),
    }),
  }),
  rotate: on({
    arguments: oneSet,
    run: (bench, { set }, { names }) => bench.call('cloudc.rotate', { path: { name: names[set]! } }),
    expects: (state, { set }, seen, expect) => succeedsWhere(state.sets[set] !== null, seen, expect),
    next: (state, { set }) => ({ ...state, keys: state.sets[set] === null ? state.keys : keysEnded(state, set) }),
  }),
  rotateKey: on({
    arguments: fc.constant(null),
    run: (bench, _input, { names }) => bench.call('cloudc.rotateKey', { path: { name: names[0]! } }),
    expects: (state, _input, seen, expect) => succeedsWhere(state.sets[0] !== null, seen, expect),
    next: (state) => state,
  }),
  remove: on({
    arguments: oneSet,
    async run(bench, { set }, { place, names, left }) {
      const { data } = await place.read(names[set]!)
      if (typeof data.service_account_email === 'string') left.add(data.service_account_email)
      return bench.call('cloudc.deleteRoleset', { path: { name: names[set]! } })
    },
    expects: (state, { set }, seen, expect) => void (state.sets[set] !== null && expect(seen).toSucceed()),
    next: (state, { set }) => ({ sets: withSet(state, set, null), keys: keysEnded(state, set, 'left') }),
  }),
  token: on({
    arguments: fc.constant(null),
    async run(bench, _input, { place, names }) {
      const answer = await bench.call('cloudc.readToken', { path: { roleset: names[0]! } })
      const info = answer.ok ? await place.judge.tokenInfo(String(answer.data.token)) : undefined
      return { answer, email: info?.email, account: answer.ok ? await place.email(names[0]!) : undefined }
    },
    expects(state, _input, { answer, email, account }, expect) {
      if (state.sets[0] === null) return void expect(answer).toHaveStatus(400, 404)
      expect(answer).toHaveStatus(200)
      expect(email, 'account of the token').toBe(account)
    },
    next: (state) => state,
  }),
  key: on({
    arguments: fc.constant(null),
    weight: 3,
    resolve: (state, drawn) => (state.keys.filter((is) => is === 'alive').length < MOST_KEYS ? drawn : undefined),
    async run(bench, _input, { place, names, issued }) {
      const answer = await bench.call('cloudc.readKey', { path: { roleset: names[1]! } })
      if (!answer.ok) return { answer, loggedIn: false }
      const key = place.keyIn(answer)
      issued.push(key)
      return { answer, loggedIn: await comesToHold(bench, async () => (await place.judge.login(key.file)) !== undefined) }
    },
    expects(state, _input, { answer, loggedIn }, expect) {
      if (state.sets[1] === null) return void expect(answer).toHaveStatus(400, 404)
      expect(answer).toHaveStatus(200)
      expect(loggedIn, 'the new key logs in').toBe(true)
    },
    next: (state, _input, seen) => (seen?.answer.ok === true ? { ...state, keys: [...state.keys, 'alive'] } : state),
  }),
  revoke: on({
    arguments: fc.record({ key: fc.nat(3) }),
    weight: 2,
    resolve: (state, drawn) => (state.keys[drawn.key] === 'alive' ? drawn : undefined),
    run: (bench, { key }, { issued }) => bench.leases.revoke(issued[key]!.lease),
    expects: () => {},
    next: (state, { key }) => ({ ...state, keys: state.keys.map((is, index) => (index === key ? 'ended' : is)) }),
  }),
}

export const worldFor = async (bench: Bench): Promise<World> => {
  const place = await placeFor(bench)
  return { place, names: [place.name(), place.name()], issued: [], left: new Set() }
}

/** Everything at the provider and in the target, held against the state as a whole. */
export const holds = async (
  { bench, expect }: CheckContext,
  { sets, keys }: State,
  { place, names, issued, left }: World,
): Promise<void> => {
  const present = names.filter((_name, index) => sets[index] !== null)
  const listed = await bench.call('cloudc.listRolesets')
  // Earlier programs left theirs in the same mount.
  const own = listed.ok ? (listed.data.keys as string[]).filter((name) => names.includes(name)) : []
  expect(own.sort(), 'rolesets that are listed').toEqual([...present].sort())
  const emails: string[] = []
  for (const [index, version] of sets.entries()) {
    const read = await place.read(names[index]!)
    if (version === null) {
      expect(read, 'a roleset that is gone').toHaveStatus(404)
      continue
    }
    const email = String(read.data.service_account_email)
    emails.push(email)
    expect(read.data.secret_type).toBe(TYPES[index])
    await bench.eventually(async () => expect(await place.rights(email), 'rights').toEqual(rightsFor(versions(place)[version]!)))
    const idsOf = (which: State['keys'][number]) => issued.filter((_key, at) => keys[at] === which).map(({ facts }) => facts.keyId)
    const [alive, remaining] = [idsOf('alive'), idsOf('left')]
    await bench.eventually(async () => {
      const ids = (await place.keyIds(email))?.filter((id) => !remaining.includes(id))
      if (index === 0 && !left.has(email)) expect(ids?.length, 'keys of the account for tokens').toBe(1)
      else if (index === 0) expect(ids?.length, 'keys of the account for tokens').toBeGreaterThan(0)
      else expect([...(ids ?? [])].sort(), 'keys of the account').toEqual([...alive].sort())
    })
  }
  await bench.eventually(async () => {
    const accounts = (await place.accounts()).filter((email) => emails.includes(email) || !left.has(email))
    expect(accounts.sort(), 'accounts at the provider, without those of deleted rolesets').toEqual([...emails].sort())
  })
  for (const [at, is] of keys.entries()) {
    if (is === 'left') continue
    const ended = await comesToHold(bench, async () => (await place.judge.login(issued[at]!.file)) === undefined, {
      within: is === 'alive' ? 0 : bench.grace,
    })
    expect(ended, `key ${at} has ended`).toBe(is === 'ended')
  }
}
