/** Faults of how a check is written: types, texts, and what one operation shows otherwise than another. */
import { faultsOf } from '../../mutations/declare.ts'
import { changedAttributes, changedDocument, changedQuery, changedResources, objectIn } from '../../run-management/answer-changes.ts'
import { mapped } from './dusk-help.ts'
import { policyChecks } from './engine.ts'

const { rule, route } = faultsOf(policyChecks)
const LIST = 'policyChecks.list'
const OVERRIDE = 'policyChecks.override'

route(
  'dusk-override-links-below-request',
  'POLICY-CHECKS-FIELD-19',
  'the answer of an override links to an output below its own path (002 2.1: links.output, /api/v2/policy-checks/<id>/output)',
  OVERRIDE,
  changedResources((resource, { path }) => ({ ...resource, links: { output: `${path}/output` } })),
)

rule(
  'dusk-overridden-at-without-offset',
  'POLICY-CHECKS-FIELD-14',
  'overridden-at has no offset (002 2.1: ISO 8601 timestamps with offset)',
  {
    timestamps: (original) => (check) => {
      const times = original(check)
      const at = times['overridden-at']
      return typeof at === 'string' ? { ...times, 'overridden-at': at.replace('+00:00', '') } : times
    },
  },
)

route(
  'dusk-listed-ids-lower-case',
  'POLICY-CHECKS-LIST-03',
  'a list shows ids in lower case, which name no check (002 2.1: id; 4: GET /policy-checks/:id)',
  LIST,
  changedResources((resource) => ({ ...resource, id: String(resource.id).toLowerCase() })),
)

route(
  'dusk-listed-run-in-array',
  'POLICY-CHECKS-FIELD-17',
  'in lists the run of a check stands in an array (002 2.1: relationships.run.data, object)',
  LIST,
  changedResources((resource) => ({
    ...resource,
    relationships: { run: { data: [objectIn(objectIn(objectIn(resource, 'relationships'), 'run'), 'data')] } },
  })),
)

route(
  'dusk-last-page-parameter-wins',
  'POLICY-CHECKS-PAGE-06',
  'of page[number] and page[size] only the one that is sent last counts (002 4: list query parameters)',
  LIST,
  changedQuery((query) => {
    const last = [...query.keys()].filter((key) => key.startsWith('page[')).at(-1)
    for (const key of [...query.keys()]) if (key.startsWith('page[') && key !== last) query.delete(key)
    return query
  }),
)

route(
  'dusk-include-unpaged',
  'POLICY-CHECKS-PAGE-02',
  'a list with related resources is not paged (002 4: page[size])',
  LIST,
  changedQuery((query) => {
    if (!query.has('include')) return query
    query.delete('page[number]')
    query.delete('page[size]')
    return query
  }),
)

route(
  'dusk-show-includes-no-workspace',
  'POLICY-CHECKS-INCLUDE-03',
  "show answers include=run.workspace with the run alone (002 4: list and show accept run.workspace, the run's workspace)",
  'policyChecks.show',
  changedDocument((body) =>
    Array.isArray(body.included)
      ? { ...body, included: body.included.filter((resource) => objectIn({ resource }, 'resource').type !== 'workspaces') }
      : body,
  ),
)

route(
  'dusk-listed-counts-text',
  'POLICY-CHECKS-FIELD-04',
  'in lists the counts are texts (002 2.1: attributes.result.passed, int)',
  LIST,
  changedAttributes((attributes) => ({
    ...attributes,
    result: mapped(objectIn(attributes, 'result'), (value) => (typeof value === 'number' ? String(value) : value)),
  })),
)

route(
  'dusk-listed-status-hyphenated',
  'POLICY-CHECKS-LIST-09',
  'lists write soft-failed, as in the timestamp keys (002 3: state soft_failed)',
  LIST,
  changedAttributes((attributes) => ({ ...attributes, status: String(attributes.status).replaceAll('_', '-') })),
)

route(
  'dusk-override-answers-array',
  'POLICY-CHECKS-OVERRIDE-01',
  'an override answers an array of the one check (002 4: returns data with the updated policy check)',
  OVERRIDE,
  changedDocument((body) => ({ ...body, data: [body.data ?? null] })),
)

rule(
  'dusk-duration-in-seconds',
  'POLICY-CHECKS-FIELD-09',
  'duration-ms is in seconds, with a fraction (002 2.1: attributes.result.duration-ms, int)',
  {
    result: (original) => (check) => ({ ...original(check), 'duration-ms': check.result.durationMs / 1000 }),
  },
)

rule(
  'dusk-unreached-timestamp-null',
  'POLICY-CHECKS-FIELD-27',
  'overridden-at is null before an override (002 2.1: a key is present once that status was reached)',
  {
    timestamps: (original) => (check) => ({ 'overridden-at': null, ...original(check) }),
  },
)
