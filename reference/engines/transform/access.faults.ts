/** Faults in who may do what: role lists, capabilities, carriers and verbs. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Asked, countsAs } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'
import { byRules } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)
const core = faultsOf(coreEngine, 'transform')

const asksFor = (call: Asked, operation: string): boolean =>
  call !== undefined && 'tweakOf' in call.rules && call.path.includes(`/${operation}/`)

rule('access-allowed-roles-case', ['TRANSFORM-ACCESS-02', 'TRANSFORM-ACCESS-04'], 'allowed roles are compared without regard to case', {
  transformationAllows: () => (transformation, role) =>
    transformation.allowedRoles.some((name) => name.toLowerCase() === role.toLowerCase()),
})

rule('access-allowed-roles-not-emptied', 'TRANSFORM-MASKING-08', 'an update with an empty list leaves the allowed roles as they were', {
  allowedRolesOf: (original) => (body, previous) => {
    const roles = original(body, previous)
    return roles.length === 0 && previous ? previous.allowedRoles : roles
  },
})

route(
  'access-tokenized-beyond-list',
  'TRANSFORM-ACCESS-16',
  'whether a value is tokenized is told of transformations that the role does not list',
  'transform.tokenized',
  byRules(() => ({ roleAllows: () => true })),
)

core.rule(
  'access-decode-with-read',
  'CORE-CAP-04',
  'whoever may read the path of a decoding may decode',
  countsAs('read', (call) => asksFor(call, 'decode')),
)

rule(
  'access-only-transformation-regardless',
  'TRANSFORM-ACCESS-09',
  'a role with one transformation uses it, whichever the request names',
  {
    chosenName: (original) => (item, transformations) =>
      transformations.length === 1 ? transformations[0]! : original(item, transformations),
  },
)

core.rule('access-put-without-token', ['CORE-AUTH-01'], 'a decoding with PUT needs no token', {
  callerRefused: (original) => (given, token, request) =>
    given === undefined && request.method === 'PUT' && request.path.includes('/decode/') ? undefined : original(given, token, request),
})
