/** Faults that depend on what was asked before: the second call, an update, a deletion, a failure, a renewal, the end of a lease. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { maximumCountedAnew } from '../../mutations/renewals.ts'
import { brokerEngine } from './engine.ts'
import { leasing, withState } from './loose-words.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerRole, BrokerState } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine)

const given = remembered(() => new Map<string, Reply>())

route(
  'seq-same-user-again',
  ['BROKER-CREDS-08'],
  'a second call of creds with the same token gives the user of the first again (001 1, generates dynamic broker credentials)',
  'broker.readCreds',
  (original) => async (call) => {
    const key = `${call.token?.id} ${call.params.name}`
    const reply = given(call.state).get(key) ?? (await original(call))
    given(call.state).set(key, reply)
    return reply
  },
)

const firstRoles = remembered(() => new Map<string, BrokerRole>())

route(
  'seq-rights-of-first-use',
  ['BROKER-ROLE-05', 'BROKER-CREDS-10'],
  'users of a role get the rights that it had at its first use, whatever was written since (001 4.3, POST roles/:name)',
  'broker.readCreds',
  (original) => (call) => {
    const name = call.params.name ?? ''
    const current = call.state.roles.get(name)
    if (!current) return original(call)
    const first = firstRoles(call.state).get(name) ?? { ...current }
    firstRoles(call.state).set(name, first)
    return original(withState(call, { roles: new Map(call.state.roles).set(name, first) }))
  },
)

route(
  'seq-creds-after-delete',
  ['BROKER-ROLE-05'],
  'a role that was used once gives users after its deletion, too (001 4.3, DELETE roles/:name; readings: unknown role, 400 or 404)',
  'broker.readCreds',
  bySeenRole<BrokerState, BrokerRules>((seen, current) => current ?? seen),
)

const deleted = remembered(() => new Map<string, BrokerRole>())

change(
  'seq-recreated-role-has-old-tags',
  ['BROKER-ROLE-05'],
  'a role that is made anew without tags has those that it had before its deletion (001 4.3, default "")',
  {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(call.params.name ?? '')
        if (role) deleted(call.state).set(call.params.name ?? '', role)
        return original(call)
      },
      'broker.writeRole': (original) => (call) => {
        const before = call.state.roles.has(call.params.name ?? '') ? undefined : deleted(call.state).get(call.params.name ?? '')
        return original(before ? { ...call, body: { tags: before.tags, ...call.body } } : call)
      },
    },
  },
)

rule(
  'seq-connection-password-stays',
  ['BROKER-CONN-01', 'BROKER-CONN-02'],
  'a second write of the connection leaves the password of the first (001 4.3, password)',
  {
    replaced: (original) => (previous, next) => ({ ...original(previous, next), password: previous?.password ?? next.password }),
  },
)

route(
  'seq-refused-connection-clears',
  ['BROKER-CONN-08'],
  'after a connection was refused the one before it is gone (readings: a failing backend behind a request has no effect)',
  'broker.writeConnection',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      call.state.connection = undefined
      throw cause
    }
  },
)

rule(
  'seq-failed-user-stays',
  ['BROKER-CREDS-13'],
  'a user whose rights cannot be given stays in the broker (readings: a failing backend has no effect)',
  {
    removesAfterFailure: () => () => false,
  },
)

const leaseSeen = remembered((): { lease?: BrokerState['lease'] } => ({}))

route(
  'seq-lease-settings-of-first-use',
  ['BROKER-LEASE-01'],
  'lease settings that are written after the first creds have no effect (001 4.3, POST config/lease)',
  'broker.readCreds',
  (original) => (call) => {
    const seen = leaseSeen(call.state)
    seen.lease ??= call.state.lease
    return original(withState(call, { lease: seen.lease }))
  },
)

route(
  'seq-renewed-past-maximum',
  ['BROKER-LEASE-04'],
  'a lease can be renewed beyond max_ttl, which counts from each renewal anew (001 4.3, config/lease, max_ttl)',
  'broker.readCreds',
  maximumCountedAnew<BrokerState, BrokerRules>,
)

route(
  'seq-users-of-changed-role-stay',
  ['BROKER-CREDS-10'],
  'users of a role that was written anew since are not removed at the end of their leases (001 1, dynamic broker credentials)',
  'broker.readCreds',
  leasing((request, call) => {
    const role = call.state.roles.get(call.params.name ?? '')
    return { ...request, revoke: async () => (call.state.roles.get(call.params.name ?? '') === role ? request.revoke() : undefined) }
  }),
)

route(
  'seq-refused-role-stored',
  ['BROKER-ROLE-02', 'BROKER-VHOSTS-06'],
  'a role whose vhosts are no JSON is refused but stored, in the place of the one before (readings: refused, nothing changed)',
  'broker.writeRole',
  (original) => (call) => {
    const { roles } = call.state
    roles.set(call.params.name ?? '', call.rules.roleOf(call.body))
    return original(call)
  },
)

const unverified = remembered(() => ({ isOn: false }))

route(
  'seq-verification-stays-off',
  ['BROKER-CONN-06'],
  'after one write with verify_connection false later ones are not verified either (001 4.3, verify_connection, default true)',
  'broker.writeConnection',
  (original) => async (call) => {
    const memory = unverified(call.state)
    const reply = await original(memory.isOn ? { ...call, body: { ...call.body, verify_connection: false } } : call)
    memory.isOn ||= !call.rules.verifies(call.body)
    return reply
  },
)
