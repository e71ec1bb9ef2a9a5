/** Faults that show on a neighbour: another role, mount, namespace, vhost or credential than the one that is asked for. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered, sharedWithinSecond } from '../../mutations/remembering.ts'
import { brokerEngine } from './engine.ts'
import { nameOf, revokedBy, withName, withRole, withState } from './frank-help.ts'
import type { BrokerAddress } from './management.ts'
import type { BrokerRole, BrokerState } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

route(
  'frank-delete-by-prefix',
  'CORE-NAME-01',
  'deleting a role deletes all roles whose names begin with its name (001 4.3: DELETE roles/:name, delete role)',
  'broker.deleteRole',
  (original) => (call) => {
    for (const name of [...call.state.roles.keys()]) if (name.startsWith(nameOf(call))) call.state.roles.delete(name)
    return original(call)
  },
)

route(
  'frank-delete-revokes-similar',
  'BROKER-APART-01',
  'deleting a role revokes the credentials of roles whose names are longer (000 2.3: lease_duration; 001 4.3: delete role)',
  'broker.deleteRole',
  (original) => async (call) => {
    const reply = await original(call)
    await call.services.leases.revokePrefix(`${call.mount.namespace}${call.mount.path}creds/${nameOf(call)}`).catch(() => undefined)
    return reply
  },
)

route(
  'frank-revoke-takes-siblings',
  'BROKER-CREDS-06',
  'the end of one credential removes the users of all that the same token got of that role (000 2.3: lease_id, lease_duration of each)',
  'broker.readCreds',
  revokedBy(async (revoke, lease, call) => {
    await revoke()
    const { leases } = call.services
    for (const id of leases.withPrefix(`${lease.namespace}${lease.path}/`)) {
      if (leases.find(id)?.tokenId === lease.tokenId) await leases.revoke(id)
    }
  }),
)

const rolesInUse = remembered(() => new Map<string, { owner: BrokerState; role: BrokerRole }>())
change(
  'frank-roles-used-by-name',
  'BROKER-APART-01',
  'a role once used serves the role of the same name in other mounts, too (001 4.3: {broker_mount}/creds/:name, {broker_mount}/roles/:name)',
  {
    routes: {
      'broker.writeRole': (original) => (call) => {
        const known = rolesInUse(call.services)
        if (known.get(nameOf(call))?.owner === call.state) known.delete(nameOf(call))
        return original(call)
      },
      'broker.deleteRole': (original) => (call) => {
        const known = rolesInUse(call.services)
        if (known.get(nameOf(call))?.owner === call.state) known.delete(nameOf(call))
        return original(call)
      },
      'broker.readCreds': (original) => (call) => {
        const [known, role] = [rolesInUse(call.services), call.state.roles.get(nameOf(call))]
        if (role === undefined) return original(call)
        const used = known.get(nameOf(call)) ?? { owner: call.state, role }
        known.set(nameOf(call), used)
        return original(withRole(call, nameOf(call), used.role))
      },
    },
  },
)

const latestConnection = remembered((): { address?: BrokerAddress } => ({}))
change(
  'frank-connection-of-another',
  'BROKER-CONN-12',
  'a mount without connection makes its users through that of another mount (001 4.3: {broker_mount}/config/connection, connection_uri required)',
  {
    routes: {
      'broker.writeConnection': (original) => async (call) => {
        const reply = await original(call)
        latestConnection(call.services).address = call.state.connection
        return reply
      },
      'broker.readCreds': (original) => (call) =>
        original(call.state.connection ? call : withState(call, { connection: latestConnection(call.services).address })),
    },
  },
)

rule(
  'frank-topics-in-every-vhost',
  'BROKER-TOPICS-01',
  'the exchanges of one vhost are permitted in the other vhosts of vhost_topics as well (001 4.3: vhost_topics, map of vhost to exchange)',
  {
    topicsOfUser: (original) => (topics) => {
      const own = original(topics)
      const all = [...own.values()].flatMap((exchanges) => [...exchanges])
      return new Map([...own].map(([vhost, exchanges]) => [vhost, new Map([...all, ...exchanges])]))
    },
  },
)

route(
  'frank-one-user-a-second',
  'BROKER-CREDS-08',
  'whoever asks for credentials of a role within a second of another caller gets the same user (001 1: credentials are dynamic; 4.3: creds)',
  'broker.readCreds',
  sharedWithinSecond((call) => call.state.roles.get(call.params.name ?? '')),
)

route(
  'frank-connection-resets-lease',
  'BROKER-CREDS-10',
  'writing the connection anew sets the lease settings back (001 4.3: config/connection has four parameters; config/lease)',
  'broker.writeConnection',
  (original) => async (call) => {
    const isNew = call.state.connection === undefined
    const reply = await original(call)
    if (!isNew) call.state.lease = { ttl: 0, maxTtl: 0 }
    return reply
  },
)

route(
  'frank-creds-of-longest-prefix',
  'CORE-NAME-01',
  'credentials of an unknown role are those of the role whose name it begins with (001 4.3: creds/:name of that role)',
  'broker.readCreds',
  (original) => (call) => {
    const { roles } = call.state
    if (roles.has(nameOf(call))) return original(call)
    const nearest = [...roles.keys()].filter((name) => nameOf(call).startsWith(name)).sort((a, b) => b.length - a.length)[0]
    return original(nearest === undefined ? call : withName(call, nearest))
  },
)

route(
  'frank-name-ends-at-dot',
  'CORE-NAME-01',
  'credentials of app.v2 are those of app where there is such a role: what follows the last dot is taken for a format (001 4.3: creds/:name)',
  'broker.readCreds',
  (original) => (call) => {
    const stem = nameOf(call).replace(/\.[^.]*$/, '')
    return original(call.state.roles.has(stem) ? withName(call, stem) : call)
  },
)

core.rule(
  'frank-state-by-mount-path',
  'BROKER-APART-01',
  'broker mounts of the same path in two namespaces share roles and settings (000 2.2: the namespace is a part of the effective path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const namesake = others.find(({ engine: other, path }) => engine.type === 'broker' && other.type === 'broker' && path === place.path)
      return namesake?.state ?? original(engine, others, place)
    },
  },
)
