/** Faults whose effect is on a neighbour: another role, virtual host, credential, caller, mount or namespace. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { roleName, withIssue, withName, withRules } from './east-help.ts'
import { brokerEngine } from './engine.ts'
import { management } from './management.ts'
import type { BrokerState, TopicRights } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

route(
  'east-delete-takes-longer-names',
  'BROKER-ROLE-05',
  'deleting a role also deletes the roles whose names go on behind it with a hyphen (001 4.3: DELETE roles/:name, delete role)',
  'broker.deleteRole',
  (original) => (call) => {
    const longer = [...call.state.roles.keys()].filter((name) => name.startsWith(`${roleName(call)}-`))
    for (const name of longer) call.state.roles.delete(name)
    return original(call)
  },
)

const leaseWriters = remembered(() => new Map<BrokerState, string>())
route(
  'east-lease-settings-for-siblings',
  'BROKER-APART-01',
  'writing lease settings at one mount replaces those of the other mounts of its namespace (001 4.3: POST {broker_mount}/config/lease)',
  'broker.writeLease',
  (original) => async (call) => {
    const given = await original(call)
    const writers = leaseWriters(call.services).set(call.state, call.mount.namespace)
    for (const [state, namespace] of writers) if (namespace === call.mount.namespace) state.lease = call.state.lease
    return given
  },
)

const roleWriters = remembered(() => new Set<BrokerState>())
change(
  'east-read-from-other-mount',
  'BROKER-APART-01',
  'a role that a mount lacks is read from another broker mount (001 4.3: GET {broker_mount}/roles/:name)',
  {
    routes: {
      'broker.writeRole': (original) => (call) => {
        roleWriters(call.services).add(call.state)
        return original(call)
      },
      'broker.readRole': (original) => (call) => {
        const name = roleName(call)
        const owner = call.state.roles.has(name) ? undefined : [...roleWriters(call.services)].find(({ roles }) => roles.has(name))
        return original(owner ? { ...call, state: owner } : call)
      },
    },
  },
)

core.rule(
  'east-state-by-mount-path',
  'BROKER-APART-01',
  'broker mounts of one path in two namespaces share all they know (000 2.2: namespace is part of the path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const namesake = others.find(
        (mount) => mount.engine.type === 'broker' && mount.path === place.path && mount.namespace !== place.namespace,
      )
      return engine.type === 'broker' && namesake ? namesake.state : original(engine, others, place)
    },
  },
)

const usersOfRoles = remembered(() => new Map<string, Set<string>>())
route(
  'east-revocation-by-role',
  'BROKER-CREDS-06',
  'the end of one lease removes the users of all leases of its role (000 2.3: a lease with its own lease_id and lease_duration)',
  'broker.readCreds',
  (original) => (call) => {
    const { rules, state } = call
    const known = usersOfRoles(state)
    const users = known.get(roleName(call)) ?? new Set<string>()
    known.set(roleName(call), users)
    const noting = withRules(call, {
      username: (role, random) => {
        const user = rules.username(role, random)
        users.add(user)
        return user
      },
    })
    return original(
      withIssue(noting, (issue) => (issuing, request) => {
        const revoke = async (): Promise<void> => {
          await request.revoke()
          if (state.connection) for (const user of users) await management.deleteUser(state.connection, user)
          users.clear()
        }
        return issue(issuing, { ...request, revoke })
      }),
    )
  },
)

rule(
  'east-rights-of-last-vhost',
  'BROKER-VHOSTS-01',
  'of several virtual hosts each gets the rights of the last one (001 4.3: vhosts, map of virtual host to object)',
  {
    rightsOfUser: (original) => (rights) => {
      const given = original(rights)
      const last = [...given.values()].at(-1)
      return last ? new Map([...given.keys()].map((vhost) => [vhost, last])) : given
    },
  },
)

rule(
  'east-topics-by-exchange',
  'BROKER-TOPICS-01',
  'an exchange of one name in two virtual hosts gets the same topic rights in both (001 4.3: vhost_topics, map to exchange)',
  {
    topicsOfUser: (original) => (topics) => {
      const given = original(topics)
      const byExchange = new Map<string, TopicRights>([...given.values()].flatMap((exchanges) => [...exchanges]))
      return new Map(
        [...given].map(([vhost, exchanges]) => [
          vhost,
          new Map([...exchanges].map(([exchange, rights]) => [exchange, byExchange.get(exchange) ?? rights])),
        ]),
      )
    },
  },
)

const tagsWritten = remembered<{ tags: Json }>(() => ({ tags: '' }))
route(
  'east-tags-of-role-before',
  'BROKER-TAGS-02',
  'a role written without tags gets the tags of the role that was written before it (001 4.3: tags, default "")',
  'broker.writeRole',
  (original) => (call) => {
    const before = tagsWritten(call.state)
    const body = { tags: before.tags, ...call.body }
    before.tags = body.tags
    return original({ ...call, body })
  },
)

const firstCallers = remembered(() => new Map<string, { id: string } | undefined>())
route(
  'east-lease-of-first-caller',
  'BROKER-CREDS-10',
  'users of a role end together with the token that asked for the first of them, whoever asked (000 2.3: lease_duration)',
  'broker.readCreds',
  (original) => (call) => {
    const callers = firstCallers(call.state)
    const first = callers.get(roleName(call)) ?? call.token
    return original(
      withIssue(call, (issue) => (issuing, request) => {
        callers.set(roleName(call), first)
        return issue({ ...issuing, token: first }, request)
      }),
    )
  },
)

route(
  'east-underscore-is-hyphen',
  'BROKER-ROLE-03',
  'roles whose names differ by underscore and hyphen are one role (001 4.3: roles/:name)',
  ['broker.writeRole', 'broker.readRole', 'broker.deleteRole', 'broker.readCreds'],
  (original) => (call) => original(withName(call, roleName(call).replaceAll('_', '-'))),
)

rule(
  'east-default-vhost-too',
  'BROKER-VHOSTS-04',
  'users of a role with virtual hosts get its first rights in the default one, too (001 4.3: vhosts, map of virtual host)',
  {
    rightsOfUser: (original) => (rights) => {
      const given = original(rights)
      const [first] = given.values()
      return first && !given.has('/') ? new Map([...given, ['/', first]]) : given
    },
  },
)
