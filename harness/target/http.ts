/** Sends requests to one base URL: connection pool, TLS, deadlines, limits on rate, concurrency and size. */
import PQueue from 'p-queue'
import { Pool } from 'undici'
import { type TlsOptions, tlsMaterial } from './tls.ts'
import type { WireRequest } from './wire.ts'

export interface HttpOptions {
  url: URL
  tls: TlsOptions
  /** Milliseconds for a whole exchange. */
  timeout: number
  concurrency: number
  /** Requests per second; 0 is unlimited. */
  rate: number
  signal: AbortSignal
}

export interface WireAnswer {
  status: number
  headers: Record<string, string>
  bytes: Uint8Array
}

const MAX_ANSWER = 64 * 1024 * 1024

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )

/** A client of one base URL. */
export class HttpClient {
  readonly url: URL
  #pool: Pool
  readonly #queue: PQueue
  readonly #options: HttpOptions
  readonly #connect: () => Pool
  // Breaks off what is under way; what cleans up afterwards gets connections of its own.
  readonly #abort = (): void => {
    const former = this.#pool
    this.#pool = this.#connect()
    void former.destroy()
  }
  /** How many requests were sent. */
  sent = 0

  constructor(options: HttpOptions) {
    this.url = options.url
    this.#options = options
    const settings: Pool.Options = {
      connections: options.concurrency,
      connect: { timeout: Math.min(options.timeout, 10_000), ...tlsMaterial(options.tls) },
      headersTimeout: options.timeout,
      bodyTimeout: options.timeout,
      maxResponseSize: MAX_ANSWER,
    }
    this.#connect = () => new Pool(options.url.origin, settings)
    this.#pool = this.#connect()
    // One listener for the run instead of a combined signal for every request.
    options.signal.addEventListener('abort', this.#abort)
    this.#queue = new PQueue({
      concurrency: options.concurrency,
      ...(options.rate > 0 ? { interval: 1000, intervalCap: Math.max(1, options.rate), carryoverConcurrencyCount: true } : {}),
    })
  }

  /**
   * One exchange. Redirects are not followed.
   *
   * @throws whatever the transport says; see `explainFailure`.
   */
  async send(request: WireRequest, timeout: number = this.#options.timeout): Promise<WireAnswer> {
    return (await this.#queue.add(() => this.#exchange(request, timeout))) as WireAnswer
  }

  async #exchange(request: WireRequest, timeout: number): Promise<WireAnswer> {
    this.sent += 1
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(new DOMException('the exchange took too long', 'TimeoutError')), timeout)
    try {
      const { statusCode, headers, body } = await this.#pool.request({
        method: request.method as 'GET',
        path: request.path,
        headers: request.headers,
        body: request.body ?? null,
        signal: deadline.signal,
      })
      return { status: statusCode, headers: flat(headers), bytes: new Uint8Array(await body.arrayBuffer()) }
    } finally {
      clearTimeout(timer)
    }
  }

  async close(): Promise<void> {
    this.#options.signal.removeEventListener('abort', this.#abort)
    await this.#pool.destroy()
  }
}
