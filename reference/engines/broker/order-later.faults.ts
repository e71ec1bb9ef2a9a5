/** Faults of the broker engine that depend on what happened before: second calls, deletions, refusals, changes, the end of a lease. */
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { requestDefault } from '../../mutations/wrappers.ts'
import { type BrokerCall, issuing, nameOf, withState } from './anew-help.ts'
import { brokerEngine } from './engine.ts'
import { afterwards, beforehand, byCall, byRules } from './later-help.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerRole, BrokerState } from './state.ts'
import { ofBackend } from './wrappers.ts'

const { rule, route, change } = faultsOf(brokerEngine, 'broker')

rule(
  'later-same-uri-keeps-admin',
  ['BROKER-CONN-07'],
  'a second write with the same `connection_uri` keeps the old user and password (001 4.3: `config/connection`: `username`, `password`)',
  {
    replaced: (original) => (previous, next) => (previous?.uri === next.uri ? previous : original(previous, next)),
  },
)

route(
  'later-refused-connection-clears',
  ['BROKER-CONN-08'],
  'after a connection that cannot be verified was refused, the one before is gone (000 7: 400, invalid request; a refusal changes nothing)',
  'broker.writeConnection',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof ApiError && ofBackend(cause)) call.state.connection = undefined
      throw cause
    }
  },
)

route(
  'later-refused-role-stored',
  ['BROKER-ROLE-02'],
  'a role whose `vhosts` or `vhost_topics` are refused is stored all the same (001 4.3: JSON-encoded map; 000 7: 400)',
  'broker.writeRole',
  beforehand((call) => void call.state.roles.set(nameOf(call), call.rules.roleOf(call.body))),
)

route(
  'later-topics-lag-behind',
  ['BROKER-ROLE-05'],
  'the first user after a role was rewritten gets the topic rights from before (001 4.3: `vhost_topics` of the role)',
  'broker.readCreds',
  bySeenRole<BrokerState, BrokerRules>((seen, current) => (seen && current ? { ...current, vhostTopics: seen.vhostTopics } : current)),
)

const deletedRoles = remembered(() => new Map<string, BrokerRole>())
const bury = beforehand((call) => {
  const role = call.state.roles.get(nameOf(call))
  if (role) deletedRoles(call.state).set(nameOf(call), role)
})
const inherited = (call: BrokerCall): JsonObject => {
  const old = deletedRoles(call.state).get(nameOf(call))
  return old ? brokerEngine.rules.shownRole(old) : {}
}
change(
  'later-recreated-role-inherits',
  ['BROKER-ROLE-05'],
  'a role that was deleted and is written again has the old values of what the write leaves out (001 4.3: delete role; defaults `""`)',
  {
    routes: {
      'broker.deleteRole': bury,
      'broker.writeRole': byCall((call) => ({ ...call, body: { ...inherited(call), ...call.body } })),
    },
  },
)

change(
  'later-deleted-role-reads-empty',
  ['BROKER-ROLE-05'],
  'a deleted role reads as an empty one with 200 (001 4.3: delete role; 000 7: 404 invalid path)',
  {
    routes: {
      'broker.deleteRole': bury,
      'broker.readRole': (original) => (call) =>
        !call.state.roles.has(nameOf(call)) && deletedRoles(call.state).has(nameOf(call))
          ? secret({ tags: '', vhosts: '', vhost_topics: '' })
          : original(call),
    },
  },
)

const leaseOfRoles = remembered(() => new Map<string, BrokerState['lease']>())
route(
  'later-lease-settings-of-first-use',
  ['BROKER-LEASE-01'],
  'a role goes on with the lease settings of its first user after they were changed (001 4.3: `POST config/lease`)',
  'broker.readCreds',
  byCall((call) => {
    const known = leaseOfRoles(call.state)
    const lease = known.get(nameOf(call)) ?? call.state.lease
    if (call.state.roles.has(nameOf(call))) known.set(nameOf(call), lease)
    return withState(call, { lease })
  }),
)

route(
  'later-renewed-user-goes-early',
  ['BROKER-CREDS-10'],
  'a user goes at the first end of its lease although that was renewed (000 2.3: `renewable`, `lease_duration`)',
  'broker.readCreds',
  byCall((call) =>
    issuing(call, (request) => {
      call.services.clock.after(request.ttl, () => void request.revoke().catch(() => undefined))
      return request
    }),
  ),
)

route(
  'later-removed-through-old-connection',
  ['BROKER-CREDS-06'],
  'after the connection was replaced, earlier users are still removed as the old admin (001 4.3: `config/connection`)',
  'broker.readCreds',
  byCall((call) => withState(call, { connection: call.state.connection })),
)

const leaseWritten = remembered(() => ({ once: false }))
change(
  'later-no-lease-before-settings',
  ['BROKER-CREDS-03'],
  'as long as `config/lease` was never written, credentials come without lease (001 4.3: `creds/:name`; 000 2.3: `lease_id`)',
  {
    routes: {
      'broker.writeLease': afterwards(({ state }) => {
        leaseWritten(state).once = true
      }),
      'broker.readCreds': byRules(({ state }) => ({ leased: () => leaseWritten(state).once })),
    },
  },
)

route(
  'later-half-made-user-with-topics',
  ['BROKER-CREDS-13'],
  'a user whose rights cannot be given stays in the broker where the role has topic rights (001 4.3: `vhost_topics`; 000 7: 500)',
  'broker.readCreds',
  byRules((call) => ({ removesAfterFailure: () => (call.state.roles.get(nameOf(call))?.vhostTopics ?? '') === '' })),
)

const unverified = remembered(() => ({ once: false }))
route(
  'later-never-verified-again',
  ['BROKER-CONN-06'],
  'after a write with `verify_connection` false, later writes without it are not verified either (001 4.3: default true)',
  'broker.writeConnection',
  (original) => async (call) => {
    const seen = unverified(call.state)
    const given = await (seen.once ? requestDefault<BrokerCall>('verify_connection', false)(original)(call) : original(call))
    seen.once = call.body.verify_connection === false || (seen.once && call.body.verify_connection !== true)
    return given
  },
)
