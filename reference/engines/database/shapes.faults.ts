import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import type { Handle } from './wrappers.ts'

const { rule, route } = faultsOf(databaseEngine)

rule('shape-max-ttl-text', ['DB-TTL-10'], 'max_ttl of a role reads as text with a unit (001 4.1, TTLs as integers)', {
  shownRole: (original) => (role) => ({ ...original(role), max_ttl: `${role.maxTtl}s` }),
})

rule(
  'shape-one-statement-text',
  ['DB-STMT-04'],
  'a list of one creation statement reads as text (001 4.1, creation_statements is a list)',
  {
    shownRole: (original) => (role) => ({
      ...original(role),
      creation_statements: role.creation.length === 1 ? (role.creation[0] ?? '') : role.creation,
    }),
  },
)

rule('shape-empty-statements-null', ['DB-STMT-16'], 'statements that were not given read as null (001 4.1, default [])', {
  shownRole: (original) => (role) =>
    Object.fromEntries(
      Object.entries(original(role)).map(([name, value]) => [name, Array.isArray(value) && value.length === 0 ? null : value]),
    ),
})

rule('shape-star-as-text', ['DB-ALLOWED-06'], 'allowed_roles with a star alone reads as text (001 4.1, allowed_roles is a list)', {
  shownConnection: (original) => (connection) =>
    connection.allowedRoles.join() === '*' ? { ...original(connection), allowed_roles: '*' } : original(connection),
})

rule('shape-url-filled', ['DB-URL-03'], 'connection_url reads with the user name in the place of its template (001 2.1, connection read)', {
  shownConnection: (original) => (connection) => ({
    ...original(connection),
    connection_details: { connection_url: connection.url.replace('{{username}}', connection.username), username: connection.username },
  }),
})

rule(
  'shape-template-username',
  ['DB-STATIC-20'],
  'the template for the user name is filled in by its other name only (001 2.1, templates)',
  {
    templateValues: (original) => (user) => {
      const { username: _, ...values } = original(user)
      return values
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
  ['DB-ROLE-03'],
  'role names that differ by case are one role (001 4.1, roles/:name)',
  ['database.writeRole', 'database.readRole', 'database.deleteRole', 'database.readCreds'],
  named((name) => name.toLowerCase()),
)

route(
  'shape-connection-name-extension',
  ['DB-CONN-03'],
  'what follows a period in the name of a connection is dropped (001 4.1, config/:name)',
  ['database.writeConnection', 'database.readConnection', 'database.deleteConnection'],
  named((name) => name.replace(/\.[^.]+$/, '')),
)
