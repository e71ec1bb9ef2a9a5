/** Faults in which the same thing looks different by another route, or is taken for another than the one that was sent. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply, requestBody, requestNestedAs, requestWithout } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import { type DatabaseCall, goesTo, nameOf, renamed } from './loose-words.ts'
import { fill } from './statements.ts'

const { rule, route } = faultsOf(databaseEngine)
const core = faultsOf(coreEngine, 'database')

rule(
  'form-max-ttl-null',
  ['DATABASE-TTL-06', 'DATABASE-TTL-10'],
  'a role without max_ttl shows null (001 4.1, TTLs returned as integers in seconds)',
  {
    shownRole: (original) => (role) => ({ ...original(role), max_ttl: role.maxTtl || null }),
  },
)

route(
  'form-renew-statements-unread',
  ['DATABASE-STMT-16'],
  'renew_statements are looked for under another name and never stored (001 4.1, renew_statements (list))',
  'database.writeRole',
  requestWithout<DatabaseCall>('renew_statements'),
)

rule(
  'form-username-slot-stays',
  ['DATABASE-STATIC-20'],
  '`{{username}}` in statements is not replaced, only `{{name}}` is (001 2.1, statement templates)',
  {
    templateValues: (original) => (user) => {
      const { username: _, ...rest } = original(user)
      return rest
    },
  },
)

rule(
  'form-url-shown-filled',
  ['DATABASE-URL-03', 'DATABASE-SECRET-01'],
  'connection_url on read has the password in its slot (001 2.1, `password` is never returned on read)',
  {
    shownConnection: (original) => (connection) =>
      original({ ...connection, url: fill(connection.url, { username: connection.username, password: connection.password }) }),
  },
)

rule(
  'form-names-with-plugin',
  ['DATABASE-CONN-05'],
  'the list of connections shows the plugin before each name (001 4.1, LIST config, names only)',
  {
    connectionNames: (original) => (state) => original(state).map((name) => `${state.connections.get(name)?.pluginName}/${name}`),
  },
)

rule(
  'form-period-as-text',
  ['DATABASE-SCREDS-04'],
  'static-creds shows rotation_period as a text with a unit (001 2.1, rotation_period (int, seconds))',
  {
    shownStaticCredential: (original) => (role, ttl, at) => ({ ...original(role, ttl, at), rotation_period: `${role.period}s` }),
  },
)

rule(
  'form-connection-as-username',
  ['DATABASE-STATIC-03'],
  'a static role shows its connection as username (001 4.1, GET static-roles/:name)',
  {
    shownStaticRole: (original) => (role) => original({ ...role, username: role.dbName }),
  },
)

route(
  'form-static-creds-lower-case',
  ['DATABASE-ALLOWED-08'],
  'static-creds looks for its role in lower case, and one with capitals is unknown (001 4.1, GET static-creds/:name)',
  'database.readStaticCreds',
  renamed((name) => name.toLowerCase()),
)

route(
  'form-static-creds-lease-duration',
  ['CORE-ENV-11'],
  'static-creds show their ttl as lease_duration as well (000 2.3, 0 when no lease; readings: of every engine)',
  'database.readStaticCreds',
  reply((given) => withBody(given, (body) => ({ ...body, lease_duration: (body.data as JsonObject).ttl ?? 0 }))),
)

route(
  'form-plugin-name-guessed',
  ['DATABASE-PLUGIN-01'],
  'a new connection without plugin_name is taken for PostgreSQL (001 4.1, plugin_name, required; readings: missing, refused)',
  'database.writeConnection',
  requestBody<DatabaseCall>((body, call) =>
    call.state.connections.has(nameOf(call)) ? body : { plugin_name: 'postgresql-database-plugin', ...body },
  ),
)

route(
  'form-verify-object-accepted',
  ['DATABASE-VERIFY-05'],
  'an object for verify_connection is accepted as true (readings: an object for a scalar is refused)',
  'database.writeConnection',
  requestNestedAs('verify_connection'),
)

core.rule(
  'form-put-static-role-unread',
  ['CORE-WRITE-01'],
  'the body of a PUT of a static role is not read (000 1.6, PUT and POST are synonyms)',
  {
    parseBody: (original) => (bytes, request) =>
      request.method === 'PUT' && goesTo('static-roles', request) ? { text: '{}', body: {} } : original(bytes, request),
  },
)
