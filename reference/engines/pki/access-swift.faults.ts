/** Faults of identity and access: who asks, with what carrier and verb, and which capabilities that takes. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { type Asked, bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'

const { route } = faultsOf(pkiEngine)
const { rule } = faultsOf(coreEngine, 'pki')

const asks = (call: Asked, method: string, path: RegExp): boolean =>
  call !== undefined &&
  typeof call.state === 'object' &&
  call.state !== null &&
  'crlNumber' in call.state &&
  call.method === method &&
  path.test(call.path)

rule(
  'swift-bearer-sudo',
  ['CORE-CAP-15'],
  'a bearer counts as having sudo when it deletes the root (4.2, DELETE /pki/root: "needs sudo")',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) ||
      (needed === 'sudo' && asks(call, 'DELETE', /\/root$/) && (call?.headers.authorization ?? '') !== ''),
  },
)

rule(
  'swift-self-issued-update',
  ['CORE-CAP-15'],
  'whoever may update root/sign-self-issued needs no sudo for it (4.2, root/sign-self-issued: "needs sudo")',
  countsAs('update', (call) => asks(call, 'POST', /\/root\/sign-self-issued$/), 'sudo'),
)

rule(
  'swift-readers-write-roles',
  ['CORE-CAP-04'],
  'whoever may read a role may write it (000, 7: 403 "forbidden"; 5: capabilities)',
  countsAs('read', (call) => asks(call, 'POST', /\/roles\/[^/]+$/), 'update'),
)

rule(
  'swift-put-issues',
  ['CORE-AUTH-01', 'CORE-AUTH-03'],
  'issue by PUT asks for no token (001: "All endpoints require a client token unless marked UNAUTHENTICATED")',
  {
    callerRefused: (original) => (given, token, request) =>
      request.method === 'PUT' && /\/issue\/[^/]+$/.test(request.path) ? undefined : original(given, token, request),
  },
)

rule(
  'swift-list-by-get',
  ['CORE-AUTH-01', 'CORE-AUTH-03'],
  'certificates are listed by GET with `list=true` without a token (001: "require a client token unless marked")',
  {
    callerRefused: (original) => (given, token, request) =>
      request.method === 'GET' && request.query.get('list') === 'true' && /\/certs\/?$/.test(request.path)
        ? undefined
        : original(given, token, request),
  },
)

rule(
  'swift-ended-tokens-issue',
  ['CORE-AUTH-15'],
  'a token that has issued a certificate goes on doing so after its end (000, 5: "A client token is required")',
  goodForEver(({ method, path }) => method === 'POST' && /\/issue\/[^/]+$/.test(path)),
)

rule(
  'swift-bearer-intermediate',
  ['CORE-AUTH-07'],
  'root/sign-intermediate does not take a bearer (000, 2.1: `Authorization` is an alternative carrier)',
  bearerIgnored(({ path }) => /\/root\/sign-intermediate$/.test(path)),
)

rule('swift-revoke-sudo', ['CORE-CAP-06'], 'a revocation needs sudo (4.2, POST /pki/revoke, which does not say so as its neighbours do)', {
  needsSudo: (original) => (asked) => original(asked) || asked.id === 'pki.revoke',
})

rule(
  'swift-list-true-reads',
  ['CORE-CAP-11'],
  'a listing by GET with `list=true` takes the capability read, not list (000, 1: both are one listing)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'list' && call?.query.get('list') === 'true' && asks(call, 'LIST', /./) ? 'read' : needed, call),
  },
)

const creators = remembered(() => new Map<string, string>())

route(
  'swift-own-roles',
  ['CORE-CAP-10'],
  'a role can be updated with the token only that created it (4.2, POST /pki/roles/:name: "create or update role")',
  'pki.writeRole',
  (original) => async (call) => {
    const name = call.params.name ?? ''
    const caller = call.token?.id ?? ''
    const creator = call.state.roles.has(name) ? creators(call.state).get(name) : undefined
    if (creator !== undefined && creator !== caller) throw new ApiError(403, 'permission denied')
    const reply = await original(call)
    creators(call.state).set(name, creator ?? caller)
    return reply
  },
)

route(
  'swift-internal-key-shown',
  ['PKI-ROOT-05'],
  'an internal root is answered with its key to callers without the root policy (4.2, `internal`: "never returned")',
  'pki.generateRoot',
  withRules((rules, call) => ({
    returnsKey: (type) => rules.returnsKey(type) || call.token?.policies.includes('root') === false,
  })),
)
