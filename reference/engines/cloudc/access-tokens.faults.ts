/** Faults of access tokens. */

import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { insteadOfRefusal, reply, replyData } from '../../faults/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'
import { nameOf } from './wrappers.ts'

const { rule, route, declared } = faultsOf(cloudcEngine)

rule('scopes-of-first-token', 'CLOUDC-SET-20', 'tokens keep the scopes that the first token of the account was given with', {
  tokenScopes: (original) => {
    const known = new Map<string, string[]>()
    return (roleset) => {
      const scopes = known.get(roleset.account.email) ?? original(roleset)
      known.set(roleset.account.email, scopes)
      return scopes
    }
  },
})
const keptTokens = remembered(() => new Map<string, { at: number; given: Reply }>())
route(
  'token-kept',
  'CLOUDC-SET-20',
  'an access token is given again for five minutes, whatever happened to the roleset',
  ['cloudc.readToken', 'cloudc.createToken'],
  (original) => async (call) => {
    const before = keptTokens(call.state).get(nameOf(call))
    if (before !== undefined && call.now() - before.at < 300 && call.state.rolesets.has(nameOf(call))) return before.given
    const given = await original(call)
    keptTokens(call.state).set(nameOf(call), { at: call.now(), given })
    return given
  },
)
route(
  'token-lease-duration',
  ['CORE-ENV-11', 'CLOUDC-TOK-09'],
  'an access token shows its time as a lease duration',
  ['cloudc.readToken', 'cloudc.createToken'],
  reply<CloudcCall>((given) => {
    const body = given.body as JsonObject
    return { ...given, body: { ...body, lease_duration: (body.data as JsonObject).token_ttl ?? 0 } }
  }),
)
rule('expiry-text', 'CLOUDC-TOK-13', 'the expiry of an access token is shown as a date', {
  shownToken: (original) => (token, expiresIn, now) => ({
    ...original(token, expiresIn, now),
    expires_at_seconds: new Date(Math.floor(now + expiresIn) * 1000).toISOString(),
  }),
})
const unsupported = (): never => {
  throw new ApiError(405, 'unsupported operation')
}
route('token-no-get', 'CLOUDC-TOK-01', 'GET gives no token', 'cloudc.readToken', () => unsupported)
route('token-no-post', 'CLOUDC-TOK-02', 'POST gives no token', 'cloudc.createToken', () => unsupported)
rule('token-made-up', 'CLOUDC-TOK-03', 'the token is not the provider’s', {
  shownToken: (original) => (token, expiresIn, now) => original(`${token.slice(0, -3)}xyz`, expiresIn, now),
})
rule('token-first-scope', 'CLOUDC-TOK-04', 'a token has the first scope only', {
  tokenScopes: () => (roleset) => roleset.scopes.slice(0, 1),
})
const tokens = ['cloudc.readToken', 'cloudc.createToken']
route(
  'token-of-first',
  'CLOUDC-TOK-05',
  'tokens of every roleset of a mount are those of the first account',
  tokens,
  (original) => (call) => {
    const first = [...call.state.rolesets.keys()][0] ?? ''
    return original({ ...call, params: { roleset: first } })
  },
)
rule('token-day', 'CLOUDC-TOK-06', 'a token says it lasts a day', {
  shownToken: (original) => (token, _expiresIn, now) => original(token, 86_400, now),
})
rule('token-end-milliseconds', 'CLOUDC-TOK-07', 'the end of a token is in milliseconds', {
  shownToken: (original) => (token, expiresIn, now) => ({
    ...original(token, expiresIn, now),
    expires_at_seconds: Math.floor((now + expiresIn) * 1000),
  }),
})
route(
  'token-engine-ttl',
  'CLOUDC-TOK-08',
  'the ttl of the engine is that of tokens',
  tokens,
  (original) => (call) =>
    replyData<typeof call>((data) => ({ ...data, token_ttl: call.state.config.ttl || data.token_ttl! }))(original)(call),
)
route('token-leased', 'CLOUDC-TOK-09', 'tokens come with a lease', tokens, (original) => async (call): Promise<Reply> => {
  const given = await original(call)
  const lease = call.services.leases.issue(call, { ttl: 3600, renewable: true, revoke: async () => undefined })
  return secret((given.body as { data: Record<string, string> }).data, lease)
})
route(
  'token-of-keys',
  'CLOUDC-TOK-10',
  'a roleset for keys gives a token that is none',
  tokens,
  insteadOfRefusal(
    (call) => secret({ token: 'none', expires_at_seconds: Math.floor(call.now()) + 3600, token_ttl: 3600 }),
    (call) => call.state.rolesets.has(call.params.roleset ?? ''),
  ),
)
route(
  'token-unknown',
  'CLOUDC-TOK-11',
  'an unknown roleset gives a token that is none',
  tokens,
  insteadOfRefusal(
    (call) => secret({ token: 'none', expires_at_seconds: Math.floor(call.now()) + 3600, token_ttl: 3600 }),
    (call) => !call.state.rolesets.has(call.params.roleset ?? ''),
  ),
)
rule('token-ttl-text', 'CLOUDC-TOK-13', 'the time to live is a text', {
  shownToken: (original) => (token, expiresIn, now) => ({ ...original(token, expiresIn, now), token_ttl: `${expiresIn}s` }),
})
route(
  'token-mount-ttl',
  'CLOUDC-TOK-14',
  'the lease times of the mount are those of tokens',
  tokens,
  (original) => (call) =>
    replyData<typeof call>((data) => ({ ...data, token_ttl: Math.min(Number(data.token_ttl), call.mount.defaultLeaseTtl) }))(original)(
      call,
    ),
)

export const faults = declared
