/** Sends requests to one base URL: deadlines, limits on rate and concurrency, and an end to it when nothing answers. */
import type { Dispatcher } from 'undici'
import { BodyReader } from './bodies.ts'
import { Breaker } from './breaker.ts'
import { Deadline } from './deadline.ts'
import { explainFailure, hungUp, nobodyListens } from './failures.ts'
import { type Learn, learnedAnswer, PLAIN, type Received, type Subject, type WireAnswer } from './learned.ts'
import { Work } from './left-work.ts'
import { closedUnderRequest, connectionsTo } from './origin-connections.ts'
import { sentBody } from './sent-body.ts'
import type { TlsOptions } from './tls-material.ts'
import { type Turns, turnsOf } from './turns.ts'
import { interruptedError, UnderWay } from './under-way.ts'
import type { WireRequest } from './wire.ts'

export type { Received, WireAnswer } from './learned.ts'

export interface HttpOptions {
  url: URL
  tls: TlsOptions
  /** Through which the server is reached; undefined: directly. */
  proxy?: URL | undefined
  /** Milliseconds for a whole exchange. */
  timeout: number
  concurrency: number
  /** Requests per second; 0 is unlimited. */
  rate: number
  /** Path of the probe. */
  probePath: string
  /** Whether an answer only puts off, such as 429, or is that of a gateway: many in a row are as good as no answer. */
  puttingOff(answer: WireAnswer): boolean
  /** Told of every exchange before anything else is. */
  learn: Learn
  signal: AbortSignal
}

