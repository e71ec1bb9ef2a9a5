/** Faults of the broker over time: after an update, a deletion, a refusal, a new connection, the end of a lease. */

import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, bySeenRole, remembered } from '../../mutations/remembering.ts'
import { nameOf, objectIn, withLease, withRole, withRules } from './amber-help.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerRole } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine, 'broker')

const earlierVhosts = remembered(() => new Map<string, JsonObject>())

change(
  'amber-narrowed-role-keeps-vhosts',
  'BROKER-ROLE-02',
  'users keep getting the vhosts that an update took out of their role (001 4.3: POST roles/:name, vhosts)',
  {
    routes: {
      'broker.writeRole': (original) => async (call) => {
        const previous = call.state.roles.get(nameOf(call))
        const given = await original(call)
        const earlier = earlierVhosts(call.state)
        if (previous === undefined) earlier.delete(nameOf(call))
        else earlier.set(nameOf(call), { ...earlier.get(nameOf(call)), ...objectIn(previous.vhosts) })
        return given
      },
      'broker.readCreds': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        const earlier = earlierVhosts(call.state).get(nameOf(call))
        if (role === undefined || earlier === undefined) return original(call)
        return original(withRole(call, { ...role, vhosts: JSON.stringify({ ...earlier, ...objectIn(role.vhosts) }) }))
      },
    },
  },
)

route(
  'amber-deleted-role-still-gives',
  'BROKER-ROLE-05',
  'a role that was used goes on giving credentials after its deletion (001 4.3: DELETE roles/:name)',
  'broker.readCreds',
  bySeenRole((seen, current) => current ?? seen),
)

const deletedRoles = remembered(() => new Map<string, BrokerRole>())

change(
  'amber-new-role-revives-old',
  'BROKER-ROLE-05',
  'a role made anew after its deletion has the old one in what it leaves out (001 4.3: DELETE roles/:name; defaults "")',
  {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role) deletedRoles(call.state).set(nameOf(call), role)
        return original(call)
      },
      'broker.writeRole': (original) => (call) => {
        const old = call.state.roles.has(nameOf(call)) ? undefined : deletedRoles(call.state).get(nameOf(call))
        if (old === undefined) return original(call)
        return original({ ...call, body: { tags: old.tags, vhosts: old.vhosts, vhost_topics: old.vhostTopics, ...call.body } })
      },
    },
  },
)

route(
  'amber-clearing-is-ignored',
  'BROKER-CREDS-10',
  'an update that sets a parameter to empty text leaves it as it was (001 4.3: POST roles/:name, tags, vhosts, vhost_topics)',
  'broker.writeRole',
  (original) => (call) => {
    const old = call.state.roles.get(nameOf(call))
    if (old === undefined) return original(call)
    const before: JsonObject = { tags: old.tags, vhosts: old.vhosts, vhost_topics: old.vhostTopics }
    const body = Object.fromEntries(
      Object.entries(call.body).map(([field, value]) => [field, value === '' ? (before[field] ?? '') : value]),
    )
    return original({ ...call, body })
  },
)

rule(
  'amber-same-address-keeps-login',
  'BROKER-CONN-07',
  'a new login for the same connection_uri is not taken over (001 4.3: config/connection, username, password)',
  {
    replaced: (original) => (previous, next) => (previous !== undefined && previous.uri === next.uri ? previous : original(previous, next)),
  },
)

route(
  'amber-refused-connection-drops-old',
  'BROKER-CONN-08',
  'a connection that fails its verification takes away the one that was there (001 4.3: config/connection, verify_connection)',
  'broker.writeConnection',
  (original) => (call) =>
    original(
      withRules(call, {
        storesUnverified() {
          call.state.connection = undefined
          return false
        },
      }),
    ),
)

route(
  'amber-reconnecting-leaves-users',
  'BROKER-CREDS-06',
  'leases from before the last write of the connection end without removing their users (001 1: dynamic credentials; 001 4.3)',
  'broker.readCreds',
  (original) => (call) => {
    const issuedThrough = call.state.connection
    return original(
      withLease(call, (request) => ({
        ...request,
        async revoke() {
          if (call.state.connection === issuedThrough) await request.revoke()
        },
      })),
    )
  },
)

route(
  'amber-users-outlive-their-time',
  'BROKER-CREDS-05',
  'users are removed when a lease is revoked, not when its time runs out (001 4.3: config/lease, ttl)',
  'broker.readCreds',
  (original) => (call) =>
    original(
      withLease(call, (request, issued) => ({
        ...request,
        async revoke() {
          // Timers come up to a few milliseconds early.
          if (call.now() < issued().expiresAt - 0.05) await request.revoke()
        },
      })),
    ),
)

const givenBefore = remembered(() => new Map<string, Reply>())

route(
  'amber-living-credentials-again',
  'BROKER-CREDS-08',
  'who asks again while a lease of the role lives gets the same user again (001 1: generates dynamic credentials)',
  'broker.readCreds',
  (original) => async (call) => {
    const asked = `${call.token?.id} ${nameOf(call)}`
    const before = givenBefore(call.state).get(asked)
    const lease = call.services.leases.find(String((before?.body as JsonObject | undefined)?.lease_id))
    if (before !== undefined && lease !== undefined) return before
    const given = await original(call)
    givenBefore(call.state).set(asked, given)
    return given
  },
)

route(
  'amber-lease-settings-only-grow',
  'BROKER-LEASE-03',
  'shorter lease settings do not take the place of longer ones (001 4.3: config/lease)',
  'broker.writeLease',
  (original) => async (call) => {
    const before = call.state.lease
    const given = await original(call)
    const { ttl, maxTtl } = call.state.lease
    call.state.lease = { ttl: ttl && Math.max(ttl, before.ttl), maxTtl: maxTtl && Math.max(maxTtl, before.maxTtl) }
    return given
  },
)

route(
  'amber-one-failure-stops-all',
  'BROKER-CREDS-12',
  'once the broker has refused a user, no role gives credentials until the connection is written again (001 4.3: GET creds/:name)',
  'broker.readCreds',
  brokenAfterFailure((call) => call.state.connection, 'the broker is not available'),
)

const verification = remembered(() => ({ isOff: false }))

route(
  'amber-unverified-once-unverified-always',
  'BROKER-CONN-06',
  'a connection is not verified by default once one was written with verify_connection false (001 4.3: verify_connection, default true)',
  'broker.writeConnection',
  (original) => async (call) => {
    const known = verification(call.state)
    const isAsked = textOf(call.body, 'verify_connection') !== ''
    const given = await original(!isAsked && known.isOff ? { ...call, body: { ...call.body, verify_connection: false } } : call)
    if (isAsked) known.isOff = !call.rules.verifies(call.body)
    return given
  },
)
