/** Faults of the broker about who may ask: tokens and their carriers, capabilities, verbs, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { spellings } from '../../core/spelling.ts'
import type { Token } from '../../core/tokens.ts'
import { anyoneMay, bearerIgnored, countsAs, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokerRequests, isBroker } from './amber-help.ts'

const core = faultsOf(coreEngine, 'broker')

const { here, methodOf, marking } = brokerRequests()

core.rule(
  'amber-bearer-reads-only',
  'CORE-AUTH-07',
  'writes and deletions do not take a bearer for a token (000 5.1: Authorization, Bearer <token>)',
  {
    ...marking,
    ...bearerIgnored((request) => here() && request.method !== 'GET'),
  },
)

core.rule(
  'amber-unknown-token-reads-roles',
  'CORE-AUTH-03',
  'roles are read with any text for a token (000 7: 403, wrong credentials; 001: all endpoints require a token)',
  {
    ...marking,
    callerRefused: (original) => (given, token, request) => {
      const isRoleRead = here() && request.method === 'GET' && /\/roles\/[^/]+$/.test(request.path)
      return isRoleRead && given !== undefined ? undefined : original(given, token, request)
    },
  },
)

core.rule(
  'amber-ended-token-gets-credentials',
  'CORE-AUTH-15',
  'a token that got credentials gets more after its end (000 5.1: a client token is required; 000 7: 403)',
  {
    ...marking,
    callerRefused: (original) => {
      const seen = new Map<string, Token>()
      return (given, token, request) => {
        if (given === undefined || !here() || !/\/creds\/[^/]+$/.test(request.path)) return original(given, token, request)
        if (token) seen.set(given, token)
        return seen.has(given) ? undefined : original(given, token, request)
      }
    },
  },
)

core.rule('amber-denied-may-delete', 'CORE-CAP-18', 'deny does not keep from deleting roles (000 7: 403, no access)', {
  ...denyOverlooked((call) => isBroker(call) && call?.method === 'DELETE'),
})

core.rule(
  'amber-readers-set-lease',
  'CORE-CAP-04',
  'who may only read config/lease may write it (000 5.4: capabilities of writes; 000 7: 403)',
  {
    ...countsAs('read', (call) => isBroker(call) && call?.path.endsWith('/config/lease') === true, 'update'),
  },
)

core.rule(
  'amber-help-for-everybody',
  'CORE-HELP-05',
  'help is shown to callers without any capability on the path (000 1.7: if the caller has permission)',
  {
    ...marking,
    helpAllowed: (original) => (granted) => original(granted) || (here() && !granted.has('deny')),
  },
)

core.rule(
  'amber-put-unchecked',
  'CORE-CAP-07',
  'a write with PUT is not held against the policies of the caller (000 1.6: PUT and POST are synonyms; 000 7: 403)',
  {
    ...marking,
    ...anyoneMay((call) => call !== undefined && isBroker(call) && methodOf(call) === 'PUT'),
  },
)

core.rule(
  'amber-child-sees-parents-mount',
  'CORE-NS-07',
  'a mount answers in the namespaces below its own, too (000 2.2: effective request path; 000 7: 404)',
  {
    mountsSeen: (original) => (all, namespace) => [
      ...original(all, namespace),
      ...all.filter((mount) => mount.engine.type === 'broker' && mount.namespace !== namespace && namespace.startsWith(mount.namespace)),
    ],
  },
)

core.rule(
  'amber-request-header-for-token',
  'CORE-AUTH-01',
  'config/connection is written without a token by who sends the request header (001: all endpoints require a client token)',
  {
    ...marking,
    callerRefused: (original) => (given, token, request) => {
      const isTrusted = Object.values(spellings).some(({ headers }) => request.headers[headers.request] === 'true')
      if (given === undefined && isTrusted && here() && request.path.endsWith('/config/connection')) return undefined
      return original(given, token, request)
    },
  },
)

core.rule(
  'amber-policy-path-as-prefix',
  'CORE-CAP-18',
  'a policy for one role holds for all whose names begin with its name (000 7: 403, no access)',
  {
    ...marking,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (here() && !/[*+]/.test(pattern) && /\/(roles|creds)\/[^/]+$/.test(pattern) && path.startsWith(pattern)),
  },
)

core.rule('amber-policy-path-any-case', 'CORE-CAP-18', 'policies hold for paths that differ from theirs by case (000 7: 403, no access)', {
  ...marking,
  patternMatches: (original) => (pattern, path) =>
    original(pattern, path) || (here() && original(pattern.toLowerCase(), path.toLowerCase())),
})

core.rule(
  'amber-post-on-creds-400',
  'CORE-STATUS-08',
  'a POST on creds is refused as an invalid request (000 7: 405, unsupported method for the path)',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      method === 'POST' && routes.some(({ id }) => id === 'broker.readCreds') ? 400 : original(method, routes),
  },
)
