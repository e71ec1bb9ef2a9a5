/** Faults in overriding. */

import { faultsOf } from '../../mutations/declare.ts'
import { MEDIA_TYPE, Refusal } from '../../run-management/documents.ts'
import type { PolicyCheck } from '../../run-management/world.ts'
import { policyChecks } from './engine.ts'

const { rule, route } = faultsOf(policyChecks)

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15))

const alsoOverridable = (id: string, clause: string, title: string, status: string): void =>
  rule(id, clause, title, { overridable: (original) => (check) => original(check) || check.status === status })

route(
  'override-204',
  'POLICY-CHECKS-OVERRIDE-01',
  'a successful override has no body',
  'policyChecks.override',
  (original) => async (call) => {
    await original(call)
    return { status: 204 }
  },
)
rule('override-202', 'POLICY-CHECKS-OVERRIDE-02', 'an override answers 202', { overrideStatus: () => () => 202 })
route(
  'override-wants-body',
  'POLICY-CHECKS-OVERRIDE-03',
  'an override without a comment in its body is refused',
  'policyChecks.override',
  (original) => (call) => {
    if (call.body.length === 0) throw new Refusal(422, 'a comment is needed')
    return original(call)
  },
)
rule('override-other-id', 'POLICY-CHECKS-OVERRIDE-04', 'the override answers with the id of a new revision', {
  overrideAnswer: (original) => (resource) => ({ ...original(resource), id: `${String(resource.id)}2` }),
})
rule('override-passed', 'POLICY-CHECKS-OVERRIDE-05', 'an overridden check counts as passed', {
  override:
    (original) =>
    async (check, ...rest) => {
      const done = await original(check, ...rest)
      if (done) check.status = 'passed'
      return done
    },
})
rule('override-no-time', 'POLICY-CHECKS-OVERRIDE-06', 'overridden-at is not set', {
  override:
    (original) =>
    async (check, ...rest) => {
      const done = await original(check, ...rest)
      delete check.timestamps['overridden-at']
      return done
    },
})
rule('override-times-lost', 'POLICY-CHECKS-OVERRIDE-07', 'the override replaces the earlier timestamps', {
  override:
    (original) =>
    async (check, now, ...rest) => {
      const done = await original(check, now, ...rest)
      if (done) check.timestamps = { 'overridden-at': now }
      return done
    },
})
rule('override-time-of-failure', 'POLICY-CHECKS-OVERRIDE-08', 'overridden-at is the time of the failure, a day ago', {
  override:
    (original) =>
    (check, now, ...rest) =>
      original(check, now - 86_400, ...rest),
})
rule('override-with-run', 'POLICY-CHECKS-OVERRIDE-09', 'the override answers with the relationship to the run', {
  overrideAnswer: () => (resource) => resource,
})
route(
  'override-forgotten',
  ['POLICY-CHECKS-OVERRIDE-10', 'POLICY-CHECKS-OVERRIDE-11'],
  'an override is answered and not stored',
  'policyChecks.override',
  (original) => async (call) => {
    const check = call.world.checks.get(call.params.id ?? '')
    const kept = check && structuredClone(check)
    const reply = await original(call)
    if (kept) call.world.checks.set(kept.id, kept)
    return reply
  },
)
rule('list-cached', 'POLICY-CHECKS-OVERRIDE-11', 'lists show the state of their first reading', {
  checksOf: (original) => {
    const cache = new Map<string, PolicyCheck[]>()
    return (world, run) => {
      const found = cache.get(run) ?? structuredClone(original(world, run))
      cache.set(run, found)
      return found
    }
  },
})
rule('override-soft-only', 'POLICY-CHECKS-OVERRIDE-12', 'warnings cannot be overridden', {
  overridable: (original) => (check) => original(check) && check.result.softFailed > 0,
})
alsoOverridable('override-passed-too', 'POLICY-CHECKS-OVERRIDE-13', 'a check that passed can be overridden', 'passed')
alsoOverridable('override-queued-too', 'POLICY-CHECKS-OVERRIDE-14', 'a queued check can be overridden', 'queued')
alsoOverridable('override-hard-too', 'POLICY-CHECKS-OVERRIDE-15', 'a hard-failed check can be overridden', 'hard_failed')
alsoOverridable('override-again', 'POLICY-CHECKS-OVERRIDE-16', 'an overridden check can be overridden again', 'overridden')
route(
  'override-refused-late',
  'POLICY-CHECKS-OVERRIDE-16',
  'a refused second override has renewed overridden-at',
  'policyChecks.override',
  (original) => (call) => {
    const check = call.world.checks.get(call.params.id ?? '')
    if (check?.status === 'overridden') check.timestamps['overridden-at'] = call.now() + 60
    return original(call)
  },
)
route(
  'override-unknown-200',
  'POLICY-CHECKS-OVERRIDE-21',
  'overriding what does not exist succeeds',
  'policyChecks.override',
  (original) => (call) =>
    call.world.checks.has(call.params.id ?? '')
      ? original(call)
      : { status: 200, body: { data: {} }, headers: { 'content-type': MEDIA_TYPE } },
)
rule('override-whole-run', 'POLICY-CHECKS-OVERRIDE-22', 'all soft-failed checks of the run are overridden', {
  override: (original) => (check, now, overridable, world) => {
    for (const other of world.checks.values()) if (other.runId === check.runId && other !== check) original(other, now, overridable, world)
    return original(check, now, overridable, world)
  },
})
rule('override-counts', 'POLICY-CHECKS-OVERRIDE-23', 'an override counts the failures as passed', {
  override:
    (original) =>
    async (check, ...rest) => {
      const done = await original(check, ...rest)
      if (done) check.result = { ...check.result, passed: check.result.passed + check.result.softFailed, softFailed: 0 }
      return done
    },
})
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
      const alone = running.get(check.id) === 1
      return alone ? original(check, now, overridable, world) : true
    }
  },
})
