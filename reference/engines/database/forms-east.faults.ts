/** Faults of form: types, lists and texts, escaping, blanks, other ways of asking the same. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { isDatabase, isOwnPath } from './east-help.ts'
import { databaseEngine } from './engine.ts'
import type { Role } from './state.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

const written = new WeakMap<Role, string>()

rule(
  'east-max-ttl-as-written',
  'DATABASE-TTL-10',
  'a max_ttl written as text is read as that text (001 4.1: TTLs returned as integers in seconds)',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      const text = body.max_ttl === undefined && previous ? written.get(previous) : body.max_ttl
      if (typeof text === 'string' && text !== '') written.set(role, text)
      return role
    },
    shownRole: (original) => (role) => ({ ...original(role), max_ttl: written.get(role) ?? role.maxTtl }),
  },
)

rule(
  'east-period-unit-ignored',
  'DATABASE-STATIC-02',
  'a rotation period in text counts as seconds, whatever its unit (001 4.1: rotation_period, string or int)',
  {
    staticRoleOf: (original) => (body, previous) => {
      const seconds = typeof body.rotation_period === 'string' ? Number.parseInt(body.rotation_period, 10) : Number.NaN
      return original(Number.isNaN(seconds) ? body : { ...body, rotation_period: seconds }, previous)
    },
  },
)

rule(
  'east-statements-split-on-read',
  'DATABASE-STMT-04',
  'a statement with commas is read as several (001 4.1: GET roles/:name, creation_statements)',
  {
    shownRole: (original) => (role) => ({
      ...original(role),
      creation_statements: role.creation.flatMap((statement) => statement.split(',')).map((part) => part.trim()),
    }),
  },
)

rule(
  'east-no-renewal-is-null',
  'DATABASE-STMT-14',
  'a role without renew statements shows null instead of a list (001 4.1: renew_statements, list, default [])',
  {
    shownRole: (original) => (role) => ({ ...original(role), renew_statements: role.renewal.length > 0 ? role.renewal : null }),
  },
)

rule('east-username-template-unknown', 'DATABASE-STMT-01', 'statements get {{name}}, but no {{username}} (001 2.1: statement templates)', {
  templateValues: (original) => (user) => Object.fromEntries(Object.entries(original(user)).filter(([key]) => key !== 'username')),
})

rule(
  'east-listed-encoded',
  'DATABASE-CONN-05',
  'connections are listed as their names stand in URLs, percent-encoded (001 4.1: LIST config, names)',
  {
    connectionNames: (original) => (state) => original(state).map(encodeURIComponent),
  },
)

route(
  'east-list-query-lists-roles',
  'CORE-LIST-02',
  'static roles asked with GET and list=true give the dynamic roles (000 1.5: LIST or GET with list=true)',
  'database.listStaticRoles',
  (original) => (call) => (call.query.get('list') === 'true' ? call.services.listing(call.rules.roleNames(call.state)) : original(call)),
)

const typed = requestsTo('database')

core.rule(
  'east-content-type-needed',
  'CORE-MEDIA-02',
  'the body of a role is read only with a JSON content type (000 2.1: clients need not send it)',
  {
    ...typed.locating,
    parseBody: (original) => (bytes, request) => {
      const isUntyped = typed.here() && /\/roles\//.test(request.path) && !/json/.test(request.headers['content-type'] ?? '')
      return original(isUntyped ? new Uint8Array() : bytes, request)
    },
  },
)

const OPTIONAL: JsonObject = { default_ttl: 0, max_ttl: 0, revocation_statements: [], rollback_statements: [], renew_statements: [] }
const put = new WeakSet<object>()

core.rule(
  'east-put-replaces',
  'CORE-WRITE-01',
  'PUT of a role resets the optional fields that it leaves out, POST does not (000 1.6: PUT and POST are synonyms)',
  {
    parseBody: (original) => (bytes, request) => {
      const parsed = original(bytes, request)
      if (request.method === 'PUT') put.add(parsed.body)
      return parsed
    },
    check: (original) => (call, route) => {
      if (route.id === 'database.writeRole' && put.has(call.body)) Object.assign(call.body, { ...OPTIONAL, ...call.body })
      original(call, route)
    },
  },
)

core.rule('east-no-lease-is-null', 'CORE-ENV-03', 'answers without a lease have a lease_id of null (000 2.3: empty string when no lease)', {
  finish: (original) => (call, route, reply) => {
    const finished = original(call, route, reply)
    return isDatabase(call) ? withBody(finished, (body) => (body.lease_id === '' ? { ...body, lease_id: null } : body)) : finished
  },
})

core.rule(
  'east-errors-text',
  'CORE-ERROR-01',
  'refusals on static roles and rotations have errors as one text (000 2.4: array of strings)',
  {
    failure: (original) => (status, body, request) => {
      const reply = original(status, body, request)
      if (!isOwnPath(request.path)) return reply
      return withBody(reply, (shown) => ({
        ...shown,
        errors: Array.isArray(shown.errors) ? shown.errors.join('; ') : (shown.errors ?? ''),
      }))
    },
  },
)
