/** Faults of time and order: second calls, updates, deletion and re-creation, failures, renewal, the end of leases. */

import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, bySeenRole, remembered } from '../../mutations/remembering.ts'
import { maximumCountedAnew } from '../../mutations/renewals.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerAddress } from './management.ts'
import { type BrokerCall, nameIn, seeing } from './plain-help.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerRole, BrokerState } from './state.ts'

const { route, change } = faultsOf(brokerEngine, 'broker')

route(
  'plain-renewal-beyond-max',
  'BROKER-LEASE-04',
  'each renewal counts max_ttl anew, so that a lease can be renewed for ever (001 4.3: config/lease, max_ttl)',
  'broker.readCreds',
  maximumCountedAnew,
)

const firstUsed = remembered<{ connection?: BrokerAddress }>(() => ({}))
route(
  'plain-connection-kept-from-first-use',
  'BROKER-CONN-02',
  'the connection that the first credentials were made through stays in use when another is written (001 4.3: POST config/connection)',
  'broker.readCreds',
  (original) => (call) => {
    const used = firstUsed(call.state)
    used.connection ??= call.state.connection
    return original(seeing(call, { connection: used.connection }))
  },
)

route(
  'plain-update-merges-vhosts',
  'BROKER-CREDS-10',
  'an update of vhosts keeps the virtual hosts that the new map does not name any more (001 4.3: POST roles/:name, vhosts)',
  'broker.writeRole',
  (original) => async (call) => {
    const before = call.state.roles.get(nameIn(call))
    const given = await original(call)
    const role = call.state.roles.get(nameIn(call))
    if (before?.vhosts && role?.vhosts) role.vhosts = JSON.stringify({ ...JSON.parse(before.vhosts), ...JSON.parse(role.vhosts) })
    return given
  },
)

const deletedRoles = remembered(() => new Map<string, BrokerRole>())
change(
  'plain-recreated-role-remembers',
  'BROKER-ROLE-05',
  'a role that is made again after its deletion has old values where none are given (001 4.3: default "")',
  {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameIn(call))
        if (role) deletedRoles(call.state).set(nameIn(call), role)
        return original(call)
      },
      'broker.writeRole': (original) => (call) => {
        const old = call.state.roles.has(nameIn(call)) ? undefined : deletedRoles(call.state).get(nameIn(call))
        if (old === undefined) return original(call)
        return original({ ...call, body: { tags: old.tags, vhosts: old.vhosts, vhost_topics: old.vhostTopics, ...call.body } })
      },
    },
  },
)

route(
  'plain-deleted-role-still-gives',
  'BROKER-ROLE-05',
  'a role that gave credentials once gives them after its deletion, too (001 4.3: DELETE roles/:name, delete role)',
  'broker.readCreds',
  bySeenRole<BrokerState, BrokerRules>((seen, current) => current ?? seen),
)

const leaseWhenWritten = new WeakMap<BrokerRole, BrokerState['lease']>()
change(
  'plain-lease-config-when-role-written',
  'BROKER-LEASE-01',
  'lease settings count only for roles that are written after them (001 4.3: POST config/lease)',
  {
    routes: {
      'broker.writeRole': (original) => async (call) => {
        const given = await original(call)
        const role = call.state.roles.get(nameIn(call))
        if (role) leaseWhenWritten.set(role, { ...call.state.lease })
        return given
      },
      'broker.readCreds': (original) => (call) => {
        const role = call.state.roles.get(nameIn(call))
        return original(seeing(call, { lease: (role && leaseWhenWritten.get(role)) ?? call.state.lease }))
      },
    },
  },
)

route(
  'plain-lease-config-never-lowered',
  'BROKER-LEASE-01',
  'a second write of the lease settings raises them but does not lower them (001 4.3: POST config/lease, ttl and max_ttl)',
  'broker.writeLease',
  (original) => async (call) => {
    const { ttl, maxTtl } = call.state.lease
    const given = await original(call)
    call.state.lease = { ttl: Math.max(ttl, call.state.lease.ttl), maxTtl: Math.max(maxTtl, call.state.lease.maxTtl) }
    return given
  },
)

route(
  'plain-refused-connection-drops-old',
  'BROKER-CONN-08',
  'a connection that fails its verification takes the one before it away (001 4.3: config/connection, verify_connection)',
  'broker.writeConnection',
  (original) => (call) => {
    call.rules.connectionComplete(call.body)
    call.state.connection = undefined
    return original(call)
  },
)

route(
  'plain-failed-topics-leave-user',
  'BROKER-CREDS-13',
  'where a role has topic rights, a user who cannot get all rights stays in the broker after the refusal (001 4.3: GET creds/:name; 000 7: 500)',
  'broker.readCreds',
  (original) => (call) => {
    const removes = (): boolean => !call.state.roles.get(nameIn(call))?.vhostTopics && call.rules.removesAfterFailure()
    return original({ ...call, rules: { ...call.rules, removesAfterFailure: removes } })
  },
)

route(
  'plain-one-failure-breaks-connection',
  'BROKER-CREDS-12',
  'once credentials of one role failed, those of all roles do until the connection is written again (001 4.3: GET creds/:name)',
  'broker.readCreds',
  brokenAfterFailure<BrokerCall>((call) => call.state.connection, 'the broker is not available'),
)

route(
  'plain-refused-role-stored',
  'BROKER-ROLE-02',
  'a role is stored before its maps are looked at, so that a refused write takes effect (001 4.3: POST roles/:name; 000 7: 400)',
  'broker.writeRole',
  (original) => (call) => {
    call.state.roles.set(nameIn(call), call.rules.roleOf(call.body))
    return original(call)
  },
)
