/** Faults of the database engine with the same thing in another form: types, case, blanks, quotes, another way of asking. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { reply } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import { renamed } from './later-help.ts'
import type { Role } from './state.ts'
import { timestamp } from './statements.ts'
import { type DatabaseCall, nameOf } from './wrappers.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')

const maximumWritten = new WeakMap<Role, string>()
rule(
  'later-maximum-read-as-written',
  ['DATABASE-TTL-10'],
  'a `max_ttl` that was written as a text is read as that text (001 4.1: "TTLs returned as integers in seconds")',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      if (typeof body.max_ttl === 'string' && body.max_ttl !== '') maximumWritten.set(role, body.max_ttl)
      return role
    },
    shownRole: (original) => (role) => ({ ...original(role), max_ttl: maximumWritten.get(role) ?? role.maxTtl }),
  },
)

rule(
  'later-static-ttl-with-fraction',
  ['DATABASE-SCREDS-05'],
  'the ttl of static credentials has a fraction (001 2.1: `ttl` "int, seconds")',
  {
    staticTtl: () => (role, now) => Math.max(0, role.rotatedAt + role.period - now),
  },
)

rule(
  'later-static-role-allowed-as-part-of-name',
  ['DATABASE-ALLOWED-08'],
  'a connection that allows `app-admin` takes the static role `app`, too (001 4.1: `allowed_roles`)',
  { staticRoleAllowed: (original) => (allowed, role) => original(allowed, role) || allowed.some((name) => name.includes(role)) },
)

const inLowerCase = renamed((call) => nameOf(call).toLowerCase())
change(
  'later-connection-names-in-lower-case',
  ['DATABASE-CONN-05'],
  'connections are listed in lower case, and two whose names differ by case are one (001 4.1: `name`; LIST "names only")',
  {
    rules: {
      connectionOf: (original) => (state, dbName) => original(state, dbName.toLowerCase()),
      connectionKnownAtWrite: (original) => (state, dbName) => original(state, dbName.toLowerCase()),
    },
    routes: {
      'database.writeConnection': inLowerCase,
      'database.readConnection': inLowerCase,
      'database.deleteConnection': inLowerCase,
      'database.resetConnection': inLowerCase,
      'database.rotateRoot': inLowerCase,
    },
  },
)

rule(
  'later-split-inside-quotes',
  ['DATABASE-STMT-01'],
  'a semicolon inside of quotes ends a statement, and the create fails (001 4.1: `creation_statements`)',
  {
    prepared: (original) => (statements, values) =>
      original(
        statements.flatMap((text) => (/\bEND\b|\$\w*\$/i.test(text) ? [text] : text.split(';'))),
        values,
      ),
  },
)

route(
  'later-static-creds-with-lease-duration',
  ['CORE-ENV-11'],
  'static credentials, which have no lease, show their ttl as `lease_duration` (000 2.3: "0 when no lease")',
  'database.readStaticCreds',
  reply<DatabaseCall>((given) => {
    const body = given.body as JsonObject
    const { ttl = 0 } = body.data as JsonObject
    return { ...given, body: { ...body, lease_duration: ttl } }
  }),
)

rule(
  'later-objects-as-texts',
  ['DATABASE-URL-05'],
  'a connection takes an object for a text such as `username` or `password_policy` (001 4.1: "string"; 000 7: "400: invalid data")',
  {
    connectionText: (original) => (body, field, previous) => {
      const value = body[field]
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : original(body, field, previous)
    },
  },
)

rule(
  'later-rotation-time-as-in-sql',
  ['DATABASE-SCREDS-03'],
  'the time of the last rotation is written as for SQL, with a blank in it (001 2.1: `last_service_rotation` "ISO 8601 with offset")',
  { shownTime: () => (seconds) => timestamp(seconds) },
)

route(
  'later-name-in-body-wins',
  ['CORE-NAME-02'],
  'a `name` in the body is taken instead of the one in the path (001 4.1: `name` "string, required (URL)")',
  ['database.writeConnection', 'database.writeRole', 'database.writeStaticRole'],
  renamed((call) => (typeof call.body.name === 'string' && call.body.name !== '' ? call.body.name : nameOf(call))),
)

rule(
  'later-static-user-unquoted',
  ['DATABASE-STATIC-21'],
  'in PostgreSQL a static role cannot be made for a user with capitals or a hyphen (001 4.1: `username` "string")',
  {
    rotation: (original) => (role, standard) =>
      original(
        role,
        standard.map((text) => text.replaceAll('"', '')),
      ),
  },
)
