/** Implementations side by side: what each comes to, engine by engine and clause by clause. */
import type { ClauseCounts, ClauseOutcome, ClauseResult, Level, Results, Verdict } from '../specs/meta/results.ts'

/** One of the implementations that are compared. */
export interface Implementation {
  name: string
  /** What the server says it is. */
  server?: string
  assay: string
  startedAt: string
  effort: string
  verdict: Verdict
  gate: Results['gate']
  /** The page of its own report, relative to the comparison. */
  report?: string
}

interface Standing {
  verdict: Verdict
  clauses: ClauseCounts
}

/** One engine; an implementation that does not have it stands as null. */
export interface ComparedEngine {
  id: string
  title: string
  standings: (Standing | null)[]
}

/** One clause; an implementation that does not have it stands as null. */
export interface ComparedClause {
  id: string
  engine: string
  level: Level
  text: string
  source: ClauseResult['source']
  outcomes: (ClauseOutcome | null)[]
  /** Whether it holds on some implementation and not on another. */
  differs: boolean
}

/** What `assay compare --json` prints. */
export interface Comparison {
  implementations: Implementation[]
  engines: ComparedEngine[]
  clauses: ComparedClause[]
}

/** Results with where their own page is. */
export interface Compared {
  results: Results
  report?: string
}

const HOLDS: (ClauseOutcome | null)[] = ['verified']
const FAILS: (ClauseOutcome | null)[] = ['violated', 'warned']

/** Names that tell the implementations apart: the target's, with the server or the run where two have the same. */
const namesOf = (all: readonly Results[]): string[] => {
  const repeated = (names: readonly string[], name: string) => names.filter((other) => other === name).length > 1
  const plain = all.map(({ target }) => target.name)
  const served = all.map(({ environment: { server } }, at) =>
    repeated(plain, plain[at]!) && server !== undefined ? `${plain[at]}, ${server}` : plain[at]!,
  )
  return all.map(({ run }, at) => (repeated(served, served[at]!) ? `${served[at]}, run ${run}` : served[at]!))
}

/** Compares two or more results, in the order in which they are given. */
export const comparisonOf = (compared: readonly Compared[]): Comparison => {
  const all = compared.map(({ results }) => results)
  const names = namesOf(all)
  const engines = new Map(all.flatMap((results) => results.engines.map(({ id, title }) => [id, title] as const)))
  const clauses = new Map(all.flatMap((results) => results.clauses.map((clause) => [clause.id, clause] as const)))
  const outcomes = all.map((results) => new Map(results.clauses.map(({ id, outcome }) => [id, outcome])))
  const order = [...engines.keys()]
  return {
    implementations: compared.map(({ results, report }, at) => ({
      name: names[at]!,
      ...(results.environment.server === undefined ? {} : { server: results.environment.server }),
      assay: results.assay,
      startedAt: results.startedAt,
      effort: results.effort,
      verdict: results.verdict,
      gate: results.gate,
      ...(report === undefined ? {} : { report }),
    })),
    engines: [...engines].map(([id, title]) => ({
      id,
      title,
      standings: all.map((results) => {
        const found = results.engines.find((engine) => engine.id === id)
        return found === undefined ? null : { verdict: found.verdict, clauses: found.clauses }
      }),
    })),
    clauses: [...clauses.values()]
      .map(({ id, engine, level, text, source }): ComparedClause => {
        const mine = outcomes.map((known) => known.get(id) ?? null)
        const differs = mine.some((one) => HOLDS.includes(one)) && mine.some((one) => FAILS.includes(one))
        return { id, engine, level, text, source, outcomes: mine, differs }
      })
      .sort((left, right) => order.indexOf(left.engine) - order.indexOf(right.engine)),
  }
}

/** What a comparison comes to, in one sentence. */
export const leadOfComparison = ({ clauses, implementations }: Comparison): string => {
  const differing = clauses.filter(({ differs }) => differs).length
  const decided = clauses.filter(({ outcomes }) => outcomes.every((one) => HOLDS.includes(one))).length
  return `${implementations.length} implementations: ${decided} of ${clauses.length} clauses hold on all, ${differing} on some and not on others.`
}
