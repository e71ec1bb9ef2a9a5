/** Certification: from a URL to a verdict. */
import type { Results } from '../../specs/meta/results.ts'
import type { ServerSettings } from '../base/backend-handle.ts'
import { keepingSecrets } from '../base/credential-guard.ts'
import { Blocked, NotWritten } from '../base/errors.ts'
import { enterPhase } from '../base/position.ts'
import { Attempts } from '../base/separate-steps.ts'
import { requireKnown } from '../base/usage.ts'
import { isRunnable } from '../checks/check.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Contract } from '../contract/contract.ts'
import { lacksOperations } from '../contract/general.ts'
import { loadContract } from '../contract/load.ts'
import { assembleResults } from '../outcomes/assembled-results.ts'
import { failureLimit } from '../outcomes/failure-limit.ts'
import { catalogue } from '../planning/catalogue.ts'
import { expectedTime } from '../planning/check-costs.ts'
import type { Deviation } from '../planning/deviations.ts'
import { effortNotes } from '../planning/effort-levels.ts'
import { backendsOf, makePlan, planWithSpare, sampledPlan } from '../planning/plan.ts'
import { allowedBy, type Profile } from '../planning/profiles.ts'
import type { RunFacts } from '../planning/run-facts.ts'
import { reproduce } from '../replay/reproduce.ts'
import { splitClaims, unclaimedEngines, withoutUnreachable } from '../running/claims.ts'
import { type LimitedTime, limitedTime } from '../running/limited-time.ts'
import { closeRun, openRun, requestsOf, secretsFor } from '../running/open-run.ts'
import { removeShared, runChecks } from '../running/run.ts'
import { makeScratch } from '../running/scratch.ts'
import { addSettings, serverSettingsOf } from '../running/server-settings.ts'
import { startForRun } from '../running/used-backends.ts'
import type { SecretRegistry } from '../secrets/secrets.ts'
import type { RunContext } from '../sending/context.ts'
import type { RunConfig } from '../target/run-configuration.ts'
import { type CertifyOptions, rerunWords, selectionFrom, selectionWords } from './certify-flags.ts'
import { checkSelection, forProfile, requireReplayable, requireWholeRun, selectedBy } from './certify-selection.ts'
import { complain } from './complaint.ts'
import { configFrom, requireKnownNames, requireNoServer, withRunFlags } from './configuration.ts'
import { isOfAbort, stoodStill, tookTooLong } from './early-end.ts'
import type { Embedded } from './embedded.ts'
import { tokenFrom } from './flags.ts'
import { knownFrom } from './known.ts'
import { wordsOfLeft } from './left.ts'
import { type Abandoned, removeAbandoned, removeEarlier, removeUnfinished } from './leftovers.ts'
import { type LiveProgress, makeProgress } from './progress.ts'
import { type Other, otherFrom, runAgainst } from './second-server.ts'
import { traceRuns } from './show-trace.ts'
import type { Signals } from './signals.ts'
import { requireProviders, requireState } from './surroundings.ts'
import { say } from './terminal.ts'

const claimedBy = (context: RunContext): string[] => [...context.targets.values()].flatMap((target) => target.engines)

/** Clauses that checks of the whole contract decide, but none for the claimed engines: sweeps whose operations the target does not have. */
const clausesBeyond = async (contract: Contract, claimed: readonly CheckDefinition[]): Promise<Set<string>> => {
  const here = new Set(claimed.flatMap((check) => check.clauses))
  const everywhere = await catalogue(contract, [...contract.engines.keys()])
  return new Set(everywhere.flatMap((check) => check.clauses).filter((clause) => !here.has(clause)))
}

/** Who asked for a run: what may end it, what it tells, and who hears how it goes. */
export interface Host {
  /** Ends the run, which still cleans up, when it is aborted. */
  abort: AbortController
  signals: Signals
  /** Makes what hears of progress; default: lines on stderr. */
  progress?: typeof makeProgress
}

/** What a run came to. */
export interface Certified {
  /** None where only the plan was asked for. */
  results: Results | undefined
  /** Files that show violations, by their path beside the results. */
  evidence: ReadonlyMap<string, string>
  /** Shows every exchange, where that was asked for: after the report, for it may take long. */
  trace?: () => Promise<void>
  /** Why the run was ended before its time, where it was, with the remedy. */
  ended?: Blocked
  /** What went wrong beside the run and lost nothing of it. */
  failures: readonly unknown[]
}

