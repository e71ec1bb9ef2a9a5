/** Faults that reach a neighbour: another check of the run, another run, another caller, the next page. */
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { changedResources, objectIn, without } from '../../run-management/answer-changes.ts'
import type { PolicyCheck } from '../../run-management/world.ts'
import type { PolicyCheckRules } from './checks.rules.ts'
import { policyChecks } from './engine.ts'
import { askedCheck, callerId, mapOfWorld, siblingsOf, withRules } from './west-help.ts'

const { rule, route, change } = faultsOf(policyChecks)

rule(
  'west-whole-run-overridden',
  'POLICY-CHECKS-OVERRIDE-22',
  'an override also moves the checks of the run that come after it (002 3: override operation)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const run = [...world.checks.values()].filter(({ runId }) => runId === check.runId)
      const moved = await original(check, now, overridable, world)
      for (const later of moved ? run.slice(run.indexOf(check) + 1) : []) await original(later, now, overridable, world)
      return moved
    },
  },
)

route(
  'west-override-any-case',
  'POLICY-CHECKS-OVERRIDE-21',
  'an override takes an id in another letter case for the check (002 4: override of `:id`)',
  'policyChecks.override',
  (original) => (call) => {
    const asked = call.params.id!.toLowerCase()
    const id = [...call.world.checks.keys()].find((known) => known.toLowerCase() === asked)
    return original(id === undefined ? call : { ...call, params: { ...call.params, id } })
  },
)

route(
  'west-output-of-first',
  'POLICY-CHECKS-FIELD-19',
  'every item of a list links to the output of the first one (002 2.1: links.output)',
  'policyChecks.list',
  changedResources((resource, _call, _index, all) => ({ ...resource, links: all[0]?.links ?? null })),
)

const overriders = new WeakMap<PolicyCheck, string>()

const hiddenFromOthers = changedResources<PolicyCheckRules>((resource, call) => {
  const check = call.world.checks.get(String(resource.id))
  const overrider = check && overriders.get(check)
  if (overrider === undefined || overrider === callerId(call)) return resource
  const attributes = objectIn(resource, 'attributes')
  const timestamps = without(objectIn(attributes, 'status-timestamps'), 'overridden-at')
  return { ...resource, attributes: { ...attributes, status: 'soft_failed', 'status-timestamps': timestamps } }
})

change(
  'west-override-seen-by-overrider-only',
  'POLICY-CHECKS-OVERRIDE-10',
  'other callers see an overridden check as it was before (002 3: next state)',
  {
    routes: {
      'policyChecks.list': hiddenFromOthers,
      'policyChecks.show': hiddenFromOthers,
      'policyChecks.override': (original) => async (call) => {
        const reply = await original(call)
        const check = askedCheck(call)
        if (check) overriders.set(check, callerId(call))
        return reply
      },
    },
  },
)

const currentRuns = mapOfWorld<string>()

change(
  'west-run-of-latest-list',
  'POLICY-CHECKS-INCLUDE-01',
  'a shown check names the run that its caller listed last (002 2.1: relationships.run.data)',
  {
    routes: {
      'policyChecks.list': (original) => async (call) => {
        const reply = await original(call)
        currentRuns(call.world).set(callerId(call), call.params.run_id!)
        return reply
      },
      'policyChecks.show': withRules((rules, call) => ({
        runOf: (check) => currentRuns(call.world).get(callerId(call)) ?? rules.runOf(check),
      })),
    },
  },
)

route(
  'west-timestamps-pile-up',
  'POLICY-CHECKS-OVERRIDE-22',
  'in a list each item also has the timestamps of those before it (002 2.1: a key is present once that status was reached)',
  'policyChecks.list',
  changedResources((resource, _call, index, all) => {
    const attributesOf = (item: JsonObject) => objectIn(item, 'attributes')
    const piled = all.slice(0, index + 1).map((item) => objectIn(attributesOf(item), 'status-timestamps'))
    return { ...resource, attributes: { ...attributesOf(resource), 'status-timestamps': Object.assign({}, ...piled) as JsonObject } }
  }),
)

rule(
  'west-one-override-per-run',
  'POLICY-CHECKS-OVERRIDE-01',
  'once a check of a run is overridden, the other ones of the run are refused (002 3: condition of the override)',
  {
    override: (original) => (check, now, overridable, world) =>
      siblingsOf(world, check).some(({ status }) => status === 'overridden') ? false : original(check, now, overridable, world),
  },
)

rule(
  'west-pages-overlap',
  'POLICY-CHECKS-PAGE-06',
  'pages after the first begin with the last item of the page before (002 4: page[number])',
  {
    slice:
      () =>
      (items, { number, size }) => {
        const start = Math.max(0, (number - 1) * size - 1)
        return items.slice(start, start + size)
      },
  },
)

const latestOverrides = mapOfWorld<{ at: number; reply: Reply }>()

route(
  'west-second-click',
  'POLICY-CHECKS-OVERRIDE-04',
  "another check overridden by the same caller within five seconds counts as a repetition: the first one's answer, no effect (002 4: override of `:id`)",
  'policyChecks.override',
  (original) => async (call) => {
    const latest = latestOverrides(call.world).get(callerId(call))
    const check = askedCheck(call)
    if (latest && check && call.rules.overridable(check) && call.now() - latest.at < 5) return latest.reply
    const reply = await original(call)
    latestOverrides(call.world).set(callerId(call), { at: call.now(), reply })
    return reply
  },
)
