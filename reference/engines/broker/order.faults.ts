/** Faults of a second time, of afterwards, and of what stays in a cache. */
import type { Call } from '../../core/engine.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, bySeenRole, sharedWithinSecond } from '../../mutations/remembering.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerRole, BrokerState } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine)

type BrokerCall = Call<BrokerState, BrokerRules>

type Handle = (call: BrokerCall) => Reply | Promise<Reply>

const roleOf = (call: BrokerCall): BrokerRole | undefined => call.state.roles.get(call.params.name ?? '')

route(
  'time-creds-after-update',
  ['BROKER-CREDS-10'],
  'the first user after an update of the role still follows the old role (001 4.3, roles)',
  'broker.readCreds',
  bySeenRole((seen, current) => current && (seen ?? current)),
)

route(
  'time-deleted-role-serves',
  ['BROKER-ROLE-05'],
  'a role that gave credentials once gives more after it was deleted (001 4.3, DELETE roles)',
  'broker.readCreds',
  bySeenRole((seen, current) => current ?? seen),
)

rule(
  'time-first-connection',
  ['BROKER-CONN-07', 'BROKER-CONN-02'],
  'a second connection is verified and not used (001 4.3, config/connection)',
  {
    replaced: (original) => (previous, next) => previous ?? original(previous, next),
  },
)

const settings = new WeakSet<BrokerState>()

route(
  'time-first-lease',
  ['BROKER-CREDS-10'],
  'a second write of the lease settings changes nothing (001 4.3, config/lease)',
  'broker.writeLease',
  (original) => async (call) => {
    const { lease } = call.state
    const given = await original(call)
    if (settings.has(call.state)) call.state.lease = lease
    settings.add(call.state)
    return given
  },
)

route(
  'time-lease-of-first-user',
  ['BROKER-CREDS-10'],
  'users of a role that gave credentials before keep to the lease settings of then (001 4.3, config/lease)',
  'broker.readCreds',
  (original) => {
    const leases = new WeakMap<BrokerRole, BrokerState['lease']>()
    return (call) => {
      const role = roleOf(call)
      const lease = (role && leases.get(role)) ?? call.state.lease
      if (role) leases.set(role, lease)
      return original({ ...call, state: { ...call.state, lease } })
    }
  },
)

route(
  'time-creds-shared-within-second',
  ['BROKER-CREDS-08'],
  'two requests for credentials within a second get the same (001 1, dynamic credentials)',
  'broker.readCreds',
  sharedWithinSecond(roleOf),
)

route(
  'time-broken-after-failure',
  ['BROKER-CREDS-12'],
  'after one failed creation no role of the mount gives credentials until the connection is written (001 4.3, creds)',
  'broker.readCreds',
  brokenAfterFailure((call: BrokerCall) => call.state.connection, 'broker: the connection is in a failed state'),
)

route(
  'time-second-connection-unverified',
  ['BROKER-CONN-06'],
  'a connection that replaces another is not verified (001 4.3, verify_connection)',
  'broker.writeConnection',
  (original) => (call) => original(call.state.connection ? { ...call, rules: { ...call.rules, verifies: () => false } } : call),
)

let ended = 0

rule('time-second-user-stays', ['BROKER-CREDS-05'], 'every second lease ends without its user being removed (001 1, dynamic credentials)', {
  deletesUser: (original) => () => {
    ended += 1
    return ended % 2 === 1 && original()
  },
})

const buried = new WeakMap<BrokerState, Map<string, BrokerRole>>()

change(
  'time-recreated-role-remembers',
  ['BROKER-ROLE-05'],
  'a role that is made again has the old tags and hosts where the new write is silent (001 4.3, DELETE roles)',
  {
    routes: {
      'broker.deleteRole': (original: Handle) => (call) => {
        const graves = buried.get(call.state) ?? new Map<string, BrokerRole>()
        buried.set(call.state, graves)
        const name = call.params.name ?? ''
        const role = call.state.roles.get(name)
        if (role) graves.set(name, role)
        return original(call)
      },
      'broker.writeRole': (original: Handle) => (call) => {
        const role = buried.get(call.state)?.get(call.params.name ?? '')
        return original(
          role ? { ...call, body: { tags: role.tags, vhosts: role.vhosts, vhost_topics: role.vhostTopics, ...call.body } } : call,
        )
      },
    },
  },
)
