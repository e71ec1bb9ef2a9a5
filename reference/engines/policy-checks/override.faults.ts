/** Faults in overriding. */
import type { JsonObject } from '../../core/json.ts'
import { type Clauses, faultsOf } from '../../faults/declare.ts'
import { MEDIA_TYPE, Refusal } from '../../run-management/documents.ts'
import type { PolicyCheck, World } from '../../run-management/world.ts'
import { policyChecks } from './engine.ts'
import { overrideQuietly, part, resources, withAttributes } from './wrappers.ts'

const { rule, route, declared } = faultsOf(policyChecks)

const LIST = 'policyChecks.list'

const OVERRIDE = 'policyChecks.override'

route('override-204', 'POLICY-CHECKS-OVERRIDE-01', 'a successful override has no body', OVERRIDE, (original) => async (call) => {
  await original(call)
  return { status: 204 }
})
rule('override-202', 'POLICY-CHECKS-OVERRIDE-02', 'an override answers 202', { overrideStatus: () => () => 202 })
route('override-wants-body', 'POLICY-CHECKS-OVERRIDE-03', 'an override without a body is refused', OVERRIDE, (original) => (call) => {
  if (call.body.length === 0) throw new Refusal(422, 'a comment is needed')
  return original(call)
})
route('override-unknown-200', 'POLICY-CHECKS-OVERRIDE-21', 'overriding what does not exist succeeds', OVERRIDE, (original) => (call) => {
  const unknown = !call.world.checks.has(call.params.id ?? '')
  return unknown ? { status: 200, body: { data: {} }, headers: { 'content-type': MEDIA_TYPE } } : original(call)
})

/** What an override that was done does besides. */
const besides = (id: string, clauses: Clauses, title: string, change: (check: PolicyCheck, now: number, world: World) => void): void =>
  rule(id, clauses, title, {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      if (done) change(check, now, world)
      return done
    },
  })

besides('override-passed', 'POLICY-CHECKS-OVERRIDE-05', 'an overridden check counts as passed', (check) => {
  check.status = 'passed'
})
besides('override-forgets-queued', 'POLICY-CHECKS-OVERRIDE-07', 'an override drops queued-at', ({ timestamps }) => {
  delete timestamps['queued-at']
})
besides('warning-without-its-time', 'POLICY-CHECKS-OVERRIDE-06', 'the override of a warning sets no overridden-at', (check) => {
  if (check.result.softFailed === 0) delete check.timestamps['overridden-at']
})
besides('override-counts', 'POLICY-CHECKS-OVERRIDE-23', 'an override counts the failures as passed', (check) => {
  check.result = { ...check.result, passed: check.result.passed + check.result.softFailed, softFailed: 0 }
})
besides('override-siblings', 'POLICY-CHECKS-OVERRIDE-22', 'an override overrides the other checks of the run too', (check, now, world) => {
  for (const other of world.checks.values()) if (other.runId === check.runId) overrideQuietly(other, now)
})
besides('one-override-per-run', 'POLICY-CHECKS-OVERRIDE-22', 'a second override in a run takes back the first', (check, _now, world) => {
  for (const other of world.checks.values())
    if (other !== check && other.runId === check.runId && other.status === 'overridden') {
      other.status = 'soft_failed'
      delete other.timestamps['overridden-at']
    }
})

for (const [name, id] of [
  ['shown', 'policyChecks.show'],
  ['listed', LIST],
] as const)
  route(
    `overridden-${name}-otherwise`,
    'POLICY-CHECKS-OVERRIDE-23',
    `a check that was overridden is ${name} with another scope`,
    id,
    (original) =>
      resources((check) => (part(check, 'attributes').status === 'overridden' ? withAttributes(check, { scope: 'workspace' }) : check))(
        original,
      ),
  )

/** Another time at which an override happened. */
const at = (id: string, title: string, timeOf: (check: PolicyCheck, now: number) => number): void =>
  rule(id, 'POLICY-CHECKS-OVERRIDE-08', title, {
    override: (original) => (check, now, overridable, world) => original(check, timeOf(check, now), overridable, world),
  })

const failedAt = ({ timestamps }: PolicyCheck, now: number): number => timestamps['soft-failed-at'] ?? now
at('overridden-at-of-failure', 'overridden-at is the time of the failure', failedAt)
rule('override-with-run', 'POLICY-CHECKS-OVERRIDE-09', 'the override answers with the relationship to the run', {
  overrideAnswer: () => (resource) => resource,
})
rule('override-run-null', 'POLICY-CHECKS-OVERRIDE-09', 'the answer of an override has a run that is null', {
  overrideAnswer: (original) => (resource) => ({ ...original(resource), relationships: { run: { data: null } } }),
})

/** Other timestamps of a resource. */
const times = (change: (times: JsonObject, resource: JsonObject) => JsonObject) => (resource: JsonObject) =>
  withAttributes(resource, { 'status-timestamps': change(part(part(resource, 'attributes'), 'status-timestamps'), resource) })

const without = (member: string, { [member]: _, ...rest }: JsonObject): JsonObject => rest

rule('answer-before-override', 'POLICY-CHECKS-OVERRIDE-06', 'the answer of an override has the timestamps from before', {
  overrideAnswer: (original) => (resource) => original(times((given) => without('overridden-at', given))(resource)),
})
route(
  'list-without-earlier-time',
  'POLICY-CHECKS-OVERRIDE-11',
  'the list shows an overridden check without soft-failed-at',
  LIST,
  resources(times((given) => ('overridden-at' in given ? without('soft-failed-at', given) : given))),
)

rule('override-soft-only', 'POLICY-CHECKS-OVERRIDE-12', 'warnings cannot be overridden', {
  overridable: (original) => (check) => original(check) && check.result.softFailed > 0,
})

for (const [status, clause] of [
  ['passed', 'POLICY-CHECKS-OVERRIDE-13'],
  ['queued', 'POLICY-CHECKS-OVERRIDE-14'],
  ['hard_failed', 'POLICY-CHECKS-OVERRIDE-15'],
  ['overridden', 'POLICY-CHECKS-OVERRIDE-16'],
] as const) {
  rule(`override-${status}-too`, clause, `a check that is ${status} can be overridden`, {
    overridable: (original) => (check) => original(check) || check.status === status,
  })
  rule(`refused-override-stamps-${status}`, clause, `a refused override of a check that is ${status} sets overridden-at`, {
    override: (original) => (check, now, overridable, world) => {
      if (check.status === status) check.timestamps['overridden-at'] = now + 1
      return original(check, now, overridable, world)
    },
  })
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15))

rule('override-race', 'POLICY-CHECKS-OVERRIDE-25', 'two overrides at once both succeed', {
  override: (original) => async (check, now, overridable, world) => {
    if (!overridable(check)) return false
    await pause()
    await original(check, now, () => true, world)
    return true
  },
})
rule('override-lost-at-once', 'POLICY-CHECKS-OVERRIDE-26', 'overrides at once undo each other', {
  override: (original) => {
    const running = new Map<string, number>()
    return async (check, now, overridable, world) => {
      running.set(check.id, (running.get(check.id) ?? 0) + 1)
      await pause()
      return running.get(check.id) === 1 ? original(check, now, overridable, world) : true
    }
  },
})

export const faults = declared
