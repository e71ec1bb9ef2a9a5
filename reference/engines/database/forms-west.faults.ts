/** Faults of form: lists and texts, escaping, types, unicode, the same thing by another route. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply, replyData, requestBody } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import type { Connection, Role } from './state.ts'
import { fill } from './statements.ts'
import { nameOf, withRules } from './west-help.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

const filledUrls = new WeakMap<Connection, string>()
change(
  'west-rotated-root-in-url',
  'DATABASE-ROOT-03',
  'after a rotation of the root user the connection shows its URL with the new password filled in (001 4.1: the new password is not retrievable)',
  {
    rules: {
      shownConnection: (original) => (connection) => {
        const url = filledUrls.get(connection)
        const shown = original(connection)
        return url === undefined ? shown : { ...shown, connection_details: { connection_url: url, username: connection.username } }
      },
    },
    routes: {
      'database.rotateRoot': (original) => async (call) => {
        const given = await original(call)
        const connection = call.state.connections.get(nameOf(call))
        if (connection) filledUrls.set(connection, call.rules.filledUrl(connection, false))
        return given
      },
    },
  },
)

const written = new WeakMap<Role, string>()
rule(
  'west-max-ttl-as-written',
  'DATABASE-TTL-10',
  'max_ttl is read as the text that was written (001 4.1: TTLs returned as integers in seconds)',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      if (typeof body.max_ttl === 'string' && body.max_ttl !== '') written.set(role, body.max_ttl)
      return role
    },
    shownRole: (original) => (role) => ({ ...original(role), max_ttl: written.get(role) ?? role.maxTtl }),
  },
)

route(
  'west-statements-split-at-commas',
  'DATABASE-STMT-04',
  'statements of a list are split at their commas (001 4.1: creation_statements, list)',
  'database.writeRole',
  requestBody((body) => {
    const statements = body.creation_statements
    const isList = Array.isArray(statements) && statements.every((statement) => typeof statement === 'string')
    return isList ? { ...body, creation_statements: statements.join(',').split(',') } : body
  }),
)

rule(
  'west-split-inside-quotes',
  'DATABASE-STMT-01',
  'statements are split at semicolons inside of quotes, too (001 2.1: statement templates; 4.1: creation_statements)',
  {
    prepared: () => (statements, values) =>
      statements
        .flatMap((text) => (/\bEND\b/i.test(text) ? [text] : text.split(';')))
        .map((statement) => statement.trim())
        .filter((statement) => statement !== '')
        .map((statement) => fill(statement, values)),
  },
)

route(
  'west-username-not-in-rotation',
  'DATABASE-STATIC-20',
  '`{{username}}` stays as it is in rotation statements, where only `{{name}}` is known (001 2.1: statement templates)',
  ['database.writeStaticRole', 'database.rotateRole'],
  (original) => (call) =>
    original(
      withRules(call, {
        templateValues: (user) => {
          const { username: _, ...values } = call.rules.templateValues(user)
          return values
        },
      }),
    ),
)

route(
  'west-get-lists-paths',
  'DATABASE-ROLE-05',
  'a listing by GET with list=true has paths in the place of names (000 1.5: either; 001 4.1: names only)',
  ['database.listConnections', 'database.listRoles', 'database.listStaticRoles'],
  replyData((data, call) => {
    if (call.query.get('list') !== 'true' || !Array.isArray(data.keys)) return data
    const collection = call.path.split('/').at(-1)
    return { ...data, keys: data.keys.map((key) => `${collection}/${String(key)}`) }
  }),
)

route(
  'west-static-ttl-as-lease-duration',
  'CORE-ENV-11',
  'static credentials, which have no lease, show their TTL as lease_duration (000 2.3: lease_duration, 0 when no lease)',
  'database.readStaticCreds',
  reply((given) => withBody(given, (body) => ({ ...body, lease_duration: (body.data as JsonObject).ttl ?? 0 }))),
)

const latin = requestsTo('database')
core.change(
  'west-body-as-latin-1',
  'DATABASE-STMT-04',
  'request bodies are read as Latin-1, so that letters beyond ASCII come back as others (000 2.1: bodies are JSON)',
  {
    rules: {
      ...latin.locating,
      parseBody: (original) => (bytes, request) =>
        original(latin.here() ? new TextEncoder().encode(new TextDecoder('latin1').decode(bytes)) : bytes, request),
    },
  },
)

route(
  'west-unit-of-period-ignored',
  'DATABASE-STATIC-02',
  'the unit of a rotation period in text is not looked at: 10m is ten seconds (001 4.1: rotation_period, string or int)',
  'database.writeStaticRole',
  requestBody((body) => {
    const period = body.rotation_period
    return typeof period === 'string' ? { ...body, rotation_period: Number.parseInt(period, 10) } : body
  }),
)

rule(
  'west-one-statement-as-text',
  'DATABASE-STATIC-04',
  'a single rotation statement is read as a text, not as a list (001 4.1: rotation_statements, list)',
  {
    shownStaticRole: (original) => (role) => {
      const [first, ...others] = role.rotation
      return { ...original(role), rotation_statements: first !== undefined && others.length === 0 ? first : role.rotation }
    },
  },
)

rule(
  'west-listed-names-encoded',
  'DATABASE-ROLE-05',
  'LIST roles shows names percent-encoded (001 4.1: data.keys; 000 4.1: array of names)',
  {
    roleNames: (original) => (state) => original(state).map(encodeURIComponent),
  },
)
