/** Faults of access tokens. */
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, replyData } from '../../mutations/wrappers.ts'
import { cloudcEngine } from './engine.ts'

const { rule, route } = faultsOf(cloudcEngine)

const tokens = ['cloudc.readToken', 'cloudc.createToken']

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
