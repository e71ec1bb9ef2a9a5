/** Faults of policy checks in the form of what is shown: types, members, times, links, related resources. */
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import {
  changedAttributes,
  changedDocument,
  changedQuery,
  changedResources,
  objectIn,
  without,
} from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import { policyChecks } from './engine.ts'

type Rules = typeof policyChecks.rules

const { rule, route } = faultsOf(policyChecks)

const mapped = (holder: JsonObject, change: (value: Json) => Json): JsonObject =>
  Object.fromEntries(Object.entries(holder).map(([name, value]) => [name, change(value)]))

const renamed = (holder: JsonObject, change: (name: string) => string): JsonObject =>
  Object.fromEntries(Object.entries(holder).map(([name, value]) => [change(name), value]))

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
  'times-numbers',
  [],
  'timestamps are seconds since the epoch (002 2.1: ISO 8601)',
  times((text) => Date.parse(text) / 1000),
)

rule(
  'times-with-blank',
  [],
  'timestamps have a blank between date and time and before the offset (002 2.1: ISO 8601)',
  times((text) => text.replace('T', ' ').replace('+', ' +')),
)

rule(
  'times-dates',
  ['POLICY-CHECKS-FIELD-14'],
  'timestamps are dates (002 2.1: ISO 8601 timestamps with offset)',
  times((text) => text.slice(0, 10)),
)

route('list-times-local', [], 'timestamps of lists lack the offset that shows have (002 2.1)', 'policyChecks.list', (original) =>
  changedAttributes<Rules>((all) => ({
    ...all,
    'status-timestamps': mapped(objectIn(all, 'status-timestamps'), (text) => String(text).slice(0, 19)),
  }))(original),
)

rule('times-underscores', [], 'keys of status-timestamps have underscores (002 2.1)', {
  timestamps: (original) => (check) => renamed(original(check), (name) => name.replaceAll('-', '_')),
})

rule(
  'times-null-for-all',
  ['POLICY-CHECKS-STATE-04', 'POLICY-CHECKS-STATE-05'],
  'timestamps of statuses that were not reached are empty texts (002 2.1: present once reached)',
  {
    timestamps: (original) => (check) => ({ 'queued-at': '', 'soft-failed-at': '', 'overridden-at': '', ...original(check) }),
  },
)

route('list-status-hyphen', [], 'status has a hyphen in lists (002 3: soft_failed)', 'policyChecks.list', (original) =>
  changedAttributes<Rules>((all) => ({ ...all, status: String(all.status).replace('_', '-') }))(original),
)

route(
  'override-status-upper',
  [],
  'status begins with a capital in the answer of an override (002 3: overridden)',
  'policyChecks.override',
  (original) => changedAttributes<Rules>((all) => ({ ...all, status: 'Overridden' }))(original),
)

rule(
  'override-has-run',
  ['POLICY-CHECKS-OVERRIDE-09'],
  'the answer of an override has relationships.run (002 2.1: absent in the override response)',
  {
    overrideAnswer: () => (resource) => resource,
  },
)

rule('override-run-null', [], 'relationships.run of the answer of an override is null (002 2.1: absent)', {
  overrideAnswer: (original) => (resource) => ({ ...original(resource), relationships: { run: null } }),
})

rule('override-attributes-few', [], 'the answer of an override has the status alone (002 4: the updated policy check)', {
  overrideAnswer: (original) => (resource) => ({
    ...original(resource),
    attributes: { status: objectIn(resource, 'attributes').status ?? null },
  }),
})

rule('override-no-links', [], 'the answer of an override has no links (002 2.1: only relationships.run is absent)', {
  overrideAnswer: (original) => (resource) => without(original(resource), 'links'),
})

route(
  'override-no-data',
  ['POLICY-CHECKS-OVERRIDE-01'],
  'the answer of an override is the check without data around it (002 4: returns data)',
  'policyChecks.override',
  (original) => changedDocument<Rules>((body) => body.data ?? null)(original),
)

route(
  'override-data-list',
  [],
  'data of the answer of an override is a list (002 4: data with the updated policy check)',
  'policyChecks.override',
  (original) => changedDocument<Rules>((body) => ({ ...body, data: [body.data ?? null] }))(original),
)

route(
  'override-needs-body',
  [],
  'an override without a body is refused (002 4: no body)',
  'policyChecks.override',
  (original) => (call) => {
    if (call.body.length === 0) throw new Refusal(400, 'the body is not JSON')
    return original(call)
  },
)

route(
  'list-type',
  ['POLICY-CHECKS-FIELD-02'],
  'the type of listed checks is policy-check (002 2.1: policy-checks)',
  'policyChecks.list',
  (original) => changedResources<Rules>((resource) => ({ ...resource, type: 'policy-check' }))(original),
)

