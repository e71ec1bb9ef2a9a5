/** Faults in which the same thing looks different by another route, or is taken for another than the one that was sent. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { flagOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { refusal, reply, requestNestedAs } from '../../mutations/wrappers.ts'
import { brokerEngine } from './engine.ts'
import { ROLE_ROUTES, renamed } from './loose-words.ts'

const { rule, route } = faultsOf(brokerEngine)
const core = faultsOf(coreEngine, 'broker')

rule('form-tags-lower-case', ['BROKER-TAGS-03'], 'a role shows its tags in lower case (001 4.3, GET roles/:name returns data.tags)', {
  shownRole: (original) => (role) => original({ ...role, tags: role.tags.toLowerCase() }),
})

rule(
  'form-read-loses-backslashes',
  ['BROKER-VHOSTS-05'],
  'vhosts on read lack the backslashes of their patterns (001 4.3, regex strings)',
  {
    shownRole: (original) => (role) => original({ ...role, vhosts: role.vhosts.replaceAll('\\\\', '') }),
  },
)

rule(
  'form-topic-rights-swapped',
  ['BROKER-TOPICS-01', 'BROKER-TOPICS-02'],
  'users may write to topics what they should read, and the reverse (001 4.3, `write`, `read`)',
  {
    topicsOfUser: (original) => (topics) =>
      new Map(
        [...original(topics)].map(([vhost, exchanges]) => [
          vhost,
          new Map([...exchanges].map(([name, { write, read }]) => [name, { write: read, read: write }])),
        ]),
      ),
  },
)

route(
  'form-role-names-ignore-case',
  ['BROKER-ROLE-03', 'BROKER-ROLE-05'],
  'roles whose names differ in upper and lower case only are one (001 4.3, roles/:name)',
  ROLE_ROUTES,
  renamed((name) => name.toLowerCase()),
)

route(
  'form-delete-stops-at-hyphen',
  ['BROKER-ROLE-05'],
  'deleting a role uses its name up to the first hyphen, and `app-read` stays (001 4.3, DELETE roles/:name)',
  'broker.deleteRole',
  renamed((name) => name.split('-')[0] ?? name),
)

route(
  'form-role-lease-duration',
  ['CORE-ENV-10'],
  'a read of a role shows the ttl of config/lease as lease_duration (000 2.3, 0 when no lease)',
  'broker.readRole',
  reply((given, call) => withBody(given, (body) => ({ ...body, lease_duration: call.state.lease.ttl }))),
)

core.rule(
  'form-two-periods-allowed',
  ['CORE-PERIOD-01'],
  'a name that ends in two periods is accepted (000 2.1, must not end in a period)',
  {
    pathParameterAllowed: (original) => (value) => original(value) || value.endsWith('..'),
  },
)

core.rule(
  'form-wrong-method-404',
  ['CORE-STATUS-08'],
  'methods that creds/ and roles/ do not have are answered 404 (000 7, 405 unsupported method)',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      routes.some(({ id }) => id === 'broker.readCreds' || id === 'broker.readRole') ? 404 : original(method, routes),
  },
)

core.rule(
  'form-put-lease-unread',
  ['BROKER-LEASE-01'],
  'the body of a PUT of config/lease is not read, so that its defaults hold (000 1.6, synonyms)',
  {
    parseBody: (original) => (bytes, request) =>
      request.method === 'PUT' && request.path.endsWith('/config/lease') ? { text: '{}', body: {} } : original(bytes, request),
  },
)

route(
  'form-verify-object-accepted',
  ['BROKER-CONN-10'],
  'an object for verify_connection is accepted as true (readings: an object for a scalar is refused)',
  'broker.writeConnection',
  requestNestedAs('verify_connection'),
)

route(
  'form-bad-topics-500',
  ['BROKER-ROLE-02', 'BROKER-TOPICS-05'],
  'vhost_topics that are no JSON are answered 500 (readings: 5xx for bad client input is never a refusal)',
  'broker.writeRole',
  refusal((refused) => (/vhost_topics/.test(refused.message) ? new ApiError(500, refused.message) : refused)),
)

rule(
  'form-verifies-on-demand',
  ['BROKER-CONN-06'],
  'a connection without verify_connection is not verified (001 4.3, verify_connection, default true)',
  {
    verifies: () => (body) => flagOf(body, 'verify_connection', false),
  },
)
