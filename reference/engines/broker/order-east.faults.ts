/** Faults of time and order: second calls, updates, deletions, re-creations, renewals, ends of leases. */
import type { Lease } from '../../core/leases.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { roleName, withIssue, withRules, withState } from './east-help.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerRole, BrokerState, TopicRights, VhostRights } from './state.ts'

const { route, change } = faultsOf(brokerEngine, 'broker')

route(
  'east-deleted-role-still-used',
  'BROKER-ROLE-05',
  'a role whose credentials were asked for gives further ones after its deletion (001 4.3: DELETE roles/:name, delete role)',
  'broker.readCreds',
  bySeenRole<BrokerState, BrokerRules>((seen, current) => current ?? seen),
)

const rightsGiven = remembered(() => new Map<string, Map<string, VhostRights>>())
change(
  'east-update-keeps-vhosts',
  'BROKER-ROLE-02',
  'an update that leaves a virtual host out does not take its rights from later users (001 4.3: POST roles/:name, vhosts)',
  {
    routes: {
      'broker.writeRole': (original) => async (call) => {
        const given = await original(call)
        const known = rightsGiven(call.state)
        const written = call.rules.vhostsOf(call.state.roles.get(roleName(call))?.vhosts ?? '')
        known.set(roleName(call), new Map([...(known.get(roleName(call)) ?? []), ...written]))
        return given
      },
      'broker.deleteRole': (original) => (call) => {
        rightsGiven(call.state).delete(roleName(call))
        return original(call)
      },
      'broker.readCreds': (original) => (call) => {
        const { rules } = call
        const earlier = rightsGiven(call.state).get(roleName(call)) ?? []
        return original(withRules(call, { rightsOfUser: (rights) => new Map([...earlier, ...rules.rightsOfUser(rights)]) }))
      },
    },
  },
)

const deletedRoles = remembered(() => new Map<string, BrokerRole>())
change(
  'east-deleted-fields-return',
  'BROKER-ROLE-05',
  'a role that is made anew gets what is not given from the deleted one (001 4.3: roles/:name, defaults "")',
  {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(roleName(call))
        if (role) deletedRoles(call.state).set(roleName(call), role)
        return original(call)
      },
      'broker.writeRole': (original) => (call) => {
        const role = deletedRoles(call.state).get(roleName(call))
        if (!role) return original(call)
        deletedRoles(call.state).delete(roleName(call))
        const body = { tags: role.tags, vhosts: role.vhosts, vhost_topics: role.vhostTopics, ...call.body }
        return original({ ...call, body })
      },
    },
  },
)

route(
  'east-removal-by-old-connection',
  'BROKER-CREDS-06',
  'users are removed through the connection that made them, even after it was replaced (001 4.3: POST config/connection)',
  'broker.readCreds',
  (original) => (call) => original(withState(call, { connection: call.state.connection })),
)

route(
  'east-refused-password-kept',
  'BROKER-CONN-08',
  'a connection that fails verification leaves its password in the one in use (001 4.3: config/connection, verify_connection)',
  'broker.writeConnection',
  (original) => async (call) => {
    const { state } = call
    const before = state.connection
    try {
      return await original(call)
    } catch (cause) {
      const { password } = call.body
      if (before && typeof password === 'string' && password !== '') state.connection = { ...before, password }
      throw cause
    }
  },
)

const leasesAtFirst = remembered(() => new Map<string, BrokerState['lease']>())
route(
  'east-lease-settings-of-first-use',
  'BROKER-LEASE-01',
  'a role keeps the lease settings of its first credential, later settings do not reach it (001 4.3: POST config/lease)',
  'broker.readCreds',
  (original) => (call) => {
    const known = leasesAtFirst(call.state)
    const lease = known.get(roleName(call)) ?? call.state.lease
    known.set(roleName(call), lease)
    return original(withState(call, { lease }))
  },
)

route(
  'east-maximum-once',
  'BROKER-LEASE-04',
  'max_ttl limits the first renewal of a lease only (001 4.3: config/lease, max_ttl)',
  'broker.readCreds',
  (original) => (call) =>
    original(
      withIssue(call, (issue) => (issuing, request) => {
        const renew = async (): Promise<void> => {
          lease.latestExpiry = Number.POSITIVE_INFINITY
        }
        const lease: Lease = issue(issuing, { ...request, renew })
        return lease
      }),
    ),
)

route(
  'east-failed-removal-forgotten',
  'BROKER-CREDS-06',
  'a lease whose user could not be removed, the broker being away, ends as if it had been (000 2.3: lease; 001 1: dynamic credentials)',
  'broker.readCreds',
  (original) => (call) =>
    original(
      withIssue(
        call,
        (issue) => (issuing, request) => issue(issuing, { ...request, revoke: () => request.revoke().catch(() => undefined) }),
      ),
    ),
)

type Topics = Map<string, Map<string, TopicRights>>
route(
  'east-user-left-by-topics',
  'BROKER-CREDS-13',
  'when topic rights cannot be given, the request is refused but the user stays in the broker (001 4.3: GET creds/:name, vhost_topics)',
  'broker.readCreds',
  (original) => (call) => {
    const { rules } = call
    let beforeTopics = true
    const topicsOfUser = (topics: Topics): Topics => {
      const given = rules.topicsOfUser(topics)
      const noting = function* () {
        beforeTopics = false
        yield* given
      }
      return Object.assign(new Map(given), { [Symbol.iterator]: noting }) as Topics
    }
    return original(withRules(call, { topicsOfUser, removesAfterFailure: () => beforeTopics && rules.removesAfterFailure() }))
  },
)

route(
  'east-connection-resets-lease',
  'BROKER-CREDS-10',
  'writing the connection sets the lease settings back (001 2.3: lease config, ttl and max_ttl)',
  'broker.writeConnection',
  (original) => async (call) => {
    const given = await original(call)
    call.state.lease = { ttl: 0, maxTtl: 0 }
    return given
  },
)

route(
  'east-user-until-maximum',
  'BROKER-CREDS-05',
  'a user is removed at the end of max_ttl only, though its lease shows ttl (000 2.3: lease_duration; 001 4.3: config/lease, ttl)',
  'broker.readCreds',
  (original) => async (call) => {
    let shown = 0
    const given = await original(
      withIssue(call, (issue) => (issuing, request) => {
        shown = request.ttl
        return issue(issuing, { ...request, ttl: request.maxTtl ?? request.ttl })
      }),
    )
    return withBody(given, (body) => ({ ...body, lease_duration: Math.floor(shown) }))
  },
)

route(
  'east-first-connection-verified',
  'BROKER-CONN-10',
  'only the first connection of a mount is verified, one that replaces it is not (001 4.3: verify_connection, default true)',
  'broker.writeConnection',
  (original) => (call) => original(call.state.connection ? withRules(call, { verifies: () => false }) : call),
)
