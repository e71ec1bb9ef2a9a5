/** Faults in the form of what is shown, by one route or in one state. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { reply } from '../../mutations/wrappers.ts'
import { policyChecks } from './engine.ts'
import { type Call, part, resources, withAttributes } from './wrappers.ts'

const { rule, route } = faultsOf(policyChecks)

rule(
  'shape-include-first-only',
  ['POLICY-CHECKS-INCLUDE-06', 'POLICY-CHECKS-INCLUDE-07', 'POLICY-CHECKS-INCLUDE-09'],
  'of include=run.workspace,run only the first is looked at',
  {
    includePaths: (original) => (text) => original(text).slice(0, 1),
    included: (original) => (world, checks, paths) =>
      original(world, checks, paths).filter(({ type }) => (paths.includes('run.workspace') ? type === 'workspaces' : type === 'runs')),
  },
)

route('shape-include-not-paged', 'POLICY-CHECKS-INCLUDE-12', 'a page of a list has nothing included', 'policyChecks.list', (original) =>
  reply<Call>((given) => {
    const { included: _, ...body } = given.body as JsonObject
    return 'meta' in body ? { ...given, body } : given
  })(original),
)

rule('shape-timestamps-null', 'POLICY-CHECKS-FIELD-27', 'timestamps of statuses that were not reached are null', {
  timestamps: (original) => (check) => ({ 'queued-at': null, 'soft-failed-at': null, 'overridden-at': null, ...original(check) }),
})

rule('shape-override-run-null', 'POLICY-CHECKS-OVERRIDE-09', 'the answer of an override has a run that is null', {
  overrideAnswer: (original) => (resource) => ({ ...original(resource), relationships: { run: { data: null } } }),
})

route(
  'shape-overridable-null',
  'POLICY-CHECKS-FIELD-15',
  'actions.is-overridable is null once a check is overridden',
  ['policyChecks.show', 'policyChecks.list', 'policyChecks.override'],
  resources((resource) =>
    part(resource, 'attributes').status === 'overridden' ? withAttributes(resource, { actions: { 'is-overridable': null } }) : resource,
  ),
)

rule('shape-overridden-at-without-offset', 'POLICY-CHECKS-FIELD-14', 'overridden-at has no offset', {
  timestamps: (original) => (check) => {
    const times = original(check)
    const at = times['overridden-at']
    return typeof at === 'string' ? { ...times, 'overridden-at': at.replace('+00:00', '') } : times
  },
})
