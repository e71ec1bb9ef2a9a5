/** Faults of who may ask: carriers of the token, verbs, capabilities, denials, the end of a token. */
import { coreEngine } from '../../core/core-engine.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { bearerIgnored, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning, isRead } from '../../mutations/request-kinds.ts'
import { isKv, isKv2 } from './anew-help.ts'
import { kv1Engine } from './kv1.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

const isListing = (request: RequestFacts): boolean => isRead(request) && (request.method === 'LIST' || request.query.get('list') === 'true')

kv1.rule(
  'anew-object-of-one-member-does-not-exist',
  ['CORE-CAP-07'],
  'overwriting an object with one member needs create, not update (000 1.6: "decide whether a write is a create or an update")',
  { exists: (original) => (stored) => original(stored) && Object.keys(stored as object).length > 1 },
)

core.rule(
  'anew-v2-version-routes-despite-deny',
  ['CORE-CAP-04'],
  'who is denied destroy/ of a v2 path destroys versions all the same (000 7: "403 forbidden: no access")',
  denyOverlooked((call) => isKv2(call) && /(^|\/)destroy\//.test(call?.path ?? '')),
)

core.rule(
  'anew-glob-covers-key-of-directory',
  ['CORE-CAP-18'],
  'a policy for secret/app/* opens the key secret/app too (000 7: "403 forbidden: no access")',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (!isProvisioning({ path }) && pattern.endsWith('/*') && pattern.slice(0, -2) === path),
  },
)

core.rule(
  'anew-listing-ignores-bearer',
  ['CORE-AUTH-07'],
  'GET with list=true refuses a bearer token, LIST accepts it (000 5.1: "or in header Authorization as Bearer <token>")',
  bearerIgnored((request) => isListing(request) && request.method === 'GET'),
)

core.rule(
  'anew-help-needs-read',
  ['CORE-HELP-08'],
  'help of a path is refused to who may write or list there, but not read (000 1.7: "if the caller has permission on the path")',
  { helpAllowed: (original) => (granted) => original(granted) && granted.has('read') },
)

core.rule(
  'anew-help-without-token',
  ['CORE-HELP-05'],
  'help is given to callers without a token (000 1.7: "if the caller has permission on the path"; 000 5.1)',
  {
    callerRefused: (original) => (given, token, request) =>
      given === undefined && request.method === 'GET' && request.query.get('help') === '1' ? undefined : original(given, token, request),
  },
)

core.rule(
  'anew-ended-token-lists',
  ['CORE-AUTH-15'],
  'a token that listed once goes on listing after its revocation or expiry (000 5.1: "A client token is required"; 000 7: 403)',
  goodForEver(isListing),
)

const puts = new WeakSet<object>()

core.change(
  'anew-put-always-updates',
  ['CORE-WRITE-01'],
  'PUT of a new key needs update, POST create (000 1.6: "PUT and POST are synonyms")',
  {
    rules: {
      parseBody: (original) => (bytes, request) => {
        if (request.method === 'PUT') puts.add(request.headers)
        return original(bytes, request)
      },
      capabilityGranted: (original) => (granted, needed, call) =>
        original(granted, call && isKv(call) && needed === 'create' && puts.has(call.headers) ? 'update' : needed, call),
    },
  },
)
