/** Registration of checks about static roles, which not every kind of database supports. */
import { type CheckContext, type CheckOptions, check } from '../../../harness/checks/index.ts'
import { type Kind, runs } from '../kinds.ts'

/** What `without` in the configuration calls static roles. */
export const STATIC_ROLES = 'static_roles'

/** `check` for one kind of database: where its plugin has no static roles the clauses are looked at, and left to the other kind. */
export const staticChecksOf =
  (kind: Kind) =>
  (id: string, clauses: string | string[], title: string, options: CheckOptions, body: (context: CheckContext) => Promise<void>): void =>
    check(id, clauses, title, options, async (context) => {
      if (runs(context.bench, kind, STATIC_ROLES)) return body(context)
      for (const clause of [clauses].flat()) context.bench.observe(clause, `the plugin for ${kind.id} has no static roles`)
    })
