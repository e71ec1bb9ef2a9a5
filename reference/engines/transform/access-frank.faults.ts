/** Faults of who may ask: tokens and their carriers, capabilities, verbs, roles, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import { bearerIgnored, countsAs } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { transformEngine } from './engine.ts'
import { atTransform, dataOf, isTransform, roleOf, transformationOf, withRules, withState } from './frank-help.ts'

const { rule, route, change } = faultsOf(transformEngine, 'transform')
const core = faultsOf(coreEngine, 'transform')

core.rule(
  'frank-bearer-not-for-lists',
  'TRANSFORM-ROLE-05',
  'the verb LIST takes no bearer token (000 2.1: `Authorization`, alternative token carrier)',
  bearerIgnored((request) => request.method === 'LIST' && atTransform(request)),
)

route(
  'frank-validate-without-allowed-roles',
  'TRANSFORM-ACCESS-15',
  'validate does not ask whether the transformation allows the role (001 4.4: `allowed_roles`)',
  'transform.validate',
  (original) => (call) => original(withRules(call, { transformationAllows: () => true })),
)

rule(
  'frank-no-allowed-roles-is-any',
  'TRANSFORM-READ-11',
  'a transformation without allowed_roles allows every role (001 4.4: `allowed_roles`, default [])',
  {
    transformationAllows: (original) => (transformation, role) =>
      transformation.allowedRoles.length === 0 || original(transformation, role),
  },
)

route(
  'frank-allowed-once-in-batch',
  'TRANSFORM-BATCH-18',
  'once an item of a batch may use its transformation, those after it may use any of the role (001 4.4: `allowed_roles`)',
  'transform.encode',
  (original) => (call) => {
    let isAllowed = false
    return original(
      withRules(call, {
        transformationAllows(transformation, role) {
          isAllowed ||= call.rules.transformationAllows(transformation, role)
          return isAllowed
        },
      }),
    )
  },
)

route(
  'frank-role-not-made-yet',
  'TRANSFORM-ACCESS-05',
  'a role that does not exist may decode with transformations that allow its name (001 4.4: decode/:role_name)',
  'transform.decode',
  (original) => (call) => {
    const { roles, transformations } = call.state
    if (roles.has(roleOf(call))) return original(call)
    const allowing = [...transformations].filter(([, { allowedRoles }]) => allowedRoles.includes(roleOf(call))).map(([name]) => name)
    return original(allowing.length === 0 ? call : withState(call, { roles: new Map(roles).set(roleOf(call), allowing) }))
  },
)

core.rule(
  'frank-decode-is-a-read',
  'CORE-CAP-04',
  'the capability read is enough to decode (000 1.6: capabilities create and update of a write)',
  countsAs('read', (call) => isTransform(call) && /(^|\/)decode\//.test(call?.path ?? ''), 'update'),
)

core.rule(
  'frank-sudo-manages-stores',
  'CORE-CAP-04',
  'sudo alone is enough to write a store (000 5: create and update besides elevated capability)',
  countsAs('sudo', (call) => isTransform(call) && call?.method === 'POST' && /(^|\/)store\//.test(call.path)),
)

core.rule(
  'frank-alphabets-listed-for-anyone',
  'CORE-AUTH-01',
  'alphabets are listed for callers without a token (001: all endpoints require a client token)',
  {
    callerRefused: (original) => (given, token, request) =>
      given === undefined && /(^|\/)alphabet\/?$/.test(request.path) ? undefined : original(given, token, request),
  },
)

core.rule(
  'frank-namespace-half-in-path',
  'CORE-NS-02',
  'the namespace header is dropped where the path names an inner namespace (000 2.2: the effective path)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const effective = original(header, request, namespaces)
      const outer = effective.slice(0, effective.length - request.path.length)
      const isInner = outer !== '' && namespaces.some((path) => path.length > outer.length && effective.startsWith(path))
      return isInner && atTransform(request) ? request.path : effective
    },
  },
)

core.rule(
  'frank-put-role-without-body',
  'CORE-WRITE-01',
  'PUT of a role takes no notice of the body (000 1.6: PUT and POST are synonyms)',
  {
    parseBody: (original) => (bytes, request) =>
      original(request.method === 'PUT' && /(^|\/)role\//.test(request.path) ? new Uint8Array() : bytes, request),
  },
)

route(
  'frank-role-name-of-body',
  'TRANSFORM-ACCESS-01',
  'a role_name in the body counts instead of the one in the path, for which the policy was asked (001 4.4: encode/:role_name)',
  ['transform.encode', 'transform.decode'],
  (original) => (call) => {
    const { role_name: named } = call.body
    return original(typeof named === 'string' ? { ...call, params: { ...call.params, role_name: named } } : call)
  },
)

const makers = remembered(() => new Map<string, string>())

change('frank-token-decodes-for-its-maker', 'TRANSFORM-TOKEN-01', 'only the caller that made a token can decode it (001 4.4: decode)', {
  routes: {
    'transform.encode': (original) => async (call) => {
      const given = await original(call)
      const { encoded_value: made } = dataOf(given)
      if (typeof made === 'string' && transformationOf(call)?.type === 'tokenization')
        makers(call.state).set(made, call.token?.accessor ?? '')
      return given
    },
    'transform.decode': (original) => (call) => {
      const maker = makers(call.state).get(String(call.body.value))
      if (maker !== undefined && maker !== call.token?.accessor) throw invalid('no such token')
      return original(call)
    },
  },
})
