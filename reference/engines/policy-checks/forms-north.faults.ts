/** Faults of form: list against show, absent against null, types, keys, values of include, the empty body. */
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { changedAttributes, changedDocument, changedResources, objectIn } from '../../run-management/answer-changes.ts'
import { readDocument } from '../../run-management/documents.ts'
import type { PolicyCheckRules } from './checks.rules.ts'
import { policyChecks } from './engine.ts'
import { deciding, LIST, OVERRIDE, SHOW } from './north-help.ts'

const { rule, route } = faultsOf(policyChecks)

const eachValue = (object: JsonObject, change: (value: Json) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))

route(
  'north-override-answers-array',
  'POLICY-CHECKS-OVERRIDE-01',
  'the answer to an override has the check in an array (002 4: returns data with the updated policy check)',
  OVERRIDE,
  changedDocument<PolicyCheckRules>((body) => ({ ...body, data: [body.data ?? null] })),
)

rule(
  'north-override-answers-no-run',
  'POLICY-CHECKS-OVERRIDE-09',
  'the answer to an override has a run that is null (002 2.1: relationships.run.data, absent)',
  {
    overrideAnswer: (original) => (resource) => ({ ...original(resource), relationships: { run: { data: null } } }),
  },
)

route(
  'north-list-times-without-offset',
  'POLICY-CHECKS-FIELD-14',
  'the list gives timestamps without an offset (002 2.1: status-timestamps, ISO 8601 timestamps with offset)',
  LIST,
  (original) => (call) =>
    original(
      deciding(call, {
        timestamps: (check) => eachValue(call.rules.timestamps(check), (time) => String(time).replace(/(Z|[+-]\d\d:\d\d)$/, '')),
      }),
    ),
)

const withUnderscores = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withUnderscores)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.replaceAll('-', '_'), withUnderscores(item as Json)]))
}
route(
  'north-underscores-with-include',
  'POLICY-CHECKS-FIELD-05',
  'with include, the attributes of a shown check have underscores in their keys (002 2.1: status-timestamps, total-failed, can-override)',
  SHOW,
  changedAttributes<PolicyCheckRules>((attributes, call) =>
    call.query.has('include') ? (withUnderscores(attributes) as JsonObject) : attributes,
  ),
)

rule(
  'north-include-up-to-period',
  'POLICY-CHECKS-INCLUDE-04',
  'include=run.workspace includes the run only (002 4: run.workspace, the workspace of the run)',
  {
    includePaths: (original) => (text) => original(text).map((path) => path.replace(/\..*/, '')),
  },
)

route(
  'north-list-names-type-run',
  'POLICY-CHECKS-FIELD-17',
  'in the list the runs of checks are of the type run (002 2.1: relationships.run.data, type = runs)',
  LIST,
  changedResources<PolicyCheckRules>((resource) => {
    const data = objectIn(objectIn(objectIn(resource, 'relationships'), 'run'), 'data')
    return { ...resource, relationships: { run: { data: { ...data, type: 'run' } } } }
  }),
)

route(
  'north-list-output-below-run',
  'POLICY-CHECKS-FIELD-19',
  'in the list the output links lie below the path of the list (002 2.1: links.output, /api/v2/policy-checks/<id>/output)',
  LIST,
  (original) => (call) => original(deciding(call, { outputLink: (check) => `${call.path}/${check.id}/output` })),
)

route(
  'north-list-counts-as-text',
  'POLICY-CHECKS-FIELD-04',
  'the list gives the numbers of a result as texts (002 2.1: passed, total-failed, hard-failed, int)',
  LIST,
  (original) => (call) =>
    original(
      deciding(call, {
        result: (check) => eachValue(call.rules.result(check), (value) => (typeof value === 'number' ? String(value) : value)),
      }),
    ),
)

route(
  'north-show-duration-in-seconds',
  'POLICY-CHECKS-FIELD-09',
  'show gives the duration in seconds with a fraction (002 2.1: attributes.result.duration-ms, int)',
  SHOW,
  (original) => (call) =>
    original(
      deciding(call, {
        result: (check) => ({ ...call.rules.result(check), 'duration-ms': check.result.durationMs / 1000 }),
      }),
    ),
)

route(
  'north-list-status-with-hyphen',
  'POLICY-CHECKS-LIST-09',
  'the list writes soft_failed as soft-failed (002 2.1: attributes.status; 3: soft_failed)',
  LIST,
  changedAttributes<PolicyCheckRules>((attributes) => ({ ...attributes, status: String(attributes.status).replaceAll('_', '-') })),
)

route(
  'north-override-wants-a-document',
  'POLICY-CHECKS-OVERRIDE-01',
  'an override with the media type of JSON:API is refused without a body (002 introduction: Content-Type; 4: override, no body)',
  OVERRIDE,
  (original) => (call) => {
    if (call.headers['content-type'] !== undefined) readDocument(call.headers, call.body, call.rules.acceptsMediaType)
    return original(call)
  },
)
