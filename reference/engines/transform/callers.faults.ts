/** Faults in who may use what: by role, by transformation, and by token. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'
import { byRules, CODING } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)
const { rule: core } = faultsOf(coreEngine, 'transform')

route(
  'access-metadata-any-role',
  ['TRANSFORM-ACCESS-19'],
  'metadata is told to roles that the transformation does not allow (001 4.4, allowed_roles)',
  'transform.metadata',
  byRules(() => ({ transformationAllows: () => true })),
)

route(
  'access-tokenized-any-transformation',
  ['TRANSFORM-ACCESS-16'],
  'tokenized takes a transformation that the role does not name (001 4.4, role transformations)',
  'transform.tokenized',
  byRules(() => ({ roleAllows: () => true })),
)

route(
  'access-validate-any-role',
  ['TRANSFORM-ACCESS-15'],
  'validate takes a role that the transformation does not allow where the tokens come in a batch (001 4.4, allowed_roles)',
  'transform.validate',
  byRules(({ transformationAllows }, call) => ({
    transformationAllows: (transformation, role) => call.body.batch_input !== undefined || transformationAllows(transformation, role),
  })),
)

route(
  'access-batch-first-item',
  ['TRANSFORM-BATCH-18'],
  'only the first item of a batch has to name a transformation of the role (001 4.4, role transformations)',
  CODING,
  byRules(({ roleAllows }) => {
    let asked = 0
    return {
      roleAllows: (transformations, name) => {
        asked += 1
        return asked > 1 || roleAllows(transformations, name)
      },
    }
  }),
)

rule(
  'access-allowed-prefix',
  ['TRANSFORM-ACCESS-02', 'TRANSFORM-ACCESS-15'],
  'a role may use what allows a role with the beginning of its name (001 4.4, allowed_roles)',
  {
    transformationAllows: () => (transformation, role) => transformation.allowedRoles.some((allowed) => role.startsWith(allowed)),
  },
)

rule(
  'access-listed-part',
  ['TRANSFORM-ACCESS-01'],
  'a role may use a transformation whose name is part of one that it lists (001 4.4, role transformations)',
  {
    roleAllows: () => (transformations, name) => transformations.some((listed) => listed.includes(name)),
  },
)

rule(
  'access-allowed-last',
  ['TRANSFORM-ACCESS-13', 'TRANSFORM-ACCESS-01'],
  'of allowed_roles only the last counts (001 4.4, allowed_roles list)',
  {
    transformationAllows: () => (transformation, role) => transformation.allowedRoles.at(-1) === role,
  },
)

route(
  'access-allowed-on-masking',
  ['TRANSFORM-ACCESS-02', 'TRANSFORM-MASKING-06'],
  'masking does not look at allowed_roles (001 4.4, allowed_roles)',
  'transform.encode',
  byRules(({ transformationAllows }) => ({
    transformationAllows: (transformation, role) => transformation.type === 'masking' || transformationAllows(transformation, role),
  })),
)

core('access-encode-by-read', ['CORE-CAP-04'], 'whoever may read at encode/ may encode (000 1.6, capabilities)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) ||
    (call !== undefined && 'chosenName' in call.rules && call.path.includes('/encode/') && original(granted, 'read', call)),
})

const good = new Set<string>()

core(
  'access-ended-token-decodes',
  ['CORE-AUTH-15'],
  'a token that decoded while it was good decodes after it was revoked (000 5.1, token required)',
  {
    callerRefused: (original) => (given, token, request) => {
      const refused = original(given, token, request)
      if (given === undefined || !request.path.includes('/decode/')) return refused
      if (refused === undefined) good.add(given)
      return good.has(given) ? undefined : refused
    },
  },
)
