/** Credentials and tokens of provider c, tried at the provider through the gateway as any client of it would. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ProxyAgent, request } from 'undici'
import type { BackendHandle } from '../base/backend-handle.ts'
import type { JsonObject } from '../base/json.ts'

const TIMEOUT_MS = 10_000

/** What the provider says of a token. */
export interface TokenInfo {
  email: string
  scopes: string[]
  /** Seconds since the epoch. */
  expiresAt: number
}

/** A credentials file as it was issued. */
export interface IssuedFile {
  email: string
  keyId: string
  project: string
  /** Bits of its RSA key. */
  bits: number
}

export interface CloudJudge {
  /** What the provider says of a token; undefined where it does not accept it. */
  tokenInfo(token: string): Promise<TokenInfo | undefined>
  /** Logs in with a credentials file; the token, or undefined where the provider refuses. */
  login(file: string, scope?: string): Promise<string | undefined>
  close(): Promise<void>
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** What a credentials file is about. @throws Error for any other file. */
export const issuedFile = (file: string): IssuedFile => {
  const parsed = JSON.parse(file) as JsonObject
  if (parsed.type !== 'service_account') throw new Error(`type is ${JSON.stringify(parsed.type)} instead of service_account`)
  const key = createPublicKey(createPrivateKey(String(parsed.private_key)))
  return {
    email: String(parsed.client_email),
    keyId: String(parsed.private_key_id),
    project: String(parsed.project_id),
    bits: key.asymmetricKeyDetails?.modulusLength ?? 0,
  }
}

const assertion = (file: string, scope: string, tokenUri: string): string => {
  const { client_email: iss, private_key: key } = JSON.parse(file) as Record<string, string>
  const iat = Math.floor(Date.now() / 1000)
  const signed = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded({ iss, scope, aud: tokenUri, iat, exp: iat + 600 })}`
  return `${signed}.${sign('sha256', Buffer.from(signed), String(key)).toString('base64url')}`
}

/** The provider as a client sees it through this gateway. */
export const cloudJudge = (gateway: BackendHandle): CloudJudge => {
  const ca = readFileSync(String(gateway.extra.caFile), 'utf8')
  const dispatcher = new ProxyAgent({ uri: `http://${gateway.host}:${gateway.port}`, requestTls: { ca } })
  const post = async (url: string, form: Record<string, string>): Promise<JsonObject | undefined> => {
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      dispatcher,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    })
    const body = (await answer.body.json()) as JsonObject
    if (answer.statusCode >= 500) throw new Error(`the provider answered ${answer.statusCode}`)
    return answer.statusCode === 200 ? body : undefined
  }
  return {
    async tokenInfo(token) {
      const info = await post('https://oauth2.googleapis.com/tokeninfo', { access_token: token })
      if (info === undefined) return undefined
      return { email: String(info.email), scopes: String(info.scope).split(' ').sort(), expiresAt: Number(info.exp) }
    },
    async login(file, scope = 'https://www.googleapis.com/auth/cloud-platform') {
      const uri = String((JSON.parse(file) as JsonObject).token_uri)
      const granted = await post(uri, { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: assertion(file, scope, uri) })
      return granted === undefined ? undefined : String(granted.access_token)
    },
    close: () => dispatcher.close(),
  }
}
