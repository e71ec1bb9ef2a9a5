/** Runs generated cases until one fails, shrinks it within a budget of requests, and says whether the failure is stable. */
import fc, { type Arbitrary, type RunDetails } from 'fast-check'
import { AssertionFailure, Blocked, GatewayNoise, InternalError, LostAnswer } from '../base/errors.ts'
import { cut } from '../base/text.ts'
import { DEFAULT_DEADLINE } from './check.ts'
import type { Notes } from './notes.ts'
import { ClauseFailure, type Trace, traced } from './traced-bench.ts'
import type { CheckContext } from './vocabulary.ts'

/** How far a generated check goes. */
export interface Reach {
  /** Cases at quick effort, and at the others. */
  runs: readonly [number, number]
  /** Milliseconds after which no further case begins, once there are `minimum`: a slow machine gets the check's whole time for these. */
  within: number
  /** Fewer cases than this, because time was over, block the check. */
  minimum: number
}

/** A failing case: its value, the assertion, the transcript of its requests. */
export interface Failure<T> {
  value: T
  error: AssertionFailure
  lines: string[]
}

export interface Exploration<T> extends Reach {
  /** Clauses that the check names. */
  clauses: readonly string[]
  arbitrary: Arbitrary<T>
  /** Cases that are run before the random ones. */
  first?: readonly T[]
  /** One case. Throws an AssertionFailure where the target is wrong. */
  run(context: CheckContext, value: T, trace: Trace): Promise<void>
  /** Where a case is known to fail as an earlier one did, that failure: shrinking then sends nothing. */
  known?(value: T): Omit<Failure<T>, 'value'> | undefined
  /** The case in words, above the transcript of its requests; default its JSON. */
  describe?(value: T): string
}

const SHRINK_REQUESTS = 200
const SHRINK_VALUES = 2_000
const RERUNS = 3
const ENDED_BY_GATEWAY = 4
const TRANSCRIPT_LINES = 40

class Explorer<T> {
  readonly #context: CheckContext
  readonly #exploration: Exploration<T>
  readonly #notes: Notes
  readonly decided = new Set<string>()
  /** The latest failing case: the smallest one once shrinking is over. */
  failure: Failure<T> | undefined
  /** What ended the exploration besides a failure: a missing prerequisite or an internal error. */
  stopped: unknown
  cases = 0
  #firstFailureAt = 0
  readonly #begun = performance.now()
  #lastCost = 0

  constructor(context: CheckContext, exploration: Exploration<T>) {
    this.#context = context
    this.#exploration = exploration
    this.#notes = context.notes
  }

  async execute(value: T): Promise<Failure<T> | undefined> {
    const trace: Trace = { lines: [], decided: new Set() }
    const before = this.#notes.exchanges()
    try {
      await this.#exploration.run({ ...this.#context, bench: traced(this.#context.bench, trace) }, value, trace)
      return undefined
    } catch (error) {
      if (!(error instanceof AssertionFailure)) throw error
      return { value, error, lines: trace.lines }
    } finally {
      this.#lastCost = this.#notes.exchanges() - before
      for (const clause of trace.decided) this.decided.add(clause)
    }
  }

  /** Fewer cases than this decide nothing. */
  get least(): number {
    const { minimum, runs } = this.#exploration
    return this.#notes.replay === undefined ? Math.min(minimum, this.#context.bench.effort(...runs)) : 1
  }

  #exhausted(): boolean {
    if (this.stopped !== undefined || this.#notes.signal.aborted) return true
    if (this.#notes.replay !== undefined && this.cases > 0) return true
    const isEnough = this.failure !== undefined || this.cases >= this.least
    // fast-check's own limit would count the time that the check waited for its turn.
    if (isEnough && performance.now() - this.#begun - (this.#notes.waited?.() ?? 0) > this.#exploration.within) return true
    return this.failure !== undefined && this.#notes.exchanges() - this.#firstFailureAt + this.#lastCost > SHRINK_REQUESTS
  }

  /** The predicate that fast-check calls: true is a case that holds, or one that the budget no longer allows. */
  holds(value: T): Promise<boolean> {
    return this.#exhausted() ? Promise.resolve(true) : this.#tryCase(value)
  }

  /** One case, again where a gateway ended it: what always ends there is the target's own doing, and comes through in the end. */
  async #repeatedly(value: T): Promise<Failure<T> | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.execute(value)
      } catch (error) {
        if (!(error instanceof GatewayNoise) || attempt === ENDED_BY_GATEWAY) throw error
      }
    }
  }

  async #tryCase(value: T): Promise<boolean> {
    this.cases += 1
    try {
      const known = this.#exploration.known?.(value)
      const failure = known === undefined ? await this.#repeatedly(value) : { value, ...known }
      if (failure === undefined) return true
      if (this.failure === undefined) this.#firstFailureAt = this.#notes.exchanges()
      this.failure = failure
      return false
    } catch (error) {
      // A lost answer only leaves the case undecided; a check that loses too many has too few cases in the end.
      if (error instanceof LostAnswer || error instanceof GatewayNoise) this.cases -= 1
      else this.stopped ??= error
      return true
    }
  }
}

