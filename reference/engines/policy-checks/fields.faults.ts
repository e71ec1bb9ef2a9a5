/** Faults in what a policy check shows. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { policyChecks } from './engine.ts'
import { READS, resources } from './wrappers.ts'

const { rule, route } = faultsOf(policyChecks)

/** A fault in which members of `attributes.result` have other values. */
const inResult = (id: string, clause: string, title: string, change: (result: JsonObject) => JsonObject): void =>
  rule(id, clause, title, { result: (original) => (check) => ({ ...original(check), ...change(original(check)) }) })

/** A fault in which attributes have other values. */
const inAttributes = (id: string, clause: string, title: string, change: (attributes: JsonObject) => JsonObject): void => {
  const changed = (attributes: JsonObject): JsonObject => ({ ...attributes, ...change(attributes) })
  route(
    id,
    clause,
    title,
    READS,
    resources((resource) => ({ ...resource, attributes: changed(resource.attributes as JsonObject) })),
  )
}

route(
  'id-number',
  'POLICY-CHECKS-FIELD-01',
  'ids are numbers without their prefix',
  READS,
  resources((resource) => ({ ...resource, id: String(resource.id).slice('polchk-'.length) })),
)
route(
  'type-singular',
  'POLICY-CHECKS-FIELD-02',
  'resources have the type policy-check',
  READS,
  resources((resource) => ({ ...resource, type: 'policy-check' })),
)
inResult('result-text', 'POLICY-CHECKS-FIELD-03', 'result is a text', ({ result }) => ({ result: String(result) }))
inResult('passed-missing', 'POLICY-CHECKS-FIELD-04', 'passed is null', () => ({ passed: null }))
inResult('total-text', 'POLICY-CHECKS-FIELD-05', 'total-failed is a text', (result) => ({ 'total-failed': String(result['total-failed']) }))
inResult('hard-bool', 'POLICY-CHECKS-FIELD-06', 'hard-failed says whether, not how many', (result) => ({
  'hard-failed': result['hard-failed'] !== 0,
}))
inResult('soft-bool', 'POLICY-CHECKS-FIELD-07', 'soft-failed says whether, not how many', (result) => ({
  'soft-failed': result['soft-failed'] !== 0,
}))
inResult('advisory-list', 'POLICY-CHECKS-FIELD-08', 'advisory-failed is a list', () => ({ 'advisory-failed': [] }))
inResult('duration-seconds', 'POLICY-CHECKS-FIELD-09', 'duration-ms is a fraction of seconds', () => ({ 'duration-ms': 0.014 }))
inResult('engine-text', 'POLICY-CHECKS-FIELD-10', 'the engine details are a text', () => ({ 'policy-engine': 'rules 1.0' }))
inResult('count-negative', 'POLICY-CHECKS-FIELD-23', 'an unknown count is -1', () => ({ 'duration-ms': -1 }))
inAttributes('scope-list', 'POLICY-CHECKS-FIELD-11', 'scope is a list', ({ scope }) => ({ scope: [scope ?? null] }))
inAttributes('status-number', 'POLICY-CHECKS-FIELD-12', 'status is a number', () => ({ status: 3 }))
inAttributes('times-list', 'POLICY-CHECKS-FIELD-13', 'status-timestamps is a list', () => ({ 'status-timestamps': [] }))
rule('times-unix', 'POLICY-CHECKS-FIELD-14', 'timestamps have no offset', {
  timestamps: (original) => (check) =>
    Object.fromEntries(Object.entries(original(check)).map(([key, time]) => [key, String(time).replace('+00:00', '')])),
})
inAttributes('overridable-missing', 'POLICY-CHECKS-FIELD-15', 'actions is empty', () => ({ actions: {} }))
inAttributes('can-override-null', 'POLICY-CHECKS-FIELD-16', 'can-override is null', () => ({ permissions: { 'can-override': null } }))
route(
  'run-missing',
  'POLICY-CHECKS-FIELD-17',
  'the relationship to the run is missing',
  READS,
  resources(({ relationships: _, ...rest }) => ({ ...rest, relationships: {} })),
)
rule('run-of-other', 'POLICY-CHECKS-FIELD-18', 'the relationship names another run', {
  runOf: () => (check) => check.id.replace('polchk', 'run'),
})
rule('output-v1', 'POLICY-CHECKS-FIELD-19', 'the output link leads to another version', {
  outputLink: (original) => (check) => original(check).replace('/v2/', '/v1/'),
})
rule('output-of-run', 'POLICY-CHECKS-FIELD-19', 'the output link names the run', {
  outputLink: () => (check) => `/api/v2/policy-checks/${check.runId}/output`,
})
rule('output-of-override', 'POLICY-CHECKS-FIELD-19', 'the override answers with the output of the run', {
  overrideAnswer: (original) => (resource) => ({
    ...original(resource),
    links: { output: '/api/v2/policy-checks/polchk-run/output' },
  }),
})
rule('passed-overridden-at', 'POLICY-CHECKS-STATE-04', 'a check that passed has the time at which it passed as overridden-at', {
  timestamps: (original) => (check) => {
    const { 'passed-at': passed, ...times } = original(check)
    return passed === undefined ? times : { ...times, 'overridden-at': passed }
  },
})
rule('can-override-false', 'POLICY-CHECKS-FIELD-24', 'can-override is always false', { canOverride: () => () => false })
rule('can-override-state', 'POLICY-CHECKS-FIELD-25', 'can-override speaks of the state, not of the caller', {
  canOverride: () => (_permitted, check) => check.status === 'soft_failed',
})
rule('queued-lost', 'POLICY-CHECKS-STATE-01', 'queued-at goes when the check has failed', {
  timestamps: (original) => (check) => {
    const { 'queued-at': queued, ...rest } = original(check)
    return Object.keys(rest).length === 0 ? { 'queued-at': queued ?? null } : rest
  },
})
rule('failed-at-lost', 'POLICY-CHECKS-STATE-02', 'soft-failed-at is not kept', {
  timestamps: (original) => (check) => {
    const { 'soft-failed-at': _, ...rest } = original(check)
    return rest
  },
})
rule('times-swapped', 'POLICY-CHECKS-STATE-03', 'queued-at and soft-failed-at are swapped', {
  timestamps: (original) => (check) => {
    const times = original(check)
    const { 'queued-at': queued, 'soft-failed-at': failed } = times
    return failed === undefined ? times : { ...times, 'queued-at': failed, 'soft-failed-at': queued ?? null }
  },
})
rule('times-all', ['POLICY-CHECKS-STATE-04', 'POLICY-CHECKS-STATE-05'], 'every key has a time from the beginning', {
  timestamps: (original) => (check) => {
    const times = original(check)
    const first = times['queued-at'] ?? null
    return { 'queued-at': first, 'soft-failed-at': first, 'overridden-at': first, ...times }
  },
})
