/** Faults of the broker engine that somebody wrote who knows the contract and nothing of the checks. */
import type { Call } from '../../core/engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerState } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine)

type BrokerCall = Call<BrokerState, BrokerRules>

/** The call with another lease configuration; the rest of the state stays the mount's own. */
const withLease = (call: BrokerCall, lease: BrokerState['lease']): BrokerCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as BrokerState, { lease }),
})

rule(
  'slip-username-by-minute',
  ['BROKER-CREDS-01', 'BROKER-CREDS-02'],
  'users are told apart by role and minute, so that the next one takes over the user of the one before',
  {
    username: () => (role) => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '')}-${Math.floor(Date.now() / 60_000)}`,
  },
)

const ofServer = remembered<{ lease?: BrokerState['lease'] }>(() => ({}))

change('slip-lease-config-of-all-mounts', ['BROKER-APART-01'], 'the lease configuration that any mount got last holds for all mounts', {
  routes: {
    'broker.writeLease': (original) => async (call) => {
      const reply = await original(call)
      ofServer(call.services).lease = call.state.lease
      return reply
    },
    'broker.readCreds': (original) => (call) => original(withLease(call, ofServer(call.services).lease ?? call.state.lease)),
  },
})

rule(
  'slip-last-exchange-only',
  ['BROKER-TOPICS-01', 'BROKER-TOPICS-02'],
  'of several exchanges of a virtual host only the last gets its topic rights',
  {
    topicsOfUser: (original) => (topics) =>
      new Map([...original(topics)].map(([vhost, exchanges]) => [vhost, new Map([...exchanges].slice(-1))])),
  },
)

rule('slip-first-vhost-only', ['BROKER-CREDS-07'], 'of several virtual hosts only the first gets its rights', {
  rightsOfUser: (original) => (rights) => new Map([...original(rights)].slice(0, 1)),
})

const leaseOfRole = remembered(() => new Map<string, BrokerState['lease']>())

route(
  'slip-lease-config-kept-with-role',
  ['BROKER-LEASE-01'],
  'a role that has issued once keeps the lease configuration of that time',
  'broker.readCreds',
  (original) => async (call) => {
    const kept = leaseOfRole(call.state)
    const name = call.params.name ?? ''
    const lease = kept.get(name) ?? call.state.lease
    const reply = await original(withLease(call, lease))
    kept.set(name, lease)
    return reply
  },
)

route(
  'slip-failed-connection-forgets',
  ['BROKER-CONN-08'],
  'a connection that cannot be verified takes the one before with it',
  'broker.writeConnection',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (String(cause).includes('verified')) call.state.connection = undefined
      throw cause
    }
  },
)

rule(
  'slip-empty-pattern-is-any',
  ['BROKER-VHOSTS-01', 'BROKER-VHOSTS-02', 'BROKER-VHOSTS-03'],
  'an empty pattern of a virtual host gives every right',
  {
    rightsOfUser: (original) => (rights) =>
      new Map(
        [...original(rights)].map(([vhost, { configure, write, read }]) => [
          vhost,
          { configure: configure || '.*', write: write || '.*', read: read || '.*' },
        ]),
      ),
  },
)
