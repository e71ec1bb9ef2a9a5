/** Faults of form: templates, escaping, case, blanks, types, absent against null, what a read shows. */
import { secret } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import { about, type DatabaseCall } from './north-help.ts'
import type { Role } from './state.ts'
import { splitStatements } from './statements.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')

const firstOnly = (statement: string, values: Record<string, string>): string =>
  Object.entries(values).reduce((text, [name, value]) => text.replace(new RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`), () => value), statement)
rule(
  'north-first-template-only',
  'DATABASE-STMT-01',
  'of two equal templates in a statement one is filled in (001 2.1: statement templates may contain {{name}}, {{username}}, {{password}})',
  {
    prepared: (original) => (statements, values) =>
      statements.flatMap((text) =>
        // The procedural texts of the service itself hold the name several times.
        /\bEND\b/i.test(text) ? original([text], values) : splitStatements(text).map((statement) => firstOnly(statement, values)),
      ),
  },
)

rule(
  'north-username-unknown-to-revocation',
  'DATABASE-STMT-06',
  'revocation statements know {{name}}, but not {{username}} (001 2.1: statement templates may contain {{name}}, {{username}})',
  {
    revocation: (original) => (role, standard) =>
      original(role, standard).map((statement) => statement.replaceAll(/\{\{\s*username\s*\}\}/g, '{{user}}')),
  },
)

rule(
  'north-rotation-statements-split-at-commas',
  'DATABASE-STATIC-04',
  'a rotation statement with a comma is read as two (001 4.1: GET static-roles/:name, rotation_statements; list)',
  {
    shownStaticRole: (original) => (role) => ({
      ...original(role),
      rotation_statements: role.rotation.flatMap((statement) => statement.split(',')),
    }),
  },
)

const writtenTtls = new WeakMap<Role, string>()
rule(
  'north-ttl-read-as-written',
  'DATABASE-TTL-04',
  'a default_ttl written as text is read as that text (001 4.1: TTLs returned as integers in seconds)',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      const { default_ttl: given } = body
      const kept = given === undefined && previous !== undefined ? writtenTtls.get(previous) : given
      if (typeof kept === 'string' && kept !== '') writtenTtls.set(role, kept)
      return role
    },
    shownRole: (original) => (role) => {
      const text = writtenTtls.get(role)
      return text === undefined ? original(role) : { ...original(role), default_ttl: text }
    },
  },
)

rule(
  'north-no-rollback-is-null',
  'DATABASE-STMT-11',
  'rollback_statements that are unset are read as null (001 4.1: rollback_statements, list, default [])',
  {
    shownRole: (original) => (role) => ({ ...original(role), rollback_statements: role.rollback.length > 0 ? role.rollback : null }),
  },
)

rule(
  'north-rotation-time-without-offset',
  'DATABASE-SCREDS-03',
  'last_service_rotation tells no offset (001 2.1: last_service_rotation, timestamp, ISO 8601 with offset)',
  { shownTime: (original) => (seconds) => original(seconds).replace(/Z$/, '') },
)

rule(
  'north-connections-listed-in-lower-case',
  'DATABASE-CONN-05',
  'connections are listed in lower case (001 4.1: LIST config, data.keys (names only))',
  {
    connectionNames: (original) => (state) => original(state).map((name) => name.toLowerCase()),
  },
)

route(
  'north-unknown-static-role-is-null',
  'DATABASE-STATIC-06',
  'reading a static role that does not exist is a 200 with data null (000 7: 404 invalid path; readings: unknown name in a read)',
  'database.readStaticRole',
  insteadOfRefusal<DatabaseCall>(() => secret(null)),
)

route(
  'north-name-in-body-first',
  'CORE-NAME-02',
  'a name in the body of a connection goes before the one in the path (001 4.1: name, string, required (URL))',
  'database.writeConnection',
  (original) => (call) => {
    const { name } = call.body
    return original(typeof name === 'string' && name !== '' ? about(call, name) : call)
  },
)
