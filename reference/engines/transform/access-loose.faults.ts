/** Faults in who may: the caller, by token, carrier, verb and capability, and the role, by its list and that of the transformation. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Asked, anyoneMay, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { transformEngine } from './engine.ts'
import { CODING, withRules } from './loose-wrappers.ts'
import { filled } from './sql-kind.ts'

const { rule, route } = faultsOf(transformEngine)
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

route(
  'decode-skips-allowed-roles',
  ['TRANSFORM-ACCESS-04'],
  'decode does not look at allowed_roles (001 4.4, allowed_roles; readings: access needs both lists)',
  'transform.decode',
  (original) => (call) => original(withRules(call, { transformationAllows: () => true })),
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

core.rule(
  'validate-without-token',
  ['CORE-AUTH-01', 'CORE-AUTH-03'],
  'validate asks for no client token (001, introduction: all endpoints require a client token)',
  {
    needsToken: (original) => (asked) => asked?.id !== 'transform.validate' && original(asked),
  },
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
  ['CORE-CAP-21'],
  'whoever may read a template may delete it (000 7, 403: no access; 1.6: policies distinguish capabilities)',
  countsAs('read', asks('DELETE', /(^|\/)template\/[^/]+$/), 'delete'),
)

core.rule(
  'tokenized-for-anyone',
  ['CORE-CAP-04'],
  'any token may ask whether values are tokenized, whatever its policies (000 7, 403: no access)',
  anyoneMay(asks('POST', /(^|\/)tokenized\/[^/]+$/)),
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
