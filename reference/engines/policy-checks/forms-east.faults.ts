/** Faults of form: list against show, answers of an override, related resources, absent against null, types. */
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { changedAttributes, changedDocument, changedResources, objectIn, without } from '../../run-management/answer-changes.ts'
import { policyChecks } from './engine.ts'

const { rule, route } = faultsOf(policyChecks)

route(
  'east-include-lost-on-pages',
  'POLICY-CHECKS-INCLUDE-12',
  'a list in pages has no related resources (002 4: list accepts include)',
  'policyChecks.list',
  changedDocument((body, call) => (call.rules.paged(call.query) ? without(body, 'included') : body)),
)

route(
  'east-include-loses-linkage',
  'POLICY-CHECKS-FIELD-17',
  'where the run is included, the check no longer names it (002 2.1: relationships.run.data)',
  ['policyChecks.list', 'policyChecks.show'],
  changedResources((resource, call) => {
    if (call.rules.includePaths(call.query.get('include')).length === 0) return resource
    const { id = '' } = objectIn(objectIn(objectIn(resource, 'relationships'), 'run'), 'data')
    return { ...resource, relationships: { run: { links: { related: `/api/v2/runs/${id}` } } } }
  }),
)

route(
  'east-show-include-as-list',
  'POLICY-CHECKS-SHOW-02',
  'a check that is shown with related resources stands in an array (002 4: data is one policy check)',
  'policyChecks.show',
  changedDocument((body) => ('included' in body ? { ...body, data: [body.data ?? null] } : body)),
)

rule(
  'east-stamps-null-before',
  'POLICY-CHECKS-FIELD-27',
  'timestamps of statuses not yet reached are null (002 2.1: a key is present once that status was reached)',
  {
    timestamps: (original) => (check) => ({ 'queued-at': null, 'soft-failed-at': null, 'overridden-at': null, ...original(check) }),
  },
)

rule(
  'east-override-run-null',
  'POLICY-CHECKS-OVERRIDE-09',
  'an override answers with a run that is null (002 2.1: absent in the override response)',
  {
    overrideAnswer: (original) => (resource) => ({ ...original(resource), relationships: { run: { data: null } } }),
  },
)

rule(
  'east-override-answers-changes',
  'POLICY-CHECKS-FIELD-03',
  'an override answers only with the attributes that changed (002 4: returns the updated policy check)',
  {
    overrideAnswer: (original) => (resource) => {
      const { status = null, 'status-timestamps': timestamps = null } = objectIn(resource, 'attributes')
      return { ...original(resource), attributes: { status, 'status-timestamps': timestamps } }
    },
  },
)

route(
  'east-output-below-request',
  'POLICY-CHECKS-FIELD-19',
  'the output link is made from the path of the request, right only for show (002 2.1: links.output)',
  ['policyChecks.list', 'policyChecks.override'],
  changedResources((resource, call) => ({ ...resource, links: { output: `${call.path}/output` } })),
)

route(
  'east-list-counts-as-text',
  'POLICY-CHECKS-FIELD-04',
  'the numbers of a result are texts in a list (002 2.1: result.passed, int)',
  'policyChecks.list',
  changedAttributes((attributes) => {
    const asText = (value: Json): Json => (typeof value === 'number' ? String(value) : value)
    const result = Object.entries(objectIn(attributes, 'result')).map(([name, value]) => [name, asText(value)])
    return { ...attributes, result: Object.fromEntries(result) }
  }),
)

route(
  'east-list-status-hyphens',
  'POLICY-CHECKS-LIST-09',
  'a list writes the status like a timestamp key, soft-failed (002 3: soft_failed)',
  'policyChecks.list',
  changedAttributes((attributes) => ({ ...attributes, status: String(attributes.status).replaceAll('_', '-') })),
)
