/** Faults of the broker engine: effects on neighbours. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isBroker, issuing, nameOf, ROLE_OPERATIONS, renamed, usernameIn, withRole, withState } from './anew-help.ts'
import { brokerEngine } from './engine.ts'
import { type BrokerAddress, management } from './management.ts'
import type { BrokerRole, BrokerState, TopicRights } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

core.rule(
  'anew-mount-seen-from-namespaces-below',
  ['CORE-NS-07'],
  'A mount answers under its path in a namespace below its own, too (000 2.2: header followed by path names another effective path)',
  {
    mountsSeen: (original) => (all, namespace) => [
      ...original(all, namespace),
      ...all.filter((mount) => isBroker(mount.engine) && mount.namespace !== namespace && namespace.startsWith(mount.namespace)),
    ],
  },
)

const latestLease = remembered(() => ({ lease: undefined as BrokerState['lease'] | undefined }))

change(
  'anew-lease-settings-of-latest-mount',
  'BROKER-APART-01',
  'Credentials of all mounts go by the lease settings that were written last on any (001 4.3: `{broker_mount}/config/lease`)',
  {
    routes: {
      'broker.writeLease': (original) => async (call) => {
        const reply = await original(call)
        latestLease(call.services).lease = call.state.lease
        return reply
      },
      'broker.readCreds': (original) => (call) =>
        original(withState(call, { lease: latestLease(call.services).lease ?? call.state.lease })),
    },
  },
)

const latestConnection = remembered(() => ({ connection: undefined as BrokerAddress | undefined }))

change(
  'anew-connection-of-latest-mount',
  ['BROKER-CONN-01'],
  'Users are made through the connection that was written last on any mount (001 1 and 2.3: a mount "stores a broker admin connection")',
  {
    routes: {
      'broker.writeConnection': (original) => async (call) => {
        const reply = await original(call)
        latestConnection(call.services).connection = call.state.connection
        return reply
      },
      'broker.readCreds': (original) => (call) => original(call.state.connection ? withState(call, latestConnection(call.services)) : call),
    },
  },
)

const byName = remembered(() => new Map<string, BrokerRole>())

change(
  'anew-rights-of-namesake-on-other-mount',
  ['BROKER-APART-01'],
  'Credentials have the rights of the role of that name written last, be it on another mount (001 4.3: `{broker_mount}/roles/:name`)',
  {
    routes: {
      'broker.writeRole': (original) => async (call) => {
        const reply = await original(call)
        const role = call.state.roles.get(nameOf(call))
        if (role) byName(call.services).set(nameOf(call), role)
        return reply
      },
      'broker.readCreds': (original) => (call) => {
        const role = byName(call.services).get(nameOf(call))
        return original(role && call.state.roles.has(nameOf(call)) ? withRole(call, role) : call)
      },
    },
  },
)

route(
  'anew-deletion-by-prefix',
  ['CORE-NAME-01'],
  'Deleting the role `app` also deletes `app-2` (001 4.3: DELETE roles/:name "delete role", the named one)',
  'broker.deleteRole',
  (original) => (call) => {
    for (const name of [...call.state.roles.keys()]) if (name.startsWith(nameOf(call))) call.state.roles.delete(name)
    return original(call)
  },
)

route(
  'anew-roles-without-case',
  ['BROKER-ROLE-03'],
  'The roles `Ops` and `ops` are one: writing or deleting one hits the other (001 4.3: a role by its `:name`)',
  ROLE_OPERATIONS,
  renamed((name) => name.toLowerCase()),
)

const newest = remembered(() => new Map<string, string>())

route(
  'anew-lease-end-takes-newest-user',
  ['BROKER-CREDS-06'],
  'The end of a lease removes the user that its role made last and leaves its own (000 2.3: `lease_id` of this credential; 001 1: dynamic)',
  'broker.readCreds',
  (original) => async (call) => {
    const { state } = call
    const revoke = async (): Promise<void> => {
      const user = newest(state).get(nameOf(call))
      if (user !== undefined && state.connection) await management.deleteUser(state.connection, user)
    }
    const reply = await original(issuing(call, (request) => ({ ...request, revoke })))
    newest(state).set(nameOf(call), usernameIn(reply))
    return reply
  },
)

const made = remembered(() => new Map<string, Set<string>>())

route(
  'anew-lease-end-takes-all-users-of-role',
  ['BROKER-CREDS-06'],
  'The end of one lease removes every user of the same role (000 2.3: each answer has its own `lease_id` and `lease_duration`)',
  'broker.readCreds',
  (original) => async (call) => {
    const { state } = call
    const users = made(state).get(nameOf(call)) ?? new Set<string>()
    made(state).set(nameOf(call), users)
    const clear = async (): Promise<void> => {
      for (const user of users) if (state.connection) await management.deleteUser(state.connection, user)
      users.clear()
    }
    const reply = await original(
      issuing(call, (request) => ({
        ...request,
        async revoke() {
          await request.revoke()
          await clear()
        },
      })),
    )
    users.add(usernameIn(reply))
    return reply
  },
)

rule(
  'anew-rights-of-first-virtual-host',
  ['BROKER-VHOSTS-01'],
  'All virtual hosts of a role get the rights of its first one (001 4.3: `vhosts`, a "map of virtual host to object")',
  {
    rightsOfUser: (original) => (rights) => {
      const given = original(rights)
      const [first] = given.values()
      return first ? new Map([...given.keys()].map((vhost) => [vhost, first])) : given
    },
  },
)

rule(
  'anew-topics-by-exchange-alone',
  ['BROKER-TOPICS-01'],
  'An exchange of one name in two virtual hosts gets the rights of the last (001 4.3: "map of virtual host to exchange to object")',
  {
    topicsOfUser: (original) => (topics) => {
      const given = original(topics)
      const flat = new Map<string, TopicRights>([...given.values()].flatMap((exchanges) => [...exchanges]))
      return new Map(
        [...given].map(([vhost, exchanges]) => [vhost, new Map([...exchanges].map(([name, right]) => [name, flat.get(name) ?? right]))]),
      )
    },
  },
)

rule(
  'anew-one-user-for-each-role',
  ['BROKER-CREDS-01'],
  'A second credential of a role takes over the user of the first with a new password (001 1: "generates dynamic broker credentials")',
  {
    username: (original) => {
      const known = new Map<string, string>()
      return (role, random) => {
        const user = known.get(role) ?? original(role, random)
        known.set(role, user)
        return user
      }
    },
  },
)

rule(
  'anew-empty-fields-of-role-read-before',
  ['BROKER-VHOSTS-05', 'BROKER-TAGS-02'],
  'A role read shows, for fields that are empty, what the role read before it had (001 4.3: `data.tags`, `data.vhosts` of this role)',
  {
    shownRole: (original) => {
      const shared: Record<string, Json> = {}
      return (role) => {
        for (const [field, value] of Object.entries(original(role))) if (value !== '' || shared[field] === undefined) shared[field] = value
        return { ...shared }
      }
    },
  },
)
