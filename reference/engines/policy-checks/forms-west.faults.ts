/** Faults of form: one thing in several answers, null against absent, types, spelling of keys and values, related resources. */
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { changedAttributes, changedDocument, changedResources, objectIn, without } from '../../run-management/answer-changes.ts'
import type { PolicyCheckRules } from './checks.rules.ts'
import { policyChecks } from './engine.ts'
import { withRules } from './west-help.ts'

const { rule, route } = faultsOf(policyChecks)

rule('west-workspace-path-cut', 'POLICY-CHECKS-INCLUDE-04', "include=run.workspace alone gives the run only (002 4: the run's workspace)", {
  included: (original) => (world, checks, paths) =>
    original(world, checks, paths.includes('run') ? paths : paths.map((path) => path.split('.')[0]!)),
})

route(
  'west-pages-without-related',
  'POLICY-CHECKS-INCLUDE-12',
  'a list in pages comes without related resources (002 4: list accepts include)',
  'policyChecks.list',
  changedDocument<PolicyCheckRules>((body, { rules, query }) => (rules.paged(query) ? without(body, 'included') : body)),
)

route(
  'west-output-below-request',
  'POLICY-CHECKS-FIELD-19',
  'the output link is made of the path of the request, wrong in lists and overrides (002 2.1: links.output)',
  ['policyChecks.list', 'policyChecks.override'],
  withRules((_rules, { path }) => ({ outputLink: ({ id }) => (path.includes(id) ? `${path}/output` : `${path}/${id}/output`) })),
)

route(
  'west-listed-timestamps-null',
  'POLICY-CHECKS-FIELD-27',
  'a list has null for statuses that were not reached (002 2.1: a key is present once that status was reached)',
  'policyChecks.list',
  changedAttributes((attributes) => ({
    ...attributes,
    'status-timestamps': {
      'queued-at': null,
      'soft-failed-at': null,
      'overridden-at': null,
      ...objectIn(attributes, 'status-timestamps'),
    },
  })),
)

route(
  'west-listed-status-dashed',
  'POLICY-CHECKS-LIST-09',
  'a list spells the status with a hyphen, like the names of attributes (002 3: `soft_failed`)',
  'policyChecks.list',
  changedAttributes((attributes) => ({ ...attributes, status: String(attributes.status).replaceAll('_', '-') })),
)

route(
  'west-override-keys-underscored',
  'POLICY-CHECKS-FIELD-13',
  'the answer of an override has status_timestamps for status-timestamps (002 2.1: attributes.status-timestamps)',
  'policyChecks.override',
  changedAttributes((attributes) =>
    Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key.replaceAll('-', '_'), value])),
  ),
)

const asText = (value: Json): Json => (typeof value === 'number' ? String(value) : value)

route(
  'west-paged-counts-as-text',
  'POLICY-CHECKS-FIELD-04',
  'pages have the counts of a result as texts (002 2.1: passed, total-failed and others are int)',
  'policyChecks.list',
  changedAttributes<PolicyCheckRules>((attributes, { rules, query }) => {
    if (!rules.paged(query)) return attributes
    const result = Object.entries(objectIn(attributes, 'result')).map(([key, value]) => [key, asText(value)])
    return { ...attributes, result: Object.fromEntries(result) }
  }),
)

route(
  'west-not-overridable-null',
  'POLICY-CHECKS-FIELD-15',
  'is-overridable is null where a check cannot be overridden (002 2.1: actions.is-overridable is bool)',
  'policyChecks.show',
  changedAttributes((attributes) => ({
    ...attributes,
    actions: { 'is-overridable': objectIn(attributes, 'actions')['is-overridable'] === true ? true : null },
  })),
)

rule(
  'west-override-run-null',
  'POLICY-CHECKS-OVERRIDE-09',
  'the answer of an override has a run that is null (002 2.1: absent in the override response)',
  {
    overrideAnswer: (original) => (resource) => ({ ...original(resource), relationships: { run: { data: null } } }),
  },
)

route(
  'west-listed-run-as-link',
  'POLICY-CHECKS-FIELD-17',
  'without include a list has a link to the run in the place of its id and type (002 2.1: relationships.run.data)',
  'policyChecks.list',
  changedResources<PolicyCheckRules>((resource, { query, params }) =>
    query.has('include') ? resource : { ...resource, relationships: { run: { links: { related: `/api/v2/runs/${params.run_id}` } } } },
  ),
)
