/** Faults in overriding. */
import { fault } from '../../core/mutation.ts'
import { MEDIA_TYPE, Refusal } from '../../run-management/documents.ts'
import { policyChecks } from '../../run-management/policy-checks/index.ts'
import type { PolicyCheck } from '../../run-management/world.ts'

const engine = 'policy-checks'

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15))

type Override = typeof policyChecks.rules.override
type Handle = (typeof policyChecks.routes)[number]['handle']

/** A fault that does something more, or else, when a check is overridden. */
const overriding = (id: string, title: string, clauses: string[], change: (original: Override) => Override) =>
  fault(policyChecks, { id: `policy-checks-${id}`, engine, title, clauses }, { rules: { override: change } })

const alsoOverridable = (id: string, title: string, clause: string, status: string) =>
  fault(
    policyChecks,
    { id: `policy-checks-${id}`, engine, title, clauses: [clause] },
    { rules: { overridable: (original) => (check) => original(check) || check.status === status } },
  )

const handler = (id: string, title: string, clauses: string[], handle: (original: Handle) => Handle) =>
  fault(policyChecks, { id: `policy-checks-${id}`, engine, title, clauses }, { routes: { 'policyChecks.override': handle } })

export const overrideFaults = [
  handler('override-204', 'a successful override has no body', ['POLICY-OVERRIDE-01'], (original) => async (call) => {
    await original(call)
    return { status: 204 }
  }),
  fault(
    policyChecks,
    { id: 'policy-checks-override-202', engine, title: 'an override answers 202', clauses: ['POLICY-OVERRIDE-02'] },
    { rules: { overrideStatus: () => () => 202 } },
  ),
  handler('override-wants-body', 'an override without a comment in its body is refused', ['POLICY-OVERRIDE-03'], (original) => (call) => {
    if (call.body.length === 0) throw new Refusal(422, 'a comment is needed')
    return original(call)
  }),
  fault(
    policyChecks,
    {
      id: 'policy-checks-override-other-id',
      engine,
      title: 'the override answers with the id of a new revision',
      clauses: ['POLICY-OVERRIDE-04'],
    },
    {
      rules: { overrideAnswer: (original) => (resource) => ({ ...original(resource), id: `${String(resource.id)}2` }) },
    },
  ),
  overriding('override-passed', 'an overridden check counts as passed', ['POLICY-OVERRIDE-05'], (original) => async (check, ...rest) => {
    const done = await original(check, ...rest)
    if (done) check.status = 'passed'
    return done
  }),
  overriding('override-no-time', 'overridden-at is not set', ['POLICY-OVERRIDE-06'], (original) => async (check, ...rest) => {
    const done = await original(check, ...rest)
    delete check.timestamps['overridden-at']
    return done
  }),
  overriding(
    'override-times-lost',
    'the override replaces the earlier timestamps',
    ['POLICY-OVERRIDE-07'],
    (original) =>
      async (check, now, ...rest) => {
        const done = await original(check, now, ...rest)
        if (done) check.timestamps = { 'overridden-at': now }
        return done
      },
  ),
  overriding(
    'override-time-of-failure',
    'overridden-at is the time of the failure, a day ago',
    ['POLICY-OVERRIDE-08'],
    (original) =>
      (check, now, ...rest) =>
        original(check, now - 86_400, ...rest),
  ),
  fault(
    policyChecks,
    {
      id: 'policy-checks-override-with-run',
      engine,
      title: 'the override answers with the relationship to the run',
      clauses: ['POLICY-OVERRIDE-09'],
    },
    {
      rules: { overrideAnswer: () => (resource) => resource },
    },
  ),
  handler(
    'override-forgotten',
    'an override is answered and not stored',
    ['POLICY-OVERRIDE-10', 'POLICY-OVERRIDE-11'],
    (original) => async (call) => {
      const check = call.world.checks.get(call.params.id ?? '')
      const kept = check && structuredClone(check)
      const reply = await original(call)
      if (kept) call.world.checks.set(kept.id, kept)
      return reply
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-list-cached', engine, title: 'lists show the state of their first reading', clauses: ['POLICY-OVERRIDE-11'] },
    {
      rules: {
        checksOf: (original) => {
          const cache = new Map<string, PolicyCheck[]>()
          return (world, run) => {
            const found = cache.get(run) ?? structuredClone(original(world, run))
            cache.set(run, found)
            return found
          }
        },
      },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-override-soft-only', engine, title: 'warnings cannot be overridden', clauses: ['POLICY-OVERRIDE-12'] },
    {
      rules: { overridable: (original) => (check) => original(check) && check.result.softFailed > 0 },
    },
  ),
  alsoOverridable('override-passed-too', 'a check that passed can be overridden', 'POLICY-OVERRIDE-13', 'passed'),
  alsoOverridable('override-queued-too', 'a queued check can be overridden', 'POLICY-OVERRIDE-14', 'queued'),
  alsoOverridable('override-hard-too', 'a hard-failed check can be overridden', 'POLICY-OVERRIDE-15', 'hard_failed'),
  alsoOverridable('override-again', 'an overridden check can be overridden again', 'POLICY-OVERRIDE-16', 'overridden'),
  handler('override-refused-late', 'a refused second override has renewed overridden-at', ['POLICY-OVERRIDE-16'], (original) => (call) => {
    const check = call.world.checks.get(call.params.id ?? '')
    if (check?.status === 'overridden') check.timestamps['overridden-at'] = call.now() + 60
    return original(call)
  }),
  handler(
    'override-unknown-200',
    'overriding what does not exist succeeds',
    ['POLICY-OVERRIDE-21'],
    (original) => (call) =>
      call.world.checks.has(call.params.id ?? '')
        ? original(call)
        : { status: 200, body: { data: {} }, headers: { 'content-type': MEDIA_TYPE } },
  ),
  overriding(
    'override-whole-run',
    'all soft-failed checks of the run are overridden',
    ['POLICY-OVERRIDE-22'],
    (original) => (check, now, overridable, world) => {
      for (const other of world.checks.values())
        if (other.runId === check.runId && other !== check) original(other, now, overridable, world)
      return original(check, now, overridable, world)
    },
  ),
  overriding(
    'override-counts',
    'an override counts the failures as passed',
    ['POLICY-OVERRIDE-23'],
    (original) =>
      async (check, ...rest) => {
        const done = await original(check, ...rest)
        if (done) check.result = { ...check.result, passed: check.result.passed + check.result.softFailed, softFailed: 0 }
        return done
      },
  ),
  overriding(
    'override-race',
    'two overrides at once both succeed',
    ['POLICY-OVERRIDE-25'],
    (original) => async (check, now, overridable, world) => {
      if (!overridable(check)) return false
      await pause()
      await original(check, now, () => true, world)
      return true
    },
  ),
  overriding('override-lost-at-once', 'overrides at once undo each other', ['POLICY-OVERRIDE-26'], (original) => {
    const running = new Map<string, number>()
    return async (check, now, overridable, world) => {
      running.set(check.id, (running.get(check.id) ?? 0) + 1)
      await pause()
      const alone = running.get(check.id) === 1
      return alone ? original(check, now, overridable, world) : true
    }
  }),
]