interface Run extends Host {
  /** Steps that lose nothing where they fail. */
  attempts: Attempts
  contract: Contract
  config: RunConfig
  options: CertifyOptions
  url: string | undefined
  abandoned: Abandoned[]
  embedded: boolean
  /** Tells the embedded server what the backends of the run ask of its operator. */
  operate?(settings: ServerSettings): Promise<void>
  secrets: SecretRegistry
  known: Deviation[]
  profile: Profile | undefined
  /** A second server that is asked the same. */
  other: Other | undefined
  /** Milliseconds that checks took in earlier runs, by id; read only where something is planned by them. */
  durations: ReadonlyMap<string, number>
  /** The time into which the run has to fit. */
  time: LimitedTime | undefined
}

const execute = async (run: Run): Promise<Pick<Certified, 'results' | 'evidence' | 'trace'>> => {
  const { contract, config, options, url, abort, abandoned, embedded, signals, secrets, known, time, attempts, other } = run
  const startedAt = new Date()
  const begun = performance.now()
  enterPhase('opening the target')
  const token = embedded ? undefined : tokenFrom(options)
  const { context, notes, server } = await openRun(contract, config, {
    secrets,
    seed: options.seed,
    effort: options.effort,
    ...(token === undefined ? {} : { token }),
    ...(options.replay === undefined ? {} : { replay: options.replay }),
    // What a second server answers is compared with every answer.
    trace: options.trace === true || other !== undefined,
    plain: other !== undefined,
    signal: abort.signal,
    onJournal: signals.tell,
    journal: {
      onStandstill: (minutes) => abort.abort(stoodStill(minutes)),
      onUnwritten: (failure) => abort.abort(failure),
    },
  })
  if (time !== undefined) context.cleanUp.endBy(time.limit)
  let selected = 0
  const progress: LiveProgress = (run.progress ?? makeProgress)(
    () => selected,
    () => requestsOf(context),
  )
  const backends = { stop: async (): Promise<void> => undefined }
  let removeScratch = (): void => undefined
  try {
    const claimed = claimedBy(context)
    if (options.engine?.every((engine) => !claimed.includes(engine))) {
      progress.say(`the target does not serve ${options.engine.join(', ')}`)
    }
    const all = await catalogue(contract, claimed)
    const plan = makePlan(contract, all, claimed, selectedBy(options, run.durations))
    if (options.replay !== undefined) requireReplayable(plan)
    const needed = backendsOf([...plan.checks, ...plan.spare])
    if (needed.length > 0) requireState()
    removeScratch = makeScratch(context.run, context.journal)
    enterPhase('starting backends')
    const { handles, stop } = await startForRun(context, needed, !embedded, (text) => progress.say(text))
    backends.stop = stop
    const settings = serverSettingsOf(handles)
    addSettings({ targets: [...context.targets.values()].map((target) => target.config) }, settings)
    await run.operate?.(settings)
    await removeEarlier(context, abandoned)
    const everything = !embedded || options.requireBackends === true
    const wanted = splitClaims(context, plan.checks, everything)
    selected = wanted.checks.length
    enterPhase('checking')
    const { maxFailures: failures } = options
    const limit = failures === undefined ? undefined : failureLimit(context, failures, known, startedAt.toISOString().slice(0, 10))
    const spare = {
      checks: splitClaims(context, plan.spare, everything).checks.filter(isRunnable),
      clauses: wanted.notClaimed.flatMap((check) => check.clauses),
    }
    const pace = { ...(time && { time }), ...(limit && { limit }), spare }
    const { runs, ...split } = withoutUnreachable(context, wanted, await runChecks(context, wanted.checks, progress, pace))
    const ended = { ...(time && { ms: time.ms }), ...(failures && limit?.signal.aborted && { failures }) }
    const chosen = planWithSpare(plan, runs)
    const tried = Object.keys(ended).length === 0 ? chosen : sampledPlan(chosen, split.checks, runs, ended)
    await removeShared(context)
    const requests = requestsOf(context)
    enterPhase('comparing and reproducing')
    const against = other && (await attempts.make(() => runAgainst(context, runs, other)))
    const made = await attempts.make(() => reproduce(context, runs, options.reproduce !== false))
    const facts: RunFacts = {
      name: config.name,
      rerun: rerunWords(url, options),
      selection: selectionWords(options),
      probed: [...context.targets.values()].some((target) => target.probed),
      notes: [
        ...notes,
        ...context.clock.notes,
        ...context.tokens.notes,
        ...context.names.notes,
        ...effortNotes(options.effort, runs.length, chosen.spare.length),
      ],
      startedAt,
      begun,
      notClaimed: split.notClaimed,
      elsewhere: await clausesBeyond(contract, all),
      unclaimedEngines: unclaimedEngines(context, split, plan.engines),
      deviations: known,
      removesStale: options.updateDeviations === true,
      requests,
      ...(made === undefined ? {} : { reproduced: made.byClause }),
      ...(against === undefined ? {} : { against }),
      ...(run.profile === undefined ? {} : { profile: run.profile }),
      failOn: [...(options.failOn ?? []), ...(options.failOnUnstable === true ? (['unstable'] as const) : [])],
      ...(server === undefined ? {} : { server }),
    }
    enterPhase('making the results')
    signals.reports()
    const trace = options.trace === true ? () => keepingSecrets(context.secrets, async () => traceRuns(context, runs)) : undefined
    return { results: assembleResults(context, tried, facts, runs), evidence: made?.files ?? new Map(), ...(trace && { trace }) }
  } finally {
    enterPhase('cleaning up')
    // It has time of its own, and none of these hides an error of those before it, nor what the run has come to.
    signals.reports()
    await attempts.make(() => removeShared(context))
    await attempts.make(() => removeUnfinished(context))
    await context.cleanUp.onThisMachine(backends.stop).catch((error: Error) => progress.say(`backends: ${error.message}`))
    await attempts.make(removeScratch)
    progress.stop()
    await attempts.make(() => wordsOfLeft(context.journal.left()).forEach(say))
    await attempts.make(() => closeRun(context))
  }
}

