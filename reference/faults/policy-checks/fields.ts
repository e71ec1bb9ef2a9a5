/** Faults in what a policy check shows. */
import { fault } from '../../core/mutation.ts'
import { policyChecks } from '../../run-management/policy-checks/index.ts'
import { engine, handler, inAttributes, inResult, resources } from './declare.ts'

export const fieldsFaults = [
  handler(
    'id-number',
    'ids are numbers without their prefix',
    ['POLICY-FIELD-01'],
    resources((resource) => ({ ...resource, id: String(resource.id).slice('polchk-'.length) })),
  ),
  handler(
    'type-singular',
    'resources have the type policy-check',
    ['POLICY-FIELD-02'],
    resources((resource) => ({ ...resource, type: 'policy-check' })),
  ),
  inResult('result-text', 'result is a text', 'POLICY-FIELD-03', ({ result }) => ({ result: String(result) })),
  inResult('passed-missing', 'passed is null', 'POLICY-FIELD-04', () => ({ passed: null })),
  inResult('total-text', 'total-failed is a text', 'POLICY-FIELD-05', (result) => ({ 'total-failed': String(result['total-failed']) })),
  inResult('hard-bool', 'hard-failed says whether, not how many', 'POLICY-FIELD-06', (result) => ({
    'hard-failed': result['hard-failed'] !== 0,
  })),
  inResult('soft-bool', 'soft-failed says whether, not how many', 'POLICY-FIELD-07', (result) => ({
    'soft-failed': result['soft-failed'] !== 0,
  })),
  inResult('advisory-list', 'advisory-failed is a list', 'POLICY-FIELD-08', () => ({ 'advisory-failed': [] })),
  inResult('duration-seconds', 'duration-ms is a fraction of seconds', 'POLICY-FIELD-09', () => ({ 'duration-ms': 0.014 })),
  inResult('engine-text', 'the engine details are a text', 'POLICY-FIELD-10', () => ({ 'policy-engine': 'rules 1.0' })),
  inResult('count-negative', 'an unknown count is -1', 'POLICY-FIELD-23', () => ({ 'duration-ms': -1 })),
  inAttributes('scope-list', 'scope is a list', 'POLICY-FIELD-11', ({ scope }) => ({ scope: [scope ?? null] })),
  inAttributes('status-number', 'status is a number', 'POLICY-FIELD-12', () => ({ status: 3 })),
  inAttributes('times-list', 'status-timestamps is a list', 'POLICY-FIELD-13', () => ({ 'status-timestamps': [] })),
  fault(
    policyChecks,
    { id: 'policy-checks-times-unix', engine, title: 'timestamps have no offset', clauses: ['POLICY-FIELD-14'] },
    {
      rules: {
        timestamps: (original) => (check) =>
          Object.fromEntries(Object.entries(original(check)).map(([key, time]) => [key, String(time).replace('+00:00', '')])),
      },
    },
  ),
  inAttributes('overridable-missing', 'actions is empty', 'POLICY-FIELD-15', () => ({ actions: {} })),
  inAttributes('can-override-null', 'can-override is null', 'POLICY-FIELD-16', () => ({ permissions: { 'can-override': null } })),
  handler(
    'run-missing',
    'the relationship to the run is missing',
    ['POLICY-FIELD-17'],
    resources(({ relationships: _, ...rest }) => ({ ...rest, relationships: {} })),
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-run-of-other', engine, title: 'the relationship names another run', clauses: ['POLICY-FIELD-18'] },
    {
      rules: { runOf: () => (check) => check.id.replace('polchk', 'run') },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-output-v1', engine, title: 'the output link leads to another version', clauses: ['POLICY-FIELD-19'] },
    {
      rules: { outputLink: (original) => (check) => original(check).replace('/v2/', '/v1/') },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-output-of-run', engine, title: 'the output link names the run', clauses: ['POLICY-FIELD-19'] },
    {
      rules: { outputLink: () => (check) => `/api/v2/policy-checks/${check.runId}/output` },
    },
  ),
  fault(
    policyChecks,
    {
      id: 'policy-checks-output-of-override',
      engine,
      title: 'the override answers with the output of the run',
      clauses: ['POLICY-FIELD-19'],
    },
    {
      rules: {
        overrideAnswer: (original) => (resource) => ({
          ...original(resource),
          links: { output: '/api/v2/policy-checks/polchk-run/output' },
        }),
      },
    },
  ),
  fault(
    policyChecks,
    {
      id: 'policy-checks-passed-overridden-at',
      engine,
      title: 'a check that passed has the time at which it passed as overridden-at',
      clauses: ['POLICY-STATE-04'],
    },
    {
      rules: {
        timestamps: (original) => (check) => {
          const { 'passed-at': passed, ...times } = original(check)
          return passed === undefined ? times : { ...times, 'overridden-at': passed }
        },
      },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-can-override-false', engine, title: 'can-override is always false', clauses: ['POLICY-FIELD-24'] },
    {
      rules: { canOverride: () => () => false },
    },
  ),
  fault(
    policyChecks,
    {
      id: 'policy-checks-can-override-state',
      engine,
      title: 'can-override speaks of the state, not of the caller',
      clauses: ['POLICY-FIELD-25'],
    },
    {
      rules: { canOverride: () => (_permitted, check) => check.status === 'soft_failed' },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-queued-lost', engine, title: 'queued-at goes when the check has failed', clauses: ['POLICY-STATE-01'] },
    {
      rules: {
        timestamps: (original) => (check) => {
          const { 'queued-at': queued, ...rest } = original(check)
          return Object.keys(rest).length === 0 ? { 'queued-at': queued ?? null } : rest
        },
      },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-failed-at-lost', engine, title: 'soft-failed-at is not kept', clauses: ['POLICY-STATE-02'] },
    {
      rules: {
        timestamps: (original) => (check) => {
          const { 'soft-failed-at': _, ...rest } = original(check)
          return rest
        },
      },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-times-swapped', engine, title: 'queued-at and soft-failed-at are swapped', clauses: ['POLICY-STATE-03'] },
    {
      rules: {
        timestamps: (original) => (check) => {
          const times = original(check)
          const { 'queued-at': queued, 'soft-failed-at': failed } = times
          return failed === undefined ? times : { ...times, 'queued-at': failed, 'soft-failed-at': queued ?? null }
        },
      },
    },
  ),
  fault(
    policyChecks,
    {
      id: 'policy-checks-times-all',
      engine,
      title: 'every key has a time from the beginning',
      clauses: ['POLICY-STATE-04', 'POLICY-STATE-05'],
    },
    {
      rules: {
        timestamps: (original) => (check) => {
          const times = original(check)
          const first = times['queued-at'] ?? null
          return { 'queued-at': first, 'soft-failed-at': first, 'overridden-at': first, ...times }
        },
      },
    },
  ),
]
