/** Faults in who may read and override. */

import { faultsOf } from '../../mutations/declare.ts'
import type { Caller } from '../../run-management/world.ts'
import { policyChecks } from './engine.ts'

const { rule, route } = faultsOf(policyChecks)

const anonymous: Caller = {
  kind: 'user',
  user: { id: 'user-nobody', name: 'nobody', rights: { readRuns: true, overrideChecks: true, managePools: false } },
}

route(
  'override-permission-shown',
  'POLICY-CHECKS-OVERRIDE-17',
  'can-override is shown and not asked',
  'policyChecks.override',
  (original) => (call) => original({ ...call, rules: { ...call.rules, mayOverride: (caller) => caller.kind === 'user' } }),
)
route(
  'override-by-anybody',
  ['POLICY-CHECKS-OVERRIDE-18', 'POLICY-CHECKS-OVERRIDE-17'],
  'everybody with a token may override',
  'policyChecks.override',
  (original) => (call) => original({ ...call, rules: { ...call.rules, mayRead: () => true, mayOverride: () => true } }),
)
rule('anonymous', ['POLICY-CHECKS-AUTH-01', 'POLICY-CHECKS-AUTH-05'], 'a request without a bearer is let in', {
  bearer: (original) => (header) => original(header) ?? 'anonymous',
  caller: (original) => (world, bearer, recognises) => (bearer === 'anonymous' ? anonymous : original(world, bearer, recognises)),
})
rule('any-bearer', ['POLICY-CHECKS-AUTH-03', 'POLICY-CHECKS-AUTH-05'], 'any bearer is let in', {
  caller: (original) => (world, bearer, recognises) => original(world, bearer, recognises) ?? anonymous,
})
rule('no-bearer-400', 'POLICY-CHECKS-AUTH-02', 'a missing bearer is answered with 400', { unauthenticatedStatus: () => () => 400 })
rule('stranger-reads', ['POLICY-CHECKS-HIDE-01', 'POLICY-CHECKS-HIDE-02'], 'every user may read every run', { mayRead: () => () => true })
rule('hidden-told', 'POLICY-CHECKS-HIDE-03', 'the 404 of a hidden check has a text of its own', {
  hiddenDetail: (original) => (kind, id, exists) => (exists ? 'you lack permission' : original(kind, id, exists)),
})
