/** Faults about who may do what in a broker mount: carriers, verbs, capabilities, tokens that have ended. */
import { coreEngine } from '../../core/core-engine.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { type Asked, anyoneMay, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine, 'broker')

/** A call of this engine on a path with the given part. */
const asks =
  (part: string, ...methods: string[]) =>
  (call: Asked): boolean =>
    call !== undefined && 'vhostsOf' in call.rules && call.path.includes(part) && (methods.length === 0 || methods.includes(call.method))

const sends =
  (part: string, ...methods: string[]) =>
  (request: RequestFacts): boolean =>
    !isProvisioning(request) && request.path.includes(part) && (methods.length === 0 || methods.includes(request.method))

rule('creds-for-anyone', ['CORE-CAP-05'], 'whoever has a token gets credentials of any role (000 7, 403)', anyoneMay(asks('/creds/')))

rule(
  'creds-by-update',
  ['CORE-CAP-05'],
  'a token with update but not read on creds gets credentials (000 7, 403)',
  countsAs('update', asks('/creds/'), 'read'),
)

rule(
  'lease-by-read',
  ['CORE-CAP-04'],
  'a token that may only read writes the lease settings (000 7, 403)',
  countsAs('read', asks('/config/lease'), 'update'),
)

rule(
  'connection-by-sudo',
  ['CORE-CAP-04'],
  'a token with nothing but sudo replaces the connection (000 5.4; 7, 403)',
  countsAs('sudo', asks('/config/connection')),
)

rule(
  'role-delete-by-read',
  ['CORE-CAP-21'],
  'a token that may only read a role deletes it (000 7, 403)',
  countsAs('read', asks('/roles/'), 'delete'),
)

rule(
  'role-deny-overlooked',
  ['CORE-CAP-01', 'CORE-CAP-18'],
  'a denied token reads and writes roles all the same (000 7, 403)',
  denyOverlooked(asks('/roles/')),
)

rule(
  'put-role-anonymous',
  ['CORE-AUTH-01', 'CORE-AUTH-04'],
  'PUT of a role needs no token (000 5.1; 001, all endpoints require a client token)',
  {
    callerRefused: (original) => (given, token, request) =>
      given === undefined && sends('/roles/', 'PUT')(request) ? undefined : original(given, token, request),
  },
)

rule(
  'delete-role-any-token',
  ['CORE-AUTH-03', 'CORE-AUTH-05'],
  'a role is deleted for any token text, issued or not (000 7, 403: wrong credentials)',
  {
    callerRefused: (original) => (given, token, request) =>
      given !== undefined && sends('/roles/', 'DELETE')(request) ? undefined : original(given, token, request),
  },
)

rule('bearer-unverified', ['CORE-AUTH-03'], 'a bearer is taken for good on creds without being looked up (000 5.1; 7, 403)', {
  callerRefused: (original) => (given, token, request) =>
    sends('/creds/')(request) && /^bearer /i.test(request.headers.authorization ?? '') ? undefined : original(given, token, request),
})

rule(
  'bearer-unread-on-config',
  ['CORE-AUTH-07'],
  'requests for config do not take the token as a bearer (000 2.1, Authorization)',
  bearerIgnored(sends('/config/')),
)

rule(
  'creds-after-token-end',
  ['CORE-AUTH-15'],
  'a token that got credentials once gets more after its end (000 7, 403)',
  goodForEver(sends('/creds/')),
)

rule('creds-by-role-read', ['CORE-CAP-01'], 'whoever may read a role gets its credentials (000 7, 403)', {
  patternMatches: (original) => (pattern, path) =>
    original(pattern, path) || (path.includes('/creds/') && original(pattern, path.replace('/creds/', '/roles/'))),
})
