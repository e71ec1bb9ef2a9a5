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

rule('access-role-name-within', [], 'a role may use a transformation whose name is part of one that it lists', {
  roleAllows: () => (transformations, name) => transformations.join(',').includes(name),
})

rule('access-allowed-roles-case', [], 'allowed roles are compared without regard to case', {
  transformationAllows: () => (transformation, role) =>
    transformation.allowedRoles.some((name) => name.toLowerCase() === role.toLowerCase()),
})

rule('access-allowed-roles-not-emptied', [], 'an update with an empty list leaves the allowed roles as they were', {
  allowedRolesOf: (original) => (body, previous) => {
    const roles = original(body, previous)
    return roles.length === 0 && previous ? previous.allowedRoles : roles
  },
})

route(
  'access-tokenized-beyond-list',
  [],
  'whether a value is tokenized is told of transformations that the role does not list',
  'transform.tokenized',
  byRules(() => ({ roleAllows: () => true })),
)

core.rule(
  'access-decode-with-read',
  [],
  'whoever may read the path of a decoding may decode',
  countsAs('read', (call) => asksFor(call, 'decode')),
)

core.rule('access-put-without-token', [], 'a decoding with PUT needs no token', {
  callerRefused: (original) => (given, token, request) =>
    given === undefined && request.method === 'PUT' && request.path.includes('/decode/') ? undefined : original(given, token, request),
})

core.rule('access-encode-grant-remembered', [], 'a token that could encode once can do so after its policy was changed', {
  capabilityGranted: (original) => {
    const known = new Set<string>()
    return (granted, needed, call) => {
      const allowed = original(granted, needed, call)
      if (!asksFor(call, 'encode')) return allowed
      const key = `${call?.token?.id} ${call?.mount.namespace} ${call?.path}`
      if (allowed) known.add(key)
      return known.has(key)
    }
  },
})

rule('access-only-transformation-regardless', [], 'a role with one transformation uses it, whichever the request names', {
  chosenName: (original) => (item, transformations) =>
    transformations.length === 1 ? transformations[0]! : original(item, transformations),
})
