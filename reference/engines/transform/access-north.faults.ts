/** Faults of who may ask: roles and what allows them, tokens and their carriers, denials, namespaces, help. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { transformEngine } from './engine.ts'
import { BY_ROLE, batchIn, CODING_PATH, deciding, isTransform, nameOf, QUESTIONS } from './north-help.ts'

const { rule, route } = faultsOf(transformEngine, 'transform')
const core = faultsOf(coreEngine, 'transform')

route(
  'north-first-item-speaks-for-batch',
  'TRANSFORM-BATCH-18',
  'once an item of a batch has passed, the role is not held to its list for the further ones (001 2.4: role, transformations; 4.4: each object carries its own)',
  BY_ROLE,
  (original) => (call) => {
    const { rules } = call
    let passed = false
    const roleAllows = (names: string[], name: string): boolean => {
      passed ||= rules.roleAllows(names, name)
      return passed
    }
    return original(deciding(call, { roleAllows }))
  },
)

rule(
  'north-role-within-allowed-name',
  'TRANSFORM-ACCESS-02',
  'a role is allowed where its name is part of an allowed one (001 2.4: transformation, allowed_roles)',
  {
    transformationAllows: (original) => (transformation, role) =>
      original(transformation, role) || transformation.allowedRoles.join(',').includes(role),
  },
)

route(
  'north-questions-for-any-role',
  'TRANSFORM-ACCESS-16',
  "questions about tokens are answered whatever the role's list holds (001 2.4: role, transformations; 4.4: validate, tokenized, metadata by :role_name)",
  QUESTIONS,
  (original) => (call) => original(deciding(call, { roleAllows: () => true })),
)

route(
  'north-role-allows-itself',
  'TRANSFORM-ACCESS-02',
  'writing a role puts it into the allowed_roles of its transformations (001 4.4: transformation, allowed_roles list as written, default [])',
  'transform.writeRole',
  (original) => async (call) => {
    const { roles, transformations } = call.state
    const given = await original(call)
    for (const name of roles.get(nameOf(call)) ?? []) {
      const transformation = transformations.get(name)
      if (transformation === undefined || transformation.allowedRoles.includes(nameOf(call))) continue
      transformations.set(name, { ...transformation, allowedRoles: [...transformation.allowedRoles, nameOf(call)] })
    }
    return given
  },
)

core.rule(
  'north-truth-told-without-token',
  'CORE-AUTH-01',
  'validate and tokenized, which tell no secret, are answered without any token (001 intro: all endpoints require a client token)',
  {
    needsToken: (original) => (asked) => original(asked) && asked?.id !== 'transform.validate' && asked?.id !== 'transform.tokenized',
  },
)

const carriers = requestsTo('transform')
core.rule(
  'north-bearer-ignored-in-coding',
  'CORE-AUTH-07',
  'encode and decode take a token from the own header only (000 5.1: or in header Authorization as Bearer)',
  { ...carriers.locating, ...bearerIgnored(({ path }) => carriers.here() && CODING_PATH.test(path)) },
)

core.rule(
  'north-denied-caller-may-batch',
  'CORE-CAP-04',
  'deny does not hold for batches (000 7: 403 forbidden; 001 4.4: batch_input)',
  denyOverlooked((call) => isTransform(call) && call.body.batch_input !== undefined),
)

const asking = requestsTo('transform')
core.rule(
  'north-right-to-encode-is-right-to-decode',
  'CORE-CAP-06',
  'who may encode by a role may decode by it, for policies are asked about encode in both (000 7: 403 forbidden, no access)',
  {
    ...asking.locating,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, asking.here() ? path.replace(/(^|\/)decode\/([^/]+)$/, '$1encode/$2') : path),
  },
)

const IN_TRANSFORM = /(^|\/)(encode|decode|transformation|alphabet)\/[^/]+$/
core.rule(
  'north-nested-namespace-not-found-in-path',
  'CORE-NS-03',
  'without the header a namespace within another is not found in the path (000 2.2: no header with path <ns1>/<ns2>/... is equivalent)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      const isPlain = !header && IN_TRANSFORM.test(effectivePath)
      return original(effectivePath, isPlain ? namespaces.filter((path) => path.split('/').length <= 2) : namespaces, header)
    },
  },
)

const ended = requestsTo('transform')
core.rule(
  'north-ended-token-still-codes',
  'CORE-AUTH-15',
  'a token with which something was encoded or decoded is good for that after its end (000 5.1: a client token is required; 7: 403)',
  { ...ended.locating, ...goodForEver(({ path }) => ended.here() && CODING_PATH.test(path)) },
)

route(
  'north-scalar-transformation-admits-batch',
  'TRANSFORM-BATCH-17',
  "a batch is held to the role's list by the transformation beside it, not by those of its items (001 4.4: batch_input, scalar transformation ignored, each object carries its own)",
  BY_ROLE,
  (original) => (call) => {
    const { rules, body } = call
    const beside = batchIn(call) !== undefined && typeof body.transformation === 'string' ? body.transformation : undefined
    if (beside === undefined) return original(call)
    return original(deciding(call, { roleAllows: (names) => rules.roleAllows(names, beside) }))
  },
)

const helped = requestsTo('transform')
core.rule(
  'north-help-for-anyone',
  'CORE-HELP-05',
  'help is given to every token, also on paths that it may not use or is denied (000 1.7: if the caller has permission on the path)',
  { ...helped.locating, helpAllowed: (original) => (granted) => helped.here() || original(granted) },
)
