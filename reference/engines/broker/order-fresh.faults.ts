/** Faults of time and order: second writes, re-creation, what a refused request leaves behind, leases that end. */
import type { Call } from '../../core/engine.ts'
import { ApiError } from '../../core/errors.ts'
import { integerOf, textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Lease } from '../../core/leases.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerAddress } from './management.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerState } from './state.ts'

type BrokerCall = Call<BrokerState, BrokerRules>

const { rule, route, change } = faultsOf(brokerEngine, 'broker')

const nameOf = (call: BrokerCall): string => call.params.name ?? ''

/** The call with parts of its state seen otherwise; everything else stays the mount's own. */
const seeing = (call: BrokerCall, parts: Partial<BrokerState>): BrokerCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as BrokerState, parts),
})

const mapIn = (text: string): JsonObject => (text === '' ? {} : (JSON.parse(text) as JsonObject))

route(
  'fresh-rewrite-merges-vhosts',
  ['BROKER-CREDS-10'],
  'writing a role again keeps the virtual hosts that the new `vhosts` no longer names (001 4.3: roles/:name, `vhosts`)',
  'broker.writeRole',
  (original) => async (call) => {
    const { roles } = call.state
    const before = roles.get(nameOf(call))
    const given = await original(call)
    const written = roles.get(nameOf(call))
    if (before && written && written.vhosts !== '') {
      roles.set(nameOf(call), { ...written, vhosts: JSON.stringify({ ...mapIn(before.vhosts), ...mapIn(written.vhosts) }) })
    }
    return given
  },
)

const deletedTags = remembered(() => new Map<string, string>())
change(
  'fresh-recreated-with-old-tags',
  ['BROKER-ROLE-05'],
  'a role that is deleted and created anew without tags has its former ones (001 4.3: delete role)',
  {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role) deletedTags(call.state).set(nameOf(call), role.tags)
        return original(call)
      },
      'broker.writeRole': (original) => (call) => {
        const tags = call.state.roles.has(nameOf(call)) ? undefined : deletedTags(call.state).get(nameOf(call))
        return original(tags === undefined ? call : { ...call, body: { tags, ...call.body } })
      },
    },
  },
)

route(
  'fresh-creds-of-deleted-used-role',
  ['BROKER-ROLE-05'],
  'a role that gave credentials before its deletion goes on giving them (001 4.3: delete role)',
  'broker.readCreds',
  bySeenRole<BrokerState, BrokerRules>((seen, current) => current ?? seen),
)

route(
  'fresh-refused-role-half-stored',
  ['BROKER-TOPICS-05'],
  'a role refused for its `vhost_topics` is stored with its new tags and `vhosts` (000 7: 400 is invalid data, without effect)',
  'broker.writeRole',
  (original) => async (call) => {
    const { rules, state } = call
    try {
      return await original(call)
    } catch (cause) {
      const role = rules.roleOf({ ...call.body, vhost_topics: '' })
      rules.vhostsOf(role.vhosts)
      state.roles.set(nameOf(call), { ...role, vhostTopics: state.roles.get(nameOf(call))?.vhostTopics ?? '' })
      throw cause
    }
  },
)

const verified = remembered(() => new Set<string>())
route(
  'fresh-uri-verified-once',
  ['BROKER-CONN-06'],
  'a wrong password is accepted for a `connection_uri` that was verified once (001 4.3: `verify_connection` default true)',
  'broker.writeConnection',
  (original) => async (call) => {
    const { body, rules } = call
    const known = verified(call.state)
    const uri = String(body.connection_uri)
    const given = await original({ ...call, rules: { ...rules, verifies: (asked) => rules.verifies(asked) && !known.has(uri) } })
    if (rules.verifies(body)) known.add(textOf(body, 'connection_uri'))
    return given
  },
)

route(
  'fresh-removal-by-old-connection',
  ['BROKER-CREDS-06'],
  'users are removed with the admin that made them, and stay where the connection has another since (001 1, 4.3: config/connection)',
  'broker.readCreds',
  (original) => (call) => original(seeing(call, { connection: call.state.connection })),
)

const leaseAtWriting = remembered(() => new Map<string, BrokerState['lease']>())
change(
  'fresh-lease-of-role-writing',
  ['BROKER-LEASE-01'],
  'lease settings do not reach roles that were written before them (001 4.3: config/lease)',
  {
    routes: {
      'broker.writeRole': (original) => async (call) => {
        const given = await original(call)
        leaseAtWriting(call.state).set(nameOf(call), call.state.lease)
        return given
      },
      'broker.readCreds': (original) => (call) =>
        original(seeing(call, { lease: leaseAtWriting(call.state).get(nameOf(call)) ?? call.state.lease })),
    },
  },
)

route(
  'fresh-refused-lease-half-stored',
  ['BROKER-LEASE-05'],
  'lease settings refused for their `max_ttl` still change `ttl` (000 7: 400 is invalid data, without effect)',
  'broker.writeLease',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      const ttl = integerOf(call.body, 'ttl', 0)
      if (ttl >= 0) call.state.lease = { ...call.state.lease, ttl }
      throw cause
    }
  },
)

const formerConnection = remembered<{ once?: BrokerAddress }>(() => ({}))
change(
  'fresh-connection-one-late',
  ['BROKER-CONN-02'],
  'the first credentials after a new connection still go through the former one (001 4.3: config/connection)',
  {
    routes: {
      'broker.writeConnection': (original) => async (call) => {
        const before = call.state.connection
        const given = await original(call)
        formerConnection(call.state).once = before
        return given
      },
      'broker.readCreds': (original) => (call) => {
        const former = formerConnection(call.state)
        const connection = former.once
        former.once = undefined
        return original(connection ? seeing(call, { connection }) : call)
      },
    },
  },
)

const newest = remembered(() => new Map<string, Lease>())
route(
  'fresh-only-newest-user-removed',
  ['BROKER-CREDS-06'],
  'only the user made last for a role is removed when its lease ends, earlier ones stay for ever (001 1: dynamic credentials; 4.3: `ttl`)',
  'broker.readCreds',
  (original) => async (call) => {
    const given = await original(call)
    const lease = call.services.leases.find((given.body as { lease_id: string }).lease_id)
    const before = newest(call.state).get(nameOf(call))
    if (before) before.request = { ...before.request, revoke: async () => undefined }
    if (lease) newest(call.state).set(nameOf(call), lease)
    return given
  },
)

rule(
  'fresh-password-change-ignored',
  ['BROKER-CONN-07'],
  'a connection written again for the same admin keeps the old password (001 4.3: `password` of config/connection)',
  {
    replaced: (original) => (previous, next) =>
      previous && previous.uri === next.uri && previous.username === next.username ? previous : original(previous, next),
  },
)
