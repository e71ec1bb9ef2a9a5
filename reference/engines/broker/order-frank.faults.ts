/** Faults of time and order: second calls, updates, deletion and re-creation, expiry and renewal, a broker that was away. */
import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, bySeenRole, remembered } from '../../mutations/remembering.ts'
import { brokerEngine } from './engine.ts'
import { aboutLease, nameOf, withRole, withRules, withState } from './frank-help.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerRole, BrokerState, VhostRights } from './state.ts'

const { route, change } = faultsOf(brokerEngine, 'broker')

const userNames = remembered(() => new Map<string, string>())
route(
  'frank-same-user-again',
  'BROKER-CREDS-01',
  'a token that asks again for credentials of a role gets the same user with another password (001 1: generates dynamic broker credentials)',
  'broker.readCreds',
  (original) => (call) => {
    const [names, owner] = [userNames(call.state), `${call.token?.accessor} ${nameOf(call)}`]
    const username: BrokerRules['username'] = (role, random) => {
      const name = names.get(owner) ?? call.rules.username(role, random)
      names.set(owner, name)
      return name
    }
    return original(withRules(call, { username }))
  },
)

route(
  'frank-update-one-user-late',
  'BROKER-ROLE-05',
  'the first user after an update of a role still gets the rights of before (001 4.3: creds/:name of the role as it is written)',
  'broker.readCreds',
  bySeenRole<BrokerState, BrokerRules>((seen, current) => current && (seen ?? current)),
)

const deletedInUse = remembered(() => new Map<string, BrokerRole>())
change(
  'frank-deleted-while-in-use',
  'BROKER-ROLE-05',
  'a deleted role gives credentials as long as one of its users lives (001 4.3: delete role)',
  {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role) deletedInUse(call.state).set(nameOf(call), role)
        return original(call)
      },
      'broker.readCreds': (original) => (call) => {
        const [name, { leases }] = [nameOf(call), call.services]
        const before = call.state.roles.has(name) ? undefined : deletedInUse(call.state).get(name)
        const isInUse = before && leases.withPrefix(`${call.mount.namespace}${call.path}/`).length > 0
        return original(isInUse ? withRole(call, name, before) : call)
      },
    },
  },
)

const graves = remembered(() => new Map<string, BrokerRole>())
change(
  'frank-re-created-with-old-fields',
  'BROKER-ROLE-05',
  'a role written again after its deletion keeps of the deleted one what is not given (001 4.3: delete role; tags, vhosts, vhost_topics default "")',
  {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role) graves(call.state).set(nameOf(call), role)
        return original(call)
      },
      'broker.writeRole': (original) => (call) => {
        const dead = graves(call.state).get(nameOf(call))
        graves(call.state).delete(nameOf(call))
        return original(dead ? { ...call, body: { ...call.rules.shownRole(dead), ...call.body } } : call)
      },
    },
  },
)

route(
  'frank-stored-before-checked',
  'BROKER-VHOSTS-06',
  'a role whose vhosts are refused is stored all the same (000 7: 400, invalid request; 001 4.3: vhosts, JSON-encoded map)',
  'broker.writeRole',
  (original) => (call) => {
    call.state.roles.set(nameOf(call), call.rules.roleOf(call.body))
    return original(call)
  },
)

route(
  'frank-refused-connection-closes-first',
  'BROKER-CONN-08',
  'a connection that is refused takes the working one before it away (000 7: 400, invalid request; 001 4.3: verify_connection)',
  'broker.writeConnection',
  (original) => (call) => {
    call.state.connection = undefined
    return original(call)
  },
)

route(
  'frank-removed-as-first-admin',
  'BROKER-CREDS-06',
  'users are removed by the admin who made them, though the connection has another since (001 4.3: config/connection; 000 2.3: lease_duration)',
  'broker.readCreds',
  (original) => (call) => original(withState(call, { connection: call.state.connection })),
)

route(
  'frank-renewal-keeps-first-timer',
  'BROKER-CREDS-10',
  'a renewed credential loses its user when its first lifetime is over (000 2.3: renewable, lease_duration)',
  'broker.readCreds',
  aboutLease((lease, { services }) => {
    services.clock.after(lease.ttl, () => {
      if (services.leases.find(lease.id)?.renewedAt !== undefined) void lease.request.revoke().catch(() => undefined)
    })
  }),
)

route(
  'frank-maximum-only-falls',
  'BROKER-LEASE-01',
  'max_ttl can be lowered by a second write of the lease settings, but neither raised nor taken back (001 4.3: max_ttl, int seconds, default 0)',
  'broker.writeLease',
  (original) => async (call) => {
    const before = call.state.lease.maxTtl
    const reply = await original(call)
    const { ttl, maxTtl } = call.state.lease
    if (before > 0) call.state.lease = { ttl, maxTtl: Math.min(before, maxTtl || before) }
    return reply
  },
)

route(
  'frank-broken-by-one-failure',
  'BROKER-CREDS-12',
  'after one user could not be made, no role of the mount gives credentials until the connection is written anew (001 4.3: creds/:name)',
  'broker.readCreds',
  brokenAfterFailure((call) => call.state.connection, 'the connection is closed'),
)

const everGiven = remembered(() => new Map<string, Map<string, VhostRights>>())
change(
  'frank-vhosts-add-up',
  'BROKER-ROLE-02',
  'a vhost that an update takes out of a role is still given to its users (001 4.3: vhosts, the map that is written)',
  {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        everGiven(call.state).delete(nameOf(call))
        return original(call)
      },
      'broker.readCreds': (original) => (call) => {
        const rightsOfUser: BrokerRules['rightsOfUser'] = (rights) => {
          const all = new Map([...(everGiven(call.state).get(nameOf(call)) ?? []), ...call.rules.rightsOfUser(rights)])
          everGiven(call.state).set(nameOf(call), all)
          return all
        }
        return original(withRules(call, { rightsOfUser }))
      },
    },
  },
)

const verified = remembered(() => new Set<string>())
route(
  'frank-verified-once-for-all',
  'BROKER-CONN-06',
  'a broker that was verified once is not asked again when another password is written (001 4.3: verify_connection, default true)',
  'broker.writeConnection',
  (original) => async (call) => {
    const [known, uri] = [verified(call.state), call.rules.connectionOf(call.body).uri]
    const reply = await original(known.has(uri) ? { ...call, body: { ...call.body, verify_connection: false } } : call)
    if (call.rules.verifies(call.body)) known.add(uri)
    return reply
  },
)
