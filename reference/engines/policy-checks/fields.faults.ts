import { faultsOf } from '../../faults/declare.ts'
import { policyChecks } from './engine.ts'

const { rule, declared } = faultsOf(policyChecks)

rule('count-negative', 'POLICY-CHECKS-FIELD-23', 'an unknown duration is -1', {
  result: (original) => (check) => ({ ...original(check), 'duration-ms': -1 }),
})
rule('overridden-at-without-offset', 'POLICY-CHECKS-FIELD-14', 'overridden-at has no offset', {
  timestamps: (original) => (check) => {
    const times = original(check)
    const at = times['overridden-at']
    return typeof at === 'string' ? { ...times, 'overridden-at': at.replace('+00:00', '') } : times
  },
})
rule('passed-overridden-at', 'POLICY-CHECKS-STATE-04', 'a check that passed has the time at which it passed as overridden-at', {
  timestamps: (original) => (check) => {
    const { 'passed-at': passed, ...times } = original(check)
    return passed === undefined ? times : { ...times, 'overridden-at': passed }
  },
})
rule('warning-shows-override', 'POLICY-CHECKS-STATE-04', 'a warning shows overridden-at before it is overridden', {
  timestamps: (original) => (check) =>
    check.status === 'soft_failed' && check.result.softFailed === 0
      ? { ...original(check), 'overridden-at': original(check)['soft-failed-at'] ?? null }
      : original(check),
})
rule('timestamps-null', 'POLICY-CHECKS-FIELD-27', 'timestamps of statuses that were not reached are null', {
  timestamps: (original) => (check) => ({ 'queued-at': null, 'soft-failed-at': null, 'overridden-at': null, ...original(check) }),
})
rule('passed-shows-failure', 'POLICY-CHECKS-FIELD-27', 'a check that passed shows soft-failed-at', {
  timestamps: (original) => (check) =>
    check.status === 'passed' ? { ...original(check), 'soft-failed-at': original(check)['queued-at'] ?? null } : original(check),
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
    const first = original(check)['queued-at'] ?? null
    return { 'queued-at': first, 'soft-failed-at': first, 'overridden-at': first, ...original(check) }
  },
})

export const faults = declared
