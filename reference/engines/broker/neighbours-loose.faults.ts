/** Faults in which a request reaches another role, virtual host, user, mount or namespace than the one that it is about. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { brokerEngine } from './engine.ts'
import { known, leasing, remembering, renamed } from './loose-words.ts'
import type { BrokerState } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine)
const core = faultsOf(coreEngine, 'broker')

route(
  'near-write-takes-longer-names',
  ['BROKER-ROLE-03'],
  'writing a role also changes the roles whose names continue its name after a hyphen (001 4.3, POST roles/:name)',
  'broker.writeRole',
  (original) => async (call) => {
    const reply = await original(call)
    const name = call.params.name ?? ''
    const role = call.state.roles.get(name)
    for (const other of [...call.state.roles.keys()]) if (role && other.startsWith(`${name}-`)) call.state.roles.set(other, role)
    return reply
  },
)

route(
  'near-delete-ignores-case',
  ['BROKER-ROLE-05'],
  'deleting a role deletes the roles that differ from it in upper and lower case only (001 4.3, DELETE roles/:name)',
  'broker.deleteRole',
  (original) => (call) => {
    const name = (call.params.name ?? '').toLowerCase()
    for (const other of [...call.state.roles.keys()]) if (other.toLowerCase() === name) call.state.roles.delete(other)
    return original(call)
  },
)

rule(
  'near-rights-of-first-vhost',
  ['BROKER-VHOSTS-01', 'BROKER-VHOSTS-02'],
  'a user gets on every virtual host of the role the rights of the first one (001 4.3, map of virtual host to object)',
  {
    rightsOfUser: (original) => (rights) => {
      const all = original(rights)
      const [first] = all.values()
      return new Map([...all].map(([vhost, right]) => [vhost, first ?? right]))
    },
  },
)

rule(
  'near-default-vhost-too',
  ['BROKER-VHOSTS-04'],
  'a user also gets the rights of its first virtual host on the default one, `/` (001 4.3, vhosts)',
  {
    rightsOfUser: (original) => (rights) => {
      const all = original(rights)
      const [first] = all.values()
      return first && !all.has('/') ? new Map([...all, ['/', first]]) : all
    },
  },
)

rule(
  'near-topics-everywhere',
  ['BROKER-TOPICS-01', 'BROKER-TOPICS-02'],
  'a user gets the rights on exchanges of all virtual hosts on each of them (001 4.3, vhost_topics)',
  {
    topicsOfUser: (original) => (topics) => {
      const all = original(topics)
      const union = [...all.values()].flatMap((exchanges) => [...exchanges])
      return new Map([...all].map(([vhost, exchanges]) => [vhost, new Map([...union, ...exchanges])]))
    },
  },
)

const endings = remembered(() => new Map<string, (() => Promise<void>)[]>())

route(
  'near-lease-end-takes-role',
  ['BROKER-APART-01', 'BROKER-CREDS-10'],
  'the end of one lease removes all users of its role (001 1, dynamic broker credentials; each has a lease of its own)',
  'broker.readCreds',
  leasing((request, call) => {
    const all = endings(call.state).get(call.params.name ?? '') ?? []
    endings(call.state).set(call.params.name ?? '', all)
    all.push(request.revoke)
    const revoke = async () => {
      for (const end of all.splice(0)) await end()
    }
    return { ...request, revoke }
  }),
)

core.rule(
  'near-namespaces-share-roles',
  ['BROKER-APART-01'],
  'mounts at the same path in two namespaces have the same roles (000 2.2, the namespace is part of the path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const fresh = original(engine, others, place)
      const namesake = others.find((mount) => engine.type === 'broker' && mount.engine.type === 'broker' && mount.path === place.path)
      return namesake ? Object.assign(fresh as BrokerState, { roles: (namesake.state as BrokerState).roles }) : fresh
    },
  },
)

change(
  'near-roles-of-other-mounts',
  ['BROKER-APART-01'],
  'a role that a mount does not have is read from another broker mount that has it (000 7, 404)',
  {
    routes: {
      'broker.writeConnection': remembering,
      'broker.readRole': (original) => (call) => {
        const name = call.params.name ?? ''
        const other = [...known(call.services)].find(({ roles }) => roles.has(name))
        return original(call.state.roles.has(name) || !other ? call : { ...call, state: other })
      },
    },
  },
)

rule(
  'near-one-user-for-each-role',
  ['BROKER-CREDS-01', 'BROKER-CREDS-02'],
  'all credentials of a role are of one user, so that the second makes the first useless (001 1)',
  {
    username: () => (role) => `s-${Buffer.from(role).toString('hex')}`,
  },
)

route(
  'near-creds-of-longer-name',
  ['CORE-NAME-01'],
  'creds/:name of a role that does not exist gives a user of a role whose name begins so (readings: unknown role in an action, 400 or 404)',
  'broker.readCreds',
  renamed((name, { state }) => (state.roles.has(name) ? name : ([...state.roles.keys()].find((other) => other.startsWith(name)) ?? name))),
)

route(
  'near-connection-forgets-roles',
  ['BROKER-CONN-01', 'BROKER-CONN-02'],
  'writing the connection once more removes all roles (001 4.3, config/connection takes four fields; GET roles/:name)',
  'broker.writeConnection',
  (original) => async (call) => {
    const isSecond = call.state.connection !== undefined
    const reply = await original(call)
    if (isSecond) call.state.roles.clear()
    return reply
  },
)
