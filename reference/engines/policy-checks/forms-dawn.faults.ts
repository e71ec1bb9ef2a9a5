/** Faults of form: list against show against override, null against absent, types, names and links. */
import { faultsOf } from '../../mutations/declare.ts'
import { changedAttributes, changedResources, objectIn } from '../../run-management/answer-changes.ts'
import { policyChecks } from './engine.ts'

const { rule, route } = faultsOf(policyChecks)

rule(
  'dawn-times-not-reached-null',
  'POLICY-CHECKS-FIELD-27',
  'timestamps of statuses not reached are there as null (002 2.1: a key is present once that status was reached)',
  {
    timestamps: (original) => (check) => ({ 'queued-at': null, 'soft-failed-at': null, 'overridden-at': null, ...original(check) }),
  },
)

route(
  'dawn-list-times-without-offset',
  'POLICY-CHECKS-FIELD-14',
  'timestamps in a list have no offset (002 2.1: ISO 8601 timestamps with offset)',
  'policyChecks.list',
  changedAttributes((attributes) => {
    const times = Object.entries(objectIn(attributes, 'status-timestamps'))
    const local = times.map(([key, time]) => [key, String(time).replace(/(Z|[+-]\d\d:\d\d)$/, '')] as const)
    return { ...attributes, 'status-timestamps': Object.fromEntries(local) }
  }),
)

route(
  'dawn-output-below-list',
  'POLICY-CHECKS-FIELD-19',
  'links.output of listed checks goes on from the path of the list (002 2.1: /api/v2/policy-checks/<id>/output)',
  'policyChecks.list',
  changedResources((resource, { path }) => ({ ...resource, links: { output: `${path}/${String(resource.id)}/output` } })),
)

route(
  'dawn-duration-in-seconds',
  'POLICY-CHECKS-FIELD-09',
  'show gives duration-ms in seconds with a fraction (002 2.1: duration-ms is an int)',
  'policyChecks.show',
  changedAttributes((attributes) => {
    const result = objectIn(attributes, 'result')
    return { ...attributes, result: { ...result, 'duration-ms': Number(result['duration-ms']) / 1000 } }
  }),
)

route(
  'dawn-result-unknown-after-override',
  'POLICY-CHECKS-FIELD-03',
  'the answer of an override has null as its result (002 2.1: attributes.result.result is a bool)',
  'policyChecks.override',
  changedAttributes((attributes) => ({ ...attributes, result: { ...objectIn(attributes, 'result'), result: null } })),
)

route(
  'dawn-page-run-has-id-of-check',
  'POLICY-CHECKS-FIELD-18',
  'on a page the run of a check has the id of the check (002 2.1: relationships.run.data)',
  'policyChecks.list',
  changedResources((resource, { rules, query }) =>
    rules.paged(query) ? { ...resource, relationships: { run: { data: { id: resource.id ?? null, type: 'runs' } } } } : resource,
  ),
)

route(
  'dawn-list-status-hyphenated',
  'POLICY-CHECKS-LIST-09',
  'a list spells statuses with hyphens, like the keys of timestamps (002 3: soft_failed)',
  'policyChecks.list',
  changedAttributes((attributes) => ({ ...attributes, status: String(attributes.status).replaceAll('_', '-') })),
)

rule(
  'dawn-compound-show-is-array',
  'POLICY-CHECKS-SHOW-02',
  'show with related resources has an array as its data (002 4: `data` is one policy check)',
  {
    primary: (original) => (data, paths) => [original(data, paths)].flat(),
  },
)

rule(
  'dawn-warnings-not-overridden',
  'POLICY-CHECKS-OVERRIDE-12',
  'a check that failed with warnings only cannot be overridden (002 3: soft-mandatory or a warning)',
  {
    overridable: (original) => (check) => original(check) && check.result.softFailed > 0,
  },
)

route(
  'dawn-included-run-in-array',
  'POLICY-CHECKS-FIELD-17',
  'with include, show has the run of a check in an array (002 2.1: relationships.run.data is an object)',
  'policyChecks.show',
  changedResources((resource, { query }) => {
    if (!query.has('include')) return resource
    const run = objectIn(objectIn(resource, 'relationships'), 'run')
    return { ...resource, relationships: { run: { data: [run.data ?? null] } } }
  }),
)

rule(
  'dawn-override-time-underscored',
  'POLICY-CHECKS-OVERRIDE-06',
  'the time of an override is called overridden_at (002 2.1: keys queued-at, soft-failed-at, overridden-at)',
  {
    timestamps: (original) => (check) => {
      const { 'overridden-at': at, ...others } = original(check)
      return at === undefined ? others : { ...others, overridden_at: at }
    },
  },
)
