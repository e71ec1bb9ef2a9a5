/** Faults of time and order: second calls, changes, deletion, re-creation, renewal. */
import { secret } from '../../core/envelope.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { maximumCountedAnew } from '../../mutations/renewals.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerAddress } from './management.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerRole, BrokerState } from './state.ts'
import { type BrokerCall, roleNameOf, withRules } from './west-help.ts'

const { route, change } = faultsOf(brokerEngine, 'broker')

route(
  'west-update-keeps-old-vhosts',
  'BROKER-VHOSTS-05',
  'virtual hosts that an update no longer names stay in the role (001 4.3: POST roles/:name vhosts)',
  'broker.writeRole',
  (original) => async (call) => {
    const before = call.state.roles.get(roleNameOf(call))
    const given = await original(call)
    const role = call.state.roles.get(roleNameOf(call))
    if (before?.vhosts && role?.vhosts) {
      const merged = { ...(JSON.parse(before.vhosts) as JsonObject), ...(JSON.parse(role.vhosts) as JsonObject) }
      call.state.roles.set(roleNameOf(call), { ...role, vhosts: JSON.stringify(merged) })
    }
    return given
  },
)

route(
  'west-creds-after-deletion',
  'BROKER-ROLE-05',
  'a deleted role that was used before still gives credentials (001 4.3: DELETE roles/:name, delete role)',
  'broker.readCreds',
  bySeenRole<BrokerState, BrokerRules>((seen, current) => current ?? seen),
)

const deletedRoles = remembered(() => new Map<string, BrokerRole>())
change(
  'west-recreated-with-old-values',
  'BROKER-ROLE-05',
  'a role created again after its deletion has the old values where none are given (001 4.3: roles/:name, defaults "")',
  {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(roleNameOf(call))
        if (role) deletedRoles(call.state).set(roleNameOf(call), role)
        return original(call)
      },
      'broker.writeRole': (original) => (call) => {
        const old = call.state.roles.has(roleNameOf(call)) ? undefined : deletedRoles(call.state).get(roleNameOf(call))
        if (old === undefined) return original(call)
        return original({ ...call, body: { tags: old.tags, vhosts: old.vhosts, vhost_topics: old.vhostTopics, ...call.body } })
      },
    },
  },
)

const leasesOfRoles = remembered(() => new Map<string, BrokerState['lease']>())
change(
  'west-lease-settings-as-at-role-write',
  'BROKER-APART-01',
  'lease settings apply only to roles that are written after them (001 4.3: config/lease; 1: lease settings)',
  {
    routes: {
      'broker.writeRole': (original) => async (call) => {
        const given = await original(call)
        leasesOfRoles(call.state).set(roleNameOf(call), call.state.lease)
        return given
      },
      'broker.readCreds': (original) => (call) =>
        original(
          withRules(call, {
            leaseTimes: (lease, mount) => call.rules.leaseTimes(leasesOfRoles(call.state).get(roleNameOf(call)) ?? lease, mount),
          }),
        ),
    },
  },
)

route(
  'west-lease-settings-never-shorter',
  'BROKER-LEASE-03',
  'lease settings written again can lengthen the times, but not shorten them (001 4.3: POST config/lease ttl, max_ttl)',
  'broker.writeLease',
  (original) => async (call) => {
    const before = call.state.lease
    const given = await original(call)
    const { ttl, maxTtl } = call.state.lease
    call.state.lease = { ttl: Math.max(before.ttl, ttl), maxTtl: Math.max(before.maxTtl, maxTtl) }
    return given
  },
)

route(
  'west-renewal-starts-maximum-anew',
  'BROKER-LEASE-04',
  'each renewal counts max_ttl anew, so that a lease outlives it (001 4.3: config/lease max_ttl)',
  'broker.readCreds',
  maximumCountedAnew<BrokerState, BrokerRules>,
)

const connectionsInUse = remembered<{ first: BrokerAddress | undefined }>(() => ({ first: undefined }))
route(
  'west-connection-kept-once-used',
  'BROKER-CONN-02',
  'once credentials were made, a connection written later is not used (001 4.3: POST config/connection)',
  'broker.readCreds',
  (original) => async (call) => {
    const inUse = connectionsInUse(call.state)
    const connection = inUse.first ?? call.state.connection
    const given = await original({ ...call, state: Object.assign(Object.create(call.state) as BrokerState, { connection }) })
    inUse.first = connection
    return given
  },
)

route(
  'west-refused-connection-drops-old',
  'BROKER-CONN-08',
  'a connection that is refused takes the one before it away (001 4.3: verify_connection; 000 7: 400 invalid request)',
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

const verifiedUris = remembered(() => new Set<string>())
route(
  'west-uri-verified-once',
  'BROKER-CONN-06',
  'a broker that was reached once is not verified again with another login (001 4.3: verify_connection, default true)',
  'broker.writeConnection',
  (original) => async (call) => {
    const { rules, state, body } = call
    const seen = verifiedUris(state)
    const uri = () => rules.connectionOf(body).uri
    const given = await original(withRules(call, { verifies: (asked) => rules.verifies(asked) && !seen.has(uri()) }))
    if (rules.verifies(body)) seen.add(uri())
    return given
  },
)

route(
  'west-new-connection-resets-lease-settings',
  'BROKER-APART-01',
  'writing the connection again sets the lease settings back (001 2.3: connection and lease config are resources apart)',
  'broker.writeConnection',
  (original) => async (call) => {
    const isFirst = call.state.connection === undefined
    const given = await original(call)
    if (!isFirst) call.state.lease = { ttl: 0, maxTtl: 0 }
    return given
  },
)

const namesGone = remembered(() => new Set<string>())
change(
  'west-deleted-role-reads-as-null',
  'BROKER-ROLE-05',
  'a deleted role reads as 200 without data (001 4.3: DELETE roles/:name; 000 7: 404)',
  {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        namesGone(call.state).add(roleNameOf(call))
        return original(call)
      },
      'broker.readRole': insteadOfRefusal<BrokerCall>(
        () => secret(null),
        (call) => namesGone(call.state).has(roleNameOf(call)),
      ),
    },
  },
)

const marks = new WeakMap<BrokerState, string>()
route(
  'west-one-username-a-minute',
  'BROKER-CREDS-02',
  'credentials of a role asked for again within a minute replace the password of the first (001 1: generates dynamic credentials)',
  'broker.readCreds',
  (original) => (call) => {
    const mark = marks.get(call.state) ?? call.services.random.word(8)
    marks.set(call.state, mark)
    const minute = Math.floor(call.now() / 60)
    return original(withRules(call, { username: (role) => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '')}-${mark}-${minute}` }))
  },
)