const transcript = <T>(exploration: Exploration<T>, failure: Failure<T>): string => {
  const head = exploration.describe?.(failure.value) ?? cut(JSON.stringify(failure.value) ?? String(failure.value), 1_000)
  const hidden = failure.lines.length - TRANSCRIPT_LINES
  const shown = hidden > 0 ? [`(${hidden} earlier lines)`, ...failure.lines.slice(-TRANSCRIPT_LINES)] : failure.lines
  return [head, ...shown, `=> ${failure.error.message}`].join('\n')
}

const rerun = async <T>(explorer: Explorer<T>, failure: Failure<T>, notes: Notes): Promise<'deterministic' | 'unstable'> => {
  for (let again = 0; again < RERUNS; again += 1) {
    notes.caseFrom = notes.exchanges()
    try {
      if ((await explorer.execute(failure.value)) === undefined) return 'unstable'
    } catch {
      return 'unstable'
    }
  }
  return 'deterministic'
}

const settle = async <T>(
  context: CheckContext,
  exploration: Exploration<T>,
  explorer: Explorer<T>,
  details: RunDetails<[T]>,
): Promise<void> => {
  const { bench, expect, notes } = context
  const { failure } = explorer
  if (failure !== undefined) {
    notes.path = notes.replay ?? details.counterexamplePath ?? undefined
    notes.counterexample = transcript(exploration, failure)
    if (notes.verdictOnly !== true) notes.stability = await rerun(explorer, failure, notes)
    const { error } = failure
    if (!(error instanceof ClauseFailure)) throw error
    return bench.decide(error.clause, () => {
      throw error
    })
  }
  if (explorer.stopped !== undefined) throw explorer.stopped
  if (details.failed) throw details.errorInstance ?? new InternalError('the generator failed')
  const { least } = explorer
  if (explorer.cases < least) {
    throw new Blocked(
      `only ${explorer.cases} of at least ${least} generated cases ran in time`,
      'see why the target is slow, or lower --concurrency',
    )
  }
  bench.count('generated cases', explorer.cases)
  expect(explorer.cases, 'generated cases that hold').toBeGreaterThanOrEqual(least)
  if (explorer.decided.size === 0 && exploration.clauses.length === 1) return
  for (const clause of exploration.clauses) {
    // Which clauses random cases reach depends on the seed, and no seed may make a verdict incomplete.
    if (!explorer.decided.has(clause)) bench.observe(clause, 'no generated case reached it')
    else await bench.decide(clause, () => expect(explorer.failure, 'a case in which the clause does not hold').toBeUndefined())
  }
}

/**
 * Explores: seeds from the check's own generator, so that the run's `--seed` repeats every case, and `--replay PATH` repeats the shrunk one alone.
 *
 * @throws AssertionFailure of the smallest failing case; Blocked where a prerequisite is missing or too few cases ran in time.
 */
export const explore = async <T>(context: CheckContext, exploration: Exploration<T>): Promise<void> => {
  const { bench, notes } = context
  const explorer = new Explorer(context, exploration)
  const { replay } = notes
  const details = await fc.check(
    fc.asyncProperty(fc.limitShrink(exploration.arbitrary, SHRINK_VALUES), (value) => explorer.holds(value)),
    {
      seed: bench.random.seed(),
      numRuns: bench.effort(...exploration.runs),
      ...(exploration.first === undefined ? {} : { examples: exploration.first.map((value): [T] => [value]) }),
      ...(replay === undefined ? {} : { path: replay }),
      endOnFailure: replay !== undefined || notes.verdictOnly === true,
    },
  )
  await settle(context, exploration, explorer, details)
}

/** Fills in the defaults of {@link Reach} from a check's options. */
export const reachOf = (options: Partial<Reach> & { deadline?: number }, runs: Reach['runs']): Reach => {
  const chosen = options.runs ?? runs
  return {
    runs: chosen,
    within: options.within ?? (options.deadline ?? DEFAULT_DEADLINE) / 2,
    minimum: options.minimum ?? Math.max(1, Math.floor(chosen[0] / 2)),
  }
}
