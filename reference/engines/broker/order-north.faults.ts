/** Faults of time and order: second calls, deletion and re-creation, updates, what is left of failures, renewals. */
import { ApiError } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { maximumCountedAnew } from '../../mutations/renewals.ts'
import { brokerEngine } from './engine.ts'
import { deciding, leaseIn, nameOf, roleIn } from './north-help.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerState } from './state.ts'

const { route, change } = faultsOf(brokerEngine, 'broker')

const latestLease = remembered(() => new Map<string, string>())
route(
  'north-second-user-ends-first',
  'BROKER-CREDS-01',
  'a caller who asks for credentials of a role again loses the first ones (001 4.3: creds/:name; config/lease, ttl)',
  'broker.readCreds',
  (original) => async (call) => {
    const given = await original(call)
    const known = latestLease(call.state)
    const holder = `${call.token?.id} ${nameOf(call)}`
    await call.services.leases.revoke(known.get(holder) ?? '').catch(() => undefined)
    known.set(holder, leaseIn(call, given)?.id ?? '')
    return given
  },
)

const underWay = remembered(() => new Map<string, Promise<Reply>>())
route(
  'north-requests-at-once-share-user',
  'BROKER-CREDS-02',
  'requests for one role at the same time get the same user (001 1: generates dynamic broker credentials; 4.3: creds/:name)',
  'broker.readCreds',
  (original) => async (call) => {
    const all = underWay(call.state)
    const known = all.get(nameOf(call))
    if (known !== undefined) return known
    const answer = (async () => original(call))()
    all.set(nameOf(call), answer)
    try {
      return await answer
    } finally {
      all.delete(nameOf(call))
    }
  },
)

route(
  'north-maximum-counted-from-renewal',
  'BROKER-LEASE-04',
  'each renewal of credentials counts max_ttl anew (001 4.3: config/lease, max_ttl)',
  'broker.readCreds',
  maximumCountedAnew,
)

route(
  'north-update-noticed-one-user-late',
  'BROKER-ROLE-02',
  'the first user after an update of its role gets the rights before it (001 4.3: roles/:name, vhosts, tags; creds/:name)',
  'broker.readCreds',
  bySeenRole<BrokerState, BrokerRules>((seen, current) => (current === undefined ? undefined : (seen ?? current))),
)

route(
  'north-deleted-role-still-gives-users',
  'BROKER-ROLE-05',
  'a role that gave credentials before gives them after its deletion, too (001 4.3: DELETE roles/:name, delete role)',
  'broker.readCreds',
  bySeenRole<BrokerState, BrokerRules>((seen, current) => current ?? seen),
)

const deletedTopics = remembered(() => new Map<string, string>())
change(
  'north-role-made-again-keeps-topics',
  'BROKER-ROLE-05',
  'a role made again after its deletion has the topic rights of the former (001 4.3: DELETE roles/:name; vhost_topics, default "")',
  {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        deletedTopics(call.state).set(nameOf(call), roleIn(call)?.vhostTopics ?? '')
        return original(call)
      },
      'broker.writeRole': (original) => (call) => {
        const topics = roleIn(call) === undefined ? deletedTopics(call.state).get(nameOf(call)) : undefined
        return original(topics === undefined ? call : { ...call, body: { vhost_topics: topics, ...call.body } })
      },
    },
  },
)

route(
  'north-refused-update-stores-tags',
  'BROKER-ROLE-02',
  'an update that is refused for its vhosts or topics has stored its tags (000 7: 400, invalid request; 001 4.3: roles/:name)',
  'broker.writeRole',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const before = roleIn(call)
      const { tags } = call.body
      if (cause instanceof ApiError && before !== undefined && typeof tags === 'string')
        call.state.roles.set(nameOf(call), { ...before, tags })
      throw cause
    }
  },
)

route(
  'north-refused-connection-drops-former',
  'BROKER-CONN-08',
  'a connection that cannot be verified is not stored, but the one before is gone (001 4.3: config/connection, verify_connection)',
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

const leaseAtWrite = remembered(() => new Map<string, BrokerState['lease']>())
change(
  'north-lease-times-of-role-write',
  'BROKER-LEASE-01',
  'lease times that are written after a role do not hold for it (001 4.3: config/lease, ttl and max_ttl; creds/:name)',
  {
    routes: {
      'broker.writeRole': (original) => (call) => {
        leaseAtWrite(call.state).set(nameOf(call), call.state.lease)
        return original(call)
      },
      'broker.readCreds': (original) => (call) => {
        const then = leaseAtWrite(call.state).get(nameOf(call))
        return original(deciding(call, { leaseTimes: (lease, mount) => call.rules.leaseTimes(then ?? lease, mount) }))
      },
    },
  },
)

route(
  'north-unverified-never-replaces',
  'BROKER-CONN-07',
  'a connection written with verify_connection false does not replace another (001 4.3: POST config/connection; verify_connection)',
  'broker.writeConnection',
  (original) => async (call) => {
    const before = call.state.connection
    const given = await original(call)
    if (before !== undefined && !call.rules.verifies(call.body)) call.state.connection = before
    return given
  },
)

route(
  'north-user-with-topics-left-after-failure',
  'BROKER-CREDS-13',
  'where rights cannot be given, a user whose role has topics stays at the broker (000 7: 500; 001 4.3: creds, refused without effect)',
  'broker.readCreds',
  (original) => (call) => {
    const hasTopics = call.rules.topicsOf(roleIn(call)?.vhostTopics ?? '').size > 0
    return original(hasTopics ? deciding(call, { removesAfterFailure: () => false }) : call)
  },
)
