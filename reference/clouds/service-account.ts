/** Requests to provider c, logged in with the credentials file of a service account. */
import { sign } from 'node:crypto'
import type { Dispatcher } from 'undici'
import { invalid } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import { CloudLink, parsedObject } from './provider-requests.ts'

/** A token is used again until so many seconds before its end. */
const SPARE_S = 60
const ADMINISTRATION = 'https://www.googleapis.com/auth/cloud-platform'

/** What has to be in a credentials file. */
export interface Credentials {
  client_email: string
  private_key: string
  token_uri: string
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const assertionOf = ({ client_email: iss, private_key: key, token_uri: aud }: Credentials, scope: string, now: number): string => {
  const iat = Math.floor(now)
  const text = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded({ iss, scope, aud, iat, exp: iat + 3600 })}`
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

/** One way to the provider. */
export class ProviderLink extends CloudLink {
  readonly #tokens = new Map<string, { token: string; until: number }>()

  /** A new access token for a credentials file. Throws ProviderRefusal. */
  async token(credentials: Credentials, scopes: string[], now: number): Promise<{ token: string; expiresIn: number }> {
    const form = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: assertionOf(credentials, scopes.join(' '), now),
    })
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const { access_token: token, expires_in: expiresIn } = await this.send('POST', credentials.token_uri, type, form.toString())
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
    return this.send(method, url, headers, body === undefined ? undefined : JSON.stringify(body))
  }
}

/** Reads a credentials file. Throws 400 for any other text. */
export const credentialsIn = (text: string): Credentials => {
  const value = parsedObject(text)
  const { client_email, private_key, token_uri } = value
  if (value.type !== 'service_account' || typeof client_email !== 'string' || typeof private_key !== 'string')
    throw invalid('credentials are not those of a service account')
  return { client_email, private_key, token_uri: typeof token_uri === 'string' ? token_uri : 'https://oauth2.googleapis.com/token' }
}
