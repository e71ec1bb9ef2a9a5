/** Faults of the broker that hit a neighbour: another role, user, vhost, exchange, mount or namespace. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { nameOf, renamed, withLease, withRules } from './amber-help.ts'
import { brokerEngine } from './engine.ts'
import { management } from './management.ts'
import type { BrokerState, TopicRights, VhostRights } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

route(
  'amber-delete-takes-longer-names',
  'BROKER-ROLE-05',
  'deleting a role deletes the roles whose names go on after a hyphen, too (001 4.3: DELETE roles/:name)',
  'broker.deleteRole',
  (original) => (call) => {
    const { roles } = call.state
    for (const name of [...roles.keys()]) if (name.startsWith(`${nameOf(call)}-`)) roles.delete(name)
    return original(call)
  },
)

route(
  'amber-write-hits-case-variant',
  'BROKER-ROLE-03',
  'writing a role overwrites one whose name differs by case only (001 4.3: POST roles/:name)',
  'broker.writeRole',
  (original) => (call) => {
    const lower = nameOf(call).toLowerCase()
    const known = [...call.state.roles.keys()].find((name) => name.toLowerCase() === lower)
    return original(renamed(call, known ?? nameOf(call)))
  },
)

core.rule(
  'amber-roles-shared-by-namespaces',
  'BROKER-APART-01',
  'mounts of one path in two namespaces share their roles (000 2.2: effective request path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      if (engine.type !== 'broker') return state
      const namesake = others.find(
        (mount) => mount.engine.type === 'broker' && mount.path === place.path && mount.namespace !== place.namespace,
      )
      return namesake ? { ...(state as BrokerState), roles: (namesake.state as BrokerState).roles } : state
    },
  },
)

const usersByRole = remembered(() => new Map<string, string[]>())

route(
  'amber-revoke-takes-siblings',
  'BROKER-CREDS-10',
  'the end of one lease removes all users of its role (001 1: dynamic credentials; 000 2.3: lease_id)',
  'broker.readCreds',
  (original) => async (call) => {
    const { state } = call
    const name = nameOf(call)
    const users = usersByRole(state)
    const given = await original(
      withLease(call, (request) => ({
        ...request,
        async revoke() {
          await request.revoke()
          for (const user of users.get(name) ?? []) if (state.connection) await management.deleteUser(state.connection, user)
          users.delete(name)
        },
      })),
    )
    const { username } = (given.body as { data: JsonObject }).data
    users.set(name, [...(users.get(name) ?? []), String(username)])
    return given
  },
)

rule(
  'amber-last-rights-everywhere',
  'BROKER-ROLE-02',
  'every vhost of a user gets the rights of the last one (001 4.3: vhosts, map of virtual host to object)',
  {
    rightsOfUser: (original) => (rights) => {
      const all = original(rights)
      const last = [...all.values()].at(-1)
      return last ? new Map([...all.keys()].map((vhost) => [vhost, last])) : all
    },
  },
)

rule(
  'amber-exchange-rights-by-name',
  'BROKER-TOPICS-01',
  'an exchange of two vhosts has the rights of the first vhost in both (001 4.3: vhost_topics)',
  {
    topicsOfUser: (original) => (topics) => {
      const known = new Map<string, TopicRights>()
      const first = (exchange: string, rights: TopicRights): TopicRights => {
        if (!known.has(exchange)) known.set(exchange, rights)
        return known.get(exchange) ?? rights
      }
      return new Map(
        [...original(topics)].map(([vhost, exchanges]) => [
          vhost,
          new Map([...exchanges].map(([exchange, rights]) => [exchange, first(exchange, rights)])),
        ]),
      )
    },
  },
)

rule(
  'amber-like-named-roles-share-users',
  'BROKER-CREDS-02',
  'roles whose names begin alike count their users in one series of names (001 4.3: GET creds/:name)',
  {
    username: () => {
      const counts = new Map<string, number>()
      let series: string | undefined
      return (role, random) => {
        series ??= random.word(8)
        const count = (counts.get(role) ?? 0) + 1
        counts.set(role, count)
        return `s-${role.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 12)}-${series}-${count}`
      }
    },
  },
)

route(
  'amber-names-lose-extension',
  'BROKER-TAGS-01',
  'role names are cut before their last dot, so that two versions are one role (001 4.3: roles/:name)',
  ['broker.writeRole', 'broker.readRole', 'broker.deleteRole', 'broker.readCreds'],
  (original) => (call) => original(renamed(call, nameOf(call).replace(/(.)\.[^.]+$/, '$1'))),
)

route(
  'amber-topics-in-every-vhost',
  'BROKER-ROLE-02',
  'the topic rights of the first vhost are given in all vhosts that have none of their own (001 4.3: vhost_topics)',
  'broker.readCreds',
  (original) => (call) => {
    const vhosts = [...call.rules.vhostsOf(call.state.roles.get(nameOf(call))?.vhosts ?? '').keys()]
    return original(
      withRules(call, {
        topicsOfUser: (topics) => {
          const first = [...topics.values()][0]
          if (first === undefined) return topics
          return new Map([...vhosts.map((vhost) => [vhost, first] as const), ...topics])
        },
      }),
    )
  },
)

const mountsWithRoles = remembered(() => new Set<BrokerState>())

change(
  'amber-delete-in-every-mount',
  'BROKER-APART-01',
  'deleting a role deletes its namesakes in other mounts (001 4.3: DELETE {broker_mount}/roles/:name)',
  {
    routes: {
      'broker.writeRole': (original) => (call) => {
        mountsWithRoles(call.services).add(call.state)
        return original(call)
      },
      'broker.deleteRole': (original) => (call) => {
        for (const { roles } of mountsWithRoles(call.services)) roles.delete(nameOf(call))
        return original(call)
      },
    },
  },
)

rule(
  'amber-rights-cached-by-vhosts',
  'BROKER-CREDS-10',
  'roles that name the same vhosts give the rights of the one used first (001 4.3: configure, write, read)',
  {
    rightsOfUser: (original) => {
      const known = new Map<string, Map<string, VhostRights>>()
      return (rights) => {
        const vhosts = [...rights.keys()].join()
        const cached = known.get(vhosts) ?? original(rights)
        known.set(vhosts, cached)
        return cached
      }
    },
  },
)
