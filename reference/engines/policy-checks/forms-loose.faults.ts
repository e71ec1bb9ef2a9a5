/** Faults of policy checks in the form of what is shown: types, members, times, links, related resources. */
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { changedAttributes, changedDocument, changedResources, objectIn, without } from '../../run-management/answer-changes.ts'
import { policyChecks } from './engine.ts'

type Rules = typeof policyChecks.rules

const { rule, route } = faultsOf(policyChecks)

const mapped = (holder: JsonObject, change: (value: Json) => Json): JsonObject =>
  Object.fromEntries(Object.entries(holder).map(([name, value]) => [name, change(value)]))

const times = (change: (text: string) => Json) => ({
  timestamps:
    (original: Rules['timestamps']): Rules['timestamps'] =>
    (check) =>
      mapped(original(check), (value) => change(String(value))),
})

rule(
  'times-without-offset',
  ['POLICY-CHECKS-FIELD-14'],
  'timestamps have no offset (002 2.1: ISO 8601 timestamps with offset)',
  times((text) => text.slice(0, 19)),
)

rule(
  'times-dates',
  ['POLICY-CHECKS-FIELD-14'],
  'timestamps are dates (002 2.1: ISO 8601 timestamps with offset)',
  times((text) => text.slice(0, 10)),
)

rule(
  'times-null-for-all',
  ['POLICY-CHECKS-STATE-04', 'POLICY-CHECKS-STATE-05'],
  'timestamps of statuses that were not reached are empty texts (002 2.1: present once reached)',
  {
    timestamps: (original) => (check) => ({ 'queued-at': '', 'soft-failed-at': '', 'overridden-at': '', ...original(check) }),
  },
)

rule(
  'override-has-run',
  ['POLICY-CHECKS-OVERRIDE-09'],
  'the answer of an override has relationships.run (002 2.1: absent in the override response)',
  {
    overrideAnswer: () => (resource) => resource,
  },
)

route(
  'override-no-data',
  ['POLICY-CHECKS-OVERRIDE-01'],
  'the answer of an override is the check without data around it (002 4: returns data)',
  'policyChecks.override',
  (original) => changedDocument<Rules>((body) => body.data ?? null)(original),
)

route(
  'list-type',
  ['POLICY-CHECKS-FIELD-02'],
  'the type of listed checks is policy-check (002 2.1: policy-checks)',
  'policyChecks.list',
  (original) => changedResources<Rules>((resource) => ({ ...resource, type: 'policy-check' }))(original),
)

route(
  'list-output-of-run',
  ['POLICY-CHECKS-FIELD-19'],
  'links.output in lists goes by the run (002 2.1: /api/v2/policy-checks/<id>/output)',
  'policyChecks.list',
  (original) =>
    changedResources<Rules>((resource, call) => ({ ...resource, links: { output: `${call.path}/${resource.id}/output` } }))(original),
)

route(
  'list-counts-texts',
  ['POLICY-CHECKS-FIELD-04', 'POLICY-CHECKS-FIELD-05'],
  'counts are texts in lists (002 2.1: int)',
  'policyChecks.list',
  (original) =>
    changedAttributes<Rules>((all) => ({
      ...all,
      result: mapped(objectIn(all, 'result'), (value) => (typeof value === 'number' ? String(value) : value)),
    }))(original),
)

rule('engine-text-anew', ['POLICY-CHECKS-FIELD-10'], 'result.policy-engine is a text (002 2.1: object)', {
  result: (original) => (check) => ({ ...original(check), 'policy-engine': 'sentinel' }),
})

route(
  'list-no-actions',
  ['POLICY-CHECKS-FIELD-15'],
  'checks of a list have no actions (002 2.1, actions.is-overridable)',
  'policyChecks.list',
  (original) => changedAttributes<Rules>((all) => without(all, 'actions'))(original),
)

route(
  'show-run-flat',
  ['POLICY-CHECKS-INCLUDE-01', 'POLICY-CHECKS-FIELD-17'],
  'relationships.run of a show has no data (002 2.1: relationships.run.data)',
  'policyChecks.show',
  (original) =>
    changedResources<Rules>((resource) => ({
      ...resource,
      relationships: { run: objectIn(objectIn(objectIn(resource, 'relationships'), 'run'), 'data') },
    }))(original),
)

rule(
  'workspace-not-included',
  ['POLICY-CHECKS-INCLUDE-03', 'POLICY-CHECKS-INCLUDE-04'],
  'include=run.workspace returns the run only (002 4: the runs workspace)',
  {
    included: (original) => (world, checks, paths) => original(world, checks, paths.length > 0 ? ['run'] : []),
  },
)
