/** Faults in which somebody gets what the lists of roles, the policies or the tokens withhold, or is kept from what they give. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Asked, anyoneMay, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withRules } from './brisk-wrappers.ts'
import { transformEngine } from './engine.ts'

const { rule, route } = faultsOf(transformEngine)
const { rule: coreRule } = faultsOf(coreEngine, 'transform')

const asks = (method: string, path: RegExp) => (call: Asked) =>
  call !== undefined && call.method === method && 'maskDecodable' in call.rules && path.test(call.path)

rule(
  'brisk-role-by-prefix',
  ['TRANSFORM-ACCESS-02'],
  'a role may use a transformation that allows a role whose name begins its own (001 2.4, Transformation `allowed_roles`)',
  { transformationAllows: () => (transformation, role) => transformation.allowedRoles.some((allowed) => role.startsWith(allowed)) },
)

route(
  'brisk-batch-checks-first',
  ['TRANSFORM-BATCH-18'],
  'of a batch only the first item has to name a transformation of the role (001 2.4, Role `transformations`)',
  ['transform.encode', 'transform.decode'],
  withRules(({ rules }) => {
    let checked = false
    return {
      roleAllows(transformations, name) {
        if (checked) return true
        checked = rules.roleAllows(transformations, name)
        return checked
      },
    }
  }),
)

rule(
  'brisk-none-is-any',
  ['TRANSFORM-READ-11'],
  'a transformation without allowed roles may be used by every role that names it (001 4.4: `allowed_roles` default [])',
  {
    transformationAllows: (original) => (transformation, role) =>
      transformation.allowedRoles.length === 0 || original(transformation, role),
  },
)

route(
  'brisk-metadata-of-any',
  ['TRANSFORM-ACCESS-18'],
  'metadata is told of transformations that the role does not name (001 2.4, Role `transformations`)',
  'transform.metadata',
  withRules(() => ({ roleAllows: () => true })),
)

coreRule(
  'brisk-readers-decode',
  ['CORE-CAP-04'],
  'whoever may only read may decode (000 1, 6: policies distinguish capabilities of writes; 000 7, 403)',
  countsAs('read', asks('POST', /\/decode\/[^/]+$/), 'update'),
)

coreRule(
  'brisk-deny-by-query',
  ['CORE-CAP-17'],
  'a denial does not hold for listings by GET with list=true (000 1, 5: either the verb or the query; 000 7, 403)',
  denyOverlooked((call) => asks('LIST', /./)(call) && call?.query.get('list') === 'true'),
)

coreRule(
  'brisk-no-bearer-for-questions',
  ['CORE-AUTH-07'],
  'questions about tokens take no token from Authorization (000 2.1, header `Authorization`: alternative token carrier)',
  bearerIgnored(({ path }) => /(^|\/)(validate|tokenized)\/[^/]+$/.test(path)),
)

coreRule(
  'brisk-decode-with-ended-token',
  ['CORE-AUTH-15'],
  'a client token that has decoded once goes on doing so after it was revoked or expired (000 5, 1: a client token is required)',
  goodForEver(({ path }) => /(^|\/)decode\/[^/]+$/.test(path)),
)

coreRule(
  'brisk-schema-by-anyone',
  ['CORE-CAP-04'],
  'any client token may have the schema of a store made (000 7, 403 forbidden; 001 4.4, POST store schema)',
  anyoneMay(asks('POST', /\/store\/[^/]+\/schema$/)),
)

coreRule(
  'brisk-public-alphabets',
  ['CORE-AUTH-01', 'CORE-AUTH-03'],
  'alphabets are read without a client token (001, introduction: all endpoints require a client token unless marked)',
  { needsToken: (original) => (found) => found?.id !== 'transform.readAlphabet' && original(found) },
)

rule(
  'brisk-only-one-is-all',
  ['TRANSFORM-ACCESS-09'],
  'a role with one transformation may name any other that allows it (001 2.4, Role `transformations`)',
  { roleAllows: (original) => (transformations, name) => transformations.length === 1 || original(transformations, name) },
)

rule(
  'brisk-allowed-once',
  ['TRANSFORM-ACCESS-10'],
  'a role that used a transformation once goes on after allowed_roles names it no more (001 2.4, Transformation `allowed_roles`)',
  {
    transformationAllows: (original) => {
      const allowed = new Set<string>()
      return (transformation, role) => {
        const key = `${transformation.id} ${role}`
        if (original(transformation, role)) allowed.add(key)
        return allowed.has(key)
      }
    },
  },
)
