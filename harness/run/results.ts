/** Assembles `results.json` from what a run saw. */
import type { Vote } from '../../specs/meta/outcomes.ts'
import type {
  CheckResult,
  ClauseOutcome,
  ClauseResult,
  DeviationRecord,
  EngineResult,
  FailOn,
  KillRecord,
  Results,
  Undecided,
  VariantRecord,
} from '../../specs/meta/results.ts'
import { cut } from '../base/text.ts'
import { isContractCheck } from '../checks/check.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Clause } from '../contract/contract.ts'
import { packageVersion } from '../contract/root.ts'
import type { Target } from '../target/target.ts'
import { type RunContext, targetOf } from './context.ts'
import { coverageOf } from './coverage.ts'
import { type Deviation, type Failure, type Matched, matchDeviations } from './deviations.ts'
import { recordOf } from './evidence.ts'
import type { CheckRun } from './execute.ts'
import { gateOf, unmetOf } from './gate.ts'
import { evidenceFor } from './history.ts'
import { answersOf } from './part-answers.ts'
import type { Plan } from './plan.ts'
import { isUnstable } from './repeat.ts'
import { isNarrowed, isNarrowedWithin } from './scope.ts'
import { countOutcomes, engineVerdict, outcomeOf, overallVerdict, voteOf } from './verdict.ts'

const VALUE_LIMIT = 600

/** So much of a value is looked at for what is secret: the rim of it never shows. */
const VALUE_READ = 32 * VALUE_LIMIT

/** A value as text, without what is secret, and only then cut. */
const text = ({ secrets }: RunContext, value: unknown): string | undefined => {
  if (value === undefined) return undefined
  const whole = typeof value === 'string' ? value : JSON.stringify(value)
  return whole === undefined ? undefined : cut(secrets.redact(cut(whole, VALUE_READ)), VALUE_LIMIT)
}

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

