/** Sends a transcript again, under names of its own, and says whether the same answers came. */
import { randomBytes } from 'node:crypto'
import { isObject, type Json } from '../base/json.ts'
import { parseJson } from '../base/parse.ts'
import { textOf, uriComponent } from '../base/text.ts'
import type { WireRequest } from '../target/wire.ts'
import { isLike } from './likeness.ts'
import { filled, inJson, type Step, type Transcript } from './step.ts'

/** What became of a transcript that was sent again. `notTried`: what had to be prepared was refused, or nothing answered. */
export interface SentAgain {
  outcome: 'again' | 'notAgain' | 'notTried'
  /** What differed, or what was in the way. */
  why?: string
}

/** Sends one request; `operation` is empty where it prepares or cleans up. */
export type Send = (request: WireRequest, operation: string) => Promise<{ status: number; bytes: Uint8Array }>

/** A name that nothing else on the target has. */
export const freshRun = (): string => `r${randomBytes(4).toString('hex')}`

const valueAt = (body: Json | undefined, pointer: readonly string[]): string | undefined => {
  let node: Json | undefined = body
  for (const name of pointer) node = Array.isArray(node) ? node[Number(name)] : isObject(node) ? node[name] : undefined
  return typeof node === 'string' ? node : undefined
}

const requestOf = ({ method, path, headers, body }: Step, values: ReadonlyMap<string, string>): WireRequest => ({
  method,
  path: filled(path, values, uriComponent),
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value, values)])),
  ...(body === undefined ? {} : { body: filled(body, values, inJson) }),
})

const placeOf = ({ operation, method, path }: Step): string => (operation === '' ? `${method} ${path}` : operation)

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/**
 * Sends all requests in order, and in any case those that remove what was made.
 *
 * @param given values of `ASSAY_TOKEN` and `RUN`.
 * @param send one request; what it throws is a request without an answer.
 */
export const sendAgain = async ({ steps }: Transcript, given: ReadonlyMap<string, string>, send: Send): Promise<SentAgain> => {
  const run = given.get('RUN')
  const values = new Map([...given, ['WRONG_TOKEN', `assay-never-issued-${run}`], ['HIDDEN', `hidden-${run}`]])
  let result: SentAgain = { outcome: 'again' }
  let number = 0
  for (const step of steps) {
    if (step.part !== 'cleanUp' && result.outcome !== 'again') continue
    number += 1
    await wait(step.pauseMs)
    let answer: Awaited<ReturnType<Send>>
    try {
      answer = await send(requestOf(step, values), step.operation)
    } catch (error) {
      if (step.part !== 'cleanUp') result = { outcome: 'notTried', why: `${placeOf(step)}: ${(error as Error).message}` }
      continue
    }
    const text = textOf(answer.bytes)
    const parsed = parseJson(text)
    for (const { name, pointer } of step.captures) {
      const value = valueAt('value' in parsed ? parsed.value : undefined, pointer)
      if (value !== undefined) values.set(name, value)
    }
    if (step.part === 'cleanUp') continue
    const then = step.answer.status
    if (step.part === 'setUp' && answer.status >= 400 && then < 400)
      result = { outcome: 'notTried', why: `${placeOf(step)} answered ${answer.status}, and ${then} in the run` }
    if (step.part !== 'shown') continue
    const like = step.answer.body.map((piece) => filled(piece, values))
    if (answer.status !== then)
      result = { outcome: 'notAgain', why: `request ${number}, ${placeOf(step)}, answered ${answer.status}, and ${then} in the run` }
    else if (step.method !== 'HEAD' && !isLike(like, text))
      result = {
        outcome: 'notAgain',
        why: `request ${number}, ${placeOf(step)}, answered ${answer.status} as in the run, with another body`,
      }
  }
  return result
}
