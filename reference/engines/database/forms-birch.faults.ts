/** Faults of form: lists and texts, blanks, escapes, letter case, and the same thing by another route. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply, replyData } from '../../mutations/wrappers.ts'
import { nameOf } from './birch-help.ts'
import { databaseEngine } from './engine.ts'
import { fill } from './statements.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

rule(
  'birch-split-in-quotes',
  'DATABASE-STMT-01',
  'a statement is split at a semicolon inside of quotes (001 2.1: statement templates; 4.1: creation_statements, list)',
  {
    prepared: (original) => (statements, values) =>
      original(
        statements.flatMap((statement) => (/\bEND\b/i.test(statement) ? [statement] : statement.split(';'))),
        values,
      ),
  },
)

rule(
  'birch-read-splits-at-commas',
  'DATABASE-STMT-16',
  'revocation statements with commas are read back in pieces (001 4.1: GET roles/:name, the role fields)',
  {
    shownRole: (original) => (role) => ({
      ...original(role),
      revocation_statements: role.revocation.flatMap((statement) => statement.split(',')),
    }),
  },
)

rule(
  'birch-escaped-password-read',
  'DATABASE-SECRET-01',
  'a password that needs escapes is read, escaped, in connection_url (001 2.1: password is never returned on read)',
  {
    shownConnection: (original) => (connection) => {
      const shown = original(connection)
      const escaped = encodeURIComponent(connection.password)
      // What a mask by the plain password leaves: without escapes the URL reads as it was written.
      if (!connection.link.plugin.escape || escaped === connection.password) return shown
      const details: JsonObject = { connection_url: fill(connection.url, { password: escaped }), username: connection.username }
      return { ...shown, connection_details: details }
    },
  },
)

rule(
  'birch-static-username-lower-case',
  'DATABASE-SCREDS-01',
  'static credentials show the user in lower case, who cannot log in (001 2.1: static credentials, username)',
  {
    shownStaticCredential: (original) => (role, ttl, rotatedAt) => ({
      ...original(role, ttl, rotatedAt),
      username: role.username.toLowerCase(),
    }),
  },
)

route(
  'birch-plus-is-blank-in-role-name',
  'DATABASE-ROLE-03',
  'a plus in the name of a role is stored as a blank (001 4.1: POST and GET roles/:name)',
  'database.writeRole',
  (original) => (call) => original({ ...call, params: { ...call.params, name: nameOf(call).replaceAll('+', ' ') } }),
)

route(
  'birch-empty-renewal-null',
  'DATABASE-STMT-14',
  'renew_statements without any is read as null (001 4.1: renew_statements, list, default [])',
  'database.readRole',
  replyData((data) => ({
    ...data,
    renew_statements: Array.isArray(data.renew_statements) && data.renew_statements.length > 0 ? data.renew_statements : null,
  })),
)

rule(
  'birch-object-as-text',
  'DATABASE-URL-05',
  'objects where a connection has texts are stored as JSON text (001 4.1: username, password, password_policy, string)',
  {
    connectionText: (original) => (body, field, previous) => {
      const value = body[field]
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : original(body, field, previous)
    },
  },
)

route(
  'birch-static-creds-lease-duration',
  'CORE-ENV-11',
  'static credentials show their ttl as lease_duration, though they have no lease (000 2.3: lease_duration, 0 when no lease)',
  'database.readStaticCreds',
  reply((given) =>
    withBody(given, (body) => {
      const { ttl = 0 } = (body.data ?? {}) as JsonObject
      return { ...body, lease_duration: ttl }
    }),
  ),
)

route(
  'birch-details-by-query-list',
  'CORE-LIST-03',
  'connections listed by GET with list=true come as objects (000 1.5: verb LIST or list=true; 001 4.1: names only)',
  'database.listConnections',
  (original) => async (call) => {
    const given = await original(call)
    if (call.query.get('list') !== 'true') return given
    const keys = [...call.state.connections.values()].map(({ name, pluginName }) => ({ name, plugin_name: pluginName }))
    return withBody(given, (body) => ({ ...body, data: { keys } }))
  },
)

core.rule(
  'birch-final-period-dropped',
  'CORE-PERIOD-02',
  'a name with a final period means the one without it (000 2.1: a path parameter must not end in a period, 404)',
  {
    pathBelow: (original) => (mount, path, type) => {
      const below = original(mount, path, type)
      return type === 'database' ? below.replace(/\.$/, '') : below
    },
  },
)

rule(
  'birch-line-breaks-become-blanks',
  'DATABASE-STMT-01',
  'statements are put on one line: comments swallow the rest, literals lose line breaks (001 4.1: creation_statements)',
  { prepared: (original) => (statements, values) => original(statements, values).map((statement) => statement.replace(/\s+/g, ' ')) },
)
