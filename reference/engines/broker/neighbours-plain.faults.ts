/** Faults that reach a neighbour: another role, user, virtual host, exchange, mount or namespace. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { brokerEngine } from './engine.ts'
import { calledAs, leaseIn, nameIn, seeing } from './plain-help.ts'
import type { BrokerState, TopicRights } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

route(
  'plain-read-finds-case-variant',
  'BROKER-ROLE-05',
  'a role that does not exist is read as the one whose name differs in case (000 7: 404, invalid path; 001 4.3: GET roles/:name)',
  'broker.readRole',
  (original) => (call) => {
    const name = nameIn(call)
    const known = [...call.state.roles.keys()]
    return original(
      calledAs(call, known.find((role) => role === name) ?? known.find((role) => role.toLowerCase() === name.toLowerCase()) ?? name),
    )
  },
)

const withRoles = remembered(() => new Set<BrokerState>())
change(
  'plain-creds-of-other-mounts-role',
  'BROKER-APART-01',
  'where a mount lacks a role, credentials come from the role of that name in another mount (001 4.3: {broker_mount}/creds/:name)',
  {
    routes: {
      'broker.writeRole': (original) => (call) => {
        withRoles(call.services).add(call.state)
        return original(call)
      },
      'broker.readCreds': (original) => (call) => {
        const name = nameIn(call)
        if (call.state.roles.has(name)) return original(call)
        const role = [...withRoles(call.services)].map(({ roles }) => roles.get(name)).find((found) => found !== undefined)
        return original(role ? seeing(call, { roles: new Map([[name, role]]) }) : call)
      },
    },
  },
)

rule(
  'plain-users-of-similar-roles-collide',
  'BROKER-VHOSTS-07',
  'users are numbered per role but named by its first letters only, so that the user of a similar role is overwritten (001 4.3: GET creds/:name)',
  {
    username: () => {
      const counts = new Map<string, number>()
      let own = ''
      return (role, random) => {
        own ||= random.word(8)
        const count = (counts.get(role) ?? 0) + 1
        counts.set(role, count)
        return `s-${role.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 12)}-${own}-${count}`
      }
    },
  },
)

rule(
  'plain-default-vhost-too',
  'BROKER-VHOSTS-04',
  'whoever has rights on a virtual host has them on / as well (001 4.3: vhosts, map of virtual host to rights)',
  {
    rightsOfUser: (original) => (rights) => {
      const [first] = original(rights).values()
      return first ? new Map([['/', first], ...original(rights)]) : rights
    },
  },
)

rule(
  'plain-topics-by-exchange-name',
  'BROKER-TOPICS-01',
  'an exchange of one name in two virtual hosts gets the rights of the last in both (001 4.3: vhost_topics, virtual host to exchange to rights)',
  {
    topicsOfUser: (original) => (topics) => {
      const byExchange = new Map<string, TopicRights>([...original(topics).values()].flatMap((exchanges) => [...exchanges]))
      return new Map(
        [...topics].map(([vhost, exchanges]) => [
          vhost,
          new Map([...exchanges].map(([exchange, rights]) => [exchange, byExchange.get(exchange) ?? rights])),
        ]),
      )
    },
  },
)

core.rule(
  'plain-mount-of-parent-namespace',
  'CORE-NS-07',
  'a namespace reaches the broker mounts of the namespaces above it (000 2.2: effective path)',
  {
    mountsSeen: (original) => (all, namespace) => [
      ...original(all, namespace),
      ...all.filter((mount) => mount.engine.type === 'broker' && mount.namespace !== namespace && namespace.startsWith(mount.namespace)),
    ],
  },
)

core.rule(
  'plain-state-by-mount-path',
  'BROKER-APART-01',
  'broker mounts of the same path in two namespaces are one (000 2.2: the namespace is part of the effective path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const namesake = others.find((mount) => mount.engine.type === 'broker' && engine.type === 'broker' && mount.path === place.path)
      return namesake ? namesake.state : original(engine, others, place)
    },
  },
)

const lastTopics = remembered(() => ({ text: '' }))
route(
  'plain-topics-of-previous-role',
  'BROKER-TOPICS-06',
  'a role written without vhost_topics gets those of the role written before it (001 4.3: vhost_topics, default "")',
  'broker.writeRole',
  (original) => async (call) => {
    const last = lastTopics(call.state)
    const given = await original({ ...call, body: { vhost_topics: last.text, ...call.body } })
    last.text = call.state.roles.get(nameIn(call))?.vhostTopics ?? ''
    return given
  },
)

route(
  'plain-creds-by-longest-prefix',
  'CORE-NAME-01',
  'credentials of an unknown role come from the role whose name its name begins with (001 4.3: GET creds/:name)',
  'broker.readCreds',
  (original) => (call) => {
    const fitting = [...call.state.roles.keys()].filter((role) => nameIn(call).startsWith(role)).sort((a, b) => b.length - a.length)
    return original(calledAs(call, fitting[0] ?? nameIn(call)))
  },
)

route(
  'plain-new-connection-resets-lease',
  'BROKER-CREDS-10',
  'writing the connection again sets the lease settings back to 0 (001 2.3: connection and lease config are two resources)',
  'broker.writeConnection',
  (original) => async (call) => {
    const isSecond = call.state.connection !== undefined
    const given = await original(call)
    if (isSecond) call.state.lease = { ttl: 0, maxTtl: 0 }
    return given
  },
)

const leaseByCaller = remembered(() => new Map<string, string>())
route(
  'plain-one-user-per-caller-and-role',
  'BROKER-CREDS-01',
  'new credentials of a role end those that the same token got before (001 4.3: GET creds/:name; 000 2.3: lease_duration)',
  'broker.readCreds',
  (original) => async (call) => {
    const given = await original(call)
    const leases = leaseByCaller(call.state)
    const key = `${call.token?.id} ${nameIn(call)}`
    const earlier = leases.get(key)
    leases.set(key, leaseIn(call, given)?.id ?? '')
    if (earlier) await call.services.leases.revoke(earlier)
    return given
  },
)
