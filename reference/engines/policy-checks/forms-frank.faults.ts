/** Faults of form: list against read, absent against null, types, the shape of documents, spelling of query and values. */
import { faultsOf } from '../../mutations/declare.ts'
import { changedAttributes, changedDocument, changedResources, objectIn, without } from '../../run-management/answer-changes.ts'
import { policyChecks } from './engine.ts'

const { rule, route } = faultsOf(policyChecks)

const READS = ['policyChecks.show', 'policyChecks.list']

rule(
  'frank-overridden-at-null',
  'POLICY-CHECKS-FIELD-27',
  'overridden-at is null before an override (002 2.1: a key is present once that status was reached)',
  {
    timestamps: (original) => (check) => ({ 'overridden-at': null, ...original(check) }),
  },
)

rule(
  'frank-overridden-at-without-offset',
  'POLICY-CHECKS-FIELD-14',
  'overridden-at has no offset (002 2.1: ISO 8601 timestamps with offset)',
  {
    timestamps: (original) => (check) => {
      const stamps = original(check)
      const at = stamps['overridden-at']
      return typeof at === 'string' ? { ...stamps, 'overridden-at': at.replace('+00:00', '') } : stamps
    },
  },
)

rule(
  'frank-override-answer-bare',
  'POLICY-CHECKS-FIELD-19',
  'an override answers without the links, too (002 4: returns data with the updated policy check)',
  {
    overrideAnswer: (original) => (resource) => without(original(resource), 'links'),
  },
)

route(
  'frank-listed-run-as-link',
  'POLICY-CHECKS-FIELD-17',
  'a list without include has a link in the place of the run (002 2.1: relationships.run.data with id and type)',
  'policyChecks.list',
  changedResources((resource, { query }) => {
    const { id } = objectIn(objectIn(objectIn(resource, 'relationships'), 'run'), 'data')
    return query.has('include') ? resource : { ...resource, relationships: { run: { links: { related: `/api/v2/runs/${id}` } } } }
  }),
)

route(
  'frank-listed-output-link-short',
  'POLICY-CHECKS-FIELD-19',
  'in a list the output is linked without the prefix (002 2.1: links.output is the path /api/v2/policy-checks/<id>/output)',
  'policyChecks.list',
  changedResources((resource) => ({ ...resource, links: { output: `/policy-checks/${resource.id}/output` } })),
)

route(
  'frank-listed-counts-as-text',
  'POLICY-CHECKS-FIELD-04',
  'a list gives numbers as text (002 2.1: passed and the failed counts are ints)',
  'policyChecks.list',
  changedAttributes((attributes) => {
    const counts = Object.entries(objectIn(attributes, 'result'))
    return {
      ...attributes,
      result: Object.fromEntries(counts.map(([name, value]) => [name, typeof value === 'number' ? String(value) : value])),
    }
  }),
)

rule(
  'frank-show-with-include-is-array',
  'POLICY-CHECKS-SHOW-02',
  'with include, a show answers with an array of one (002 4: data is one policy check)',
  {
    primary: (original) => (data, paths) => [original(data, paths)].flat(),
  },
)

route(
  'frank-included-by-type',
  'POLICY-CHECKS-INCLUDE-01',
  'related resources are an object with a list for each type (002 4: to return related resources; 002 intro: the JSON:API convention)',
  READS,
  changedDocument((body) => {
    if (!Array.isArray(body.included)) return body
    const [runs, workspaces] = ['runs', 'workspaces'].map((wanted) =>
      [body.included ?? null].flat().filter((resource) => objectIn({ resource }, 'resource').type === wanted),
    )
    return { ...body, included: { runs: runs ?? [], workspaces: workspaces ?? [] } }
  }),
)

rule(
  'frank-include-cut-at-dot',
  'POLICY-CHECKS-INCLUDE-04',
  'include=run.workspace gives the run alone (002 4: run.workspace is the workspace of the run)',
  {
    includePaths: (original) => (text) => original(text).map((path) => path.split('.', 1)[0] ?? path),
  },
)

route(
  'frank-listed-status-hyphenated',
  'POLICY-CHECKS-LIST-09',
  'a list spells the status soft-failed, like its timestamp (002 3: the state is soft_failed)',
  'policyChecks.list',
  changedAttributes((attributes) => ({ ...attributes, status: String(attributes.status).replace('_', '-') })),
)

rule(
  'frank-duration-in-seconds',
  'POLICY-CHECKS-FIELD-09',
  'a duration is given in seconds, as a fraction (002 2.1: result.duration-ms is an int)',
  {
    result: (original) => (check) => ({ ...original(check), 'duration-ms': check.result.durationMs / 1000 }),
  },
)

rule(
  'frank-page-parameters-in-one-order',
  'POLICY-CHECKS-PAGE-05',
  'page[number] behind page[size] is overlooked (002 4: both are query parameters of the list)',
  {
    page: (original) => (query, defaultSize) => {
      const names = [...query.keys()]
      const read = new URLSearchParams(query)
      const size = names.indexOf('page[size]')
      if (size >= 0 && size < names.indexOf('page[number]')) read.delete('page[number]')
      return original(read, defaultSize)
    },
  },
)
