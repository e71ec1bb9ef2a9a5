/** Faults in which something else changes than what a request names, that show in an order, and in who may ask. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { type Asked, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokerEngine } from './engine.ts'
import type { TopicRights } from './state.ts'
import { ofBackend } from './wrappers.ts'

const { route, rule } = faultsOf(brokerEngine)
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

core.rule(
  'access-denied-deletes-role',
  'CORE-CAP-18',
  'whoever is denied a role may delete it',
  denyOverlooked((call) => isBroker(call) && call.method === 'DELETE'),
)
