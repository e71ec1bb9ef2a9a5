/** Faults of who may ask: tokens and their carriers, verbs, capabilities, namespaces, roles. */
import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { nameOf } from './definitions.ts'
import { transformEngine } from './engine.ts'
import { batchOf, goesTo, isTransform, itemsOf, roleName, tokenIn, transformationOf, withRules, withState } from './plain-help.ts'
import { sqlStore } from './sql-store.ts'

const { rule, route } = faultsOf(transformEngine, 'transform')
const core = faultsOf(coreEngine, 'transform')

rule(
  'plain-no-allowed-roles-is-any',
  'TRANSFORM-MASKING-06',
  'a transformation without allowed_roles takes every role that lists it (001 4.4: allowed_roles, default [])',
  {
    transformationAllows: (original) => (transformation, role) =>
      transformation.allowedRoles.length === 0 || original(transformation, role),
  },
)

route(
  'plain-decode-past-role-list',
  'TRANSFORM-ACCESS-03',
  'decoding does not ask whether the role lists the transformation that is named (001 4.4: transformations of a role, decode)',
  'transform.decode',
  (original) => (call) => original(withRules(call, { roleAllows: () => true })),
)

route(
  'plain-token-finds-its-transformation',
  'TRANSFORM-TOKEN-04',
  'a role decodes tokens of transformations that it may not use, naming one of its own (001 4.4: allowed_roles, decode)',
  'transform.decode',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (!(cause instanceof ApiError) || !cause.messages.includes('no such token')) throw cause
      for (const transformation of call.state.transformations.values()) {
        const token = await tokenIn(call, transformation, call.body.value)
        if (token !== undefined && call.rules.isAlive(token, call.now()))
          return secret(call.rules.shownDecoded(call.rules.opened(transformation, token.sealed)))
      }
      throw cause
    }
  },
)

core.rule(
  'plain-decoding-is-reading',
  'CORE-CAP-04',
  'whoever may only read below decode/ may decode (000 5.4: create and update capabilities; 000 7: 403)',
  countsAs('read', (call) => isTransform(call) && /\/decode\/[^/]+$/.test(call?.path ?? ''), 'update'),
)

core.rule(
  'plain-alphabets-are-public',
  'CORE-AUTH-01',
  'an alphabet is shown to callers without token (001 introduction: all endpoints require a client token)',
  {
    needsToken: (original) => (asked) => asked?.id !== 'transform.readAlphabet' && original(asked),
  },
)

core.rule(
  'plain-revoked-token-encodes',
  'CORE-AUTH-15',
  'a token that has encoded goes on encoding after it was revoked (000 5.1: a client token is required)',
  goodForEver(goesTo('encode')),
)

core.rule(
  'plain-no-bearer-for-templates',
  'CORE-AUTH-07',
  'templates and stores take the token from its own header only (000 2.1: Authorization as an alternative carrier)',
  bearerIgnored(goesTo('template', 'store')),
)

core.rule('plain-put-refused', 'CORE-WRITE-01', 'PUT is not taken for transformations (000 1.6: PUT and POST are synonyms)', {
  callerRefused: (original) => (given, token, request) =>
    original(given, token, request) ?? (request.method === 'PUT' && goesTo('transformation')(request) ? 405 : undefined),
})

core.rule(
  'plain-first-namespace-only',
  'CORE-NS-01',
  'of a nested namespace in the header only the first part counts (000 2.2: header <ns1>/<ns2>/)',
  {
    effectivePath: (original) => (header, request, namespaces) =>
      original(goesTo('role', 'transformation', 'encode', 'decode')(request) ? header?.split('/')[0] : header, request, namespaces),
  },
)

route(
  'plain-schema-user-stays',
  'TRANSFORM-SCHEMA-10',
  'a store goes on with the user that made its schema (001 4.4: credentials are used only for this call)',
  'transform.makeSchema',
  (original) => async (call) => {
    const reply = await original(call)
    const store = call.state.stores.get(nameOf(call))
    const credentials = call.rules.schemaCredentials(call.body)
    const kind = store && call.rules.sqlKindOf(store.settings.connectionString)
    if (store === undefined || kind === undefined) return reply
    const settings = { ...store.settings, ...credentials }
    call.state.stores.set(nameOf(call), { settings, tokens: sqlStore(call.rules, kind, settings, call.services.clock) })
    await store.tokens.close()
    return reply
  },
)

core.rule(
  'plain-policy-path-is-prefix',
  'CORE-CAP-04',
  'a policy for encoding with one role holds for roles whose names begin with that name (000 7: 403, no access)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (goesTo('encode')({ path }) && goesTo('encode')({ path: pattern }) && path.startsWith(pattern)),
  },
)

route(
  'plain-role-that-is-gone',
  'TRANSFORM-ACCESS-18',
  'questions about tokens are answered for a deleted role that the transformation still allows (001 4.4: DELETE /transform/role/:name)',
  ['transform.validate', 'transform.tokenized', 'transform.metadata'],
  (original) => (call) => {
    if (call.state.roles.has(roleName(call))) return original(call)
    const named = itemsOf(call).flatMap(({ transformation }) => (typeof transformation === 'string' ? [transformation] : []))
    const allowed = itemsOf(call).every((item) => transformationOf(call, item)?.allowedRoles.includes(roleName(call)))
    if (!allowed || batchOf(call)?.length === 0) return original(call)
    return original(withState(call, { roles: new Map([...call.state.roles, [roleName(call), named]]) }))
  },
)
