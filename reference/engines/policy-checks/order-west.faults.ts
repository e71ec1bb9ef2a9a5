/** Faults of time and order: second overrides, refused ones, what is read after an override, pages one after the other. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { changedResources, objectIn, without } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { PolicyCheck } from '../../run-management/world.ts'
import { policyChecks } from './engine.ts'
import { askedCheck, callerId, mapOfWorld, takeBack, withRules } from './west-help.ts'

const { rule, route } = faultsOf(policyChecks)

rule(
  'west-second-override-toggles',
  'POLICY-CHECKS-OVERRIDE-16',
  'a second override takes the first one back (002 3: from soft_failed only)',
  {
    override: (original) => (check, now, overridable, world) => {
      if (check.status !== 'overridden') return original(check, now, overridable, world)
      takeBack(check)
      return true
    },
  },
)

rule(
  'west-refused-override-stamped',
  'POLICY-CHECKS-OVERRIDE-13',
  'an override that the state forbids still sets overridden-at (002 2.1: a key is present once that status was reached)',
  {
    override: (original) => (check, now, overridable, world) => {
      check.timestamps['overridden-at'] ??= now
      return original(check, now, overridable, world)
    },
  },
)

rule(
  'west-override-clears-timestamps',
  'POLICY-CHECKS-OVERRIDE-07',
  'after an override only its own timestamp is left (002 2.1: a key is present once that status was reached)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const moved = await original(check, now, overridable, world)
      if (moved) check.timestamps = { 'overridden-at': now }
      return moved
    },
  },
)

const shownBefore = mapOfWorld<Reply>()

route(
  'west-show-kept',
  'POLICY-CHECKS-OVERRIDE-26',
  'what a caller was shown before an override, the same caller is shown after it (002 3: next state)',
  'policyChecks.show',
  (original) => async (call) => {
    const key = `${callerId(call)} ${call.path}?${call.query}`
    const reply = shownBefore(call.world).get(key) ?? (await original(call))
    shownBefore(call.world).set(key, reply)
    return reply
  },
)

rule(
  'west-overridden-not-listed',
  'POLICY-CHECKS-OVERRIDE-11',
  'an overridden check is gone from the list of its run (002 4: contains all items)',
  {
    checksOf: (original) => (world, run) => original(world, run).filter(({ status }) => status !== 'overridden'),
  },
)

rule(
  'west-history-listed',
  'POLICY-CHECKS-OVERRIDE-11',
  'after an override the list has the check twice, as it was and as it is (002 4: lists the policy checks of a run)',
  {
    checksOf: (original) => (world, run) =>
      original(world, run).flatMap((check) => {
        if (check.status !== 'overridden') return [check]
        const before = { ...check, timestamps: { ...check.timestamps } }
        takeBack(before)
        return [before, check]
      }),
  },
)

const attempted = new WeakSet<PolicyCheck>()

route(
  'west-refused-attempt-locks',
  'POLICY-CHECKS-OVERRIDE-01',
  'once somebody was refused an override, nobody can override that check (002 5.3: governed by can-override)',
  'policyChecks.override',
  (original) => async (call) => {
    const check = askedCheck(call)
    if (check && attempted.has(check)) throw new Refusal(call.rules.conflictStatus(), 'an override of this policy check is under way')
    // The mark is taken away on success only.
    if (check) attempted.add(check)
    const reply = await original(call)
    if (check) attempted.delete(check)
    return reply
  },
)

route(
  'west-run-lost-by-override',
  'POLICY-CHECKS-FIELD-17',
  'an overridden check has no run in later reads either (002 2.1: relationships.run.data)',
  ['policyChecks.list', 'policyChecks.show'],
  changedResources((resource) =>
    objectIn(resource, 'attributes').status === 'overridden' ? without(resource, 'relationships') : resource,
  ),
)

rule(
  'west-override-queues-anew',
  'POLICY-CHECKS-OVERRIDE-07',
  'an override moves queued-at to its own time, behind soft-failed-at (002 3: queued before it reaches soft_failed)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const moved = await original(check, now, overridable, world)
      if (moved) check.timestamps['queued-at'] = now
      return moved
    },
  },
)

rule(
  'west-answer-before-stamp',
  'POLICY-CHECKS-OVERRIDE-06',
  'the answer of an override has the timestamps from before it (002 4: the updated policy check)',
  {
    overrideAnswer: (original) => (resource) => {
      const attributes = objectIn(resource, 'attributes')
      const timestamps = without(objectIn(attributes, 'status-timestamps'), 'overridden-at')
      return original({ ...resource, attributes: { ...attributes, 'status-timestamps': timestamps } })
    },
  },
)

const latestPages = mapOfWorld<number>()

route(
  'west-pages-in-sequence',
  ['POLICY-CHECKS-PAGE-05'],
  'who skips pages gets the one after the last that was read, at first page 1 (002 4: page[number])',
  'policyChecks.list',
  withRules((rules, call) => ({
    page: (query, defaultSize) => {
      const page = rules.page(query, defaultSize)
      const key = `${callerId(call)} ${call.params.run_id} ${page.size}`
      const number = Math.min(page.number, (latestPages(call.world).get(key) ?? 0) + 1)
      latestPages(call.world).set(key, number)
      return { ...page, number }
    },
  })),
)
