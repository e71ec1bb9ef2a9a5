/** Faults of what comes first and what later: repeated overrides, reads after them, attempts that failed before. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedAttributes, changedResources, objectIn, without } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { PolicyCheck } from '../../run-management/world.ts'
import { resourceOf } from './checks.rules.ts'
import { afterOverride, checkOf } from './dusk-help.ts'
import { policyChecks } from './engine.ts'

const { rule, route, change } = faultsOf(policyChecks)
const READS = ['policyChecks.show', 'policyChecks.list']

rule(
  'dusk-second-override-succeeds',
  'POLICY-CHECKS-OVERRIDE-16',
  'a check that is overridden already can be overridden again (002 3: soft_failed is the state it starts from)',
  {
    override: (original) => (check, now, overridable, world) => check.status === 'overridden' || original(check, now, overridable, world),
  },
)

route(
  'dusk-override-answers-as-before',
  'POLICY-CHECKS-OVERRIDE-05',
  'an override answers the check as it was (002 4: data with the updated policy check)',
  'policyChecks.override',
  (original) => {
    return async (call) => {
      const check = checkOf(call)
      const before = check && structuredClone(check)
      const given = await original(call)
      return before ? { ...given, body: { data: call.rules.overrideAnswer(resourceOf(call.rules, before, call.caller)) } } : given
    }
  },
)

const firstListings = remembered(() => new Map<string, JsonObject>())
route(
  'dusk-list-keeps-first-status',
  'POLICY-CHECKS-OVERRIDE-11',
  'a list shows the statuses that it showed first (002 3: next state overridden; 4: lists the policy checks)',
  'policyChecks.list',
  changedAttributes((attributes, { world }, { id }) => {
    const listed = firstListings(world)
    const { status = null, 'status-timestamps': times = null } = listed.get(String(id)) ?? attributes
    listed.set(String(id), { status, 'status-timestamps': times })
    return { ...attributes, status, 'status-timestamps': times }
  }),
)

route(
  'dusk-overridden-at-in-answer-only',
  'POLICY-CHECKS-OVERRIDE-10',
  'overridden-at is in the answer of the override only, not in later reads (002 3: overridden-at is set in status-timestamps)',
  READS,
  changedAttributes((attributes) => ({
    ...attributes,
    'status-timestamps': without(objectIn(attributes, 'status-timestamps'), 'overridden-at'),
  })),
)

rule(
  'dusk-refused-override-stamped',
  'POLICY-CHECKS-OVERRIDE-13',
  'an override that is refused for the status sets overridden-at (002 2.1: a key is present once that status was reached)',
  {
    override: (original) => (check, now, overridable, world) => {
      check.timestamps['overridden-at'] = now
      return original(check, now, overridable, world)
    },
  },
)

const looked = new WeakSet<PolicyCheck>()
change(
  'dusk-unseen-check-not-overridden',
  'POLICY-CHECKS-OVERRIDE-12',
  'a check that nobody has shown or listed cannot be overridden (002 3: soft_failed, override operation)',
  {
    rules: {
      override: (original) => (check, now, overridable, world) => looked.has(check) && original(check, now, overridable, world),
    },
    routes: {
      'policyChecks.show': (original) => async (call) => {
        const given = await original(call)
        const check = checkOf(call)
        if (check) looked.add(check)
        return given
      },
      'policyChecks.list': (original) => async (call) => {
        const given = await original(call)
        for (const check of call.world.checks.values()) if (check.runId === call.params.run_id) looked.add(check)
        return given
      },
    },
  },
)

rule(
  'dusk-queued-override-noted',
  'POLICY-CHECKS-OVERRIDE-14',
  'an override of a queued check is accepted and kept for later (002 3: soft_failed is the state it starts from)',
  {
    override: (original) => (check, now, overridable, world) => check.status === 'queued' || original(check, now, overridable, world),
  },
)

route(
  'dusk-overridden-check-loses-run',
  'POLICY-CHECKS-FIELD-17',
  'reads after an override show no run (002 2.1: relationships.run.data, object; absent in the override response)',
  READS,
  changedResources((resource) =>
    objectIn(resource, 'attributes').status === 'overridden' ? { ...resource, relationships: { run: { data: null } } } : resource,
  ),
)

rule(
  'dusk-overridden-checks-not-listed',
  'POLICY-CHECKS-OVERRIDE-11',
  'a check that was overridden is no longer listed (002 4: lists the policy checks of a run, all items)',
  {
    checksOf: (original) => (world, run) => original(world, run).filter(({ status }) => status !== 'overridden'),
  },
)

route(
  'dusk-failed-attempt-locks',
  'POLICY-CHECKS-OVERRIDE-01',
  "after an attempt of somebody who may not, nobody can override the check (002 5: governed by the caller's permissions.can-override)",
  'policyChecks.override',
  (original) => {
    const locked = new WeakSet<PolicyCheck>()
    return async (call) => {
      const check = checkOf(call)
      if (!check) return original(call)
      if (locked.has(check)) throw new Refusal(409, 'the policy check is being overridden')
      locked.add(check)
      const given = await original(call)
      locked.delete(check)
      return given
    }
  },
)

rule(
  'dusk-override-queues-anew',
  'POLICY-CHECKS-OVERRIDE-07',
  'an override sets queued-at anew (002 3: a check is queued before it reaches soft_failed)',
  {
    override: afterOverride((check, now) => {
      check.timestamps['queued-at'] = now
    }),
  },
)

route(
  'dusk-listing-takes-override-back',
  'POLICY-CHECKS-OVERRIDE-11',
  'a list evaluates the run again, which undoes overrides (002 3: next state overridden)',
  'policyChecks.list',
  (original) => {
    return (call) => {
      for (const check of call.world.checks.values()) {
        const failed = check.result.softFailed + check.result.advisoryFailed > 0
        if (check.runId === call.params.run_id && check.status === 'overridden' && failed) check.status = 'soft_failed'
      }
      return original(call)
    }
  },
)
