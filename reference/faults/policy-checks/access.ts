/** Faults in who may read and override. */
import { fault } from '../../core/mutation.ts'
import { policyChecks } from '../../run-management/policy-checks/index.ts'
import type { Caller } from '../../run-management/world.ts'

const engine = 'policy-checks'

type Handle = (typeof policyChecks.routes)[number]['handle']

const handler = (id: string, title: string, clauses: string[], handle: (original: Handle) => Handle) =>
  fault(policyChecks, { id: `policy-checks-${id}`, engine, title, clauses }, { routes: { 'policyChecks.override': handle } })

const anonymous: Caller = {
  kind: 'user',
  user: { id: 'user-nobody', name: 'nobody', rights: { readRuns: true, overrideChecks: true, managePools: false } },
}

export const accessFaults = [
  handler(
    'override-permission-shown',
    'can-override is shown and not asked',
    ['POLICY-OVERRIDE-17'],
    (original) => (call) => original({ ...call, rules: { ...call.rules, mayOverride: (caller) => caller.kind === 'user' } }),
  ),
  handler(
    'override-by-anybody',
    'everybody with a token may override',
    ['POLICY-OVERRIDE-18', 'POLICY-OVERRIDE-17'],
    (original) => (call) => original({ ...call, rules: { ...call.rules, mayRead: () => true, mayOverride: () => true } }),
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-anonymous', engine, title: 'a request without a bearer is let in', clauses: ['POLICY-AUTH-01', 'POLICY-AUTH-05'] },
    {
      rules: {
        bearer: (original) => (header) => original(header) ?? 'anonymous',
        caller: (original) => (world, bearer, recognises) => (bearer === 'anonymous' ? anonymous : original(world, bearer, recognises)),
      },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-any-bearer', engine, title: 'any bearer is let in', clauses: ['POLICY-AUTH-03', 'POLICY-AUTH-05'] },
    {
      rules: { caller: (original) => (world, bearer, recognises) => original(world, bearer, recognises) ?? anonymous },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-no-bearer-400', engine, title: 'a missing bearer is answered with 400', clauses: ['POLICY-AUTH-02'] },
    { rules: { unauthenticatedStatus: () => () => 400 } },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-stranger-reads', engine, title: 'every user may read every run', clauses: ['POLICY-HIDE-01', 'POLICY-HIDE-02'] },
    { rules: { mayRead: () => () => true } },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-hidden-told', engine, title: 'the 404 of a hidden check has a text of its own', clauses: ['POLICY-HIDE-03'] },
    {
      rules: { hiddenDetail: (original) => (kind, id, exists) => (exists ? 'you lack permission' : original(kind, id, exists)) },
    },
  ),
]
