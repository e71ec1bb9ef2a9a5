/** Assembles `results.json` from what a run saw. */
import type { DeviationRecord, OperationCoverage, Results } from '../../specs/meta/results.ts'
import { enterPhase } from '../base/position.ts'
import { shellWord } from '../base/shell.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import { packageVersion } from '../contract/package-root.ts'
import { matchDeviations } from '../planning/deviations.ts'
import type { Plan } from '../planning/plan.ts'
import type { RunFacts } from '../planning/run-facts.ts'
import { isNarrowed } from '../planning/scope.ts'
import type { CheckRun } from '../running/check-run.ts'
import type { RunContext } from '../sending/context.ts'
import type { Target } from '../target/target.ts'
import { certifiedFor } from './certified.ts'
import { checkResult, notClaimedResult, whyNotClaimed } from './check-results.ts'
import { clauseResults, engineResults } from './clause-results.ts'
import { coverageOf } from './coverage.ts'
import { dependencesOf, withCauses } from './explanations.ts'
import { failuresOf } from './failed-clauses.ts'
import { gateOf, unmetOf } from './gate.ts'
import { isOurs } from './our-words.ts'
import { answersOf } from './part-answers.ts'
import { valueText } from './value-text.ts'
import { overallVerdict } from './verdict.ts'

const judgedBy = (check: CheckDefinition) => check.clauses.map((clause) => ({ clause, check: check.id }))

const withoutStale = (record: DeviationRecord): DeviationRecord => (record.state === 'stale' ? { ...record, state: 'removed' } : record)

/** A replayed case is a part of its check, and so of the run. */
const planOf = (context: RunContext, plan: Plan): Plan =>
  context.replay === undefined ? plan : { ...plan, scope: { ...plan.scope, part: true } }

/** Seconds, to a tenth; of several servers that of the clock which is furthest from ours. */
const largestSkew = (targets: readonly Target[]): number => {
  const [largest = 0] = targets.map(({ clockSkew }) => clockSkew).sort((left, right) => Math.abs(right) - Math.abs(left))
  return Math.round(largest * 10) / 10
}

/** One API of the target, with what it lacks; what it did is not lacking. */
const apiResult = (
  { api, config, dialect, present: seen }: Target,
  coverage: readonly OperationCoverage[],
): Results['target']['apis'][number] => {
  const served = coverage.filter(({ statuses }) => Object.keys(statuses).some((status) => status.startsWith('2')))
  const present = config.without.filter(
    (name) => [...seen].some((one) => one === name) || served.some(({ operation }) => operation === name),
  )
  return {
    api: api.api,
    url: config.url,
    dialect: dialect.dialect,
    ...(config.without.length === 0 ? {} : { without: config.without }),
    ...(present.length === 0 ? {} : { present }),
  }
}

/** The results of a run, with every registered secret replaced. */
export const assembleResults = (context: RunContext, selected: Plan, facts: RunFacts, runs: CheckRun[]): Results => {
  const plan = planOf(context, selected)
  const failures = failuresOf(context, runs)
  const decided = runs.filter((run) => ['passed', 'failed'].includes(run.outcome)).flatMap(({ check }) => judgedBy(check))
  const today = new Date().toISOString().slice(0, 10)
  const matched = matchDeviations(facts.deviations, failures, decided, plan.leftOut.flatMap(judgedBy), today)
  const deviations = facts.removesStale === true ? matched.records.map(withoutStale) : matched.records
  const targets = [...context.targets.values()]
  const coverage = coverageOf(context, plan.engines)
  const apis = targets.map((target) => apiResult(target, coverage))
  const told = runs.map((run) => checkResult(context, facts, run, matched))
  const { contract } = context
  const ran = withCauses({ checks: told, clauses: [...contract.clauses.values()], coverage, target: { apis } }, dependencesOf(contract))
  const clauses = clauseResults(context, plan, facts, runs, ran)
  const engines = engineResults(context, plan, facts, clauses)
  const checks = [...ran, ...facts.notClaimed.map((check) => notClaimedResult(context, check))]
  const { scope } = plan
  const failOn = facts.failOn ?? []
  const cutShort = context.signal.aborted
  const whyNot = (check: CheckDefinition) => whyNotClaimed(context, check)
  const unmet = unmetOf({ plan, engines, clauses, notClaimed: facts.notClaimed, whyNot })
  const durationMs = Math.round(performance.now() - facts.begun)
  // By one clock, whatever became of it meanwhile.
  const finishedAt = new Date(facts.startedAt.getTime() + durationMs)
  const results: Results = {
    assay: packageVersion,
    target: {
      name: facts.name,
      apis,
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
    ...gateOf({ scope, checks, engines, clauses, deviations, failOn, unmet, cutShort, target: { apis } }),
    failOn,
    engines,
    clauses,
    checks,
    coverage,
    backends: [
      ...[...new Set(Object.values(context.backends))].map(({ name, provider, version }) => ({ name, provider, version })),
      ...Object.entries(context.missingBackends).map(([name, { reason, remedy }]) => ({ name, provider: 'none', reason, remedy })),
    ],
    deviations,
    leftovers: context.leftovers,
    environment: {
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      command: ['npx assay certify', ...[...facts.rerun, ...facts.selection].map(shellWord)].join(' '),
      ...(targets.length === 0 ? {} : { clockSkewSeconds: largestSkew(targets) }),
      ...(facts.server === undefined ? {} : { server: facts.server }),
    },
    counts: Object.fromEntries(context.counts),
    stats: {
      requests: facts.requests,
      durationMs,
      peakMemoryMb: Math.round(process.resourceUsage().maxRSS / 1024),
      requestsPerSecond: Math.round((facts.requests / Math.max(1, durationMs)) * 1000),
    },
    ...(scope.shard === undefined ? {} : { answers: answersOf(context, (value) => valueText(context, value) ?? '') }),
    ...(facts.against === undefined ? {} : { against: facts.against }),
    ...(facts.kills === undefined ? {} : { kills: facts.kills }),
    ...(facts.variants === undefined ? {} : { variants: facts.variants }),
  }
  const profile = facts.profile && { ...facts.profile, certified: certifiedFor(facts.profile, results) }
  enterPhase('hiding secrets in the results')
  const shown = context.secrets.redactAll(profile === undefined ? results : { ...results, profile }, isOurs)
  const { hiddenWhole, leftOut } = context.secrets
  if (hiddenWhole > 0)
    shown.target.notes.push(`texts that are hidden whole, since to search them for secrets takes too long: ${hiddenWhole}`)
  if (leftOut > 0) shown.target.notes.push(`answers with more secret values than are told apart, of which the first are known: ${leftOut}`)
  return shown
}
