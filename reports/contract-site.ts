/** The contract as a small static site: what its pages are made of. */
import type { ClauseOutcome, Level, Results } from '../specs/meta/results.ts'

/** One clause with who decides it and, with results, what became of it. */
export interface SiteClause {
  id: string
  engine: string
  level: Level
  text: string
  source: { document: string; title: string; section: string }
  reading?: string
  excluded?: string
  checks: { id: string; title: string; kind: string }[]
  /** Ids of the operations whose schemas or answers name it. */
  operations: string[]
  outcome?: ClauseOutcome
  /** Why it does not hold, or was not decided. */
  reason?: string
}

export interface SiteOperation {
  id: string
  method: string
  path: string
  summary: string
  statuses: string[]
  /** Names of the schemas of its bodies. */
  schemas: string[]
  /** Ids of the clauses that its answers decide. */
  clauses: string[]
}

export interface SiteSchema {
  name: string
  text: string
}

export interface SiteEngine {
  id: string
  title: string
  api: string
  clauses: SiteClause[]
  operations: SiteOperation[]
  schemas: SiteSchema[]
}

/** The whole contract. */
export interface ContractSite {
  version: string
  engines: SiteEngine[]
}

/** The outcomes of a run that stand beside the clauses. */
export type SiteRun = Pick<Results, 'target' | 'startedAt' | 'verdict' | 'run'>

/** A contract with the outcomes of a run beside its clauses. */
export const withOutcomes = (site: ContractSite, results: Results): ContractSite => {
  const known = new Map(results.clauses.map((clause) => [clause.id, clause]))
  const why = (id: string): string | undefined =>
    known.get(id)?.reason ??
    results.checks.flatMap(({ decisions }) => decisions).find((one) => one.clause === id && one.outcome === 'violated')?.message
  return {
    ...site,
    engines: site.engines.map((engine) => ({
      ...engine,
      clauses: engine.clauses.map((clause) => {
        const outcome = known.get(clause.id)?.outcome ?? 'notClaimed'
        const reason = outcome === 'verified' || outcome === 'excluded' ? undefined : why(clause.id)
        return { ...clause, outcome, ...(reason === undefined ? {} : { reason }) }
      }),
    })),
  }
}

/** The file of an engine's page. */
export const pageOf = (engine: string): string => `${engine}.html`

/** The fragment that names an operation or a schema on its page. */
export const anchorOf = (kind: 'operation' | 'schema', name: string): string => `${kind}-${name.replaceAll(/[^A-Za-z0-9.-]/g, '-')}`

/** The section in which a clause stands first, as a number where it has one: `1.4` of `1.4, 4.1 POST`. */
export const firstSection = (section: string): string => /^\d[\d.]*/.exec(section)?.[0].replace(/\.$/, '') ?? section

/** Things in the order of their sections: 1.2 before 1.10. */
export const bySection = <T extends { source: SiteClause['source'] }>(items: readonly T[]): T[] =>
  [...items].sort(
    (left, right) =>
      left.source.document.localeCompare(right.source.document) ||
      left.source.section.localeCompare(right.source.section, 'en', { numeric: true }),
  )
