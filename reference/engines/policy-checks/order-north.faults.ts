/** Faults of time and order: again, after the override, before it, what was seen earlier. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedResources, objectIn, without } from '../../run-management/answer-changes.ts'
import type { PolicyCheck } from '../../run-management/world.ts'
import type { PolicyCheckRules } from './checks.rules.ts'
import { policyChecks } from './engine.ts'
import { checkIn, deciding, forget, LIST, OVERRIDE, SHOW } from './north-help.ts'

const { rule, route } = faultsOf(policyChecks)

rule(
  'north-overridden-again',
  'POLICY-CHECKS-OVERRIDE-16',
  'a second override of a check succeeds again (002 3: override from state soft_failed only)',
  {
    override: (original) => (check, now, overridable, world) => check.status === 'overridden' || original(check, now, overridable, world),
  },
)

const seen = new WeakMap<PolicyCheck, JsonObject>()
rule(
  'north-timestamps-as-first-seen',
  'POLICY-CHECKS-OVERRIDE-06',
  'a check that was read before its override never shows overridden-at (002 3: overridden-at is set in status-timestamps)',
  {
    timestamps: (original) => (check) => {
      const known = seen.get(check) ?? original(check)
      seen.set(check, known)
      return known
    },
  },
)

const snapshots = remembered(() => new Map<string, PolicyCheck[]>())
route(
  'north-pages-of-a-snapshot',
  'POLICY-CHECKS-OVERRIDE-11',
  'pages show the checks of a run as they were when its first page was asked for (002 3: soft_failed becomes overridden; 4: list)',
  LIST,
  (original) => (call) => {
    if (!call.rules.paged(call.query)) return original(call)
    return original(
      deciding(call, {
        checksOf: (world, run) => {
          const checks = snapshots(world).get(run) ?? structuredClone(call.rules.checksOf(world, run))
          snapshots(world).set(run, checks)
          return checks
        },
      }),
    )
  },
)

route(
  'north-overridden-at-not-kept',
  'POLICY-CHECKS-OVERRIDE-10',
  'overridden-at is in the answer to the override, but in none later (002 2.1: a key is present once that status was reached)',
  OVERRIDE,
  (original) => async (call) => {
    const given = await original(call)
    const check = checkIn(call)
    if (check) forget(check, 'overridden-at')
    return given
  },
)

route(
  'north-answer-before-stamp',
  'POLICY-CHECKS-OVERRIDE-06',
  'the answer to an override lacks overridden-at (002 4: returns the updated policy check; 3: overridden-at is set)',
  OVERRIDE,
  (original) => (call) => {
    const check = checkIn(call)
    const before = check && call.rules.timestamps(check)
    return original(before ? deciding(call, { timestamps: () => before }) : call)
  },
)

rule(
  'north-soft-failed-at-replaced',
  'POLICY-CHECKS-OVERRIDE-07',
  'an override takes soft-failed-at away (002 2.1: a key is present once that status was reached)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      if (done) forget(check, 'soft-failed-at')
      return done
    },
  },
)

rule(
  'north-overridden-when-queued',
  'POLICY-CHECKS-OVERRIDE-08',
  'overridden-at has the time of queued-at, before soft-failed-at (002 3: overridden-at is set by the override; queued before soft_failed)',
  {
    override: (original) => (check, now, overridable, world) => original(check, check.timestamps['queued-at'] ?? now, overridable, world),
  },
)

rule(
  'north-soft-failed-from-the-start',
  'POLICY-CHECKS-STATE-05',
  'checks that are queued or passed have a soft-failed-at (002 2.1: a key is present once that status was reached)',
  {
    timestamps: (original) => (check) => {
      const given = original(check)
      return { 'soft-failed-at': given['queued-at'] ?? null, ...given }
    },
  },
)

route(
  'north-overridden-on-no-page',
  'POLICY-CHECKS-OVERRIDE-11',
  'overridden checks are on no page of the list (002 4: lists the policy checks of a run; page[size])',
  LIST,
  (original) => (call) => {
    if (!call.rules.paged(call.query)) return original(call)
    return original(
      deciding(call, { checksOf: (world, run) => call.rules.checksOf(world, run).filter(({ status }) => status !== 'overridden') }),
    )
  },
)

rule(
  'north-refused-but-stamped',
  'POLICY-CHECKS-OVERRIDE-13',
  'an override that is refused for the state of a check sets its overridden-at (002 2.1: a key is present once that status was reached)',
  {
    override: (original) => (check, now, overridable, world) => {
      check.timestamps['overridden-at'] ??= now
      return original(check, now, overridable, world)
    },
  },
)

route(
  'north-overridden-without-run',
  'POLICY-CHECKS-FIELD-17',
  'an overridden check has no run in show and list, either (002 2.1: relationships.run.data, absent in the override response)',
  [LIST, SHOW],
  changedResources<PolicyCheckRules>((resource) =>
    objectIn(resource, 'attributes').status === 'overridden' ? without(resource, 'relationships') : resource,
  ),
)

const waiting = remembered((): (() => void)[] => [])
route(
  'north-written-with-the-next',
  'POLICY-CHECKS-OVERRIDE-22',
  'an override shows in later reads only when the next override is asked for (002 3: soft_failed becomes overridden)',
  OVERRIDE,
  (original) => async (call) => {
    for (const write of waiting(call.world).splice(0)) write()
    const check = checkIn(call)
    const before = structuredClone(check)
    const given = await original(call)
    if (check && before) {
      const after = structuredClone(check)
      Object.assign(check, before)
      waiting(call.world).push(() => void Object.assign(check, after))
    }
    return given
  },
)
