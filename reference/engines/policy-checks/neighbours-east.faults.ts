/** Faults that show on a neighbour: another check, run, caller, page or a similar name. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedDocument, changedResources, without } from '../../run-management/answer-changes.ts'
import type { PolicyCheck, World } from '../../run-management/world.ts'
import { resourceOf } from './checks.rules.ts'
import { namedCheck, whoAsks } from './east-help.ts'
import { policyChecks } from './engine.ts'

const { rule, route, change } = faultsOf(policyChecks)

const siblings = (world: World, check: PolicyCheck): PolicyCheck[] =>
  [...world.checks.values()].filter((other) => other.runId === check.runId && other !== check)

rule(
  'east-override-whole-run',
  'POLICY-CHECKS-OVERRIDE-22',
  'an override also overrides the other soft-failed checks of the run (002 4: the check with :id)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      if (done) for (const other of siblings(world, check)) await original(other, now, overridable, world)
      return done
    },
  },
)

rule(
  'east-override-one-kept',
  'POLICY-CHECKS-OVERRIDE-22',
  'an override takes back an earlier one of the same run (002 3: the next state is overridden)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      for (const other of done ? siblings(world, check) : []) {
        if (other.status !== 'overridden') continue
        other.status = 'soft_failed'
        delete other.timestamps['overridden-at']
      }
      return done
    },
  },
)

rule(
  'east-override-once-a-run',
  'POLICY-CHECKS-OVERRIDE-01',
  'a run in which a check is overridden takes no further override (002 3: each soft-failed check)',
  {
    override: (original) => (check, now, overridable, world) =>
      !siblings(world, check).some(({ status }) => status === 'overridden') && original(check, now, overridable, world),
  },
)

rule(
  'east-any-failed-overridable',
  'POLICY-CHECKS-OVERRIDE-15',
  'a hard-failed check is overridden as a soft-failed one is (002 3: soft_failed only)',
  {
    overridable: () => (check) => check.status.endsWith('failed'),
  },
)

route(
  'east-override-first-of-run',
  'POLICY-CHECKS-OVERRIDE-04',
  'the first soft-failed check of the run is overridden instead of the named one (002 4: :id)',
  'policyChecks.override',
  (original) => (call) => {
    const check = namedCheck(call)
    if (!check || !call.rules.overridable(check)) return original(call)
    const target = call.rules.checksOf(call.world, check.runId).find((other) => call.rules.overridable(other)) ?? check
    return original({ ...call, params: { ...call.params, id: target.id } })
  },
)

route(
  'east-override-answers-first',
  'POLICY-CHECKS-OVERRIDE-04',
  'an override answers with the first check of the run (002 4: returns the updated policy check)',
  'policyChecks.override',
  changedDocument((body, call) => {
    const check = namedCheck(call)
    const first = check && call.rules.checksOf(call.world, check.runId)[0]
    return first ? { ...body, data: call.rules.overrideAnswer(resourceOf(call.rules, first, call.caller)) } : body
  }),
)

route(
  'east-override-id-any-case',
  'POLICY-CHECKS-OVERRIDE-21',
  'an id in other letter case overrides a check all the same (002 4: :id)',
  'policyChecks.override',
  (original) => (call) => {
    const wanted = call.params.id!.toLowerCase()
    const id = [...call.world.checks.keys()].find((known) => known.toLowerCase() === wanted)
    return original(id === undefined ? call : { ...call, params: { ...call.params, id } })
  },
)

const includedBefore = remembered(() => new Map<string, JsonObject[]>())
rule(
  'east-included-kept',
  'POLICY-CHECKS-INCLUDE-03',
  'related resources are kept by the include value, whatever run is asked for (002 4: include, the run)',
  {
    included: (original) => (world, checks, paths) => {
      const kept = includedBefore(world)
      const key = paths.join()
      const resources = kept.get(key) ?? original(world, checks, paths)
      kept.set(key, resources)
      return resources
    },
  },
)

rule(
  'east-permission-of-first-caller',
  'POLICY-CHECKS-FIELD-24',
  'can-override is what the first caller who saw the check got (002 2.1: whether the caller may override)',
  {
    canOverride: (original) => {
      const first = new WeakMap<PolicyCheck, boolean>()
      return (permitted, check) => {
        const seen = first.get(check) ?? original(permitted, check)
        first.set(check, seen)
        return seen
      }
    },
  },
)

const overriddenBy = remembered(() => new Map<string, string>())
change(
  'east-override-seen-by-its-caller',
  'POLICY-CHECKS-OVERRIDE-10',
  'other callers are shown an overridden check as soft_failed (002 3: next state overridden)',
  {
    routes: {
      'policyChecks.override': (original) => async (call) => {
        const reply = await original(call)
        overriddenBy(call.world).set(call.params.id!, whoAsks(call))
        return reply
      },
      'policyChecks.show': (original) => (call) => {
        const check = namedCheck(call)
        const by = check && overriddenBy(call.world).get(check.id)
        if (by === undefined || by === whoAsks(call)) return original(call)
        const timestamps = without(check!.timestamps, 'overridden-at') as PolicyCheck['timestamps']
        const checks = new Map(call.world.checks).set(check!.id, { ...check!, status: 'soft_failed', timestamps })
        return original({ ...call, world: { ...call.world, checks } })
      },
    },
  },
)

route(
  'east-list-one-output-link',
  'POLICY-CHECKS-FIELD-19',
  'all checks of a list link to the output of the first (002 2.1: links.output)',
  'policyChecks.list',
  changedResources((resource, _call, _index, all) => ({ ...resource, links: all[0]?.links ?? null })),
)

rule('east-page-overlaps', 'POLICY-CHECKS-PAGE-06', 'a page begins with the last check of the page before (002 4: page[number])', {
  slice:
    () =>
    (items, { number, size }) => {
      const start = Math.max(0, (number - 1) * size - 1)
      return items.slice(start, start + size)
    },
})
