/** Faults of who may ask: tokens and their carriers, capabilities, verbs, namespaces, the lists of roles and transformations. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'
import { batchOf, isTransformCall, isTransformPath } from './keen-help.ts'

const { rule, route } = faultsOf(transformEngine, 'transform')
const core = faultsOf(coreEngine, 'transform')

core.rule(
  'keen-help-for-strangers',
  'CORE-HELP-05',
  'help is given to callers without a token (000 1.7: if the caller has permission on the path)',
  {
    callerRefused: (original) => (given, token, request) =>
      given === undefined && request.query.get('help') === '1' && isTransformPath(request) ? undefined : original(given, token, request),
  },
)

core.rule(
  'keen-listing-by-get-with-any-token',
  'CORE-AUTH-03',
  'a GET with list=true is answered whatever token is sent (000 7: 403, wrong credentials)',
  {
    callerRefused: (original) => (given, token, request) => {
      const listing = request.method === 'GET' && request.query.get('list') === 'true' && isTransformPath(request)
      return listing && given !== undefined ? undefined : original(given, token, request)
    },
  },
)

core.rule(
  'keen-revoked-token-validates',
  'CORE-AUTH-15',
  'a token of a caller that has validated goes on doing so after it was revoked (000 5.1: a client token is required)',
  goodForEver(({ path }) => isTransformPath({ path }) && /(^|\/)validate\/[^/]+$/.test(path)),
)

core.rule(
  'keen-denied-batches',
  'CORE-CAP-04',
  'whoever is denied encode, decode and the like may send batches (000 7: 403, forbidden)',
  denyOverlooked((call) => call !== undefined && isTransformCall(call) && batchOf(call.body) !== undefined),
)

core.rule(
  'keen-listing-in-the-root',
  'CORE-NS-01',
  'listings overlook the namespace header (000 2.2: header followed by the request path)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const listing = request.method === 'LIST' || request.query.get('list') === 'true'
      return original(listing && isTransformPath(request) ? undefined : header, request, namespaces)
    },
  },
)

core.rule(
  'keen-header-or-path',
  'CORE-NS-02',
  'with a header for one namespace, one below it in the path is not found (000 2.2: header ns1/, path ns2/secret/foo)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      const inHeader = (header ?? '').split('/').filter((segment) => segment !== '')
      const namespace = inHeader.map((segment) => `${segment}/`).join('')
      if (namespace === '' || !namespaces.includes(namespace) || !isTransformPath({ path: effectivePath })) {
        return original(effectivePath, namespaces, header)
      }
      return namespace
    },
  },
)

route(
  'keen-any-role-asks-tokenized',
  'TRANSFORM-ACCESS-17',
  'a role that the transformation does not allow may ask what is tokenized (001 4.4: tokenization, allowed_roles)',
  'transform.tokenized',
  (original) => (call) => original({ ...call, rules: { ...call.rules, transformationAllows: () => true } }),
)

route(
  'keen-role-asked-of-first-item',
  'TRANSFORM-BATCH-18',
  'items of a batch after the first may name transformations that the role does not have (001 2.4: role, transformations)',
  ['transform.encode', 'transform.decode'],
  (original) => (call) => {
    if (batchOf(call.body) === undefined) return original(call)
    let allowed = false
    const roleAllows: typeof call.rules.roleAllows = (transformations, name) => {
      allowed ||= call.rules.roleAllows(transformations, name)
      return allowed
    }
    return original({ ...call, rules: { ...call.rules, roleAllows } })
  },
)

core.rule(
  'keen-bearer-cannot-list',
  'TRANSFORM-ROLE-05',
  'the verb LIST takes a token from its own header only (000 2.1: Authorization, alternative token carrier)',
  bearerIgnored((request) => request.method === 'LIST' && isTransformPath(request)),
)

core.rule(
  'keen-unknown-verb-unknown-path',
  'CORE-STATUS-08',
  'a path that takes one verb only answers 404 to others (000 7: 405, unsupported method)',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      routes.length === 1 && routes[0]?.id.startsWith('transform.') ? 404 : original(method, routes),
  },
)

rule(
  'keen-schema-by-the-store-user',
  'TRANSFORM-SCHEMA-15',
  'a schema is made as the user of the store where the given one fails (001 4.4: store schema, username and password)',
  {
    openedSession: (original) => async (kind, settings, credentials) => {
      try {
        return await original(kind, settings, credentials)
      } catch (error) {
        if (credentials.username === settings.username && credentials.password === settings.password) throw error
        return original(kind, settings, { username: settings.username, password: settings.password })
      }
    },
  },
)

core.rule(
  'keen-schema-without-token',
  'CORE-AUTH-01',
  'a schema is made for whoever has credentials of the database (001 introduction: all endpoints require a client token)',
  {
    needsToken: (original) => (route) => original(route) && route?.id !== 'transform.makeSchema',
  },
)
