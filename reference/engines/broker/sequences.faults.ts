/** Faults that show only after several requests in a certain order, or at once: what the model and the race are for. */
import type { Call } from '../../core/engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerRole, BrokerState } from './state.ts'

const { route, change } = faultsOf(brokerEngine)

type BrokerCall = Call<BrokerState, BrokerRules>

/** What a faulty server remembers beside its state, a record for each mount. */
const beside = <T>(make: () => T): ((state: BrokerState) => T) => {
  const known = new WeakMap<Map<string, BrokerRole>, T>()
  return ({ roles }) => {
    const found = known.get(roles) ?? make()
    known.set(roles, found)
    return found
  }
}

const nameOf = (call: BrokerCall): string => call.params.name ?? ''

/** As long as a round trip to something beside the broker takes. */
const pause = (): Promise<void> => new Promise((done) => setTimeout(done, 15))

/** The call with another role under its name. */
const withRole = (call: BrokerCall, role: BrokerRole): BrokerCall => ({
  ...call,
  state: { ...call.state, roles: new Map([[nameOf(call), role]]) },
})

const prepared = beside(() => new Map<string, BrokerRole>())

const deleted = beside(() => new Map<string, BrokerRole>())

const first = beside((): { lease?: BrokerState['lease'] } => ({}))

const latest = beside(() => new Map<string, string>())

const counted = beside(() => ({ users: 0, prefix: '' }))

route(
  'role-cached',
  'BROKER-CREDS-10',
  'the first credentials of a role fix what later ones may do',
  'broker.readCreds',
  (original) => (call) => {
    const role = call.state.roles.get(nameOf(call))
    if (role === undefined) return original(call)
    const kept = prepared(call.state).get(nameOf(call)) ?? role
    prepared(call.state).set(nameOf(call), kept)
    return original(withRole(call, kept))
  },
)
change('role-remembered', 'BROKER-CREDS-10', 'a role made anew has the virtual hosts of the deleted one', {
  routes: {
    'broker.deleteRole': (original) => (call) => {
      const role = call.state.roles.get(nameOf(call))
      if (role !== undefined) deleted(call.state).set(nameOf(call), role)
      return original(call)
    },
    'broker.writeRole': (original) => (call) => {
      const before = call.state.roles.has(nameOf(call)) ? undefined : deleted(call.state).get(nameOf(call))
      return original(before === undefined ? call : { ...call, body: { ...call.body, vhosts: before.vhosts } })
    },
  },
})
route(
  'lease-cached',
  'BROKER-CREDS-10',
  'the lease settings at the first credentials stay in force',
  'broker.readCreds',
  (original) => (call) => {
    const kept = first(call.state)
    kept.lease ??= call.state.lease
    return original({ ...call, state: { ...call.state, lease: kept.lease } })
  },
)
route(
  'revokes-latest',
  'BROKER-CREDS-10',
  'the end of any lease removes the user that its role made last',
  'broker.readCreds',
  (original) => async (call) => {
    const users = latest(call.state)
    const role = nameOf(call)
    return original({
      ...call,
      rules: {
        ...call.rules,
        username: (of, random) => {
          const username = call.rules.username(of, random)
          users.set(role, username)
          return username
        },
        revokedUser: (username) => users.get(role) ?? username,
      },
    })
  },
)
route(
  'names-counted',
  'BROKER-CREDS-11',
  'users are numbered, and requests at once get the same number',
  'broker.readCreds',
  (original) => async (call) => {
    const counter = counted(call.state)
    counter.prefix ||= call.services.random.word(12)
    const number = counter.users
    await pause()
    counter.users = number + 1
    return original({ ...call, rules: { ...call.rules, username: () => `s-${counter.prefix}-${number}` } })
  },
)
route(
  'role-read-twice',
  'BROKER-CREDS-11',
  'a user gets the tags of the role before a change and the rights after it',
  'broker.readCreds',
  (original) => async (call) => {
    const before = call.state.roles.get(nameOf(call))
    if (before === undefined) return original(call)
    await pause()
    const after = call.state.roles.get(nameOf(call)) ?? before
    return original(withRole(call, { ...after, tags: before.tags }))
  },
)
route(
  'update-overtaken',
  'BROKER-CREDS-11',
  'a request for credentials puts back the role that it began with',
  'broker.readCreds',
  (original) => async (call) => {
    const before = call.state.roles.get(nameOf(call))
    const reply = await original(call)
    if (before !== undefined) call.state.roles.set(nameOf(call), before)
    return reply
  },
)

route(
  'role-topics-of-vhosts',
  'BROKER-CREDS-10',
  'once a role has given credentials, its topics read as its virtual hosts',
  'broker.readCreds',
  (original) => async (call) => {
    const reply = await original(call)
    const role = call.state.roles.get(nameOf(call))
    if (role) call.state.roles.set(nameOf(call), { ...role, vhostTopics: role.vhosts })
    return reply
  },
)
