/** Faults of the broker engine: time and order. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, bySeenRole, remembered } from '../../mutations/remembering.ts'
import { leftOnceRenewed, maximumCountedAnew } from '../../mutations/renewals.ts'
import { type BrokerCall, issuing, nameOf } from './anew-help.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerRole, BrokerState } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine, 'broker')

route(
  'anew-update-counts-one-call-late',
  ['BROKER-ROLE-05'],
  'The first credential after an update of its role has the rights and tags from before (001 4.3: POST roles/:name, then GET creds/:name)',
  'broker.readCreds',
  bySeenRole<BrokerState, BrokerRules>((seen, current) => current && (seen ?? current)),
)

const buried = remembered(() => new Map<string, BrokerRole>())

change(
  'anew-deleted-role-comes-back-in-part',
  ['BROKER-ROLE-05'],
  'A role made again after its deletion has the old values where the new write gives none (001 4.3: defaults `""`; DELETE "delete role")',
  {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role) buried(call.state).set(nameOf(call), role)
        return original(call)
      },
      'broker.writeRole': (original) => async (call) => {
        const old = call.state.roles.has(nameOf(call)) ? undefined : buried(call.state).get(nameOf(call))
        const reply = await original(call)
        const role = call.state.roles.get(nameOf(call))
        if (!old || !role) return reply
        const { tags, vhosts, vhostTopics } = role
        call.state.roles.set(nameOf(call), {
          tags: tags || old.tags,
          vhosts: vhosts || old.vhosts,
          vhostTopics: vhostTopics || old.vhostTopics,
        })
        return reply
      },
    },
  },
)

rule(
  'anew-address-stays-on-update',
  ['BROKER-CONN-02'],
  'Writing the connection again takes over the new user and password, but not the new `connection_uri` (001 4.3: POST config/connection)',
  { replaced: (original) => (previous, next) => original(previous, { ...next, uri: previous?.uri ?? next.uri }) },
)

rule(
  'anew-new-password-not-noticed',
  ['BROKER-CONN-07'],
  'A connection written again with only its password changed stays as it was (001 4.3: POST config/connection, `password`)',
  {
    replaced: (original) => (previous, next) =>
      previous?.uri === next.uri && previous.username === next.username ? previous : original(previous, next),
  },
)

route(
  'anew-later-connections-unverified',
  ['BROKER-CONN-10'],
  'Once a connection is stored, further ones are not verified (001 4.3: `verify_connection` "bool, default true")',
  'broker.writeConnection',
  (original) => (call) => original(call.state.connection ? { ...call, body: { ...call.body, verify_connection: false } } : call),
)

route(
  'anew-refused-update-leaves-tags',
  ['BROKER-ROLE-02'],
  'An update of a role that is refused for its `vhosts` changes the tags (000 7: 400 "invalid request"; a refusal changes nothing)',
  'broker.writeRole',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const role = call.state.roles.get(nameOf(call))
      if (role && typeof call.body.tags === 'string') call.state.roles.set(nameOf(call), { ...role, tags: call.body.tags })
      throw cause
    }
  },
)

rule(
  'anew-user-stays-after-failure',
  ['BROKER-CREDS-13'],
  'Where a right cannot be given, the request fails and its user stays in the broker (000 7: 500; a failure has no effect)',
  { removesAfterFailure: () => () => false },
)

route(
  'anew-out-of-order-after-failure',
  ['BROKER-CREDS-12'],
  'After one credential that the broker refused, all roles fail until the connection is written again (001 4.3: GET creds/:name)',
  'broker.readCreds',
  brokenAfterFailure<BrokerCall>((call) => call.state.connection, 'broker: not available'),
)

route(
  'anew-maximum-from-each-renewal',
  ['BROKER-LEASE-04'],
  'A lease can be renewed beyond `max_ttl`, which counts from the last renewal (001 4.3: POST config/lease `max_ttl`)',
  'broker.readCreds',
  maximumCountedAnew<BrokerState, BrokerRules>,
)

route(
  'renewed-user-stays',
  ['BROKER-CREDS-05'],
  'The user of a lease that was renewed stays in the broker when it runs out (000 2.3: `lease_duration`; 001 1: dynamic)',
  'broker.readCreds',
  leftOnceRenewed<BrokerState, BrokerRules>,
)

route(
  'anew-renewed-user-removed-at-first-end',
  ['BROKER-CREDS-10'],
  'The user of a renewed lease is removed when the lease would first have ended (000 2.3: `renewable`, `lease_duration`)',
  'broker.readCreds',
  (original) => (call) =>
    original(
      issuing(call, (request) => {
        call.services.clock.after(request.ttl, () => void request.revoke().catch(() => undefined))
        return request
      }),
    ),
)

route(
  'anew-user-stays-where-role-is-gone',
  ['BROKER-CREDS-10'],
  'A lease that ends after its role was deleted leaves the user in the broker (000 2.3: `lease_duration`; 001 1: dynamic)',
  'broker.readCreds',
  (original) => (call) =>
    original(
      issuing(call, (request) => ({
        ...request,
        async revoke() {
          if (call.state.roles.has(nameOf(call))) await request.revoke()
        },
      })),
    ),
)

route(
  'anew-role-needs-connection-first',
  ['BROKER-ROLE-01'],
  'A role written before the connection is refused (001 4.3: POST roles/:name has three parameters and no condition)',
  'broker.writeRole',
  (original) => (call) => {
    if (!call.state.connection) throw invalid('no connection is configured')
    return original(call)
  },
)
