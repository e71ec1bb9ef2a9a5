/** Faults at the edges of what may be given, and in what values and answers look like. */
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import { fill, splitStatements } from './statements.ts'

const { rule, route } = faultsOf(databaseEngine)

route(
  'boundary-period-text',
  'DATABASE-STATIC-16',
  'a rotation period with a unit may be as short as a second',
  'database.writeStaticRole',
  (original) => (call) => {
    const isText = typeof call.body.rotation_period === 'string'
    const periodAllowed = (period: number): boolean => (isText && period >= 1) || call.rules.periodAllowed(period)
    return original({ ...call, rules: { ...call.rules, periodAllowed } })
  },
)

rule('boundary-revocation-first', 'DATABASE-STMT-06', 'of several revocation statements only the first is run', {
  revocation: (original) => (role, standard) => original(role, standard).slice(0, 1),
})

const firstUnit = (value: Json | undefined): Json =>
  typeof value === 'string' ? (/^\d+[a-z]+/.exec(value)?.[0] ?? value) : (value ?? null)

rule('boundary-compound-duration', 'DATABASE-TTL-02', 'of a time to live with several units only the first counts', {
  roleOf: (original) => (body, previous) =>
    original({ ...body, default_ttl: firstUnit(body.default_ttl), max_ttl: firstUnit(body.max_ttl) }, previous),
})

rule('boundary-star-not-first', 'DATABASE-ALLOWED-05', 'a star among the allowed roles counts only as the first', {
  roleAllowed: () => (allowed, role) => allowed[0] === '*' || allowed.includes(role),
})

/** A statement in which each slot is filled where it stands first. */
const filledOnce = (statement: string, values: Record<string, string>): string => {
  const seen = new Set<string>()
  return statement.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, key: string) => {
    if (seen.has(key)) return whole
    seen.add(key)
    return values[key] ?? whole
  })
}

rule('boundary-slot-twice', 'DATABASE-STMT-01', 'a slot that stands twice in a statement of a role is filled once', {
  prepared: () => (statements, values) =>
    statements
      .flatMap(splitStatements)
      .map((statement) => (statement.includes('pg_roles') ? fill(statement, values) : filledOnce(statement, values))),
})

rule('shape-revocation-read-split', 'DATABASE-STMT-16', 'revocation statements are shown split at their commas', {
  shownRole: (original) => (role) => ({
    ...original(role),
    revocation_statements: role.revocation.flatMap((statement) => statement.split(',').map((part) => part.trim())),
  }),
})

rule('shape-dollar-in-password', 'DATABASE-URL-10', 'two dollar signs in the password of a connection become one in its URL', {
  filledUrl: (original) => (connection, encoded) =>
    original({ ...connection, password: connection.password.split('$$').join('$') }, encoded),
})

rule('shape-static-listed-lower', 'DATABASE-STATIC-07', 'names of static roles are listed in lower case', {
  staticRoleNames: (original) => (state) => original(state).map((name) => name.toLowerCase()),
})

rule('shape-static-user-cut', 'DATABASE-STATIC-03', 'the user name of a static role is cut after 32 characters', {
  staticRoleOf: (original) => (body, previous) => {
    const fields = original(body, previous)
    return { ...fields, username: fields.username.slice(0, 32) }
  },
})

rule(
  'shape-empty-statements-kept',
  'DATABASE-ROLE-02',
  'an update with an empty list leaves the revocation and renewal statements as they were',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      return {
        ...role,
        revocation: role.revocation.length > 0 ? role.revocation : (previous?.revocation ?? []),
        renewal: role.renewal.length > 0 ? role.renewal : (previous?.renewal ?? []),
      }
    },
  },
)
