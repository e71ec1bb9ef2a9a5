/** Requests to the provider: through the operator's proxy, logged in with a credentials file. */
import { sign } from 'node:crypto'
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici'
import { ApiError, invalid } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'

const TIMEOUT_MS = 20_000
/** A token is used again until so many seconds before its end. */
const SPARE_S = 60
const ADMINISTRATION = 'https://www.googleapis.com/auth/cloud-platform'

/** What has to be in a credentials file. */
export interface Credentials {
  client_email: string
  private_key: string
  token_uri: string
}

/** What the provider answered that is no success: 400 for what it refuses, 502 for its own failures. */
export class ProviderRefusal extends ApiError {
  /** The provider's own status; 0 where it did not answer. */
  readonly providerStatus: number
  constructor(providerStatus: number, message: string) {
    super(providerStatus >= 400 && providerStatus < 500 ? 400 : 502, `cloud-C: ${message}`)
    this.providerStatus = providerStatus
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const assertionOf = ({ client_email: iss, private_key: key, token_uri: aud }: Credentials, scope: string, now: number): string => {
  const iat = Math.floor(now)
  const text = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded({ iss, scope, aud, iat, exp: iat + 3600 })}`
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

const errorIn = (body: Json): string => {
  const { error, error_description: description } = (body ?? {}) as { error?: Json; error_description?: Json }
  const text = description ?? (typeof error === 'object' && error !== null ? (error as { message?: Json }).message : error)
  return String(text ?? 'no reason given').slice(0, 300)
}

/** One way to the provider. */
export class ProviderLink {
  readonly #dispatcher: Dispatcher
  readonly #tokens = new Map<string, { token: string; until: number }>()

  /** @param cloud the operator's proxy and its authority; undefined goes straight. */
  constructor(cloud: { proxy: string; caPem: string } | undefined) {
    this.#dispatcher = cloud === undefined ? new Agent() : new ProxyAgent({ uri: cloud.proxy, requestTls: { ca: cloud.caPem } })
  }

  async #send(method: Dispatcher.HttpMethod, url: string, headers: Record<string, string>, body?: string): Promise<JsonObject> {
    let status: number
    let text: string
    try {
      const answer = await request(url, {
        method,
        headers,
        dispatcher: this.#dispatcher,
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
        ...(body === undefined ? {} : { body }),
      })
      status = answer.statusCode
      text = await answer.body.text()
    } catch (error) {
      throw new ProviderRefusal(0, error instanceof Error ? error.message : String(error))
    }
    const value = parsed(text)
    if (status >= 400) throw new ProviderRefusal(status, `${status} ${errorIn(value)}`)
    return value
  }

  /** A new access token for a credentials file. Throws ProviderRefusal. */
  async token(credentials: Credentials, scopes: string[], now: number): Promise<{ token: string; expiresIn: number }> {
    const form = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: assertionOf(credentials, scopes.join(' '), now),
    })
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const { access_token: token, expires_in: expiresIn } = await this.#send('POST', credentials.token_uri, type, form.toString())
    return { token: String(token), expiresIn: Number(expiresIn) }
  }

  /** One request as the administrator. Throws ProviderRefusal. */
  async call(credentials: Credentials, method: Dispatcher.HttpMethod, url: string, now: number, body?: JsonObject): Promise<JsonObject> {
    const known = this.#tokens.get(credentials.private_key)
    let token = known !== undefined && known.until > now ? known.token : undefined
    if (token === undefined) {
      const fresh = await this.token(credentials, [ADMINISTRATION], now)
      token = fresh.token
      this.#tokens.set(credentials.private_key, { token, until: now + fresh.expiresIn - SPARE_S })
    }
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return this.#send(method, url, headers, body === undefined ? undefined : JSON.stringify(body))
  }

  close(): Promise<void> {
    return this.#dispatcher.close()
  }
}

const parsed = (text: string): JsonObject => {
  try {
    return JSON.parse(text || '{}') as JsonObject
  } catch {
    return {}
  }
}

/** Reads a credentials file. Throws 400 where it is none. */
export const credentialsIn = (text: string): Credentials => {
  const value = parsed(text)
  const { client_email, private_key, token_uri } = value
  if (value.type !== 'service_account' || typeof client_email !== 'string' || typeof private_key !== 'string')
    throw invalid('credentials are not those of a service account')
  return { client_email, private_key, token_uri: typeof token_uri === 'string' ? token_uri : 'https://oauth2.googleapis.com/token' }
}
