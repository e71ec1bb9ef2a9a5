/** Faults of the core conventions about who asks and how: carriers of tokens, verbs, capabilities, sudo, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { bearerIgnored, countsAs } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { widened } from './capability-changes.ts'
import { namespaceHeader, ownToken, toEngine } from './iris-help.ts'

const { rule } = faultsOf(coreEngine, 'core')

rule(
  'iris-bearer-lost-with-namespace',
  'CORE-AUTH-07',
  'with a namespace header a bearer token is not looked at (000, 5.1: the token is sent in its own header or in `Authorization` as a bearer)',
  bearerIgnored((request) => namespaceHeader(request) !== '' && !isProvisioning(request)),
)

const goodTokens = new Set<string>()

rule(
  'iris-token-compared-by-prefix',
  'CORE-AUTH-03',
  'a text that begins with a good token and goes on is taken for the token (000, 7: 403 for wrong credentials)',
  {
    callerRefused: (original) => (given, token, request) => {
      if (given !== undefined && token) goodTokens.add(token.id)
      const isLonger = given !== undefined && !token && [...goodTokens].some((good) => given.length > good.length && given.startsWith(good))
      return isLonger && !isProvisioning(request) ? undefined : original(given, token, request)
    },
  },
)

rule(
  'iris-wrong-bearer-401',
  'CORE-AUTH-08',
  'a wrong token that comes as a bearer is refused with 401 (000, 7: 403 for wrong credentials)',
  {
    callerRefused: (original) => (given, token, request) => {
      const refused = original(given, token, request)
      return refused !== undefined && given !== undefined && ownToken(request) === undefined ? 401 : refused
    },
  },
)

const putBodies = new WeakSet<JsonObject>()

rule(
  'iris-put-needs-update',
  'CORE-CAP-19',
  'PUT of what does not exist asks for `update` where POST asks for `create` (000, 1.6: PUT and POST are synonyms; the existence check decides)',
  {
    parseBody: (original) => (bytes, request) => {
      const parsed = original(bytes, request)
      if (request.method === 'PUT') putBodies.add(parsed.body)
      return parsed
    },
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'create' && toEngine(call) && putBodies.has(call.body) ? 'update' : needed, call),
  },
)

rule(
  'iris-all-ordinary-make-sudo',
  'CORE-CAP-15',
  'whoever has all ordinary capabilities on a path passes for `sudo` (000, 5.4: some operations require the elevated capability)',
  {
    capabilityGranted: widened('sudo', (granted) =>
      ['create', 'read', 'update', 'delete', 'list'].every((capability) => granted.has(capability)),
    ),
  },
)

rule(
  'iris-help-without-token',
  'CORE-AUTH-01',
  'help is given to callers without any token (000, 1.7: if the caller has permission on the path; 5.1: a token is required)',
  {
    callerRefused: (original) => (given, token, request) =>
      given === undefined && request.query.get('help') === '1' ? undefined : original(given, token, request),
  },
)

rule(
  'iris-help-without-permission',
  'CORE-HELP-05',
  'help is given to tokens whose policies say nothing of the path (000, 1.7: if the caller has permission on the path)',
  { helpAllowed: (original) => (granted) => granted.size === 0 || original(granted) },
)

rule(
  'iris-create-implies-read',
  'CORE-CAP-05',
  'whoever may create objects at a path may read them, too (000, 7: 403 or 404 where the caller may not view a path)',
  countsAs('create', toEngine, 'read'),
)

let namespacesKnown: string[] = []

rule(
  'iris-root-policy-in-namespaces',
  'CORE-CAP-14',
  'a policy on `secret/...` of the root counts for that path in every namespace below (000, 2.2: the effective path has the namespace in front)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      namespacesKnown = namespaces
      return original(header, request, namespaces)
    },
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      namespacesKnown.some(
        (namespace) => namespace !== '' && path.startsWith(namespace) && original(pattern, path.slice(namespace.length)),
      ),
  },
)
