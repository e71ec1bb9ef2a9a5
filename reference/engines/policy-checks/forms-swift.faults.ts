/** Faults in the form of policy checks: types, members that are left out or null, links, related resources. */
import { faultsOf } from '../../mutations/declare.ts'
import { changedAttributes, changedDocument, changedResources, objectIn, without } from '../../run-management/answer-changes.ts'
import type { PolicyCheckRules } from './checks.rules.ts'
import { policyChecks } from './engine.ts'

const { rule, route } = faultsOf(policyChecks)

route(
  'list-ids-without-prefix',
  ['POLICY-CHECKS-LIST-03', 'POLICY-CHECKS-INCLUDE-11'],
  'ids in lists lack the prefix polchk- (002 2.1, id)',
  'policyChecks.list',
  changedResources<PolicyCheckRules>((resource) => ({ ...resource, id: String(resource.id).replace(/^polchk-/, '') })),
)

route(
  'override-type-singular',
  ['POLICY-CHECKS-FIELD-02'],
  'the answer of an override has the type policy-check (002 2.1, type)',
  'policyChecks.override',
  changedResources<PolicyCheckRules>((resource) => ({ ...resource, type: 'policy-check' })),
)

rule(
  'override-answer-with-run',
  ['POLICY-CHECKS-OVERRIDE-09'],
  'the answer of an override holds relationships.run (002 2.1, absent in the override response)',
  {
    overrideAnswer: () => (resource) => resource,
  },
)

rule('override-answer-without-links', ['POLICY-CHECKS-FIELD-19'], 'the answer of an override has no links (002 2.1, links.output)', {
  overrideAnswer: (original) => (resource) => without(original(resource), 'links'),
})

rule(
  'timestamps-without-offset',
  ['POLICY-CHECKS-FIELD-14'],
  'status-timestamps have no offset (002 2.1, ISO 8601 timestamps with offset)',
  {
    timestamps: (original) => (check) =>
      Object.fromEntries(Object.entries(original(check)).map(([key, time]) => [key, String(time).replace(/\+00:00$/, '')])),
  },
)

rule(
  'unreached-timestamps-null',
  ['POLICY-CHECKS-FIELD-27'],
  'status-timestamps hold null for what was not reached (002 2.1, a key is present once reached)',
  {
    timestamps: (original) => (check) => ({ 'queued-at': null, 'soft-failed-at': null, 'overridden-at': null, ...original(check) }),
  },
)

route(
  'list-counts-as-text',
  ['POLICY-CHECKS-FIELD-04', 'POLICY-CHECKS-FIELD-05'],
  'lists show the numbers of a result as text (002 2.1, int)',
  'policyChecks.list',
  changedAttributes<PolicyCheckRules>((attributes) => ({
    ...attributes,
    result: Object.fromEntries(
      Object.entries(objectIn(attributes, 'result')).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
    ),
  })),
)

rule('policy-engine-text', ['POLICY-CHECKS-FIELD-10'], 'policy-engine is JSON text (002 2.1, object)', {
  result: (original) => (check) => {
    const result = original(check)
    return { ...result, 'policy-engine': JSON.stringify(result['policy-engine']) }
  },
})

rule(
  'output-link-without-base',
  ['POLICY-CHECKS-FIELD-19'],
  'links.output lacks /api/v2 (002 2.1, path /api/v2/policy-checks/<id>/output)',
  {
    outputLink: (original) => (check) => original(check).replace('/api/v2', ''),
  },
)

rule(
  'workspace-not-included-anew',
  ['POLICY-CHECKS-INCLUDE-04'],
  "include=run.workspace brings the run only (002 4, include: the run's workspace)",
  {
    included: (original) => (world, checks, paths) => original(world, checks, paths.length > 0 ? ['run'] : []),
  },
)

route(
  'page-without-included',
  ['POLICY-CHECKS-INCLUDE-12'],
  'a page of a list has no included resources (002 4, include on list and show)',
  'policyChecks.list',
  changedDocument<PolicyCheckRules>((body, call) => (call.rules.paged(call.query) ? without(body, 'included') : body)),
)
