/** What results say of each clause and each engine. */
import type { CheckResult, ClauseOutcome, ClauseResult, EngineResult } from '../../specs/meta/results.ts'
import type { Clause } from '../contract/contract.ts'
import type { Plan } from '../planning/plan.ts'
import type { RunFacts } from '../planning/run-facts.ts'
import { isNarrowedWithin } from '../planning/scope.ts'
import type { CheckRun } from '../running/check-run.ts'
import { type RunContext, targetOf } from '../sending/context.ts'
import { ballotOf } from './check-results.ts'
import { causesOfClause, votedWith } from './clause-causes.ts'
import { valueText } from './value-text.ts'
import { countOutcomes, engineVerdict, outcomeOf } from './verdict.ts'

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

const observationsOf = (context: RunContext, runs: CheckRun[], clause: Clause): string[] => {
  const seen = runs.flatMap((run) =>
    run.decisions
      .filter(
        (one) => one.clause === clause.id && (one.outcome === 'observed' || (clause.level !== 'required' && one.outcome === 'violated')),
      )
      .map((one) => valueText(context, one.value) ?? one.message ?? ''),
  )
  return [...new Set(seen)].slice(0, 20)
}

/** Why a check left a clause undecided, where it did. */
const reasonOf = (run: CheckRun, clause: string): string | undefined => {
  if (run.outcome === 'blocked' || run.outcome === 'errored') return run.reason
  if (run.outcome !== 'failed' || run.decisions.some((one) => one.clause === clause)) return undefined
  const failed = run.decisions.filter(({ outcome }) => outcome === 'violated').map((one) => one.clause)
  return `${run.check.id} failed on ${[...new Set(failed)].join(', ')} and did not come to this clause`
}

/**
 * The clauses of the APIs that the run is about, with the outcomes that their checks give them.
 *
 * @param checks the results of the runs, in their order, with what causes what.
 */
export const clauseResults = (
  context: RunContext,
  plan: Plan,
  facts: RunFacts,
  runs: readonly CheckRun[],
  checks: readonly CheckResult[],
): ClauseResult[] => {
  const byClause = groupBy(
    runs.flatMap((run, at) => run.check.clauses.map((clause) => ({ clause, run, result: checks[at]! }))),
    ({ clause }) => clause,
  )
  const unclaimed = new Set(facts.notClaimed.flatMap((check) => check.clauses))
  const claimedApis = new Set(context.targets.keys())
  const engines = new Set([...context.targets.values()].flatMap((target) => target.engines))
  // A whole run also lists what the target does not claim; one that was narrowed lists what was asked for.
  const isWhole = plan.asked.length === 0 && !plan.scope.part
  const isOfRun = (engine: string): boolean =>
    plan.engines.includes(engine) || plan.asked.includes(engine) || (isWhole && !engines.has(engine))
  return [...context.contract.clauses.values()]
    .filter((clause) => claimedApis.has(context.contract.engines.get(clause.engine)!.api))
    .map((clause) => {
      const all = byClause.get(clause.id) ?? []
      const mine = all.map(({ run }) => run)
      const claimed = targetOf(context, clause.engine).engines.includes(clause.engine)
      const causes = ({ undecided = [] }: CheckResult) => undecided.find((one) => one.clause === clause.id)?.causedBy
      const votes = all.map(({ run, result }) => votedWith(ballotOf(run, clause.id), causes(result)))
      if (votes.length === 0 && (unclaimed.has(clause.id) || facts.elsewhere?.has(clause.id))) votes.push('notClaimed')
      // What is seen to be violated counts, also where only another engine's check came upon it.
      const outcome: ClauseOutcome = claimed || votes.includes('violated') ? outcomeOf(clause, votes) : 'notClaimed'
      const why = mine.map((run) => reasonOf(run, clause.id)).find((reason) => reason !== undefined) ?? clause.excluded
      const observations = observationsOf(context, mine, clause)
      const reproduction = ['violated', 'warned'].includes(outcome) ? facts.reproduced?.get(clause.id) : undefined
      return {
        id: clause.id,
        engine: clause.engine,
        level: clause.level,
        text: clause.text,
        source: { document: clause.document, title: clause.title ?? clause.document, section: clause.section },
        ...(clause.reading === undefined ? {} : { reading: clause.reading }),
        outcome,
        checks: mine.map((run) => run.check.id),
        ...causesOfClause(
          { id: clause.id, outcome },
          all.map(({ result }) => result),
        ),
        ...(why === undefined || !['blocked', 'errored', 'excluded', 'notExercised'].includes(outcome) ? {} : { reason: why }),
        ...(observations.length === 0 ? {} : { observations }),
        ...(reproduction === undefined ? {} : { reproduction }),
      }
    })
    .filter(({ engine, outcome }) => isOfRun(engine) || outcome === 'violated' || outcome === 'warned')
}

/** The engines of these clauses, with their verdicts. */
export const engineResults = (context: RunContext, plan: Plan, facts: RunFacts, clauses: ClauseResult[]): EngineResult[] =>
  [...groupBy(clauses, (clause) => clause.engine)].map(([id, mine]) => {
    const why = facts.unclaimedEngines.find((engine) => engine.id === id)
    return {
      id,
      title: context.contract.engines.get(id)!.title,
      // Of an engine that was not chosen only what other engines came upon is known.
      verdict: engineVerdict(mine, isNarrowedWithin(plan.scope) || !plan.engines.includes(id)),
      clauses: countOutcomes(mine.map((clause) => clause.outcome)),
      ...(why === undefined ? {} : { reason: why.reason, remedy: why.remedy }),
    }
  })
