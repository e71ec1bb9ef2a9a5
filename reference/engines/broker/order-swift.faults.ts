/** Faults that show in the second call: after an update, a deletion, a failure or the end of a lease. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, bySeenRole, remembered } from '../../mutations/remembering.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerRole, BrokerState } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine)

const forgotten = remembered(() => new Map<string, BrokerRole>())

route(
  'update-keeps-vhosts',
  ['BROKER-CREDS-10'],
  'writing a role again leaves its vhosts as they were (001 4.3, POST roles/:name)',
  'broker.writeRole',
  (original) => async (call) => {
    const name = call.params.name ?? ''
    const before = call.state.roles.get(name)
    const reply = await original(call)
    const after = call.state.roles.get(name)
    if (before && after && before.vhosts !== '') call.state.roles.set(name, { ...after, vhosts: before.vhosts })
    return reply
  },
)

route(
  'update-unites-vhosts',
  ['BROKER-CREDS-10'],
  'a virtual host that an update leaves out stays in the role (001 4.3, POST roles/:name)',
  'broker.writeRole',
  (original) => async (call) => {
    const name = call.params.name ?? ''
    const before = call.state.roles.get(name)
    const reply = await original(call)
    const after = call.state.roles.get(name)
    if (before?.vhosts && after?.vhosts) {
      const united = { ...(JSON.parse(before.vhosts) as JsonObject), ...(JSON.parse(after.vhosts) as JsonObject) }
      call.state.roles.set(name, { ...after, vhosts: JSON.stringify(united) })
    }
    return reply
  },
)

route(
  'creds-by-role-of-last-time',
  ['BROKER-ROLE-05', 'BROKER-APART-01'],
  'a user is made by the role as it was for the user before (001 4.3, POST roles, GET creds)',
  'broker.readCreds',
  bySeenRole((seen, current) => current && (seen ?? current)),
)

route(
  'creds-of-deleted-role',
  ['BROKER-ROLE-05'],
  'a deleted role that was in use goes on making users (001 4.3, DELETE roles/:name)',
  'broker.readCreds',
  bySeenRole((seen, current) => current ?? seen),
)

change(
  'recreated-role-inherits-topics',
  ['BROKER-ROLE-05'],
  'a role created after its deletion has its old vhost_topics (001 4.3, vhost_topics, default "")',
  {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(call.params.name ?? '')
        if (role) forgotten(call.state).set(call.params.name ?? '', role)
        return original(call)
      },
      'broker.writeRole': (original) => async (call) => {
        const name = call.params.name ?? ''
        const reply = await original(call)
        const [old, role] = [forgotten(call.state).get(name), call.state.roles.get(name)]
        if (old && role && !role.vhostTopics) call.state.roles.set(name, { ...role, vhostTopics: old.vhostTopics })
        return reply
      },
    },
  },
)

route(
  'lease-of-first-user',
  ['BROKER-LEASE-01'],
  'lease settings written after the first user do not count (001 4.3, POST config/lease)',
  'broker.readCreds',
  (original) => {
    const first = new WeakMap<BrokerState, BrokerState['lease']>()
    return (call) => {
      if (!call.state.roles.has(call.params.name ?? '')) return original(call)
      const lease = first.get(call.state) ?? call.state.lease
      first.set(call.state, lease)
      return original({ ...call, state: Object.assign(Object.create(call.state) as BrokerState, { lease }) })
    }
  },
)

route(
  'connection-of-first-user',
  ['BROKER-CONN-02'],
  'a connection written after the first user does not count (001 4.3, POST config/connection)',
  'broker.readCreds',
  (original) => {
    const first = new WeakMap<BrokerState, NonNullable<BrokerState['connection']>>()
    return (call) => {
      const connection = first.get(call.state) ?? call.state.connection
      if (connection) first.set(call.state, connection)
      return original({ ...call, state: Object.assign(Object.create(call.state) as BrokerState, { connection }) })
    }
  },
)

route(
  'refused-connection-clears',
  ['BROKER-CONN-08'],
  'a connection that cannot be verified takes the stored one away (001 4.3, verify_connection)',
  'broker.writeConnection',
  (original) => async (call) => {
    const before = call.state.connection
    try {
      return await original(call)
    } catch (cause) {
      if (before && call.rules.verifies(call.body)) call.state.connection = undefined
      throw cause
    }
  },
)

rule(
  'failed-user-stays',
  ['BROKER-CREDS-13'],
  'a user whose rights cannot be given stays in the broker (001 4.3, GET creds; readings: no effect)',
  {
    removesAfterFailure: () => () => false,
  },
)

route(
  'mount-broken-by-failure',
  ['BROKER-CREDS-12'],
  'once a user could not be made, the mount makes none any more (001 4.3, GET creds/:name)',
  'broker.readCreds',
  brokenAfterFailure((call) => call.state, 'broker: channel closed'),
)

route(
  'lease-ends-by-old-connection',
  ['BROKER-CREDS-06'],
  'users are removed through the connection that made them, replaced or not (001 4.3, POST config/connection)',
  'broker.readCreds',
  (original) => (call) => original({ ...call, state: { ...call.state } }),
)

route(
  'second-user-never-removed',
  ['BROKER-CREDS-05', 'BROKER-APART-01'],
  'only the first user of a role is removed when its lease ends (001 1, lease settings)',
  'broker.readCreds',
  (original) => {
    const served = new WeakMap<BrokerState, Set<string>>()
    return (call) => {
      const roles = served.get(call.state) ?? new Set<string>()
      served.set(call.state, roles)
      const name = call.params.name ?? ''
      const isFirst = !roles.has(name)
      roles.add(name)
      return original({ ...call, rules: { ...call.rules, deletesUser: () => isFirst } })
    }
  },
)
