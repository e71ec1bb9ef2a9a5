/** Faults in who may: the caller, by token, carrier, verb and capability, and the role, by its list and that of the transformation. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Asked, anyoneMay, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { CODING, dataOf, withRules } from './loose-wrappers.ts'
import { filled } from './sql-kind.ts'
import { sqlStore } from './sql-store.ts'

const { rule, route, change } = faultsOf(transformEngine)
const core = faultsOf(coreEngine, 'transform')

const asks =
  (method: string, path: RegExp) =>
  (call: Asked): boolean =>
    call?.method === method && path.test(call.path)

rule(
  'allowed-roles-empty-any',
  ['TRANSFORM-FPE-07', 'TRANSFORM-MASKING-06'],
  'a transformation without allowed_roles allows every role (001 4.4, allowed_roles: list, default [])',
  {
    transformationAllows: (original) => (transformation, role) =>
      transformation.allowedRoles.length === 0 || original(transformation, role),
  },
)

rule(
  'role-list-empty-any',
  ['TRANSFORM-ACCESS-16'],
  'a role with an empty list may use every transformation (001 4.4, role: transformations, default [])',
  {
    roleAllows: (original) => (transformations, name) => transformations.length === 0 || original(transformations, name),
  },
)

rule('allowed-roles-by-prefix', [], 'a name in allowed_roles allows all roles that begin with it (001 4.4, allowed_roles: list)', {
  transformationAllows: (original) => (transformation, role) =>
    original(transformation, role) || transformation.allowedRoles.some((name) => role.startsWith(name)),
})

route(
  'decode-skips-allowed-roles',
  ['TRANSFORM-ACCESS-04'],
  'decode does not look at allowed_roles (001 4.4, allowed_roles; readings: access needs both lists)',
  'transform.decode',
  (original) => (call) => original(withRules(call, { transformationAllows: () => true })),
)

route(
  'tokenized-skips-role-list',
  [],
  'tokenized does not look at the list of the role (001 4.4, role: transformations; readings: access needs both lists)',
  'transform.tokenized',
  (original) => (call) => original(withRules(call, { roleAllows: () => true })),
)

route(
  'batch-checks-first',
  ['TRANSFORM-ACCESS-04'],
  'allowed_roles is looked at for the first item of a batch only (001 4.4, allowed_roles; batch_input: each object carries its own)',
  CODING,
  (original) => (call) => {
    let checked = 0
    const transformationAllows: typeof call.rules.transformationAllows = (transformation, role) => {
      checked += 1
      return checked > 1 || call.rules.transformationAllows(transformation, role)
    }
    return original(withRules(call, { transformationAllows }))
  },
)

route(
  'unnamed-unchecked',
  ['TRANSFORM-ACCESS-04'],
  'allowed_roles is not looked at where the transformation is left out (001 4.4, transformation: may be omitted; allowed_roles)',
  CODING,
  (original) => (call) => original(call.body.transformation ? call : withRules(call, { transformationAllows: () => true })),
)

route(
  'either-list-suffices',
  [],
  'validate and metadata need one of the two lists only (001 4.4, role: transformations, allowed_roles; readings: both)',
  ['transform.validate', 'transform.metadata'],
  (original) => (call) => {
    let isListed = false
    return original(
      withRules(call, {
        roleAllows: (transformations, name) => {
          isListed = call.rules.roleAllows(transformations, name)
          return true
        },
        transformationAllows: (transformation, role) => isListed || call.rules.transformationAllows(transformation, role),
      }),
    )
  },
)

core.rule(
  'validate-without-token',
  ['CORE-AUTH-01', 'CORE-AUTH-03'],
  'validate asks for no client token (001, introduction: all endpoints require a client token)',
  {
    needsToken: (original) => (asked) => asked?.id !== 'transform.validate' && original(asked),
  },
)

core.rule(
  'decode-overlooks-deny',
  [],
  'whoever is denied decoding may decode (000 7, 403: no access)',
  denyOverlooked(asks('POST', /(^|\/)decode\/[^/]+$/)),
)

core.rule(
  'encoder-decodes',
  ['CORE-CAP-04'],
  'whoever may encode with a role may decode with it (000 7, 403: no access; 001 4.4: two endpoints)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (/(^|\/)decode\/[^/]+$/.test(path) && original(pattern, path.replace(/(^|\/)decode\/([^/]+)$/, '$1encode/$2'))),
  },
)

core.rule(
  'reader-deletes-template',
  ['CORE-CAP-18'],
  'whoever may read a template may delete it (000 7, 403: no access; 1.6: policies distinguish capabilities)',
  countsAs('read', asks('DELETE', /(^|\/)template\/[^/]+$/), 'delete'),
)

core.rule(
  'list-query-for-anyone',
  [],
  'GET with list=true shows the transformations to any token, LIST only to those who may (000 1.5: either; 7, 403: no access)',
  anyoneMay((call) => asks('LIST', /(^|\/)transformation$/)(call) && call?.query.get('list') === 'true'),
)

core.rule(
  'tokenized-for-anyone',
  ['CORE-CAP-04'],
  'any token may ask whether values are tokenized, whatever its policies (000 7, 403: no access)',
  anyoneMay(asks('POST', /(^|\/)tokenized\/[^/]+$/)),
)

core.rule(
  'encode-without-bearer',
  [],
  'encode takes the token from its own header only (000 2.1, Header Authorization: alternative token carrier)',
  bearerIgnored(({ path }) => /(^|\/)encode\/[^/]+$/.test(path)),
)

core.rule(
  'decode-by-revoked-token',
  ['CORE-AUTH-15'],
  'a token that has decoded may go on decoding after it was revoked (000 7, 403: wrong credentials)',
  goodForEver(({ path }) => /(^|\/)decode\/[^/]+$/.test(path)),
)

core.rule(
  'put-role-without-token',
  ['CORE-AUTH-01', 'CORE-AUTH-04'],
  'PUT on a role asks for no token (000 5.1: token required; 1.6: PUT and POST are synonyms)',
  {
    callerRefused: (original) => (given, token, request) =>
      request.method === 'PUT' && given === undefined && /(^|\/)role\/[^/]+$/.test(request.path) && !isProvisioning(request)
        ? undefined
        : original(given, token, request),
  },
)

route(
  'schema-credentials-stay',
  [],
  'a store goes on with the credentials that made its schema (001 4.4, store/:name/schema: credentials are used only for this call)',
  'transform.makeSchema',
  (original) => async (call) => {
    const given = await original(call)
    const { name = '' } = call.params
    const store = call.state.stores.get(name)
    const kind = store && call.rules.sqlKindOf(store.settings.connectionString)
    if (!store || !kind) return given
    const settings = { ...store.settings, ...call.rules.schemaCredentials(call.body) }
    call.state.stores.set(name, { settings, tokens: sqlStore(call.rules, kind, settings, call.services.clock) })
    await store.tokens.close()
    return given
  },
)

rule(
  'store-read-fills-slots',
  ['TRANSFORM-STORE-24'],
  'a store is read with its password in connection_string (001 4.4, connection_string: slots)',
  {
    shownStore: (original) => (settings) => ({
      ...original(settings),
      connection_string: filled(settings.connectionString, settings, (value) => value),
    }),
  },
)

const tokensMade = remembered(() => new Map<string, string>())

change('tokenized-returns-token', [], 'tokenized returns the token beside the answer (001 4.4, tokenized: never returns the token)', {
  routes: {
    'transform.encode': (original) => async (call) => {
      const given = await original(call)
      const { encoded_value: token } = dataOf(given)
      if (typeof token === 'string') tokensMade(call.state).set(`${call.params.role_name} ${call.body.value}`, token)
      return given
    },
    'transform.tokenized': replyData((data, call) => {
      const token = tokensMade(call.state).get(`${call.params.role_name} ${call.body.value}`)
      return data.tokenized === true && token !== undefined ? { ...data, encoded_value: token } : data
    }),
  },
})
