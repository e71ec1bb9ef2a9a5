/** Faults in who may ask, from where, and how. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../faults/declare.ts'

const { rule: core, declared } = faultsOf(coreEngine, 'managed-keys')

core('list-by-get', 'CORE-LIST-02', 'keys are listed with the verb LIST only', {
  check: (original) => (call, route) => {
    if (route.id === 'managedKeys.list' && call.query.has('list')) throw new ApiError(405, 'unsupported operation')
    original(call, route)
  },
})

core('cloud-keys-without-token', 'MANAGED-KEYS-CALLER-01', 'keys of kind cloudakms are read without a token', {
  callerRefused: (original) => (given, token, request) =>
    request.method === 'GET' && request.path.includes('sys/managed-keys/cloudakms/') ? undefined : original(given, token, request),
})

core('policy-of-other-kind', 'MANAGED-KEYS-CALLER-02', 'who may do something with a key in a module may do it with every key in a vault', {
  patternMatches: (original) => (pattern, path) =>
    original(pattern, path) ||
    (pattern.includes('sys/managed-keys/pkcs11/') && path.includes('sys/managed-keys/cloudbkeyvault/') && !path.endsWith('/test/sign')),
})

export const faults = declared
