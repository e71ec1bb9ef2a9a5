/** Faults of the database engine: the same thing in another form. */
import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { insteadOfRefusal, reply } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import { fill } from './statements.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

rule(
  'cedar-semicolon-in-quotes-splits',
  'DATABASE-STMT-01',
  'a semicolon inside of quotes ends a statement (001, 2.1 and 4.1: the items of `creation_statements` are statements, run as they are but for templates)',
  {
    prepared: () => (statements, values) =>
      statements
        .flatMap((text) => (/\bEND\b/i.test(text) ? [text] : text.split(';')))
        .map((statement) => fill(statement.trim(), values))
        .filter((statement) => statement !== ''),
  },
)

rule(
  'cedar-rotation-time-with-wrong-offset',
  'DATABASE-SCREDS-03',
  '`last_service_rotation` carries an offset of one hour although its clock time is UTC (001, 2.1: timestamp, ISO 8601 with offset)',
  {
    shownTime: (original) => (seconds) => original(seconds).replace('Z', '+01:00'),
  },
)

rule(
  'cedar-allowed-roles-ignore-case',
  'DATABASE-ALLOWED-04',
  'a role is allowed by a name that differs in case (001, 4.1: `allowed_roles` lists names; only `*` stands for others)',
  {
    roleAllowed: (original) => (allowed, role) =>
      original(
        allowed.map((name) => name.toLowerCase()),
        role.toLowerCase(),
      ),
  },
)

rule(
  'cedar-static-names-listed-encoded',
  'DATABASE-STATIC-07',
  'the listing of static roles shows names percent-encoded (001, 4.1: `data.keys` holds the names; 000, 4.1)',
  {
    staticRoleNames: (original) => (state) => original(state).map(encodeURIComponent),
  },
)

route(
  'cedar-empty-listing-by-get',
  'CORE-LIST-04',
  'an empty listing of static roles by GET with `list=true` is 200 with no keys (000, 1.5 and 7: an empty listing returns 404, in both forms)',
  'database.listStaticRoles',
  insteadOfRefusal(
    () => secret({ keys: [] }),
    (call) => call.query.get('list') === 'true',
  ),
)

rule(
  'cedar-no-allowed-roles-null',
  'DATABASE-ALLOWED-01',
  'a connection without allowed roles is read with `allowed_roles` null (001, 4.1: list, default []; 2.1: read returns it)',
  {
    shownConnection: (original) => (connection) => ({
      ...original(connection),
      allowed_roles: connection.allowedRoles.length > 0 ? connection.allowedRoles : null,
    }),
  },
)

route(
  'cedar-role-listing-lease-null',
  'CORE-ENV-03',
  'the listing of roles has `lease_id` null (000, 2.3: string, empty when no lease)',
  'database.listRoles',
  reply((given) => ({ ...given, body: { ...(given.body as JsonObject), lease_id: null } })),
)

const putting = requestsTo('database')
core.rule(
  'cedar-put-connection-unverified',
  'DATABASE-VERIFY-01',
  'a connection that is written with PUT is not verified (000, 1.6: PUT and POST are synonyms; 001, 4.1: `verify_connection`, default true)',
  {
    ...putting.locating,
    parseBody: (original) => (bytes, request) => {
      const parsed = original(bytes, request)
      const unverified = putting.here() && request.method === 'PUT' && /\/config\/[^/]+$/.test(request.path)
      return unverified ? { ...parsed, body: { ...parsed.body, verify_connection: false } } : parsed
    },
  },
)

rule(
  'cedar-username-unfilled-in-revocation',
  'DATABASE-STMT-06',
  '`revocation_statements` know `{{name}}` but not `{{username}}` (001, 2.1: statement templates may contain both)',
  {
    revocation: (original) => (role, standard) =>
      original(role, standard).map((statement) => statement.replaceAll('{{username}}', '{{user_name}}')),
  },
)

rule(
  'cedar-last-semicolon-cut-on-read',
  'DATABASE-STMT-04',
  'the read of a role shows its `creation_statements` without their last semicolons (001, 4.1: `data` with the role fields, which are those that were written)',
  {
    shownRole: (original) => (role) => ({
      ...original(role),
      creation_statements: role.creation.map((statement) => statement.replace(/;\s*$/, '')),
    }),
  },
)

rule(
  'cedar-revocation-split-at-commas',
  'DATABASE-STMT-16',
  'items of `revocation_statements` are split at commas (001, 4.1: list of statements; a statement may hold commas)',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      return { ...role, revocation: role.revocation.flatMap((statement) => statement.split(',').map((part) => part.trim())) }
    },
  },
)
