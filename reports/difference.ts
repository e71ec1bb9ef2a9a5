/** What changed between two results of one target: what is violated now, what was mended, what is no longer decided, what became slower. */
import type { CheckResult, ClauseOutcome, ClauseResult, Level, Results } from '../specs/meta/results.ts'
import { isUnstable } from './view.ts'

/** One clause that changed. */
export interface Change {
  id: string
  engine: string
  level: Level
  text: string
  before?: ClauseOutcome
  after?: ClauseOutcome
  /** Why, as the checks of the newer results say. */
  reason?: string
  /** Why it is tolerated, where a known deviation covers it. */
  deviation?: string
}

/** One clause that the newer suite grades otherwise. */
export interface LevelChange extends Change {
  levelBefore: Level
}

/** One check that takes longer than it did. */
export interface Slower {
  id: string
  beforeMs: number
  afterMs: number
  factor: number
}

/** The results that are compared. */
export interface Side {
  assay: string
  run: string
  startedAt: string
  verdict: Results['verdict']
  gate: Results['gate']
  server?: string
}

/** What `assay diff --format json` prints. */
export interface Difference {
  target: string
  old: Side
  new: Side
  /** Something required that held, or was not known to fail, fails now and no known deviation covers it; or it is no longer decided. */
  regression: boolean
  violated: Change[]
  fixed: Change[]
  /** Decided before, and blocked or errored now. */
  blocked: Change[]
  /** Advised, and does not hold any more. */
  warned: Change[]
  /** Of another level than before: what such a clause comes to now is compared with nothing. */
  levelChanged: LevelChange[]
  /** Checks that failed once and held when repeated, which did not before. */
  unstable: string[]
  clausesAdded: string[]
  clausesGone: string[]
  checksAdded: string[]
  checksGone: string[]
  slower: Slower[]
}

/** Milliseconds below which a duration says nothing. */
const LEAST_DURATION = 200
const HELD: ClauseOutcome[] = ['verified', 'observed']
const OPEN: ClauseOutcome[] = ['blocked', 'errored']

const sideOf = ({ assay, run, startedAt, verdict, gate, environment: { server } }: Results): Side => ({
  assay,
  run,
  startedAt,
  verdict,
  gate,
  ...(server === undefined ? {} : { server }),
})

/** What about two results makes a comparison of them meaningless; undefined where nothing does. */
export const incomparable = (old: Results, other: Results): string | undefined => {
  const apis = (results: Results) =>
    results.target.apis
      .map(({ api }) => api)
      .sort()
      .join(', ')
  if (apis(old) !== apis(other)) return `the older results are of ${apis(old) || 'no API'}, the newer ones of ${apis(other) || 'no API'}`
  if (old.target.name !== other.target.name)
    return `the older results are of the target ${JSON.stringify(old.target.name)}, the newer ones of ${JSON.stringify(other.target.name)}`
  return undefined
}

const why = (results: Results, id: string): Pick<Change, 'reason' | 'deviation'> => {
  const found = results.checks.flatMap(({ decisions }) => decisions.filter((one) => one.clause === id && one.outcome === 'violated'))
  const known = found.length > 0 && found.every(({ deviation }) => deviation !== undefined)
  const reason = found[0]?.message ?? results.clauses.find((clause) => clause.id === id)?.reason
  return { ...(reason === undefined ? {} : { reason }), ...(known ? { deviation: found[0]!.deviation! } : {}) }
}

const goneFrom = <T extends { id: string }>(from: readonly T[], to: readonly T[]): string[] => {
  const there = new Set(to.map(({ id }) => id))
  return from.filter(({ id }) => !there.has(id)).map(({ id }) => id)
}

const ran = ({ checks }: Results): CheckResult[] => checks.filter(({ outcome }) => outcome !== 'notClaimed')

const slowerIn = (old: Results, other: Results, factor: number): Slower[] => {
  const before = new Map(old.checks.map(({ id, durationMs }) => [id, durationMs]))
  return ran(other)
    .flatMap(({ id, durationMs: afterMs }) => {
      const beforeMs = before.get(id)
      if (beforeMs === undefined || afterMs < LEAST_DURATION || afterMs <= factor * Math.max(1, beforeMs)) return []
      return [{ id, beforeMs, afterMs, factor: Math.round((10 * afterMs) / Math.max(1, beforeMs)) / 10 }]
    })
    .sort((left, right) => right.factor - left.factor)
}

/**
 * Compares two results.
 *
 * @param factor a check counts as slower that takes more than so many times what it took.
 */
export const differenceOf = (old: Results, other: Results, factor = 3): Difference => {
  const before = new Map(old.clauses.map((clause) => [clause.id, clause]))
  const changes = other.clauses.map((clause): Change & { before?: ClauseOutcome; after: ClauseOutcome } => {
    const { id, engine, level, text, outcome } = clause
    const was: ClauseResult | undefined = before.get(id)
    return { id, engine, level, text, ...(was === undefined ? {} : { before: was.outcome }), after: outcome, ...why(other, id) }
  })
  const levelChanged = changes.flatMap((one): LevelChange[] => {
    const levelBefore = before.get(one.id)?.level
    return levelBefore === undefined || levelBefore === one.level ? [] : [{ ...one, levelBefore }]
  })
  const regraded = new Set(levelChanged.map(({ id }) => id))
  const changed = changes.filter((one) => one.before !== one.after && !regraded.has(one.id))
  const violated = changed.filter(({ after }) => after === 'violated')
  const blocked = changed.filter(({ before: was, after }) => OPEN.includes(after) && was !== undefined && HELD.includes(was))
  const wasUnstable = new Set(old.checks.filter(isUnstable).map(({ id }) => id))
  return {
    target: other.target.name,
    old: sideOf(old),
    new: sideOf(other),
    regression: [...violated.filter(({ deviation }) => deviation === undefined), ...blocked].some(({ level }) => level === 'required'),
    violated,
    fixed: changed.filter(({ before: was, after }) => (was === 'violated' || was === 'warned') && HELD.includes(after)),
    blocked,
    warned: changed.filter(({ after }) => after === 'warned'),
    levelChanged,
    unstable: other.checks.filter((check) => isUnstable(check) && !wasUnstable.has(check.id)).map(({ id }) => id),
    clausesAdded: goneFrom(other.clauses, old.clauses),
    clausesGone: goneFrom(old.clauses, other.clauses),
    checksAdded: goneFrom(ran(other), ran(old)),
    checksGone: goneFrom(ran(old), ran(other)),
    slower: slowerIn(old, other, factor),
  }
}
