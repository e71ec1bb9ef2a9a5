/** Faults of form: the same thing by another route, absent and null, types, escaping, blanks. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply, requestNestedAs } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import type { Connection, Role } from './state.ts'
import { fill } from './statements.ts'

const { rule, route } = faultsOf(databaseEngine)
const core = faultsOf(coreEngine, 'database')

const written = new WeakMap<Role, string>()

rule(
  'plain-maximum-as-written',
  'DATABASE-TTL-10',
  'a max_ttl with a unit is read back as the text that was written (001 4.1: TTLs returned as integers)',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      if (typeof body.max_ttl === 'string' && /\D/.test(body.max_ttl)) written.set(role, body.max_ttl)
      return role
    },
    shownRole: (original) => (role) => ({ ...original(role), max_ttl: written.get(role) ?? role.maxTtl }),
  },
)

rule(
  'plain-no-roles-as-null',
  'DATABASE-ALLOWED-06',
  'allowed_roles without any role is read as null (001 4.1: allowed_roles, list, default [] (no roles))',
  {
    shownConnection: (original) => (connection) => ({
      ...original(connection),
      allowed_roles: connection.allowedRoles.length > 0 ? connection.allowedRoles : null,
    }),
  },
)

const detailsOf = (connection: Connection): JsonObject => ({ connection_url: connection.url, username: connection.username })

rule(
  'plain-url-shown-filled',
  'DATABASE-URL-03',
  'the read shows the URL with the password filled in (001 2.1: `password` is never returned on read)',
  {
    shownConnection: (original) => (connection) => {
      const { username, password } = connection
      return {
        ...original(connection),
        connection_details: { ...detailsOf(connection), connection_url: fill(connection.url, { username, password }) },
      }
    },
  },
)

rule(
  'plain-names-encoded-in-list',
  'DATABASE-STATIC-07',
  'static roles with blanks or other letters are listed percent-encoded (001 4.1: LIST static-roles)',
  {
    staticRoleNames: (original) => (state) => original(state).map(encodeURIComponent),
  },
)

rule('plain-time-without-offset', 'DATABASE-SCREDS-03', 'last_service_rotation has no offset (001 2.1: timestamp, ISO 8601 with offset)', {
  shownTime: (original) => (seconds) => original(seconds).replace(/Z$/, ''),
})

route(
  'plain-static-creds-with-duration',
  'CORE-ENV-11',
  'static credentials carry their ttl as lease_duration (000 2.3: lease_duration 0 when no lease)',
  'database.readStaticCreds',
  reply((given) => withBody(given, (body) => ({ ...body, lease_duration: (body.data as JsonObject).ttl ?? 0 }))),
)

core.rule(
  'plain-period-cut-off',
  'CORE-PERIOD-02',
  'a period at the end of a name is cut off (000 2.1: a path parameter must not end in a period, 404)',
  {
    pathBelow: (original) => (mount, path, type) => {
      const rest = original(mount, path, type)
      return type === 'database' ? rest.replace(/\.$/, '') : rest
    },
  },
)

route(
  'plain-object-as-no-ttl',
  'DATABASE-TTL-05',
  'an object for default_ttl is taken as absent (001 4.1: default_ttl, string with unit suffix or int seconds; 000 7: 400 invalid data)',
  'database.writeRole',
  requestNestedAs('default_ttl'),
)

rule(
  'plain-blanks-made-one',
  'DATABASE-STMT-04',
  'blanks and line ends in creation statements become one blank (001 4.1: GET roles/:name, the role fields)',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      return { ...role, creation: role.creation.map((statement) => statement.replaceAll(/\s+/g, ' ').trim()) }
    },
  },
)
