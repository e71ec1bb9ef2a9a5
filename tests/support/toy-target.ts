/** A key-value store in memory behind a bench, for tests of generated checks; its bugs are planted by the test. */

import { AssertionFailure, Blocked } from '../../harness/base/errors.ts'
import type { Json } from '../../harness/base/json.ts'
import { countingExpect } from '../../harness/checks/expect.ts'
import type { Notes } from '../../harness/checks/notes.ts'
import { seededRandom } from '../../harness/checks/seeded-random.ts'
import type { Bench, RunnableCheck } from '../../harness/checks/vocabulary.ts'
import type { Answer, CallInput } from '../../harness/target/exchange.ts'
import type { DecisionOutcome } from '../../specs/meta/outcomes.ts'

interface Reply {
  status: number
  body?: Json
}

export type Handler = (operation: string, input: CallInput) => Promise<Reply>

export interface ToyRun {
  /** What the body threw, or undefined. */
  error: unknown
  decisions: { clause: string; outcome: DecisionOutcome }[]
  notes: Notes
  requests: number
  requestLog: string[]
  assertions: number
}

/** Runs a check's body against a handler, as the runner would. */
export const runOnToy = async (
  check: RunnableCheck,
  handler: Handler,
  options: { seed?: number; replay?: string; verdictOnly?: boolean; signal?: AbortSignal; withoutIdentities?: boolean } = {},
): Promise<ToyRun> => {
  const run: Omit<ToyRun, 'notes'> = { error: undefined, decisions: [], requests: 0, requestLog: [], assertions: 0 }
  const notes: Notes = {
    exchanges: () => run.requests,
    signal: options.signal ?? new AbortController().signal,
    ...(options.replay === undefined ? {} : { replay: options.replay }),
    ...(options.verdictOnly === undefined ? {} : { verdictOnly: options.verdictOnly }),
  }
  let names = 0
  const call = async (operation: string, input: CallInput = {}): Promise<Answer> => {
    run.requests += 1
    run.requestLog.push(`${operation} ${JSON.stringify(input)}`)
    const { status, body } = await handler(operation, input)
    const text = body === undefined ? '' : JSON.stringify(body)
    const data =
      typeof body === 'object' && body !== null && !Array.isArray(body) && typeof body.data === 'object'
        ? (body.data as Answer['data'])
        : {}
    return { status, headers: {}, body, text, bytes: Buffer.from(text), exchange: run.requests, operation, data, ok: status < 300 }
  }
  const bench: Partial<Bench> = {
    random: seededRandom(options.seed ?? 1, check.id),
    call,
    given: call,
    fresh(purpose = 'n') {
      names += 1
      return `${purpose}-${names}`
    },
    effort: (_quick, otherwise) => otherwise,
    few: (values) => [...values],
    count: () => undefined,
    observe: (clause) => void run.decisions.push({ clause, outcome: 'observed' }),
    async identity() {
      if (options.withoutIdentities === true) throw new Blocked('no identities', 'none')
      return { name: 'somebody', token: 'of somebody' }
    },
    // Nothing outlives the process.
    defer: () => undefined,
    blocked(reason, remedy) {
      throw new Blocked(reason, remedy)
    },
    async decide(clause, assertion) {
      try {
        await assertion()
        run.decisions.push({ clause, outcome: 'verified' })
      } catch (error) {
        if (!(error instanceof AssertionFailure)) throw error
        run.decisions.push({ clause, outcome: 'violated' })
      }
    },
  }
  const expect = countingExpect(() => {
    run.assertions += 1
  })
  try {
    await check.body({ bench: bench as Bench, expect, notes })
  } catch (error) {
    run.error = error
  }
  return { ...run, notes }
}

/** A store that works: `write`, `read` and `remove` by `path.key`. `bug` may answer a request instead. */
export const toyStore = (
  bug?: (store: Map<string, Json>, operation: string, key: string, input: CallInput) => Reply | undefined,
): Handler => {
  const store = new Map<string, Json>()
  return async (operation, input): Promise<Reply> => {
    const key = input.path?.key ?? ''
    const planted = bug?.(store, operation, key, input)
    if (planted !== undefined) return planted
    if (operation === 'write') {
      store.set(key, input.body ?? null)
      return { status: 204 }
    }
    if (operation === 'remove') return { status: store.delete(key) ? 204 : 404 }
    const value = store.get(key)
    return value === undefined ? { status: 404, body: { errors: [] } } : { status: 200, body: { data: { value } } }
  }
}
