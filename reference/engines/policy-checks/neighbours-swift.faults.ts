/** Faults in which a policy check, a run, a page or a caller gets what belongs to another. */
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedResources, objectIn } from '../../run-management/answer-changes.ts'
import type { PolicyCheck, World } from '../../run-management/world.ts'
import { policyChecks } from './engine.ts'

const { rule, route, change } = faultsOf(policyChecks)

const siblingsOf = (world: World, check: PolicyCheck): PolicyCheck[] =>
  [...world.checks.values()].filter(({ runId, id }) => runId === check.runId && id !== check.id)

const pagesByQuery = remembered(() => new Map<string, Reply>())

rule(
  'override-takes-run-anew',
  ['POLICY-CHECKS-OVERRIDE-22'],
  'an override overrides all soft-failed checks of the run (002 4, override of /policy-checks/:id)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      if (done) for (const other of siblingsOf(world, check)) await original(other, now, overridable, world)
      return done
    },
  },
)

rule(
  'override-stamps-siblings',
  ['POLICY-CHECKS-OVERRIDE-22'],
  'an override sets overridden-at in the other checks of the run (002 2.1, status-timestamps)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      if (done) for (const other of siblingsOf(world, check)) other.timestamps['overridden-at'] = now
      return done
    },
  },
)

rule(
  'override-closes-run',
  ['POLICY-CHECKS-OVERRIDE-01', 'POLICY-CHECKS-OVERRIDE-03'],
  'once one check of a run is overridden, the others cannot be (002 3, soft_failed to overridden)',
  {
    override: (original) => (check, now, overridable, world) =>
      siblingsOf(world, check).some(({ status }) => status === 'overridden') ? false : original(check, now, overridable, world),
  },
)

rule(
  'override-takes-first-of-run',
  ['POLICY-CHECKS-OVERRIDE-22'],
  'an override overrides the first soft-failed check of the run, not the named one (002 4)',
  {
    override: (original) => (check, now, overridable, world) => {
      const first = [...world.checks.values()].find((other) => other.runId === check.runId && overridable(other))
      return overridable(check) ? original(first ?? check, now, overridable, world) : false
    },
  },
)

rule(
  'empty-run-lists-all-anew',
  ['POLICY-CHECKS-LIST-05'],
  'a run without checks lists those of all runs (002 4, lists the policy checks of a run)',
  {
    checksOf: (original) => (world, run) => {
      const own = original(world, run)
      return own.length > 0 ? own : [...world.checks.values()]
    },
  },
)

rule('pages-overlap', ['POLICY-CHECKS-PAGE-06'], 'each page begins with the last item of the page before (002 4, page[number])', {
  slice:
    () =>
    (items, { number, size }) =>
      items.slice(Math.max(0, (number - 1) * size - 1), number * size - Number(number > 1)),
})

rule('pages-skip-one', ['POLICY-CHECKS-PAGE-05'], 'between two pages one item is skipped (002 4, page[number])', {
  slice:
    () =>
    (items, { number, size }) =>
      items.slice((number - 1) * (size + 1), (number - 1) * (size + 1) + size),
})

route(
  'list-status-of-first-anew',
  ['POLICY-CHECKS-OVERRIDE-22'],
  'a list shows the status of its first check for all (002 2.1, attributes.status)',
  'policyChecks.list',
  (original) =>
    changedResources<typeof policyChecks.rules>((resource, _call, _index, all) => ({
      ...resource,
      attributes: { ...objectIn(resource, 'attributes'), status: objectIn(all[0] ?? {}, 'attributes').status ?? null },
    }))(original),
)

route(
  'list-outputs-of-first',
  ['POLICY-CHECKS-FIELD-19'],
  'all checks of a list link to the output of the first (002 2.1, links.output)',
  'policyChecks.list',
  (original) =>
    changedResources<typeof policyChecks.rules>((resource, _call, _index, all) => ({ ...resource, links: all[0]?.links ?? null }))(
      original,
    ),
)

route(
  'show-run-asked-before',
  ['POLICY-CHECKS-FIELD-18'],
  'a check shows the run of the check that was shown before it (002 2.1, relationships.run)',
  'policyChecks.show',
  (original) => {
    let before: JsonObject | undefined
    return changedResources<typeof policyChecks.rules>((resource) => {
      const own = objectIn(resource, 'relationships')
      const shown = before ?? own
      before = own
      return { ...resource, relationships: shown }
    })(original)
  },
)

change(
  'pages-kept-without-run',
  ['POLICY-CHECKS-LIST-05', 'POLICY-CHECKS-PAGE-03'],
  'a page is kept and answered to the same page of another run (002 4, /runs/:run_id/policy-checks)',
  {
    routes: {
      'policyChecks.list': (original) => async (call) => {
        const pages = pagesByQuery(call.world)
        const kept = call.rules.paged(call.query) ? pages.get(call.query.toString()) : undefined
        if (kept) return kept
        const reply = await original(call)
        if (call.rules.paged(call.query)) pages.set(call.query.toString(), reply)
        return reply
      },
      'policyChecks.override': (original) => (call) => {
        pagesByQuery(call.world).clear()
        return original(call)
      },
    },
  },
)
