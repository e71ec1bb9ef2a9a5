/**
 * The clock of this machine during a run. Where it is set, the clocks of targets are measured again, and what was running is run again: the times
 * that it compared are of two clocks. A target whose clock was set too has made things by its old one: later failures may have either cause.
 */
import type { RunOutcome } from '../../specs/meta/outcomes.ts'
import { Clocks } from '../base/clocks.ts'
import type { Explanation } from './failures.ts'
import { measureClock } from './preflight.ts'
import type { Target } from './target.ts'

/** By so much, in ms, the time of day may be set while a run goes on: less than what anything is compared with. */
const SET_BY = 60_000
/** How often a check is run again; a clock that is set that often says nothing. */
const AGAIN = 2

const REMEDY = 'run it again with a clock that is left alone'
const MOVED: Explanation = {
  reason: 'the clock of the target was set in the middle of the run, and what the run had made on it has times of the old clock',
  remedy: REMEDY,
}
const SET_AGAIN: Explanation = { reason: 'the clock of this machine was set each time that this check ran', remedy: REMEDY }

export class RunClock {
  readonly #targets: Iterable<Target>
  readonly #clocks: Clocks
  readonly #measure: (target: Target) => Promise<number>
  readonly #moved = new Set<Target>()
  readonly #minutes: number[] = []
  #measured: Promise<unknown> = Promise.resolve()

  /**
   * @param clocks default those of this machine.
   * @param measure tells how many seconds a target's clock is ahead of ours; default asks it.
   */
  constructor(targets: Iterable<Target>, clocks = new Clocks(), measure = measureClock) {
    this.#targets = targets
    this.#clocks = clocks
    this.#measure = measure
  }

  /** Notices that the clock was set, and then measures those of the targets again. @returns how often it was set so far. */
  async look(): Promise<number> {
    const { setBy } = this.#clocks.sinceLast()
    if (Math.abs(setBy) > SET_BY) {
      this.#minutes.push(Math.round(setBy / 60_000))
      this.#measured = Promise.all([...this.#targets].map((target) => this.#compare(target, setBy)))
    }
    await this.#measured
    return this.#minutes.length
  }

  /** Runs a check, and again where the clock was set meanwhile. */
  async undisturbed<R extends { outcome: RunOutcome }>(attempt: () => Promise<R>): Promise<R> {
    for (let again = 0; ; again += 1) {
      const before = await this.look()
      const run = await attempt()
      if ((await this.look()) === before) return run
      if (again === AGAIN) return { ...run, outcome: 'blocked', decisions: [], ...SET_AGAIN }
    }
  }

  /** Why nobody can tell what a failure comes from; undefined where the clock of the target is what it was. */
  doubtAbout(target: Target): Explanation | undefined {
    return this.#moved.has(target) ? MOVED : undefined
  }

  /** For the report. */
  get notes(): string[] {
    return this.#minutes.map(
      (minutes) =>
        `the clock of this machine was set ${minutes < 0 ? 'back' : 'forward'} by ${Math.abs(minutes)} min in the middle of the run: what was running was run again`,
    )
  }

  async #compare(target: Target, setBy: number): Promise<void> {
    const before = target.clockSkew
    // One that does not answer now is judged by the check that asks it next.
    target.clockSkew = await this.#measure(target).catch(() => before - setBy / 1000)
    if (Math.abs(target.clockSkew - (before - setBy / 1000)) > SET_BY / 1000 / 2) this.#moved.add(target)
  }
}
