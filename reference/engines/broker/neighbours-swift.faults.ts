/** Faults in which a request, a user or a lease of the broker engine touches another one than its own. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { brokerEngine } from './engine.ts'
import { management } from './management.ts'
import type { BrokerRole, BrokerState, VhostRights } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine)
const core = faultsOf(coreEngine, 'broker')

const rolesEverywhere = remembered(() => new Map<string, BrokerRole>())
const leaseEverywhere = remembered(() => ({ lease: undefined as BrokerState['lease'] | undefined }))
const connectionEverywhere = remembered(() => ({ connection: undefined as BrokerState['connection'] }))

change(
  'creds-of-other-mounts-role',
  ['BROKER-ROLE-05'],
  'a role of that name in another mount makes users, too (000 1.2; 001 4.3, GET creds/:name)',
  {
    routes: {
      'broker.writeRole': (original) => async (call) => {
        const reply = await original(call)
        const role = call.state.roles.get(call.params.name ?? '')
        if (role) rolesEverywhere(call.services).set(call.params.name ?? '', role)
        return reply
      },
      'broker.readCreds': (original) => (call) => {
        const name = call.params.name ?? ''
        const other = rolesEverywhere(call.services).get(name)
        if (call.state.roles.has(name) || !other) return original(call)
        return original({ ...call, state: { ...call.state, roles: new Map([[name, other]]) } })
      },
    },
  },
)

change('lease-of-all-mounts', 'BROKER-APART-01', 'lease settings of one mount count for all mounts (000 1.2; 001 4.3, POST config/lease)', {
  routes: {
    'broker.writeLease': (original) => async (call) => {
      const reply = await original(call)
      leaseEverywhere(call.services).lease = call.state.lease
      return reply
    },
    'broker.readCreds': (original) => (call) => {
      call.state.lease = leaseEverywhere(call.services).lease ?? call.state.lease
      return original(call)
    },
  },
})

change(
  'connection-of-latest-mount',
  ['BROKER-APART-01'],
  'users are made by the connection that any mount was given last (001 4.3, POST config/connection)',
  {
    routes: {
      'broker.writeConnection': (original) => async (call) => {
        const reply = await original(call)
        connectionEverywhere(call.services).connection = call.state.connection
        return reply
      },
      'broker.readCreds': (original) => (call) => {
        call.state.connection = connectionEverywhere(call.services).connection ?? call.state.connection
        return original(call)
      },
    },
  },
)

route(
  'delete-takes-variants',
  ['BROKER-ROLE-05'],
  'deleting a role deletes those named after it with a hyphen (001 4.3, DELETE roles)',
  'broker.deleteRole',
  (original) => (call) => {
    for (const other of [...call.state.roles.keys()]) if (other.startsWith(`${call.params.name}-`)) call.state.roles.delete(other)
    return original(call)
  },
)

route(
  'lease-end-takes-newest',
  ['BROKER-CREDS-05', 'BROKER-APART-01'],
  'a lease that ends removes the newest user of its role (001 1, dynamic credentials)',
  'broker.readCreds',
  (original) => {
    const newest = new WeakMap<BrokerState, Map<string, string>>()
    return (call) => {
      const users = newest.get(call.state) ?? new Map<string, string>()
      newest.set(call.state, users)
      const name = call.params.name ?? ''
      const rules = {
        ...call.rules,
        shownCredential: (username: string, password: string) => {
          users.set(name, username)
          return call.rules.shownCredential(username, password)
        },
        revokedUser: (username: string) => users.get(name) ?? username,
      }
      return original({ ...call, rules })
    }
  },
)

route(
  'lease-end-takes-siblings',
  ['BROKER-APART-01'],
  'the first lease that ends removes all users of its role (001 1, dynamic credentials)',
  'broker.readCreds',
  (original) => {
    const made = new WeakMap<BrokerState, Map<string, string[]>>()
    return async (call) => {
      const reply = await original(call)
      const body = reply.body as { lease_id: string; data: { username: string } }
      const users = made.get(call.state) ?? new Map<string, string[]>()
      made.set(call.state, users)
      const name = call.params.name ?? ''
      users.set(name, [...(users.get(name) ?? []), body.data.username])
      const request = call.services.leases.find(body.lease_id)?.request
      if (!request) return reply
      const revoke = request.revoke
      request.revoke = async () => {
        await revoke()
        const broker = call.state.connection
        if (broker) for (const user of users.get(name) ?? []) await management.deleteUser(broker, user)
        users.delete(name)
      }
      return reply
    }
  },
)

rule(
  'vhosts-share-first-rights',
  ['BROKER-VHOSTS-01', 'BROKER-VHOSTS-02'],
  'all virtual hosts of a role get the rights of the first (001 4.3, roles, vhosts: map of virtual host to object)',
  {
    rightsOfUser: (original) => (rights) => {
      const [first] = rights.values()
      return original(new Map([...rights].map(([vhost, own]) => [vhost, first ?? own])))
    },
  },
)

rule(
  'topics-share-exchanges',
  ['BROKER-TOPICS-01', 'BROKER-TOPICS-02'],
  'each virtual host gets the topic rights of all of them (001 4.3, roles, vhost_topics)',
  {
    topicsOfUser: (original) => (topics) => {
      const all = new Map([...topics.values()].flatMap((exchanges) => [...exchanges]))
      return original(new Map([...topics.keys()].map((vhost) => [vhost, all])))
    },
  },
)

route(
  'tags-of-role-before',
  ['BROKER-TAGS-02'],
  'a role written without tags gets those of the role written before it (001 4.3, tags, default "")',
  'broker.writeRole',
  (original) => {
    const defaults = new WeakMap<BrokerState, { tags: string }>()
    return async (call) => {
      const before = defaults.get(call.state)
      const reply = await original({ ...call, body: { ...before, ...call.body } })
      const { tags } = call.state.roles.get(call.params.name ?? '') ?? { tags: '' }
      defaults.set(call.state, { tags })
      return reply
    }
  },
)

route(
  'rights-pile-up',
  ['BROKER-CREDS-12'],
  'a user also gets the rights of the users that were made before it (001 4.3, roles, vhosts)',
  'broker.readCreds',
  (original) => {
    const piles = new WeakMap<BrokerState, Map<string, VhostRights>>()
    return (call) => {
      const pile = piles.get(call.state) ?? new Map<string, VhostRights>()
      piles.set(call.state, pile)
      const rightsOfUser = (rights: Map<string, VhostRights>) => {
        for (const [vhost, own] of rights) pile.set(vhost, own)
        return pile
      }
      return original({ ...call, rules: { ...call.rules, rightsOfUser } })
    }
  },
)

rule(
  'one-user-per-role',
  ['BROKER-CREDS-01', 'BROKER-CREDS-02'],
  'all users of a role have one name: the second credential ends the first (001 1, dynamic credentials)',
  {
    username: () => (role) => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '')}`,
  },
)

core.rule('namespaces-share-mount', ['BROKER-APART-01'], 'mounts of the same path in two namespaces share roles and connection (000 2.2)', {
  stateOf: (original) => (engine, others, place) =>
    (engine.type === 'broker' && others.find((other) => other.engine.type === 'broker' && other.path === place.path)?.state) ||
    original(engine, others, place),
})
