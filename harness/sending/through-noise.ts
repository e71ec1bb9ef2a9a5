/** Sends the calls of checks through noise: what may be repeated is, and of the rest nobody can know whether the target did it. */
import { setTimeout as wait } from 'node:timers/promises'
import { GatewayNoise } from '../base/errors.ts'
import type { Operation } from '../contract/contract.ts'
import type { CallInput } from '../target/exchange.ts'
import { PLAIN } from '../target/learned.ts'
import { noiseIn, pauseAfter, SENDINGS } from '../target/noise.ts'
import { type Exchange, type Target, THROTTLED } from '../target/target.ts'
import type { RunContext } from './context.ts'

/** So often the same request must meet noise, and never an answer, before that is taken for the target's own doing. */
const OWN_DOING = 4
const CONTROLS = 3
/** A request with a raw body is recognised by so many of its first characters or bytes. */
const TELLING = 4096
const SAFE = ['GET', 'HEAD', 'LIST', 'OPTIONS']

/** What an exchange shows of noise, in words. */
export const noiseOf = ({ operation, answer, failure, isBroken }: Exchange, isTakenAway = false): string | undefined => {
  if (answer === undefined) return isBroken ? failure?.reason : undefined
  if (answer.status === THROTTLED && operation.responses[THROTTLED] === undefined) return 'the target or a gateway throttles (429)'
  return noiseIn(answer, operation, isTakenAway)
}

/**
 * What one check's requests met, over all of its repetitions: a request is known again by its place among those to the same operation, and by what it sends
 * apart from names of the run.
 */
export class NoiseMemory {
  readonly #met = new Map<string, number>()
  readonly #answered = new Set<string>()

  static keysOf({ id }: Operation, nth: number, input: CallInput): string[] {
    const { as, rawBody, ...rest } = input
    const caller = typeof as === 'object' ? as.name : as
    // A body may have many megabytes: its length and its beginning are enough.
    const raw = rawBody === undefined ? '' : `${rawBody.length} ${Buffer.from(rawBody.slice(0, TELLING)).toString('latin1')}`
    const text = `${JSON.stringify({ ...rest, caller })} ${raw}`.replaceAll(/assay-[a-z0-9]+-[\w-]+/g, '*')
    return [`${id} #${nth}`, `${id} ${text}`]
  }

  answered(keys: readonly string[]): void {
    for (const key of keys) this.#answered.add(key)
  }

  /** Notes noise. Returns whether one of the keys has met nothing else, often enough. */
  met(keys: readonly string[]): boolean {
    for (const key of keys) this.#met.set(key, (this.#met.get(key) ?? 0) + 1)
    return keys.some((key) => !this.#answered.has(key) && this.#met.get(key)! >= OWN_DOING)
  }
}

/** Whether the target answers for itself just now: what it did not answer is then its own doing. */
const isReached = async ({ http }: Target): Promise<boolean> => {
  for (let attempt = 0; attempt < CONTROLS; attempt += 1) {
    const answer = await http.send({ method: 'GET', path: http.probePath, headers: {} }, undefined, PLAIN).catch(() => undefined)
    if (answer !== undefined && noiseIn(answer) === undefined) return true
    await wait(pauseAfter(attempt))
  }
  return false
}

/** Whether the target itself answers a control request, sent beside those that wait for their turn. */
export const isAnswering = async ({ http }: Target): Promise<boolean> => {
  const answer = await http.control()
  return answer !== undefined && noiseIn(answer) === undefined
}

interface Call {
  context: RunContext
  target: Target
  operation: Operation
  keys: readonly string[]
  memory: NoiseMemory
  method: string
}

/**
 * Sends a call until the target answers it.
 *
 * @param send sends it once.
 * @returns the exchange that counts: the target's answer, or a failure of the transport.
 * @throws GatewayNoise where a gateway answered and the request may not be repeated.
 */
export const throughNoise = async <E extends Exchange>(
  { context, target, operation, keys, memory, method }: Call,
  send: () => Promise<E>,
): Promise<E> => {
  const isSafe = SAFE.includes(method)
  for (let attempt = 0; ; attempt += 1) {
    const done = await send()
    const noise = noiseOf(done, target.http.takenAway)
    if (noise === undefined || done.answer?.status === THROTTLED) {
      memory.answered(keys)
      return done
    }
    if (isSafe && attempt + 1 < SENDINGS && !context.signal.aborted) {
      await wait(pauseAfter(attempt))
      continue
    }
    if (done.answer === undefined) return done
    const isOften = memory.met(keys)
    if ((isSafe || isOften) && (await isReached(target))) return done
    throw new GatewayNoise(`${operation.id}: ${noise}, and whether the target did what was asked is not known`)
  }
}
