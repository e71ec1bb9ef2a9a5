/** Faults of forms: types, text against numbers, other verbs for the same thing, escaping, letter case, what an answer holds. */
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply } from '../../mutations/wrappers.ts'
import { nameOf, withRules } from './amber-help.ts'
import { databaseEngine } from './engine.ts'
import type { DatabaseRules } from './rules.ts'
import type { Role } from './state.ts'
import { fill } from './statements.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')

route(
  'amber-period-text-unchecked',
  'DATABASE-STATIC-16',
  'the minimum does not hold for a rotation_period given as text, such as 3s (001 4.1: string or int, minimum 5 seconds)',
  'database.writeStaticRole',
  (original) => (call) =>
    original(typeof call.body.rotation_period === 'string' ? withRules(call, { periodAllowed: (period) => period > 0 }) : call),
)

const writtenTexts = new WeakMap<Role, string>()

rule(
  'amber-max-ttl-as-written',
  'DATABASE-TTL-10',
  'a max_ttl that was written as text reads as that text (001 4.1: TTLs returned as integers in seconds)',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      if (typeof body.max_ttl === 'string' && body.max_ttl !== '') writtenTexts.set(role, body.max_ttl)
      return role
    },
    shownRole: (original) => (role) => ({ ...original(role), max_ttl: writtenTexts.get(role) ?? role.maxTtl }),
  },
)

route(
  'amber-static-list-by-verb-only',
  'CORE-LIST-02',
  'static roles cannot be listed with GET and list=true (000 1.5: either the verb LIST, or GET with list=true)',
  'database.listStaticRoles',
  (original) => (call) => {
    if (call.query.get('list') === 'true') throw new ApiError(405, 'unsupported operation')
    return original(call)
  },
)

rule(
  'amber-url-read-with-password',
  'DATABASE-URL-03',
  'the connection_url reads with its slots filled in (001 2.1: password is never returned on read)',
  {
    shownConnection: (original) => (connection) => {
      const { username, password } = connection
      return { ...original(connection), connection_details: { connection_url: fill(connection.url, { username, password }), username } }
    },
  },
)

route(
  'amber-expiration-of-the-longest-lease',
  'DATABASE-TEMPLATE-04',
  "{{expiration}} is the end of the role's max_ttl instead of the lease's (001 2.1: {{expiration}} of leased credentials)",
  'database.readCreds',
  (original) => (call) => {
    const role = call.state.roles.get(nameOf(call))
    if (!role) return original(call)
    const { ttl, maxTtl } = call.rules.leaseTimes(role, call.mount)
    const templateValues: DatabaseRules['templateValues'] = (user) =>
      call.rules.templateValues({ ...user, expiresAt: user.expiresAt + Math.max(0, maxTtl - ttl) })
    return original(withRules(call, { templateValues }))
  },
)

route(
  'amber-static-creds-look-leased',
  'CORE-ENV-11',
  'static credentials have their ttl as lease_duration, too (000 2.3: lease_duration 0 when no lease)',
  'database.readStaticCreds',
  reply((given) => withBody(given, (body) => ({ ...body, lease_duration: (body.data as JsonObject).ttl ?? 0 }))),
)

rule(
  'amber-revocation-split-at-commas',
  'DATABASE-STMT-16',
  'revocation statements are split at their commas (001 4.1: revocation_statements, list)',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      return { ...role, revocation: role.revocation.flatMap((statement) => statement.split(',').map((part) => part.trim())) }
    },
  },
)

rule(
  'amber-static-user-lower-case',
  'DATABASE-STATIC-01',
  'the username of a static role is turned to lower case (001 4.1: username, the database user)',
  {
    staticRoleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      return { ...role, username: role.username.toLowerCase() }
    },
  },
)

rule(
  'amber-static-password-without-dash',
  'DATABASE-POLICY-06',
  'generated passwords of static roles have no dash (001 4.1: password_policy, default: 20 characters with at least 1 dash)',
  { staticPassword: (original) => (random) => original(random).replaceAll('-', 'x') },
)

rule(
  'amber-root-statements-without-name',
  'DATABASE-ROOT-07',
  'in root_rotation_statements {{name}} is left as it is, {{username}} is filled in (001 2.1: statement templates may contain {{name}})',
  {
    rootRotation: (original) => (connection) =>
      connection.rootRotationStatements.length === 0
        ? original(connection)
        : original(connection).map((statement) => statement.replaceAll(/\{\{\s*name\s*\}\}/g, '{{root_name}}')),
  },
)
