/**
 * The tokens of a run that ends later than they do. A token that can be renewed is renewed, which changes nothing for those who use it. One that a
 * command prints is replaced while no check runs: what a check has made may end with the token that made it.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { RunOutcome } from '../../specs/meta/outcomes.ts'
import { Blocked } from '../base/errors.ts'
import { readToken, renewToken, replaceToken } from './caller-tokens.ts'
import type { CallerToken } from './exchange.ts'
import type { Target } from './target.ts'

/** Milliseconds that a token should have left after the deadline of a check: for what cleans up after it. */
const AFTERWARDS = 30_000
/** How often the command is run before it counts as failed, and the pause in between in milliseconds. */
const TRIES = 3
const PAUSE = 1000
/** So often a token may be refused, and replaced, without a check that went well in between. */
const MOST_LOSSES = 3

/** A check as far as its time matters, in milliseconds. */
interface Timed {
  deadline: number
}

/** What checks of the run share. */
interface Run {
  signal: AbortSignal
  /** What could not be made may be made with another token. */
  shared: Map<string, Promise<unknown>>
}

const forgetFailed = async ({ shared }: Run): Promise<void> => {
  for (const [key, made] of shared) await made.catch(() => shared.delete(key))
}

export class RunTokens {
  readonly #losses = new Map<Target, number>()
  /** Targets that refuse a token which did not seem to have ended. */
  readonly #refused = new Set<Target>()
  readonly #waiting: (() => void)[] = []
  #running = 0
  #change: Promise<void> | undefined
  #replaced = 0

  /** For the report. */
  get notes(): string[] {
    return this.#replaced === 0 ? [] : [`the token command was run again ${this.#replaced} times, since tokens end before the run does`]
  }

  /** Runs a check with tokens that outlive its deadline; again with new ones where the target refused them in spite of that. */
  async during<R extends { outcome: RunOutcome }>(target: Target, check: Timed, of: Run, attempt: () => Promise<R>): Promise<R> {
    for (;;) {
      await this.#ready(target, check.deadline, of.signal, () => {
        this.#running += 1
      })
      let run: R
      try {
        run = await attempt()
      } finally {
        this.#running -= 1
        if (this.#running === 0) for (const go of this.#waiting.splice(0)) go()
      }
      const isGood = run.outcome === 'passed' || run.outcome === 'observed'
      if (isGood) this.#losses.delete(target)
      if (isGood || !this.#refused.has(target) || of.signal.aborted) return run
      await forgetFailed(of)
    }
  }

  /** Notes that a target refuses the token of the run. @returns whether there will be another. */
  lost(target: Target): boolean {
    const isReplaceable = target.tokens.some(({ identity, fetch }) => identity === target.root && fetch !== undefined)
    if (!isReplaceable) return false
    if (this.#refused.has(target)) return true
    const losses = (this.#losses.get(target) ?? 0) + 1
    this.#losses.set(target, losses)
    if (losses <= MOST_LOSSES) this.#refused.add(target)
    return losses <= MOST_LOSSES
  }

  /** @throws Blocked where the command gives tokens that end before the deadline of a check. */
  requireOutlives({ tokens }: Target, { deadline }: Timed): void {
    const short = tokens.find(({ fetch, ends }) => fetch !== undefined && ends < performance.now() + deadline)
    if (short !== undefined)
      throw new Blocked(
        `the token command gives tokens that live ${(short.life / 1000).toFixed(0)} s, and this check may take ${deadline / 1000} s`,
        `have it give tokens that live ${(deadline + AFTERWARDS) / 1000} s or longer`,
      )
  }

  /** Has all tokens live so many milliseconds more, as far as they can; waits for no check. */
  async prolong(targets: Iterable<Target>, ms: number): Promise<void> {
    const signal = new AbortController().signal
    for (const target of targets) await this.#ready(target, ms, signal)
  }

  /** @param begin called when all is ready, before anything else may change. */
  async #ready(target: Target, ms: number, signal: AbortSignal, begin?: () => void): Promise<void> {
    for (let isChanged = false; ; isChanged = true) {
      while (this.#change !== undefined) await this.#change
      const isOver = isChanged || signal.aborted || target.lost !== undefined
      if (isOver || !target.tokens.some((token) => this.#isDue(target, token, ms))) return begin?.()
      this.#change = this.#changeAll(target, ms, signal).finally(() => {
        this.#change = undefined
      })
      await this.#change
    }
  }

  #isDue(target: Target, token: CallerToken, ms: number): boolean {
    const { ends, life, renewable, fetch, identity } = token
    if (fetch !== undefined && identity === target.root && this.#refused.has(target)) return true
    if (fetch === undefined && !renewable) return false
    const least = life >= ms + AFTERWARDS ? ms + AFTERWARDS : life > ms ? (life + ms) / 2 : renewable ? life / 2 : 0
    return ends - performance.now() < least
  }

  async #changeAll(target: Target, ms: number, signal: AbortSignal): Promise<void> {
    try {
      for (const token of target.tokens) {
        if (token.renewable && !this.#refused.has(target) && this.#isDue(target, token, ms)) await renewToken(target, token)
        if (token.fetch === undefined || !this.#isDue(target, token, ms)) continue
        await this.#idle()
        if (!signal.aborted) await this.#replace(target, token, ms, signal)
      }
    } catch (error) {
      if (!(error instanceof Blocked)) throw error
      target.lost = { reason: error.message, remedy: error.remedy }
    } finally {
      this.#refused.delete(target)
    }
  }

  async #replace(target: Target, token: CallerToken, ms: number, signal: AbortSignal): Promise<void> {
    for (let again = 1; ; again += 1) {
      try {
        await replaceToken(target, token)
        break
      } catch (error) {
        if (again === TRIES || signal.aborted) throw error
        await wait(PAUSE * again)
      }
    }
    this.#replaced += 1
    await readToken(target, token)
    const left = token.ends - performance.now()
    // A command that keeps a token until it ends prints the next one then.
    if (left >= ms || token.life <= ms) return
    await wait(Math.max(PAUSE, left), undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) await this.#replace(target, token, ms, signal)
  }

  async #idle(): Promise<void> {
    while (this.#running > 0) await new Promise<void>((go) => this.#waiting.push(go))
  }
}
