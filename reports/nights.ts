/** What a row of runs of one target shows: since when each clause fails, what came with it, and how runs grow. */
import type { ClauseOutcome, ClauseResult, Results, Verdict } from '../specs/meta/results.ts'

/** One run in the row. */
export interface Night {
  run: string
  startedAt: string
  assay: string
  verdict: Verdict
  gate: Results['gate']
  server?: string
  requests: number
  durationMs: number
}

/** One clause over all runs; undefined where a run does not have it. */
export interface ClauseNights {
  clause: ClauseResult
  outcomes: (ClauseOutcome | undefined)[]
  /** The run from which on it has failed without a break; absent where it holds now. */
  since?: { night: Night; runs: number; came: string }
}

export interface EngineNights {
  id: string
  title: string
  verdicts: (Verdict | undefined)[]
}

export interface TargetNights {
  target: string
  nights: Night[]
  engines: EngineNights[]
  /** Clauses that failed in some run, those that fail now first and the longest among them first. */
  clauses: ClauseNights[]
}

const FAILING: (ClauseOutcome | undefined)[] = ['violated', 'warned', 'blocked', 'errored']

const nightOf = ({ run, startedAt, assay, verdict, gate, environment: { server }, stats }: Results): Night => ({
  run,
  startedAt,
  assay,
  verdict,
  gate,
  ...(server === undefined ? {} : { server }),
  requests: stats.requests,
  durationMs: stats.durationMs,
})

/** What changed with the run in which a clause broke, in words. */
const whatCame = (night: Night, before: Night | undefined): string => {
  if (before === undefined) return 'since the first run that is kept'
  const changes = [
    before.server === night.server ? '' : `server ${before.server ?? 'unknown'} became ${night.server ?? 'unknown'}`,
    before.assay === night.assay ? '' : `assay ${before.assay} became ${night.assay}`,
  ].filter((change) => change !== '')
  return changes.length === 0 ? 'server and suite say the same versions as the run before' : changes.join(', ')
}

const sinceOf = (outcomes: readonly (ClauseOutcome | undefined)[], nights: readonly Night[]): ClauseNights['since'] => {
  if (!FAILING.includes(outcomes.at(-1))) return undefined
  const last = outcomes.findLastIndex((outcome) => !FAILING.includes(outcome))
  const night = nights[last + 1]!
  return { night, runs: nights.length - last - 1, came: whatCame(night, nights[last]) }
}

/** Puts the results of one target in a row by their time; what is of another target is left out. */
export const nightsOf = (target: string, given: readonly Results[]): TargetNights => {
  const all = given.filter((results) => results.target.name === target).sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
  const nights = all.map(nightOf)
  const byId = all.map(({ clauses }) => new Map(clauses.map((clause) => [clause.id, clause])))
  const latest = new Map(all.flatMap(({ clauses }) => clauses.map((clause) => [clause.id, clause] as const)))
  const clauses = [...latest.values()].flatMap((clause): ClauseNights[] => {
    const outcomes = byId.map((known) => known.get(clause.id)?.outcome)
    if (!outcomes.some((outcome) => FAILING.includes(outcome))) return []
    const since = sinceOf(outcomes, nights)
    return [{ clause, outcomes, ...(since === undefined ? {} : { since }) }]
  })
  const titles = new Map(all.flatMap(({ engines }) => engines.map(({ id, title }) => [id, title] as const)))
  return {
    target,
    nights,
    engines: [...titles].map(([id, title]) => ({
      id,
      title,
      verdicts: all.map(({ engines }) => engines.find((one) => one.id === id)?.verdict),
    })),
    clauses: clauses.sort((a, b) => (b.since?.runs ?? 0) - (a.since?.runs ?? 0)),
  }
}
