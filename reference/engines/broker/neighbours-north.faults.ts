/** Faults that reach a neighbour: another role, user, caller, mount, namespace, virtual host or exchange. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { brokerEngine } from './engine.ts'
import { management } from './management.ts'
import { about, deciding, leaseIn, nameOf, roleIn, userIn } from './north-help.ts'
import type { BrokerRole, BrokerState, TopicRights, VhostRights } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

route(
  'north-deletion-by-beginning',
  'CORE-NAME-01',
  'deleting a role deletes those whose names begin with its name (001 4.3: DELETE roles/:name, delete role)',
  'broker.deleteRole',
  (original) => async (call) => {
    const given = await original(call)
    for (const name of [...call.state.roles.keys()]) if (name.startsWith(nameOf(call))) call.state.roles.delete(name)
    return given
  },
)

const configured = remembered(() => new Set<BrokerState>())
route(
  'north-lease-of-all-mounts',
  'BROKER-APART-01',
  'lease times written at one mount replace those of other mounts (001 4.3: {broker_mount}/config/lease)',
  'broker.writeLease',
  (original) => async (call) => {
    const given = await original(call)
    const all = configured(call.services).add(call.state)
    for (const state of all) state.lease = call.state.lease
    return given
  },
)

const parsed = remembered(() => new Map<string, Map<string, VhostRights>>())
change(
  'north-rights-cached-by-name-only',
  'BROKER-APART-01',
  'a role gets the rights of the role of its name at another mount that was used before (001 4.3: {broker_mount}/creds/:name, vhosts)',
  {
    routes: {
      'broker.writeRole': (original) => (call) => {
        parsed(call.services).delete(nameOf(call))
        return original(call)
      },
      'broker.readCreds': (original) => (call) => {
        const cache = parsed(call.services)
        const rightsOfUser = (own: Map<string, VhostRights>) => {
          const known = cache.get(nameOf(call)) ?? own
          cache.set(nameOf(call), known)
          return known
        }
        return original(deciding(call, { rightsOfUser }))
      },
    },
  },
)

core.rule(
  'north-roles-shared-by-namespaces',
  'BROKER-APART-01',
  'brokers mounted at one path in two namespaces share their roles (000 2.2: effective path is the header value followed by the path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const same = others.find((mount) => mount.engine.type === 'broker' && mount.path === place.path)
      if (engine.type !== 'broker' || same === undefined) return state
      return Object.assign(state as BrokerState, { roles: (same.state as BrokerState).roles })
    },
  },
)

const usersOf = remembered(() => new Map<string, string[]>())
route(
  'north-end-of-lease-ends-elder-users',
  'BROKER-APART-01',
  'the end of a lease also removes the users that the role gave before (001 1: dynamic broker credentials; 4.3: creds, config/lease)',
  'broker.readCreds',
  (original) => async (call) => {
    const given = await original(call)
    const lease = leaseIn(call, given)
    const broker = call.state.connection
    const elder = usersOf(call.state).get(nameOf(call)) ?? []
    usersOf(call.state).set(nameOf(call), [...elder, userIn(given)])
    if (lease === undefined || broker === undefined) return given
    const { revoke } = lease.request
    lease.request.revoke = async () => {
      await revoke()
      for (const user of elder) await management.deleteUser(call.state.connection ?? broker, user)
    }
    return given
  },
)

const pooled = remembered(() => new Map<string, { token: string | undefined; lease: string; given: Reply }>())
route(
  'north-user-shared-by-callers',
  'BROKER-CREDS-10',
  'a caller gets the user that another caller got, while its lease lives (001 1: generates dynamic broker credentials; 4.3: creds)',
  'broker.readCreds',
  (original) => async (call) => {
    const { leases } = call.services
    const known = pooled(call.state).get(nameOf(call))
    if (known !== undefined && known.token !== call.token?.id && leases.find(known.lease) !== undefined) return known.given
    const given = await original(call)
    pooled(call.state).set(nameOf(call), { token: call.token?.id, lease: leaseIn(call, given)?.id ?? '', given })
    return given
  },
)

rule(
  'north-vhosts-that-differ-by-case',
  'BROKER-VHOSTS-04',
  'of virtual hosts whose names differ by case the first alone is permitted (001 4.3: vhosts, map of virtual host to object)',
  {
    rightsOfUser: (original) => (rights) => {
      const all = [...original(rights)]
      const isFirst = (vhost: string, index: number) => all.findIndex(([other]) => other.toLowerCase() === vhost.toLowerCase()) === index
      return new Map(all.filter(([vhost], index) => isFirst(vhost, index)))
    },
  },
)

rule(
  'north-exchange-known-by-name-only',
  'BROKER-TOPICS-01',
  'an exchange of one name in two virtual hosts gets the rights of the first (001 4.3: vhost_topics, map of virtual host to exchange)',
  {
    topicsOfUser: (original) => (topics) => {
      const given = [...original(topics)]
      const first = new Map<string, TopicRights>()
      for (const [, exchanges] of given) for (const [exchange, rights] of exchanges) if (!first.has(exchange)) first.set(exchange, rights)
      return new Map(
        given.map(([vhost, exchanges]) => [
          vhost,
          new Map([...exchanges].map(([exchange, rights]) => [exchange, first.get(exchange) ?? rights])),
        ]),
      )
    },
  },
)

route(
  'north-topics-of-permitted-vhosts-only',
  'BROKER-TOPICS-01',
  'topic rights in a virtual host that vhosts does not name are left out (001 4.3: vhost_topics, a map of its own)',
  'broker.readCreds',
  (original) => (call) => {
    const permitted = call.rules.vhostsOf(roleIn(call)?.vhosts ?? '')
    return original(
      deciding(call, {
        topicsOfUser: (topics) => new Map([...call.rules.topicsOfUser(topics)].filter(([vhost]) => permitted.has(vhost))),
      }),
    )
  },
)

route(
  'north-ending-cut-from-names',
  'CORE-NAME-01',
  'what follows the last dot of a name is taken for a format, so that app.one and app.two are one role (001 4.3: roles/:name)',
  ['broker.writeRole', 'broker.readRole', 'broker.deleteRole', 'broker.readCreds'],
  (original) => (call) => original(about(call, nameOf(call).replace(/(?<=.)\.\w+$/, ''))),
)

const byVhosts = remembered(() => new Map<string, { name: string; role: BrokerRole }>())
route(
  'north-tags-by-vhosts',
  'BROKER-APART-01',
  'of two roles with the same vhosts the one used later gives the tags of the other (001 4.3: tags, of roles/:name)',
  'broker.readCreds',
  (original) => (call) => {
    const role = roleIn(call)
    if (role === undefined || role.vhosts === '') return original(call)
    const known = byVhosts(call.state).get(role.vhosts)
    if (known === undefined || known.name === nameOf(call)) {
      byVhosts(call.state).set(role.vhosts, { name: nameOf(call), role })
      return original(call)
    }
    return original(deciding(call, { tagsOfUser: () => call.rules.tagsOfUser(known.role) }))
  },
)