/** Methods that may be repeated: they change nothing. */
const SAFE = ['GET', 'HEAD', 'LIST', 'OPTIONS']
const PROBE_DEADLINE = 10_000
const PROBE_PAUSE = 250
/** Milliseconds in which what an interrupt leaves may still be carried out. */
const CARRIED_OUT = 5000

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** A client of one base URL. */
export class HttpClient {
  readonly url: URL
  readonly proxy: URL | undefined
  readonly #breaker: Breaker
  #pool: Dispatcher
  readonly #queue: Turns
  readonly #bodies = new BodyReader()
  readonly #options: HttpOptions
  readonly #underWay = new UnderWay()
  #interrupted = false
  // Breaks off what is under way; what cleans up afterwards gets connections of its own.
  readonly #breakOff = (): void => void this.#reconnect().destroy()
  // Does so for those who wait. A request that is broken off may be carried out later than the one that removes what it makes.
  readonly #interrupt = (): void => {
    const former = this.#reconnect()
    this.#interrupted = true
    this.#underWay.leave()
    void this.settled().then(() => former.destroy())
  }
  /** How many requests were sent. */
  sent = 0
  /** How often a connection broke or was refused. */
  brokenOff = 0
  /** Whether a check has taken the server away, by sealing it for one. */
  takenAway = false

  constructor(options: HttpOptions) {
    this.url = options.url
    this.proxy = options.proxy
    this.#options = options
    this.#pool = this.#connect()
    this.#breaker = new Breaker(() => this.probe(), this.#breakOff)
    // One listener for the run instead of a combined signal for every request.
    options.signal.addEventListener('abort', this.#interrupt)
    this.#queue = turnsOf({
      concurrency: options.concurrency,
      ...(options.rate > 0 ? { interval: 1000, intervalCap: Math.max(1, options.rate), carryoverConcurrencyCount: true } : {}),
    })
  }

  /** Why nothing is sent any more; undefined while the target answers. */
  get lost(): string | undefined {
    return this.#breaker.lost
  }

  /** Whether its answers are so large that few of them should be held at once. */
  get isHeavy(): boolean {
    return this.#bodies.areLarge
  }

  /** A path that any server of the API answers in some way. */
  get probePath(): string {
    return this.#options.probePath
  }

  /** Milliseconds that an exchange has. */
  get timeout(): number {
    return this.#options.timeout
  }

  /** Milliseconds for a first look. */
  get probeDeadline(): number {
    return Math.min(this.#options.timeout, PROBE_DEADLINE)
  }

  /** Whether an answer is as good as none. */
  putsOff(answer: WireAnswer): boolean {
    return this.#options.puttingOff(answer)
  }

  /** Waits for a while until no request is under way that may change something, even one whose answer is no longer awaited. */
  settled(): Promise<void> {
    return this.#underWay.carriedOut(CARRIED_OUT)
  }

  /** Asks a target that stopped answering once more, for cleaning up. Returns whether it answers now. */
  revive(): Promise<boolean> {
    return this.#breaker.revive()
  }

  /**
   * One exchange. Redirects are not followed. A safe request is repeated once where its kept-alive connection was closed under it.
   *
   * @param subject what it is about; by default all of the answer may be secret.
   * @throws Blocked once the target has stopped answering, and if the work that asks was abandoned; else whatever the transport says,
   * see `explainFailure`.
   */
  async send(request: WireRequest, timeout: number = this.#options.timeout, subject: Subject = {}): Promise<WireAnswer> {
    const work = Work.current()
    const before = this.#interrupted
    const wanted = (): void => {
      work?.requireWanted()
      // What waited for its turn when the run was interrupted is left as what was under way is.
      if (this.#interrupted !== before) throw interruptedError()
    }
    wanted()
    return (await this.#queue.add(() => {
      wanted()
      return this.#counted(request, timeout, subject)
    })) as WireAnswer
  }

  async #counted(request: WireRequest, timeout: number, subject: Subject): Promise<WireAnswer> {
    await this.#breaker.pass()
    const number = this.sent + 1
    try {
      const answer = await this.#underWay.run(!SAFE.includes(request.method), () => this.#exchange(request, timeout, subject))
      if (this.putsOff(answer)) this.#breaker.failed(`it answers ${answer.status}`)
      else this.#breaker.succeeded(number)
      return answer
    } catch (error) {
      if (!this.#options.signal.aborted) this.#breaker.failed(explainFailure(error, this.url.host).reason)
      throw this.#breaker.refusal() ?? error
    }
  }

  /** The one place where something is sent and answered. */
  async #exchange(request: WireRequest, timeout: number, subject: Subject, pool: Dispatcher = this.#pool): Promise<WireAnswer> {
    const { learn } = this.#options
    const answer = await this.#answered(request, timeout, pool).catch((error: unknown) => {
      learn(request, subject)
      throw error
    })
    return learnedAnswer(answer, (known) => learn(request, subject, known))
  }

  async #answered(request: WireRequest, timeout: number, pool: Dispatcher): Promise<Received> {
    const deadline = new Deadline(timeout)
    try {
      const { statusCode, headers, body } = await this.#head(request, deadline.signal, pool)
      const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
      const read = await this.#bodies.read(body, length, deadline)
      return {
        status: statusCode,
        headers: flat(headers),
        get bytes() {
          return read()
        },
      }
    } finally {
      deadline.stop()
    }
  }

  async #head(request: WireRequest, signal: AbortSignal, pool: Dispatcher): Promise<Dispatcher.ResponseData> {
    const ask = (): Promise<Dispatcher.ResponseData> => {
      this.sent += 1
      const { path, headers } = request
      const { body, length } = sentBody(request.body)
      return pool.request({
        origin: this.url.origin,
        method: request.method as 'GET',
        path,
        headers: { ...headers, ...length },
        body,
        signal,
      })
    }
    try {
      return await ask()
    } catch (error) {
      if (hungUp(error) || nobodyListens(error)) this.brokenOff += 1
      if (!SAFE.includes(request.method) || !closedUnderRequest(error)) throw error
      return ask()
    }
  }

  /** Asks for any answer at all, again and again for a while. Returns the reason where none comes. */
  async probe(): Promise<string | undefined> {
    const patience = this.probeDeadline
    const until = performance.now() + patience
    for (;;) {
      const reason = await this.#ask(patience / 2)
      if (reason === undefined || this.#options.signal.aborted || performance.now() + PROBE_PAUSE > until) return reason
      await wait(PROBE_PAUSE)
    }
  }

  /** One request beside those that are counted and wait for their turn, on a connection of its own: all others may hang. Undefined where no answer comes. */
  async control(): Promise<WireAnswer | undefined> {
    const pool = this.#connect(1)
    try {
      return await this.#exchange({ method: 'GET', path: this.probePath, headers: {} }, this.probeDeadline, PLAIN, pool)
    } catch {
      return undefined
    } finally {
      await pool.destroy()
    }
  }

  async #ask(timeout: number): Promise<string | undefined> {
    try {
      const answer = await this.#exchange({ method: 'GET', path: this.probePath, headers: {} }, timeout, PLAIN)
      return this.putsOff(answer) ? `it answers ${answer.status} to everything` : undefined
    } catch (error) {
      return explainFailure(error, this.url.host).reason
    }
  }

  /** @returns the former connections. */
  #reconnect(): Dispatcher {
    const former = this.#pool
    this.#pool = this.#connect()
    return former
  }

  #connect(connections = this.#options.concurrency): Dispatcher {
    const { url, tls, timeout, proxy } = this.#options
    return connectionsTo(url.origin, { tls, timeout, connections, proxy })
  }

  async close(): Promise<void> {
    this.#options.signal.removeEventListener('abort', this.#interrupt)
    await this.#pool.destroy()
  }
}
