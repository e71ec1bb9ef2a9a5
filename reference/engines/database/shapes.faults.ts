/** Faults in spelling, types, letter case, and in the same thing by another way. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import type { Handle } from './wrappers.ts'

const { rule, route } = faultsOf(databaseEngine)

const { rule: core } = faultsOf(coreEngine, 'database')

rule('shape-max-ttl-text', ['DATABASE-TTL-10'], 'max_ttl of a role reads as text with a unit (001 4.1, TTLs as integers)', {
  shownRole: (original) => (role) => ({ ...original(role), max_ttl: `${role.maxTtl}s` }),
})

rule(
  'shape-one-statement-text',
  ['DATABASE-STMT-04'],
  'a list of one creation statement reads as text (001 4.1, creation_statements is a list)',
  {
    shownRole: (original) => (role) => ({
      ...original(role),
      creation_statements: role.creation.length === 1 ? (role.creation[0] ?? '') : role.creation,
    }),
  },
)

rule('shape-empty-statements-null', ['DATABASE-STMT-16'], 'statements that were not given read as null (001 4.1, default [])', {
  shownRole: (original) => (role) =>
    Object.fromEntries(
      Object.entries(original(role)).map(([name, value]) => [name, Array.isArray(value) && value.length === 0 ? null : value]),
    ),
})

rule('shape-star-as-text', ['DATABASE-ALLOWED-06'], 'allowed_roles with a star alone reads as text (001 4.1, allowed_roles is a list)', {
  shownConnection: (original) => (connection) =>
    connection.allowedRoles.join() === '*' ? { ...original(connection), allowed_roles: '*' } : original(connection),
})

rule(
  'shape-template-username',
  ['DATABASE-STATIC-20'],
  'the template for the user name is filled in by its other name only (001 2.1, templates)',
  {
    templateValues: (original) => (user) => {
      const { username: _, ...values } = original(user)
      return values
    },
  },
)

rule('shape-template-once', ['DATABASE-STMT-01'], 'a template is filled in once in each statement (001 2.1, templates)', {
  prepared: (original) => (statements, values) =>
    original(statements, {}).map((statement) =>
      Object.entries(values).reduce((text, [name, value]) => text.replace(`{{${name}}}`, () => value), statement),
    ),
})

rule('shape-semicolon-in-quotes', ['DATABASE-STMT-01'], 'a statement is cut at a semicolon within quotes (001 2.1, statements)', {
  prepared: (original) => (statements, values) =>
    original(
      statements
        .flatMap((statement) => (/\bEND\b/i.test(statement) ? [statement] : statement.split(';')))
        .filter((part) => part.trim() !== ''),
      values,
    ),
})

route(
  'shape-comma-in-statement',
  ['DATABASE-STMT-04', 'DATABASE-STMT-01'],
  'a creation statement is cut at its commas (001 4.1, creation_statements is a list)',
  'database.writeRole',
  requestBody((body) => {
    const given = body.creation_statements
    return Array.isArray(given) ? { ...body, creation_statements: given.join(',').split(',') } : body
  }),
)

rule(
  'shape-url-unescaped',
  ['DATABASE-URL-10'],
  'user name and password go into the address of PostgreSQL as they are (001 2.1, connection strings)',
  {
    filledUrl: (original) => (connection) => original(connection, false),
  },
)

core('shape-put-config', ['CORE-WRITE-01'], 'PUT at config/ is an unknown path (000 1.6, PUT and POST are synonyms)', {
  effectivePath: (original) => (header, request, namespaces) =>
    original(header, request, namespaces) + (request.method === 'PUT' && /\/(config|static-roles)\//.test(request.path) ? '/put' : ''),
})

rule(
  'shape-time-without-offset',
  ['DATABASE-SCREDS-03', 'DATABASE-SCREDS-07'],
  'last_service_rotation has no offset (001 2.1, ISO 8601 with offset)',
  {
    shownTime: (original) => (seconds) => original(seconds).replace(/Z$/, ''),
  },
)

rule('shape-ttl-fraction', ['DATABASE-SCREDS-05', 'DATABASE-SCREDS-06'], 'the ttl of static credentials has a fraction (001 2.1, int)', {
  staticTtl: () => (role, now) => Math.max(0, role.rotatedAt + role.period - now),
})

rule(
  'shape-static-user-lower',
  ['DATABASE-STATIC-01', 'DATABASE-STATIC-03'],
  'the user of a static role is stored in lower case (001 4.1, username)',
  {
    staticRoleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      return { ...role, username: role.username.toLowerCase() }
    },
  },
)

const named =
  (change: (name: string) => string) =>
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, params: { ...call.params, name: change(call.params.name ?? '') } })

route(
  'shape-role-name-case',
  ['DATABASE-ROLE-03'],
  'role names that differ by case are one role (001 4.1, roles/:name)',
  ['database.writeRole', 'database.readRole', 'database.deleteRole', 'database.readCreds'],
  named((name) => name.toLowerCase()),
)

route(
  'shape-connection-name-extension',
  ['DATABASE-CONN-03'],
  'what follows a period in the name of a connection is dropped (001 4.1, config/:name)',
  ['database.writeConnection', 'database.readConnection', 'database.deleteConnection'],
  named((name) => name.replace(/\.[^.]+$/, '')),
)

route(
  'shape-compound-duration',
  ['DATABASE-TTL-02'],
  'of a duration such as 1h30m only the first unit counts (001 4.1, string with unit suffix)',
  ['database.writeRole', 'database.writeStaticRole'],
  requestBody((body) =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        /_(ttl|period)$/.test(name) && typeof value === 'string' ? value.replace(/^(\d+[a-z]+)\d.*$/, '$1') : value,
      ]),
    ),
  ),
)

route(
  'shape-get-list-slashes',
  ['CORE-LIST-02'],
  'a listing of connections by GET with list=true has names with a slash (000 1.5, listing)',
  'database.listConnections',
  replyData((data, call) => (call.query.get('list') === 'true' ? { keys: (data.keys as string[]).map((name) => `${name}/`) } : data)),
)
