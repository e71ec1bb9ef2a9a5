/** Faults of credentials and their leases: when they hold, and what is remembered. */
import type { Call } from '../../core/engine.ts'
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../faults/declare.ts'
import { brokenAfterFailure, bySeenRole, remembered } from '../../faults/remembering.ts'
import { insteadOfRefusal } from '../../faults/wrappers.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerState } from './state.ts'

const { rule, route, change, declared } = faultsOf(brokerEngine)

rule('lease-max-ignored', ['BROKER-LEASE-03', 'BROKER-LEASE-04'], 'the maximum of leases is ignored', {
  leaseTimes: (original) => (lease, mount) => original({ ...lease, maxTtl: 0 }, mount),
})
route('lease-needs-ttl', 'BROKER-LEASE-07', 'lease settings without a ttl are refused', 'broker.writeLease', (original) => (call) => {
  if (call.body.ttl === undefined) throw new ApiError(400, 'ttl is required')
  return original(call)
})
const ofServer = remembered<{ lease?: BrokerState['lease'] }>(() => ({}))
type BrokerCall = Call<BrokerState, BrokerRules>
/** The call with another lease configuration; the rest of the state stays the mount's own. */
const withLease = (call: BrokerCall, lease: BrokerState['lease']): BrokerCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as BrokerState, { lease }),
})
change('lease-of-all-mounts', 'BROKER-APART-01', 'the lease configuration that any mount got last holds for all mounts', {
  routes: {
    'broker.writeLease': (original) => async (call) => {
      const reply = await original(call)
      ofServer(call.services).lease = call.state.lease
      return reply
    },
    'broker.readCreds': (original) => (call) => original(withLease(call, ofServer(call.services).lease ?? call.state.lease)),
  },
})
rule('creds-unknown-500', 'BROKER-CREDS-04', 'an unknown role is an internal error', { unknownRoleStatus: () => () => 500 })
rule('creds-half-made', 'BROKER-CREDS-13', 'a user that could not get its rights stays', { removesAfterFailure: () => () => false })
const hidden = insteadOfRefusal<BrokerCall>(() => secret({ username: 'nobody', password: 'x' }, { id: 'none', ttl: 60, renewable: false }))
route('creds-failure-hidden', 'BROKER-CREDS-08', 'credentials are returned although the broker is away', 'broker.readCreds', hidden)
const lastPassword = { value: '' }
rule('creds-in-role', 'BROKER-CREDS-09', 'the read of a role shows the last password', {
  shownCredential: (original) => (username, password) => {
    lastPassword.value = password
    return original(username, password)
  },
  shownRole: (original) => (role) => ({ ...original(role), last_password: lastPassword.value }),
})
let ended = 0
rule('second-user-stays', 'BROKER-CREDS-05', 'every second lease ends without its user being removed', {
  deletesUser: (original) => () => {
    ended += 1
    return ended % 2 === 1 && original()
  },
})
const once = bySeenRole<BrokerState, BrokerRules>((seen, current) => current && (seen ?? current))
route('creds-after-update', 'BROKER-CREDS-10', 'the first user after an update of the role follows the old role', 'broker.readCreds', once)
const failed = (part: (call: BrokerCall) => object | undefined) => brokenAfterFailure(part, 'broker: in a failed state')
const mount = failed(({ state }) => state.connection)
route(
  'broken-after-failure',
  'BROKER-CREDS-12',
  'after one failed creation no role of the mount gives credentials',
  'broker.readCreds',
  mount,
)
const role = failed(({ state, params }) => state.roles.get(params.name!))
route('role-broken-after-failure', 'BROKER-CREDS-14', 'a role that failed once gives no credentials any more', 'broker.readCreds', role)
route(
  'update-overtaken',
  'BROKER-CREDS-11',
  'a request for credentials puts back the role that it began with',
  'broker.readCreds',
  (original) => async (call) => {
    const before = call.state.roles.get(call.params.name!)
    const reply = await original(call)
    if (before !== undefined) call.state.roles.set(call.params.name!, before)
    return reply
  },
)

const any = remembered<{ connection?: BrokerState['connection'] }>(() => ({}))
change('connection-of-another-mount', 'BROKER-CONN-12', 'a mount without a connection uses that of another', {
  routes: {
    'broker.writeConnection': (original) => async (call) => {
      const reply = await original(call)
      any(call.services).connection = call.state.connection
      return reply
    },
    'broker.readCreds': (original) => (call) => {
      const connection = call.state.connection ?? any(call.services).connection
      return original({ ...call, state: Object.assign(Object.create(call.state) as BrokerState, { connection }) })
    },
  },
})

export const faults = declared
