/** Faults in which something else changes than what a request names, that show in an order, and in who may ask. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { type Asked, countsAs, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerState, TopicRights } from './state.ts'
import { ofBackend } from './wrappers.ts'

const { route, change, rule } = faultsOf(brokerEngine)
const core = faultsOf(coreEngine, 'broker')

const isBroker = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'vhostsOf' in call.rules

rule('neighbour-tags-of-user-before', 'BROKER-TAGS-02', 'a user of a role without tags gets those of the last user that had some', {
  tagsOfUser: (original) => {
    let last = ''
    return (role) => {
      last = original(role) || last
      return last
    }
  },
})

// Both rules are asked one after the other for each user.
let vhostsOfUser: string[] = []

rule(
  'neighbour-topics-in-every-vhost',
  ['BROKER-TOPICS-01', 'BROKER-TOPICS-02'],
  'a user has the topic rights of each virtual host in all of them',
  {
    rightsOfUser: (original) => (rights) => {
      vhostsOfUser = [...rights.keys()]
      return original(rights)
    },
    topicsOfUser: (original) => (topics) => {
      const all = new Map<string, TopicRights>([...topics.values()].flatMap((exchanges) => [...exchanges]))
      return original(new Map([...new Set([...vhostsOfUser, ...topics.keys()])].map((vhost) => [vhost, all])))
    },
  },
)

route(
  'neighbour-connection-resets-lease',
  ['BROKER-APART-01', 'BROKER-CREDS-10'],
  'writing the connection takes the lease settings back',
  'broker.writeConnection',
  (original) => async (call) => {
    const reply = await original(call)
    call.state.lease = { ttl: 0, maxTtl: 0 }
    return reply
  },
)

const topicsBefore = remembered(() => new Map<string, string>())

change(
  'time-role-recreated-topics',
  'BROKER-ROLE-05',
  'a role that is made again without topic rights has those from before its deletion',
  {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        const name = call.params.name ?? ''
        const role = call.state.roles.get(name)
        if (role) topicsBefore(call.state).set(name, role.vhostTopics)
        return original(call)
      },
      'broker.writeRole': (original) => (call) => {
        const name = call.params.name ?? ''
        const before = topicsBefore(call.state).get(name)
        if (before === undefined || call.state.roles.has(name)) return original(call)
        return original({ ...call, body: { vhost_topics: before, ...call.body } })
      },
    },
  },
)

route(
  'time-refused-connection-clears',
  'BROKER-CONN-08',
  'a connection that cannot be verified leaves none behind',
  'broker.writeConnection',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof ApiError && ofBackend(cause)) call.state.connection = undefined
      throw cause
    }
  },
)

route(
  'time-unverified-from-then-on',
  'BROKER-CONN-06',
  'once a connection was written without verification, later ones are not verified unless they ask for it',
  'broker.writeConnection',
  (original) => {
    const unverified = new WeakSet<BrokerState>()
    return (call) => {
      if (call.body.verify_connection === false) unverified.add(call.state)
      return original(unverified.has(call.state) ? { ...call, body: { verify_connection: false, ...call.body } } : call)
    }
  },
)

core.rule(
  'access-update-gives-creds',
  'CORE-CAP-05',
  'whoever may update the path of credentials may have them',
  countsAs('update', (call) => isBroker(call) && call.path.includes('/creds/')),
)

core.rule(
  'access-denied-deletes-role',
  'CORE-CAP-18',
  'whoever is denied a role may delete it',
  denyOverlooked((call) => isBroker(call) && call.method === 'DELETE'),
)

core.rule('access-lease-put-without-token', ['CORE-AUTH-01'], 'the lease settings may be written with PUT and without a token', {
  callerRefused: (original) => (given, token, request) =>
    given === undefined && request.method === 'PUT' && request.path.endsWith('/config/lease') ? undefined : original(given, token, request),
})
