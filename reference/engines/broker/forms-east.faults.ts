/** Faults of forms: another verb or carrier for the same thing, list against text, null against empty, escaping, case, blanks. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply } from '../../mutations/wrappers.ts'
import { type BrokerCall, brokerRequests } from './east-help.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerState } from './state.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

rule(
  'east-backslashes-halved',
  'BROKER-VHOSTS-05',
  'a role is read with half the backslashes of its patterns (001 4.3: GET roles/:name, data.vhosts)',
  {
    shownRole: (original) => (role) => original({ ...role, vhosts: role.vhosts.replaceAll('\\\\', '\\') }),
  },
)

rule(
  'east-password-decoded',
  'BROKER-CONN-01',
  'percent signs with two digits in the password of a connection are decoded (001 4.3: config/connection, password string)',
  {
    connectionOf: (original) => (body) => {
      const connection = original(body)
      try {
        return { ...connection, password: decodeURIComponent(connection.password) }
      } catch {
        return connection
      }
    },
  },
)

rule(
  'east-exchange-up-to-dot',
  'BROKER-TOPICS-01',
  'topic rights go to the part of an exchange name before its first dot (001 4.3: vhost_topics, map to exchange)',
  {
    topicsOfUser: (original) => (topics) =>
      new Map(
        [...original(topics)].map(([vhost, exchanges]) => [
          vhost,
          new Map([...exchanges].map(([exchange, rights]) => [exchange.split('.', 1)[0] ?? exchange, rights])),
        ]),
      ),
  },
)

rule(
  'east-empty-fields-left-out',
  'BROKER-TOPICS-04',
  'a role is read without its empty fields (001 4.3: GET roles/:name, data.tags, data.vhosts, data.vhost_topics)',
  {
    shownRole: (original) => (role) => Object.fromEntries(Object.entries(original(role)).filter(([, value]) => value !== '')),
  },
)

route(
  'east-no-lease-is-null',
  'CORE-ENV-10',
  'a role is read with a lease_id of null (000 2.3: lease_id, empty string when no lease)',
  'broker.readRole',
  reply<BrokerCall>((given) => withBody(given, (body) => ({ ...body, lease_id: null }))),
)

route(
  'east-lease-left-with-fraction',
  'CORE-ENV-05',
  'lease_duration of credentials is the time left, with a fraction (000 2.3: lease_duration, int)',
  'broker.readCreds',
  reply<BrokerCall>((given, call) =>
    withBody(given, (body) => {
      const lease = call.services.leases.find(String(body.lease_id))
      return lease ? { ...body, lease_duration: lease.expiresAt - Math.floor(call.now()) - 0.5 } : body
    }),
  ),
)

const failing = brokerRequests()
core.rule(
  'east-errors-of-connection-objects',
  'CORE-ERROR-01',
  'the errors of a refused connection are objects with a message (000 2.4: errors, array of strings)',
  {
    ...failing.locating,
    failure: (original) => (status, body, request) => {
      const { errors } = body as { errors?: string[] }
      const isConnection = failing.has(request) && status === 400 && /config\/connection$/.test(request.path)
      return original(status, isConnection && errors ? { errors: errors.map((message) => ({ message })) } : body, request)
    },
  },
)

const putting = brokerRequests()
core.rule(
  'east-put-merges',
  'CORE-WRITE-01',
  'a role that is written again with PUT keeps the fields left out, with POST it does not (000 1.6: PUT and POST are synonyms)',
  {
    ...putting.locating,
    check: (original) => (call, operation) => {
      original(call, operation)
      if (operation.id !== 'broker.writeRole' || putting.of(call)?.method !== 'PUT') return
      const role = (call.state as BrokerState).roles.get(call.params.name ?? '')
      if (!role) return
      call.body.tags ??= role.tags
      call.body.vhosts ??= role.vhosts
      call.body.vhost_topics ??= role.vhostTopics
    },
  },
)

rule(
  'east-pretty-json-refused',
  'BROKER-VHOSTS-07',
  'vhosts whose JSON has white space before or behind its first brace are refused (001 4.3: vhosts, JSON-encoded map)',
  {
    vhostsOf: (original) => (text) => {
      if (/^\s|^\{\s/.test(text)) throw invalid('vhosts is not JSON')
      return original(text)
    },
  },
)

core.rule(
  'east-namespace-half-in-path',
  'CORE-NS-02',
  'config paths find no namespace of which one half is in the header and one in the path (000 2.2: equivalence)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      const prefix = (header ?? '').split('/').filter((segment) => segment !== '')
      if (prefix.length === 0 || !/\/config\/(connection|lease)$/.test(effectivePath)) return original(effectivePath, namespaces, header)
      const within = namespaces.filter((namespace) => `${prefix.join('/')}/`.startsWith(namespace))
      return original(effectivePath, within, header)
    },
  },
)
