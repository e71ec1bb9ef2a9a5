/** Stops a run from waiting out every deadline on a target that no longer answers. */
import { Blocked } from '../base/errors.ts'

/** Requests in a row without an answer to go by, after which the target is probed. */
const FAILURES_BEFORE_PROBE = 8
/** A target that answers the probe and nothing else: so many requests in a row, over at least this long, end the run too. */
const FAILURES_IN_SPITE_OF_PROBES = 96
const PATIENCE_IN_SPITE_OF_PROBES = 15_000

const timeOf = (date: Date): string => date.toTimeString().slice(0, 8)

/** Asks the target for any answer at all; gives the reason where none comes. */
type Probe = () => Promise<string | undefined>

/**
 * Counts failures in a row. After some of them the target is probed, while everything else waits; a target that does not answer the
 * probe either is given up, and every further request is refused at once.
 */
export class Breaker {
  readonly #probe: Probe
  readonly #givenUp: () => void
  #sinceProbe = 0
  #sinceAnswer = 0
  #answered = { request: 0, at: new Date(), tick: performance.now() }
  #probing: Promise<void> | undefined
  #lost: string | undefined

  /** @param givenUp told once, when the target is given up: ends what is under way. */
  constructor(probe: Probe, givenUp: () => void) {
    this.#probe = probe
    this.#givenUp = givenUp
  }

  /** Why nothing is sent any more; undefined while the target answers. */
  get lost(): string | undefined {
    return this.#lost
  }

  /** Notes that the target answered. @param request its number in the run. */
  succeeded(request: number): void {
    this.#sinceProbe = 0
    this.#sinceAnswer = 0
    this.#answered = { request: Math.max(request, this.#answered.request), at: new Date(), tick: performance.now() }
  }

  /** Notes that no answer came, or one that only puts off. */
  failed(reason: string): void {
    this.#sinceProbe += 1
    this.#sinceAnswer += 1
    if (this.#lost !== undefined || this.#probing !== undefined) return
    const patient = performance.now() - this.#answered.tick < PATIENCE_IN_SPITE_OF_PROBES
    if (this.#sinceAnswer >= FAILURES_IN_SPITE_OF_PROBES && !patient) this.#giveUp(reason)
    else if (this.#sinceProbe >= FAILURES_BEFORE_PROBE) this.#probing = this.#ask()
  }

  /** Lets a request pass, once a probe that is under way is answered. @throws Blocked when the target is given up. */
  async pass(): Promise<void> {
    await this.#probing
    const refusal = this.refusal()
    if (refusal !== undefined) throw refusal
  }

  /** What stops a request; undefined while the target answers. */
  refusal(): Blocked | undefined {
    return this.#lost === undefined ? undefined : new Blocked(this.#lost, 'check the server and its log')
  }

  /** Asks a target that was given up once more, for cleaning up. Returns whether it answers now. */
  async revive(): Promise<boolean> {
    if (this.#lost === undefined) return true
    if ((await this.#probe()) !== undefined) return false
    this.#lost = undefined
    this.#sinceProbe = 0
    this.#sinceAnswer = 0
    return true
  }

  async #ask(): Promise<void> {
    const reason = await this.#probe()
    this.#probing = undefined
    if (reason === undefined) this.#sinceProbe = 0
    else this.#giveUp(reason)
  }

  #giveUp(reason: string): void {
    const { request, at } = this.#answered
    this.#lost = `the target stopped answering at ${timeOf(at)}, after request ${request}: ${reason}`
    this.#givenUp()
  }
}
