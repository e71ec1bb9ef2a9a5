/** Faults in the times of a check, and in what stays after an override. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { policyChecks } from './engine.ts'
import { part, resources, withAttributes } from './wrappers.ts'

const { rule, route } = faultsOf(policyChecks)

rule('time-second-override-moves-stamp', 'POLICY-CHECKS-OVERRIDE-16', 'a second override is refused and moves overridden-at', {
  override: (original) => async (check, now, overridable, world) => {
    if (check.status === 'overridden') check.timestamps['overridden-at'] = now + 1
    return original(check, now, overridable, world)
  },
})

rule('time-override-forgets-queued', 'POLICY-CHECKS-OVERRIDE-07', 'an override drops queued-at', {
  override: (original) => async (check, now, overridable, world) => {
    const done = await original(check, now, overridable, world)
    if (done) delete check.timestamps['queued-at']
    return done
  },
})

rule(
  'time-overridden-at-is-soft-failed-at',
  'POLICY-CHECKS-OVERRIDE-08',
  'overridden-at is the time of the soft failure, a minute before the override',
  {
    override: (original) => async (check, now, overridable, world) =>
      original(check, check.timestamps['soft-failed-at'] ?? now, overridable, world),
  },
)

route(
  'time-list-remembers',
  'POLICY-CHECKS-OVERRIDE-11',
  'a list shows each check as it was when it was first listed',
  'policyChecks.list',
  (original) => {
    const seen = new Map<string, JsonObject>()
    return resources((resource) => {
      const id = resource.id as string
      const { status, 'status-timestamps': times } = part(seen.get(id) ?? resource, 'attributes')
      if (!seen.has(id)) seen.set(id, resource)
      return withAttributes(resource, { status: status!, 'status-timestamps': times! })
    })(original)
  },
)

rule('time-answer-before-override', 'POLICY-CHECKS-OVERRIDE-06', 'the answer of an override has the timestamps from before', {
  overrideAnswer: (original) => (resource) => {
    const times = { ...part(part(resource, 'attributes'), 'status-timestamps') }
    delete times['overridden-at']
    return original(withAttributes(resource, { 'status-timestamps': times }))
  },
})

rule(
  'time-refused-override-stamps',
  ['POLICY-CHECKS-OVERRIDE-13', 'POLICY-CHECKS-OVERRIDE-15', 'POLICY-CHECKS-OVERRIDE-14'],
  'an override that the state forbids sets overridden-at',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      if (!done) check.timestamps['overridden-at'] ??= now
      return done
    },
  },
)

rule('time-warning-overridden', 'POLICY-CHECKS-STATE-04', 'a warning shows overridden-at before it is overridden', {
  timestamps: (original) => (check) =>
    check.status === 'soft_failed' && check.result.softFailed === 0
      ? { ...original(check), 'overridden-at': original(check)['soft-failed-at'] ?? null }
      : original(check),
})

rule('time-passed-soft-failed', 'POLICY-CHECKS-FIELD-27', 'a check that passed shows soft-failed-at', {
  timestamps: (original) => (check) =>
    check.status === 'passed' ? { ...original(check), 'soft-failed-at': original(check)['queued-at'] ?? null } : original(check),
})

route(
  'time-warning-not-shown',
  'POLICY-CHECKS-OVERRIDE-10',
  'an overridden warning is shown without overridden-at',
  'policyChecks.show',
  resources((resource) => {
    const { 'overridden-at': _, ...times } = part(part(resource, 'attributes'), 'status-timestamps')
    const warning = part(part(resource, 'attributes'), 'result')['soft-failed'] === 0
    return warning ? withAttributes(resource, { 'status-timestamps': times }) : resource
  }),
)

rule('time-warning-of-failure', 'POLICY-CHECKS-OVERRIDE-08', 'overridden-at of a warning is the time at which it failed', {
  override:
    (original) =>
    (check, now, ...rest) =>
      original(check, check.result.softFailed === 0 ? (check.timestamps['soft-failed-at'] ?? now) : now, ...rest),
})
