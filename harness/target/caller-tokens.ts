/** The tokens of a target's configured callers: how long each lives, and what gives the next one. */
import { asObject, type JsonObject } from '../base/json.ts'
import { parseJson } from '../base/parse.ts'
import type { CallerToken } from './exchange.ts'
import type { LeaseAnswer } from './provisioner.ts'
import { plainSender, type Target } from './target.ts'

/** Milliseconds by which a renewal has to put off the end. */
const LEAST_GAIN = 1000

const NOTHING: LeaseAnswer = { status: 0, body: {} }

/** When a token begins and ends that says so itself (a JWT), in seconds since the epoch. */
const statedLife = (token: string): { exp: number; iat: number } | undefined => {
  const [, claims, signature] = token.split('.')
  if (claims === undefined || signature === undefined) return undefined
  const parsed = parseJson(Buffer.from(claims, 'base64url').toString('utf8'))
  const { exp, iat } = 'value' in parsed ? asObject(parsed.value) : {}
  return typeof exp === 'number' ? { exp, iat: typeof iat === 'number' ? iat : exp } : undefined
}

const lasting = (token: CallerToken, left: number, life = left): void => {
  token.life = Math.max(left, life)
  token.ends = performance.now() + left
}

/** Takes in what the service tells of a token. */
const noteLookup = (token: CallerToken, body: JsonObject): void => {
  const { ttl, creation_ttl: life, renewable, display_name: name } = asObject(body.data)
  // 0 stands for no end.
  if (ttl !== undefined) lasting(token, Number(ttl) > 0 ? Number(ttl) * 1000 : Number.POSITIVE_INFINITY, (Number(life) || 0) * 1000)
  token.renewable = renewable === true
  if (typeof name === 'string' && !token.isNamed) token.identity.displayName = name
}

/** Reads again what is known of a caller whose token changed. */
export const readToken = async (target: Target, token: CallerToken): Promise<void> => {
  const { tokenLookup } = target.api
  const stated = statedLife(token.identity.token)
  // By the clock of the target, which decides.
  const now = Date.now() + target.clockSkew * 1000
  if (stated === undefined) lasting(token, Number.POSITIVE_INFINITY)
  else lasting(token, stated.exp * 1000 - now, (stated.exp - stated.iat) * 1000)
  token.renewable = false
  if (tokenLookup === undefined) return
  const { status, body } = await plainSender(target)('GET', tokenLookup, { token: token.identity.token }).catch(() => NOTHING)
  if (status === 200) noteLookup(token, body)
}

/** Has the service let a token live longer. One that gains nothing by it is not renewed again. */
export const renewToken = async (target: Target, token: CallerToken): Promise<void> => {
  const { tokenRenewal } = target.api
  const left = token.ends - performance.now()
  const { status, body } =
    tokenRenewal === undefined
      ? NOTHING
      : await plainSender(target)('POST', tokenRenewal, { body: {}, token: token.identity.token }).catch(() => NOTHING)
  const granted = status === 200 ? Number(asObject(body.auth).lease_duration) * 1000 : 0
  if (granted > left + LEAST_GAIN) lasting(token, granted)
  else token.renewable = false
}

/** Takes the token that the command prints instead of the one before. @throws Blocked where it prints none. */
export const replaceToken = async (target: Target, { identity, fetch }: CallerToken): Promise<void> => {
  if (fetch === undefined) return
  const value = await fetch()
  if (identity === target.root && !['', value].includes(identity.token)) target.formerTokens.push(identity.token)
  identity.token = value
}

/** Runs the commands of the configuration that print tokens. @throws Blocked where one prints none. */
export const fetchTokens = async (target: Target): Promise<void> => {
  for (const token of target.tokens) await replaceToken(target, token)
}