route('list-id-bare', [], 'ids in lists lack their prefix (002 2.1: polchk-<alphanumeric>)', 'policyChecks.list', (original) =>
  changedResources<Rules>((resource) => ({ ...resource, id: String(resource.id).replace(/^polchk-/, '') }))(original),
)

rule('output-without-prefix', [], 'links.output begins at the check, without /api/v2 (002 2.1, links.output)', {
  outputLink: (original) => (check) => original(check).replace('/api/v2', ''),
})

route(
  'list-output-of-run',
  ['POLICY-CHECKS-FIELD-19'],
  'links.output in lists goes by the run (002 2.1: /api/v2/policy-checks/<id>/output)',
  'policyChecks.list',
  (original) =>
    changedResources<Rules>((resource, call) => ({ ...resource, links: { output: `${call.path}/${resource.id}/output` } }))(original),
)

route('list-no-links', [], 'checks of a list have no links (002 2.1, links.output)', 'policyChecks.list', (original) =>
  changedResources<Rules>((resource) => without(resource, 'links'))(original),
)

rule('result-text-anew', [], 'result.result is a text (002 2.1: bool)', {
  result: (original) => (check) => ({ ...original(check), result: String(original(check).result) }),
})

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

route('list-result-bool', [], 'result is a truth value in lists (002 2.1: attributes.result.result)', 'policyChecks.list', (original) =>
  changedAttributes<Rules>((all) => ({ ...all, result: objectIn(all, 'result').result ?? null }))(original),
)

rule('duration-seconds-anew', [], 'duration-ms is a fraction of a second (002 2.1: int)', {
  result: (original) => (check) => ({ ...original(check), 'duration-ms': (check.result.durationMs + 1) / 1000 }),
})

rule('counts-underscores', [], 'members of the result have underscores (002 2.1)', {
  result: (original) => (check) => renamed(original(check), (name) => name.replaceAll('-', '_')),
})

rule('engine-text-anew', ['POLICY-CHECKS-FIELD-10'], 'result.policy-engine is a text (002 2.1: object)', {
  result: (original) => (check) => ({ ...original(check), 'policy-engine': 'sentinel' }),
})

route('list-scope-null', [], 'scope is null in lists (002 2.1: string)', 'policyChecks.list', (original) =>
  changedAttributes<Rules>((all) => ({ ...all, scope: null }))(original),
)

rule('overridable-number', [], 'actions.is-overridable is 0 or 1 (002 2.1: bool)', {
  isOverridable: (original) => (check) => Number(original(check)) as unknown as boolean,
})

route(
  'list-no-actions',
  ['POLICY-CHECKS-FIELD-15'],
  'checks of a list have no actions (002 2.1, actions.is-overridable)',
  'policyChecks.list',
  (original) => changedAttributes<Rules>((all) => without(all, 'actions'))(original),
)

rule('can-text', [], 'permissions.can-override is a text (002 2.1: bool)', {
  canOverride: (original) => (permitted, check) => String(original(permitted, check)) as unknown as boolean,
})

route('list-run-type', [], 'the type of relationships.run is run in lists (002 2.1: runs)', 'policyChecks.list', (original) =>
  changedResources<Rules>((resource, call) => ({
    ...resource,
    relationships: { run: { data: { id: call.params.run_id ?? '', type: 'run' } } },
  }))(original),
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

const unasked = changedQuery<Rules>((query) => {
  query.delete('include')
  return query
})

route(
  'show-ignores-include',
  [],
  'include does nothing for a show (002 4: list and show accept include)',
  'policyChecks.show',
  (original) => unasked(original),
)

route(
  'list-ignores-include',
  [],
  'include does nothing for a list (002 4: list and show accept include)',
  'policyChecks.list',
  (original) => unasked(original),
)

rule(
  'workspace-not-included',
  ['POLICY-CHECKS-INCLUDE-03', 'POLICY-CHECKS-INCLUDE-04'],
  'include=run.workspace returns the run only (002 4: the runs workspace)',
  {
    included: (original) => (world, checks, paths) => original(world, checks, paths.length > 0 ? ['run'] : []),
  },
)

rule('list-refuses-workspace', [], 'include=run.workspace is refused (002 4: values run and run.workspace)', {
  includePaths: (original) => (text) => {
    if (text === 'run.workspace') throw new Refusal(400, 'there is nothing to include as run.workspace')
    return original(text)
  },
})

rule('run-not-included', [], 'include=run returns the workspace and no run (002 4: run, the run)', {
  included: (original) => (world, checks, paths) =>
    original(world, checks, paths.length > 0 ? ['run.workspace'] : []).filter(({ type }) => type === 'workspaces'),
})

rule('included-nested', [], 'included is always empty (002 4: to return related resources)', {
  included: () => () => [],
})
