/** One API of the system under test, ready to be called. */
import { Blocked, LostAnswer } from '../base/errors.ts'
import { asObject, type JsonObject } from '../base/json.ts'
import { parseJson } from '../base/parse.ts'
import { workOn } from '../base/position.ts'
import { textOf } from '../base/text.ts'
import type { Api, Operation } from '../contract/contract.ts'
import type { Dialect } from './dialect.ts'
import type { Caller, CallerToken, CallInput, Identity } from './exchange.ts'
import { type Explanation, explainFailure, hungUp, neverSent } from './failures.ts'
import type { Feature } from './features.ts'
import type { HttpClient, WireAnswer } from './http.ts'
import { ownSubject, type Subject } from './learned.ts'
import { noiseIn, pauseAfter, SENDINGS } from './noise.ts'
import type { LeaseAnswer, Provisioner, UndoEntry } from './provisioner.ts'
import type { TargetConfig } from './run-configuration.ts'
import { saysUncommitted, untilCommitted } from './uncommitted.ts'
import { type Addressing, encodeCall, type WireRequest } from './wire.ts'

/** One request and what became of it. */
export interface Exchange {
  operation: Operation
  caller: string
  token: string | undefined
  request: WireRequest
  answer?: WireAnswer
  failure?: Explanation
  /** True when the request may have been applied although no answer came. */
  indeterminate: boolean
  /** True when the connection broke under it. */
  isBroken?: boolean
  /** Milliseconds since the epoch, with fractions. */
  startedAt: number
  durationMs: number
}

/** One request that prepared the target or undid that, and its answer. */
export interface Preparation {
  request: WireRequest
  token: string | undefined
  answer: WireAnswer
  /** Milliseconds since the epoch, with fractions. */
  startedAt: number
}

/** What was done to prepare a target, in order: for evidence that repeats it. */
export interface Preparations {
  sent: Preparation[]
  /** What undoes the objects that were made. */
  made: UndoEntry[]
}

export interface Target {
  api: Api
  config: TargetConfig
  dialect: Dialect
  http: HttpClient
  root: Identity
  /** Tokens of configured callers that may be renewed or replaced while the run goes on. */
  tokens: CallerToken[]
  /** What `root` called with before its token was replaced. */
  formerTokens: string[]
  provisioner: Provisioner
  /** Features that it does not have, each with the reason: what preflight did not see. */
  missing: Map<Feature, Blocked>
  /** Features that `without` names and a check has seen. */
  present: Set<Feature>
  prepared: Preparations
  /** Writes an object into the journal before it is made. */
  leave(entry: UndoEntry): void
  /** Engines claimed by the user or found by the probe. */
  engines: string[]
  probed: boolean
  clockSkew: number
  /** Whether the server no longer accepts the run's token, which it accepted at first; undefined where it never showed it. */
  tokenLost?(): Promise<boolean>
  /** Why nothing more can be learned of it in this run. */
  lost?: Explanation
}

/** A token that was never issued. */
export const WRONG_TOKEN = 'assay-never-issued-0000000000'

/** The token and the display name of a caller. */
const tokenOfCaller = (target: Pick<Target, 'root'>, caller: Caller): { name: string; token: string | undefined } => {
  if (caller === 'root') return { name: 'root', token: target.root.token }
  if (caller === 'none') return { name: 'none', token: undefined }
  if (caller === 'wrong') return { name: 'wrong', token: WRONG_TOKEN }
  return { name: caller.name, token: caller.token }
}

/** The path of a base URL, to which that of the API is added. */
export const prefixOf = (url: URL): string => url.pathname.replace(/\/$/, '')

export const addressingOf = (target: Pick<Target, 'api' | 'config' | 'dialect' | 'http'>): Addressing => ({
  api: target.api,
  dialect: target.dialect,
  prefix: prefixOf(target.http.url),
  headers: target.config.headers,
})

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** The time now in ms since the epoch, finer than Date. */
const now = (): number => performance.timeOrigin + performance.now()

/** The status of a target that asks for fewer requests. */
export const THROTTLED = 429
const RETRY_THROTTLED = 10_000
const throttled = (): Blocked => new Blocked('the target: it throttles (429) beyond 10 s of backing off', 'lower --rate or --concurrency')

/** Waits as long as the target asks for (`Retry-After` in seconds), else a little longer each time; never beyond `limit` ms. */
const pause = (attempt: number, limit: number, answer?: Pick<WireAnswer, 'headers'>): Promise<void> => {
  const asked = Number(answer?.headers['retry-after'] ?? Number.NaN) * 1000
  return wait(Math.min(asked > 0 ? asked : Math.min(100 * 2 ** attempt, 2000), limit))
}

/** How long an answer's status may be retried, in ms; 0: it is final. */
const patience = (api: Api, status: number, operation?: Operation): number => {
  if (operation?.responses[String(status)] !== undefined) return 0
  return status === THROTTLED ? RETRY_THROTTLED : (api.retry?.[String(status)] ?? 0) * 1000
}