/** The reference server claims what is asked for; what speaks of the operations of other engines gets all where none is named. */
const engineClaims = (contract: Contract, { engine: engines }: CertifyOptions): { engines?: string[] } =>
  engines === undefined || lacksOperations(contract, engines) ? {} : { engines }

/**
 * Certifies a target and comes back with what was found; writes no report.
 *
 * @param given as the flags of `assay certify` are called
 * @throws UsageError where an option contradicts another or names nothing; Blocked where nothing could be tried; the reason of `abort` once
 * that was aborted and nothing could be said
 */
export const certifyTarget = async (url: string | undefined, given: CertifyOptions, host: Host): Promise<Certified> => {
  const { abort } = host
  const begun = performance.now()
  requireWholeRun(given)
  if (given.embedded === true) requireNoServer(url, given)
  requireProviders()
  const contract = await loadContract()
  const { options, profile } = forProfile(given, contract)
  requireKnown('engine', options.engine ?? [], [...contract.engines.keys()])
  await checkSelection(contract, selectionFrom(options))
  const known = [...knownFrom(options, contract), ...(profile === undefined ? [] : allowedBy(profile))]
  const attempts = new Attempts()
  let embedded: Embedded | undefined
  const config = options.embedded === true ? undefined : await configFrom(url, options)
  if (config !== undefined) requireKnownNames(contract, config)
  if (options.plan !== true && config?.targets.some(({ provisioner }) => provisioner.kind !== 'static')) requireState()
  const other = await otherFrom(contract, options)
  if (options.plan === true) {
    const { planned, showPlan } = await import('./show-plan.ts')
    process.stdout.write(showPlan(await planned(contract, config, options)))
    return { results: undefined, evidence: new Map(), failures: [] }
  }
  const abandoned = await removeAbandoned()
  try {
    // The reference server is loaded for nobody else.
    const own = config === undefined ? await import('./embedded.ts') : undefined
    if (own !== undefined)
      embedded = await own.startEmbedded(contract, {
        thread: true,
        ...(options.dialect === undefined ? {} : { dialect: options.dialect }),
        ...engineClaims(contract, options),
      })
    const run = config ?? withRunFlags(embedded!.config, options)
    const timer = setTimeout(() => abort.abort(tookTooLong(run.timing.run)), run.timing.run)
    host.signals.lasts(run.timing.run)
    const secrets = secretsFor(contract)
    const durations =
      options.shard === undefined && options.within === undefined
        ? new Map<string, number>()
        : await (await import('./kept-runs.ts')).durationsIn(options)
    const time = options.within === undefined ? undefined : limitedTime(options.within, begun, options.seed, expectedTime(durations))
    const server = embedded?.reference
    const operate = server && (async (settings: ServerSettings) => server.operate(own!.operatorSettings(settings)))
    const executed = await keepingSecrets(secrets, () =>
      execute({
        ...host,
        attempts,
        contract,
        config: run,
        options,
        url,
        abandoned,
        embedded: embedded !== undefined,
        secrets,
        known,
        profile,
        other,
        durations,
        time,
        ...(operate ? { operate } : {}),
      }),
    ).finally(() => clearTimeout(timer))
    const reason: unknown = abort.signal.reason
    if (reason instanceof NotWritten) attempts.failures.push(reason)
    return { ...executed, failures: attempts.failures, ...(reason instanceof Blocked ? { ended: reason } : {}) }
  } catch (error) {
    attempts.failures.forEach(complain)
    throw abort.signal.aborted && isOfAbort(error) ? abort.signal.reason : error
  } finally {
    await attempts.make(() => embedded?.reference.close())
  }
}
