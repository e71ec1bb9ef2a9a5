/** Faults of who may ask. */

import { coreEngine } from '../../core/core-engine.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { goodForEver } from '../../faults/callers.ts'
import { faultsOf } from '../../faults/declare.ts'

const core = faultsOf(coreEngine, 'ssh')

const isOpen = ({ path }: Pick<RequestFacts, 'path'>): boolean => /\/(verify|public_key)$/.test(path)
core.rule('open-routes-judge', 'CORE-AUTH-17', 'the unauthenticated routes refuse a token that is carried but not good', {
  needsToken: (original) => (route) => original(route) || route?.id === 'ssh.verifyOtp' || route?.id === 'ssh.readPublicKey',
  callerRefused: (original) => (given, token, request) =>
    isOpen(request) && given === undefined ? undefined : original(given, token, request),
})
core.rule(
  'ended-token-signs',
  'CORE-AUTH-15',
  'a token that signed while it was good signs on after it was revoked',
  goodForEver(({ path }) => path.includes('/sign/')),
)
core.rule('lookup-open', ['CORE-AUTH-01', 'CORE-AUTH-03'], 'lookups need no token', {
  needsToken: (original) => (found) => found?.id !== 'ssh.lookupRoles' && original(found),
})
core.rule('list-by-read', 'CORE-CAP-11', 'listing roles asks for read instead of list', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed === 'list' && call !== undefined && call.path.endsWith('/roles') ? 'read' : needed, call),
})
core.rule('public-key-refused-to-strangers', 'CORE-AUTH-18', 'public_key is refused to a token without a policy for it', {
  needsToken: (original) => (route) => route?.id === 'ssh.readPublicKey' || original(route),
  callerRefused: (original) => (given, token, request) =>
    token === undefined && request.method === 'GET' && /(^|\/)public_key$/.test(request.path) ? undefined : original(given, token, request),
})
core.rule('deleting-pair-needs-sudo', 'CORE-CAP-22', 'the deletion of the CA needs the elevated capability', {
  needsSudo: (original) => (route) => route.id === 'ssh.deleteCa' || original(route),
})

export const faults = core.declared