/** Sends again while the status may be retried and its time is not over. @throws Blocked where the target throttles to the end. */
const patiently = async <T extends { answer?: WireAnswer }>(send: () => Promise<T>, limitOf: (status: number) => number): Promise<T> => {
  const begun = performance.now()
  for (let attempt = 0; ; attempt += 1) {
    const done = await send()
    const limit = done.answer === undefined ? 0 : limitOf(done.answer.status)
    if (limit === 0) return done
    if (performance.now() - begun > limit) {
      if (done.answer?.status !== THROTTLED) return done
      throw throttled()
    }
    await pause(attempt, limit, done.answer)
  }
}

interface SendInput extends CallInput {
  mountPath: string | undefined
  effectiveNamespace: string
}

/** Sends one call, with the retries that the contract asks for, and reports each attempt to `record`. */
export const exchange = async (
  target: Target,
  operation: Operation,
  input: SendInput,
  record: (exchange: Exchange) => void,
): Promise<Exchange> => {
  const caller = tokenOfCaller(target, input.as ?? 'root')
  const request = encodeCall(addressingOf(target), operation, { ...input, token: caller.token })
  const attempt = async (): Promise<Exchange> => {
    const start = performance.now()
    const base = { operation, caller: caller.name, token: caller.token, request, startedAt: now() }
    let done: Exchange
    try {
      const answer = await target.http.send(request, input.timeout, { operation, token: caller.token })
      done = { ...base, answer, indeterminate: false, durationMs: performance.now() - start }
    } catch (error) {
      if (error instanceof Blocked) throw error
      const failure = explainFailure(error, target.http.url.host)
      done = { ...base, failure, indeterminate: !neverSent(error), isBroken: hungUp(error), durationMs: performance.now() - start }
    }
    record(done)
    return done
  }
  return patiently(attempt, (status) => patience(target.api, status, operation))
}

const objectIn = (bytes: Uint8Array): JsonObject => {
  const text = textOf(bytes)
  if (text === '') return {}
  const parsed = parseJson(text)
  if ('problem' in parsed) return { errors: [`the answer is ${parsed.problem}`] }
  return asObject(parsed.value)
}

/**
 * Sends a request again while a gateway answers it or its connection breaks: code that prepares a target knows what was done already.
 *
 * @param subject what it is about.
 * @param timeout milliseconds for each sending; default that of the client.
 * @throws LostAnswer where no answer came.
 */
export const untilAnswered = async (
  http: HttpClient,
  request: WireRequest,
  subject: Subject,
  sendings: number,
  timeout?: number,
): Promise<{ answer: WireAnswer; repeated: boolean }> => {
  for (let attempt = 0; ; attempt += 1) {
    const isLast = attempt + 1 >= sendings
    try {
      const answer = await http.send(request, timeout, subject)
      if (isLast || noiseIn(answer) === undefined) return { answer, repeated: attempt > 0 }
    } catch (error) {
      if (error instanceof Blocked) throw error
      if (isLast || !hungUp(error)) {
        const { reason, remedy } = explainFailure(error, http.url.host)
        throw new LostAnswer(reason, remedy)
      }
    }
    await wait(pauseAfter(attempt))
  }
}

/**
 * Sends ungraded requests below the base path, for provisioners and preflight; with the retries that the contract asks for.
 *
 * @param record told what was sent and answered.
 */
export const plainSender =
  (target: Pick<Target, 'api' | 'config' | 'dialect' | 'http' | 'root'>, record?: (done: Preparation) => void) =>
  async (
    method: string,
    path: string,
    options: { body?: JsonObject; namespace?: string; token?: string | null } = {},
  ): Promise<LeaseAnswer> => {
    const token = options.token === null ? undefined : (options.token ?? target.root.token)
    const namespace = `${target.config.namespace === '' ? '' : `${target.config.namespace.replace(/\/$/, '')}/`}${options.namespace ?? ''}`
    const request = encodeCall(
      addressingOf(target),
      { id: `${method} ${path}`, method, path: `/${path}` },
      {
        ...(options.body === undefined ? {} : { body: options.body }),
        token,
        mountPath: undefined,
        effectiveNamespace: namespace,
      },
    )
    let isRepeated = false
    // Without a token it is the health that is asked for, whose status is the answer.
    const isHealth = token === undefined
    const attempt = async () => {
      const done = await untilAnswered(target.http, request, { ...ownSubject(request), token }, isHealth ? 1 : SENDINGS)
      isRepeated ||= done.repeated
      return done
    }
    const startedAt = now()
    const { answer } = await untilCommitted(
      () => patiently(attempt, (status) => (isHealth ? 0 : patience(target.api, status))),
      ({ answer: { status, bytes } }) => status >= 500 && saysUncommitted(status, Buffer.from(bytes).toString()),
    )
    workOn('', `${method} ${path}`)
    record?.({ request, token, answer, startedAt })
    const { location } = answer.headers
    return {
      status: answer.status,
      body: objectIn(answer.bytes),
      ...(location === undefined ? {} : { location }),
      ...(isRepeated ? { repeated: true as const } : {}),
    }
  }
