/** Requests to cloud providers: through the operator's proxy where there is one. */
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici'
import { ApiError } from '../core/errors.ts'
import type { Json, JsonObject } from '../core/json.ts'

/** A service that makes a key of 4096 bits takes its time. */
const TIMEOUT_MS = 50_000

/** An answer of the provider other than a success: 400 for what it refuses, 502 for its own failures. */
export class ProviderRefusal extends ApiError {
  /** The provider's own status; 0 where it did not answer. */
  readonly providerStatus: number
  /** The provider's own name of the error; empty where it gives none. */
  readonly code: string
  constructor(providerStatus: number, message: string, code = '') {
    super(providerStatus >= 400 && providerStatus < 500 ? 400 : 502, `the provider: ${message}`)
    this.providerStatus = providerStatus
    this.code = code
  }
}

const errorIn = (body: Json): string => {
  const { error, error_description: description, message } = (body ?? {}) as Record<string, Json | undefined>
  const text = description ?? message ?? (typeof error === 'object' && error !== null ? (error as { message?: Json }).message : error)
  return String(text ?? 'no reason given').slice(0, 300)
}

const codeIn = (body: JsonObject): string =>
  String(body.__type ?? '')
    .split('#')
    .at(-1) ?? ''

/** A JSON object; empty for other texts. */
export const parsedObject = (text: string): JsonObject => {
  try {
    return JSON.parse(text || '{}') as JsonObject
  } catch {
    return {}
  }
}

/** One way to the providers. */
export class CloudLink {
  readonly #dispatcher: Dispatcher

  /** @param cloud the operator's proxy and its authority; undefined goes straight. */
  constructor(cloud: { proxy: string; caPem: string } | undefined) {
    this.#dispatcher = cloud === undefined ? new Agent() : new ProxyAgent({ uri: cloud.proxy, requestTls: { ca: cloud.caPem } })
  }

  /** The JSON object of a success. Throws ProviderRefusal. */
  async send(method: Dispatcher.HttpMethod, url: string, headers: Record<string, string>, body?: string): Promise<JsonObject> {
    let status: number
    let text: string
    try {
      const answer = await request(url, {
        method,
        headers,
        dispatcher: this.#dispatcher,
        // The way through a proxy has to be made in this time, too.
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body === undefined ? {} : { body }),
      })
      status = answer.statusCode
      text = await answer.body.text()
    } catch (error) {
      throw new ProviderRefusal(0, error instanceof Error ? error.message : String(error))
    }
    const value = parsedObject(text)
    if (status >= 400) throw new ProviderRefusal(status, `${status} ${errorIn(value)}`, codeIn(value))
    return value
  }

  close(): Promise<void> {
    return this.#dispatcher.close()
  }
}
