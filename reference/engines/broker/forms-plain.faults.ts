/** Faults of form: reads against writes and the broker, types, absent against null, escapes, blanks, other alphabets. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply, requestNestedAs } from '../../mutations/wrappers.ts'
import { brokerEngine } from './engine.ts'
import { isAt } from './plain-help.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

rule(
  'plain-backslashes-lost-on-read',
  'BROKER-VHOSTS-05',
  'a role read loses backslashes of its patterns (001 4.3: GET roles/:name, data.vhosts)',
  {
    shownRole: (original) => (role) => ({ ...original(role), vhosts: role.vhosts.replaceAll('\\\\', '\\') }),
  },
)

const flattened = (exchanges: unknown): unknown => {
  const rights = Object.values((exchanges ?? {}) as object)
  return rights.length === 1 ? rights[0] : exchanges
}
rule(
  'plain-single-exchange-flattened',
  'BROKER-TOPICS-04',
  'topic rights for one exchange are read without its name (001 4.3: GET roles/:name, data.vhost_topics)',
  {
    shownRole: (original) => (role) => {
      if (role.vhostTopics === '') return original(role)
      const topics = Object.entries(JSON.parse(role.vhostTopics) as object).map(([vhost, exchanges]) => [vhost, flattened(exchanges)])
      return { ...original(role), vhost_topics: JSON.stringify(Object.fromEntries(topics)) }
    },
  },
)

rule('plain-no-tags-read-as-null', 'BROKER-TAGS-03', 'tags of a role that has none are read as null (001 4.3: tags, string, default "")', {
  shownRole: (original) => (role) => ({ ...original(role), tags: role.tags || null }),
})

rule(
  'plain-topic-rights-exchanged',
  'BROKER-TOPICS-01',
  'what a role has for write the user gets for read, and the reverse (001 4.3: vhost_topics, write, read)',
  {
    topicsOfUser: (original) => (topics) =>
      new Map(
        [...original(topics)].map(([vhost, exchanges]) => [
          vhost,
          new Map([...exchanges].map(([exchange, { write, read }]) => [exchange, { write: read, read: write }])),
        ]),
      ),
  },
)

rule(
  'plain-vhosts-in-latin-1',
  'BROKER-VHOSTS-05',
  'letters beyond ASCII in vhosts are stored garbled (001 4.3: vhosts; 000 2.1: bodies are JSON)',
  {
    roleOf: (original) => (body) => {
      const role = original(body)
      return { ...role, vhosts: Buffer.from(role.vhosts, 'utf8').toString('latin1') }
    },
  },
)

rule(
  'plain-map-on-several-lines-refused',
  'BROKER-VHOSTS-04',
  'vhosts that are written on several lines are refused (001 4.3: vhosts, JSON-encoded map)',
  {
    vhostsOf: (original) => (text) => {
      if (text.includes('\n')) throw invalid('vhosts is not JSON')
      return original(text)
    },
  },
)

rule(
  'plain-explicit-true-not-verified',
  'BROKER-CONN-10',
  'a connection with verify_connection true is not verified (001 4.3: verify_connection, bool, default true)',
  {
    verifies: (original) => (body) => body.verify_connection === undefined && original(body),
  },
)

route(
  'plain-role-read-lease-id-null',
  'CORE-ENV-10',
  'the lease id of a role read is null (000 2.3: lease_id, string, empty when no lease)',
  'broker.readRole',
  reply((given) => withBody(given, (body) => ({ ...body, lease_id: null }))),
)

route(
  'plain-object-for-tags-accepted',
  'BROKER-TAGS-04',
  'a role with an object for tags is written, without tags (001 4.3: tags, string; 000 7: 400, invalid data)',
  'broker.writeRole',
  requestNestedAs('tags', ''),
)

rule(
  'plain-vhost-names-escaped-twice',
  'BROKER-VHOSTS-04',
  'rights on virtual hosts other than / are asked for under an escaped name (001 4.3: vhosts, map of virtual host)',
  {
    rightsOfUser: (original) => (rights) =>
      new Map([...original(rights)].map(([vhost, right]) => [vhost === '/' ? vhost : encodeURIComponent(vhost), right])),
  },
)

core.rule(
  'plain-help-paths-absolute',
  'CORE-HELP-03',
  'help for a part of the mount has paths from the root (000 1.7: relative to the queried path)',
  {
    helpPath: (original) => (relative, queried) => {
      const isOurs = ['creds', 'roles', 'config', 'config/connection', 'config/lease'].some((section) => isAt(section)({ path: queried }))
      return isOurs ? `/${queried}${relative === '/' ? '' : relative}` : original(relative, queried)
    },
  },
)

rule(
  'plain-broken-topics-500',
  'BROKER-ROLE-02',
  'vhost_topics that are no JSON are answered with 500 (000 7: 400, invalid request, missing or invalid data)',
  {
    topicsOf: (original) => (text) => {
      if (text !== '') JSON.parse(text)
      return original(text)
    },
  },
)
