/** Faults of who may ask: tokens and their carriers, capabilities, verbs, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Token } from '../../core/tokens.ts'
import { bearerIgnored, countsAs, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { asksFor, isAt } from './plain-help.ts'

const core = faultsOf(coreEngine, 'broker')

core.rule(
  'plain-deny-overlooked-at-creds',
  'CORE-CAP-01',
  'a policy that denies credentials does not keep from them (000 7: 403, forbidden)',
  denyOverlooked(asksFor('GET', 'creds')),
)

core.rule(
  'plain-read-writes-lease',
  'CORE-CAP-04',
  'who may only read config/lease may write it (000 1.6 and 5.4: a write needs the create or update capability)',
  countsAs('read', asksFor('POST', 'config/lease'), 'update'),
)

core.rule('plain-put-without-body', 'CORE-WRITE-01', 'a role written with PUT comes out empty (000 1.6: PUT and POST are synonyms)', {
  parseBody: (original) => (bytes, request) =>
    original(request.method === 'PUT' && isAt('roles')(request) ? new Uint8Array() : bytes, request),
})

core.rule(
  'plain-creds-need-own-header',
  'CORE-AUTH-07',
  'credentials are refused to a token that comes as a bearer (000 5.1: or in header Authorization as Bearer)',
  bearerIgnored(isAt('creds')),
)

core.rule(
  'plain-ended-token-reads-roles',
  'CORE-AUTH-15',
  'a token that read a role reads roles after its end (000 5.1 and 7: 403, wrong credentials)',
  {
    callerRefused: (original) => {
      const seen = new Map<string, Token>()
      return (given, token, request) => {
        if (given === undefined || request.method !== 'GET' || !isAt('roles')(request)) return original(given, token, request)
        if (token) seen.set(given, token)
        return seen.has(given) ? undefined : original(given, token, request)
      }
    },
  },
)

core.rule(
  'plain-lease-config-without-token',
  'CORE-AUTH-01',
  'lease settings can be written without a token (000 5.1, 001: all endpoints require a client token)',
  {
    callerRefused: (original) => (given, token, request) =>
      given === undefined && request.method === 'POST' && isAt('config/lease')(request) ? undefined : original(given, token, request),
  },
)

core.rule(
  'plain-namespace-by-header-alone',
  'CORE-NS-01',
  'where the header names a namespace, one in the path is not found any more (000 2.2: header ns1/ with path ns2/secret/foo)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      const named = (header ?? '').replace(/^\/+|\/+$/g, '')
      const isOurs = ['creds', 'roles', 'config/connection', 'config/lease'].some((section) => isAt(section)({ path: effectivePath }))
      return isOurs && named !== '' && namespaces.includes(`${named}/`) ? `${named}/` : original(effectivePath, namespaces, header)
    },
  },
)

core.rule(
  'plain-wrong-verb-404',
  'CORE-STATUS-08',
  'a verb that no operation of a path has is answered with 404 (000 7: 405, unsupported method for the path)',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      routes.some(({ id }) => id.startsWith('broker.')) ? 404 : original(method, routes),
  },
)

core.rule(
  'plain-role-policy-opens-creds',
  'CORE-CAP-01',
  'a policy that lets read a role lets get its credentials (000 7: 403, no access; 001 4.3: two paths)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (isAt('creds')({ path }) && original(pattern, path.replace(/\/creds\/(?=[^/]*$)/, '/roles/'))),
  },
)

core.rule(
  'plain-policy-path-as-prefix',
  'CORE-CAP-01',
  'a policy for the credentials of one role is good for roles whose names begin with that name (000 7: 403, no access)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (isAt('creds')({ path }) && /\/creds\/[^/*+]+$/.test(pattern) && path.startsWith(pattern)),
  },
)
