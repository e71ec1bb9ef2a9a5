/** Results as large as a test wants them: all green, or all violated. */
import type { ClauseResult, Results } from '../../specs/meta/results.ts'
import { SAMPLE_ENGINES } from './sample-clauses.ts'
import { count, sampleResults } from './sample-results.ts'

/** The same engines and as many clauses and checks as asked for, all of them green. */
export const greenResults = (clauses: number, checks: number): Results => {
  const base = sampleResults({ extra: clauses, proof: false })
  const green = base.clauses.map((clause, n): ClauseResult => {
    const engine = SAMPLE_ENGINES[n % SAMPLE_ENGINES.length]!.id
    return { ...clause, engine, outcome: 'verified', observations: n % 15 === 0 ? ['answers 200'] : undefined }
  })
  const passed = base.checks.find((check) => check.outcome === 'passed')!
  return {
    ...base,
    verdict: 'conformant',
    gate: 'passed',
    gateReasons: [],
    engines: SAMPLE_ENGINES.map(({ id, title }) => ({
      id,
      title,
      verdict: 'conformant',
      clauses: count(green.filter((clause) => clause.engine === id)),
    })),
    clauses: green,
    checks: Array.from({ length: checks }, (_, n) => {
      const clause = green[n % green.length]!
      return { ...passed, id: `${clause.engine}/sample-${n}`, engine: clause.engine, clauses: [clause.id] }
    }),
    deviations: [],
    leftovers: [],
  }
}

/** Results in which every clause is violated, each for a cause of its own, with evidence. */
export const redResults = (clauses: number): Results => {
  const green = greenResults(clauses, clauses)
  const failed = sampleResults().checks.find((check) => check.evidence.length > 2)!
  const letters = (n: number): string => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
  return {
    ...green,
    verdict: 'nonConformant',
    gate: 'failed',
    gateReasons: green.clauses.map(({ id }) => ({ gate: 'failed', kind: 'violated', subject: id, message: `${id} is violated` })),
    engines: green.engines.map((engine) => ({
      ...engine,
      verdict: 'nonConformant',
      clauses: { ...engine.clauses, verified: 0, violated: engine.clauses.total },
    })),
    clauses: green.clauses.map((clause) => ({ ...clause, outcome: 'violated' })),
    checks: green.clauses.map((clause, n) => ({
      ...failed,
      id: `${clause.engine}/sample-${n}`,
      engine: clause.engine,
      clauses: [clause.id],
      decisions: [{ ...failed.decisions[0]!, clause: clause.id, message: `the member ${letters(n)} is missing` }],
    })),
  }
}