const quote = (word: string): string => (/^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

export interface RunFacts {
  name: string
  /** Command-line words that lead to the same target, without selection and seed. */
  rerun: string[]
  /** Words that made the selection. */
  selection: string[]
  probed: boolean
  notes: string[]
  startedAt: Date
  /** Checks whose backends this machine cannot give, when the embedded server claims only what it can exercise. */
  notClaimed: CheckDefinition[]
  /** Clauses of claimed engines that only operations of engines outside the target's claims can show. */
  elsewhere?: ReadonlySet<string>
  unclaimedEngines: { id: string; reason: string; remedy: string }[]
  deviations: Deviation[]
  /** Entries that no longer occur are taken out of their file, so that they fail nothing. */
  removesStale?: boolean
  requests: number
  /** What fails the gate on demand. */
  failOn?: FailOn[]
  server?: string
  kills?: KillRecord[]
  variants?: VariantRecord[]
}

const rerunOf = (context: RunContext, facts: RunFacts, run: CheckRun): string => {
  const path = run.notes.path === undefined ? [] : ['--replay', run.notes.path]
  const words = [...facts.rerun, '--check', run.check.id, '--seed', String(context.seed), ...path]
  return `npx assay certify ${words.map(quote).join(' ')}`
}

/** The outcome of a check, softened where what it found violated is no required clause. */
export const outcomeAtLevel = (context: RunContext, run: CheckRun): CheckResult['outcome'] => {
  if (run.outcome !== 'failed') return run.outcome
  const levels = run.decisions.filter((one) => one.outcome === 'violated').map((one) => context.contract.clauses.get(one.clause)?.level)
  if (levels.includes('required')) return 'failed'
  return levels.includes('advised') ? 'warned' : 'observed'
}

/** Numbers of the exchanges that violated a clause. */
const decisiveOf = (run: CheckRun): number[] =>
  run.decisions.flatMap(({ outcome, exchange }) => (outcome === 'violated' && exchange !== undefined ? [exchange] : []))

/** Why all that failed in a check is tolerated; undefined where some of it is not. */
const toleratedBy = ({ check, decisions, outcome }: CheckRun, matched: Matched): string | undefined => {
  const violated = decisions.filter((one) => one.outcome === 'violated').map(({ clause }) => clause)
  const failed = outcome === 'failed' ? violated : check.clauses
  const reasons = failed.map((clause) => matched.reasons.get(`${check.id} ${clause}`))
  return reasons.includes(undefined) ? undefined : reasons[0]
}

const isContractMiss = (run: CheckRun): boolean => isContractCheck(run.check) && run.outcome === 'blocked'

/** The vote of a check; one that waits for what others see has not exercised what nobody saw. */
const ballotOf = (run: CheckRun, clause: string): Vote => (isContractMiss(run) ? 'notExercised' : voteOf(run, clause))

/** What a check says of its clauses that it made no decision on, so that outcomes can be told again from the results. */
const undecidedOf = (run: CheckRun, matched: Matched): Undecided[] =>
  run.check.clauses.flatMap((clause) => {
    if (run.decisions.some((one) => one.clause === clause)) return []
    const deviation = matched.reasons.get(`${run.check.id} ${clause}`)
    const vote = ballotOf(run, clause) as Undecided['vote']
    return [{ clause, vote, ...(deviation === undefined ? {} : { deviation }) }]
  })

const checkResult = (context: RunContext, facts: RunFacts, run: CheckRun, matched: Matched): CheckResult => {
  const { check } = run
  const reason = toleratedBy(run, matched)
  const undecided = undecidedOf(run, matched)
  const deviationOf = ({ clause, outcome }: CheckRun['decisions'][number]) =>
    outcome === 'violated' ? matched.reasons.get(`${check.id} ${clause}`) : undefined
  return {
    id: check.id,
    title: check.title,
    engine: check.engine,
    kind: check.kind,
    clauses: check.clauses,
    outcome: outcomeAtLevel(context, run),
    ...(run.reason === undefined ? {} : { reason: run.reason }),
    ...(run.remedy === undefined ? {} : { remedy: run.remedy }),
    durationMs: Math.round(run.durationMs),
    exchanges: run.exchangeCount,
    decisions: run.decisions.map((decision) => {
      const { clause, outcome, message, expected, seen, value, exchange } = decision
      const deviation = deviationOf(decision)
      return {
        clause,
        outcome,
        ...(message === undefined ? {} : { message }),
        ...(expected === undefined ? {} : { expected: text(context, expected)! }),
        ...(seen === undefined && value === undefined ? {} : { seen: text(context, seen ?? value) ?? '' }),
        ...(exchange === undefined ? {} : { exchange }),
        ...(deviation === undefined ? {} : { deviation }),
      }
    }),
    ...(undecided.length === 0 ? {} : { undecided }),
    evidence: (['passed', 'observed'].includes(run.outcome) && !isUnstable(run) ? [] : evidenceFor(run.exchanges, decisiveOf(run))).map(
      (one) => recordOf(context.secrets, context.targets.get(one.operation.api) as Target, one),
    ),
    rerun: rerunOf(context, facts, run),
    ...(run.notes.counterexample === undefined ? {} : { counterexample: run.notes.counterexample }),
    ...(run.notes.stability === undefined ? {} : { stability: run.notes.stability }),
    ...(reason === undefined ? {} : { deviation: reason }),
  }
}

/** Why this machine cannot exercise a check, and what to do about it; empty where nothing is known. */
const whyNotClaimed = ({ missingBackends }: RunContext, { needs }: CheckDefinition): string[] => {
  const missing = (needs.backends ?? []).map((name) => missingBackends[name]).find((why) => why !== undefined)
  return missing === undefined ? [] : [missing.reason, missing.remedy]
}

const notClaimedResult = (context: RunContext, check: CheckDefinition): CheckResult => {
  const [reason, remedy] = whyNotClaimed(context, check)
  return {
    id: check.id,
    title: check.title,
    engine: check.engine,
    kind: check.kind,
    clauses: check.clauses,
    outcome: 'notClaimed',
    ...(reason === undefined ? {} : { reason }),
    ...(remedy === undefined ? {} : { remedy }),
    durationMs: 0,
    exchanges: 0,
    decisions: [],
    evidence: [],
    rerun: '',
  }
}

const valueIn = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const failuresOf = (context: RunContext, runs: CheckRun[]): Failure[] =>
  runs.flatMap((run) =>
    run.check.clauses.flatMap((clause): Failure[] => {
      const level = context.contract.clauses.get(clause)?.level ?? 'open'
      const vote = voteOf(run, clause)
      if (vote !== 'violated' && vote !== 'blocked' && vote !== 'undecided') return []
      const violated = run.decisions.filter((one) => one.clause === clause && one.outcome === 'violated')
      const reasons =
        vote === 'violated'
          ? violated.map((one) => [one.message ?? run.reason, valueIn(one.expected), valueIn(one.seen)].join('\n'))
          : [run.reason ?? '']
      return reasons.map((reason) => ({ clause, level, check: run.check.id, outcome: vote === 'violated' ? vote : 'blocked', reason }))
    }),
  )

const observationsOf = (context: RunContext, runs: CheckRun[], clause: Clause): string[] => {
  const seen = runs.flatMap((run) =>
    run.decisions
      .filter(
        (one) => one.clause === clause.id && (one.outcome === 'observed' || (clause.level !== 'required' && one.outcome === 'violated')),
      )
      .map((one) => text(context, one.value) ?? one.message ?? ''),
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

const clauseResults = (context: RunContext, plan: Plan, facts: RunFacts, runs: CheckRun[]): ClauseResult[] => {
  const byClause = groupBy(
    runs.flatMap((run) => run.check.clauses.map((clause) => ({ clause, run }))),
    ({ clause }) => clause,
  )
  const unclaimed = new Set(facts.notClaimed.flatMap((check) => check.clauses))
  const claimedApis = new Set(context.targets.keys())
  const engines = new Set([...context.targets.values()].flatMap((target) => target.engines))
  return [...context.contract.clauses.values()]
    .filter((clause) => claimedApis.has(context.contract.engines.get(clause.engine)!.api))
    .map((clause) => {
      const mine = (byClause.get(clause.id) ?? []).map(({ run }) => run)
      const claimed = targetOf(context, clause.engine).engines.includes(clause.engine)
      const votes = mine.map((run) => ballotOf(run, clause.id))
      if (votes.length === 0 && (unclaimed.has(clause.id) || facts.elsewhere?.has(clause.id))) votes.push('notClaimed')
      // What is seen to be violated counts, also where only another engine's check came upon it.
      const outcome: ClauseOutcome = claimed || votes.includes('violated') ? outcomeOf(clause, votes) : 'notClaimed'
      const why = mine.map((run) => reasonOf(run, clause.id)).find((reason) => reason !== undefined) ?? clause.excluded
      const observations = observationsOf(context, mine, clause)
      return {
        id: clause.id,
        engine: clause.engine,
        level: clause.level,
        text: clause.text,
        source: { document: clause.document, title: clause.title ?? clause.document, section: clause.section },
        ...(clause.reading === undefined ? {} : { reading: clause.reading }),
        outcome,
        checks: mine.map((run) => run.check.id),
        ...(why === undefined || !['blocked', 'errored', 'excluded', 'notExercised'].includes(outcome) ? {} : { reason: why }),
        ...(observations.length === 0 ? {} : { observations }),
      }
    })
    .filter(
      ({ engine, outcome }) => plan.engines.includes(engine) || !engines.has(engine) || outcome === 'violated' || outcome === 'warned',
    )
}

const engineResults = (context: RunContext, plan: Plan, facts: RunFacts, clauses: ClauseResult[]): EngineResult[] =>
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

const judgedBy = (check: CheckDefinition) => check.clauses.map((clause) => ({ clause, check: check.id }))

const withoutStale = (record: DeviationRecord): DeviationRecord => (record.state === 'stale' ? { ...record, state: 'removed' } : record)

/** A replayed case is a part of its check, and so of the run. */
const planOf = (context: RunContext, plan: Plan): Plan =>
  context.replay === undefined ? plan : { ...plan, scope: { ...plan.scope, part: true } }

/** Members whose words are the contract's and the suites', never the target's: a string, or a list of ids. */
const OUR_WORDS = new Set(
  'id title text reading engine level kind clause clauses check checks operation method path outcome verdict gate state subject failOn vote claimed engines occurs'.split(
    ' ',
  ),
)
/** Members that are left whole: counts and ids alone, and evidence, which is redacted where it is made. */
const LEFT_WHOLE = new Set(['evidence', 'exchange', 'coverage', 'kills', 'variants', 'source'])

const isWords = (member: unknown): boolean =>
  typeof member === 'string' || (Array.isArray(member) && member.every((item) => typeof item === 'string'))

/** `checks` names a list of ids in a clause and holds everything in the results: only the former is ours. */
const isOurs = (name: string, member: unknown): boolean => LEFT_WHOLE.has(name) || (OUR_WORDS.has(name) && isWords(member))

/** The results of a run, with every registered secret replaced. */
export const assembleResults = (context: RunContext, selected: Plan, facts: RunFacts, runs: CheckRun[]): Results => {
  const plan = planOf(context, selected)
  const failures = failuresOf(context, runs)
  const decided = runs.filter((run) => ['passed', 'failed'].includes(run.outcome)).flatMap(({ check }) => judgedBy(check))
  const today = new Date().toISOString().slice(0, 10)
  const matched = matchDeviations(facts.deviations, failures, decided, plan.leftOut.flatMap(judgedBy), today)
  const deviations = facts.removesStale === true ? matched.records.map(withoutStale) : matched.records
  const clauses = clauseResults(context, plan, facts, runs)
  const engines = engineResults(context, plan, facts, clauses)
  const checks = [
    ...runs.map((run) => checkResult(context, facts, run, matched)),
    ...facts.notClaimed.map((check) => notClaimedResult(context, check)),
  ]
  const { scope } = plan
  const failOn = facts.failOn ?? []
  const cutShort = context.signal.aborted
  const whyNot = (check: CheckDefinition) => whyNotClaimed(context, check)
  const unmet = unmetOf({ plan, engines, clauses, notClaimed: facts.notClaimed, whyNot })
  const finishedAt = new Date()
  const durationMs = finishedAt.getTime() - facts.startedAt.getTime()
  const targets = [...context.targets.values()]
  const results: Results = {
    assay: packageVersion,
    target: {
      name: facts.name,
      apis: targets.map((target) => ({ api: target.api.api, url: target.config.url, dialect: target.dialect.dialect })),
      probed: facts.probed,
      notes: facts.notes,
    },
    run: context.run,
    seed: context.seed,
    effort: context.effort,
    startedAt: facts.startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    scope,
    verdict: overallVerdict(engines, {
      narrowed: isNarrowed(scope),
      unmet: unmet.map(({ subject }) => subject),
      cutShort,
      decided: runs.some((run) => run.decisions.length > 0),
    }),
    ...gateOf({ scope, checks, engines, clauses, deviations, failOn, unmet, cutShort }),
    failOn,
    engines,
    clauses,
    checks,
    coverage: coverageOf(context, plan.engines),
    backends: [
      ...Object.values(context.backends).map(({ name, provider, version }) => ({ name, provider, version })),
      ...Object.entries(context.missingBackends).map(([name, { reason, remedy }]) => ({ name, provider: 'none', reason, remedy })),
    ],
    deviations,
    leftovers: context.leftovers,
    environment: {
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      command: ['npx assay certify', ...[...facts.rerun, ...facts.selection].map(quote)].join(' '),
      ...(targets[0] === undefined ? {} : { clockSkewSeconds: Math.round(targets[0].clockSkew * 10) / 10 }),
      ...(facts.server === undefined ? {} : { server: facts.server }),
    },
    counts: Object.fromEntries(context.counts),
    stats: {
      requests: facts.requests,
      durationMs,
      peakMemoryMb: Math.round(process.resourceUsage().maxRSS / 1024),
      requestsPerSecond: Math.round((facts.requests / Math.max(1, durationMs)) * 1000),
    },
    ...(scope.shard === undefined ? {} : { answers: answersOf(context, (value) => text(context, value) ?? '') }),
    ...(facts.kills === undefined ? {} : { kills: facts.kills }),
    ...(facts.variants === undefined ? {} : { variants: facts.variants }),
  }
  return context.secrets.redactAll(results, isOurs)
}
