/** Faults in who asks, with what token, and what counts as creation or update. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../faults/declare.ts'
import type { DatabaseState } from './state.ts'

const { rule, declared } = faultsOf(coreEngine, 'database')

for (const [operation, clause] of [
  ['writeConnection', 'DATABASE-CAP-01'],
  ['writeRole', 'DATABASE-CAP-02'],
] as const)
  rule(`${operation}-always-updates`, clause, `every ${operation} counts as an update`, {
    isUpdate: (original) => (exists, route) => route.id === `database.${operation}` || original(exists, route),
  })
rule('static-role-never-exists', 'DATABASE-CAP-03', 'every write of a static role counts as a creation', {
  isUpdate: (original) => (exists, route) => route.id !== 'database.writeStaticRole' && original(exists, route),
})
rule('static-role-sought-among-roles', 'DATABASE-CAP-03', 'whether a static role exists is looked up among the dynamic roles', {
  capabilityGranted: (original) => (granted, needed, call, request) => {
    if (request.operation !== 'database.writeStaticRole') return original(granted, needed, call)
    const exists = (call?.state as DatabaseState | undefined)?.roles.has(call?.params.name ?? '')
    return original(granted, exists ? 'update' : 'create', call)
  },
})
rule('put-of-static-role-updates', 'DATABASE-CAP-03', 'a PUT of a static role counts as update whether there is one or not', {
  capabilityGranted: (original) => (granted, needed, call, request) => {
    const isPut = request.operation === 'database.writeStaticRole' && request.method === 'PUT'
    return original(granted, isPut && needed === 'create' ? 'update' : needed, call)
  },
})
rule('access-rotate-root-anyone', 'CORE-CAP-04', 'every good token rotates the root password', {
  capabilityGranted: (original) => (granted, needed, call, request) =>
    (request.operation === 'database.rotateRoot' && !granted.has('deny')) || original(granted, needed, call),
})
for (const operation of ['readCreds', 'readStaticCreds'])
  rule(`access-${operation}-anyone`, 'CORE-CAP-01', `every good token may ask for ${operation}`, {
    capabilityGranted: (original) => (granted, needed, call, request) =>
      (request.operation === `database.${operation}` && !granted.has('deny')) || original(granted, needed, call),
  })

export const faults = declared
