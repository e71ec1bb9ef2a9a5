/** Faults at the edges of what may be given, and in what values and answers look like. */
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import { fill, splitStatements } from './statements.ts'

const { rule } = faultsOf(databaseEngine)

rule('boundary-revocation-first', 'DB-STMT-06', 'of several revocation statements only the first is run', {
  revocation: (original) => (role, standard) => original(role, standard).slice(0, 1),
})

const firstUnit = (value: Json | undefined): Json =>
  typeof value === 'string' ? (/^\d+[a-z]+/.exec(value)?.[0] ?? value) : (value ?? null)

rule('boundary-compound-duration', 'DB-TTL-02', 'of a time to live with several units only the first counts', {
  roleOf: (original) => (body, previous) =>
    original({ ...body, default_ttl: firstUnit(body.default_ttl), max_ttl: firstUnit(body.max_ttl) }, previous),
})

rule('boundary-star-not-first', 'DB-ALLOWED-05', 'a star among the allowed roles counts only as the first', {
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

rule('boundary-slot-twice', 'DB-STMT-01', 'a slot that stands twice in a statement of a role is filled once', {
  prepared: () => (statements, values) =>
    statements
      .flatMap(splitStatements)
      .map((statement) => (statement.includes('pg_roles') ? fill(statement, values) : filledOnce(statement, values))),
})

rule('shape-static-listed-lower', 'DB-STATIC-07', 'names of static roles are listed in lower case', {
  staticRoleNames: (original) => (state) => original(state).map((name) => name.toLowerCase()),
})
