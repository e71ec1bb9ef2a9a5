/** Faults that reach a neighbour: another check of the run, another run, another request, a similar name. */
import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { changedResources, objectIn } from '../../run-management/answer-changes.ts'
import type { PolicyCheck, World } from '../../run-management/world.ts'
import { answerAbout, namedCheck, ofRun, underRules } from './dawn-help.ts'
import { policyChecks } from './engine.ts'

const { rule, route } = faultsOf(policyChecks)

rule(
  'dawn-siblings-overridden-too',
  'POLICY-CHECKS-OVERRIDE-22',
  'an override moves every soft-failed check of the run (002 3: the transition of one policy check)',
  {
    override: (original) => async (check, now, overridable, world) => {
      if (!(await original(check, now, overridable, world))) return false
      for (const sibling of ofRun(world, check.runId)) await original(sibling, now, overridable, world)
      return true
    },
  },
)

rule(
  'dawn-first-soft-failed-moved',
  'POLICY-CHECKS-OVERRIDE-05',
  'an override moves the first soft-failed check of the run, not the named one (002 4: override)',
  {
    override: (original) => (check, now, overridable, world) =>
      overridable(check) &&
      original(ofRun(world, check.runId).find((candidate) => overridable(candidate)) ?? check, now, overridable, world),
  },
)

route(
  'dawn-answer-about-first-check',
  'POLICY-CHECKS-OVERRIDE-04',
  'an override answers with the first check of the run (002 4: returns `data` with the updated policy check)',
  'policyChecks.override',
  (original) => async (call) => {
    const given = await original(call)
    const first = ofRun(call.world, namedCheck(call)?.runId ?? '')[0]
    return first ? answerAbout(call, first) : given
  },
)

route(
  'dawn-shortened-id-shown',
  'POLICY-CHECKS-SHOW-05',
  'show finds a check by the beginning of its id (002 4: /policy-checks/:id is one policy check)',
  'policyChecks.show',
  (original) => (call) => {
    const asked = call.params.id ?? ''
    const id = [...call.world.checks.keys()].find((candidate) => candidate.startsWith(asked)) ?? asked
    return original({ ...call, params: { ...call.params, id } })
  },
)

route(
  'dawn-other-case-overrides',
  'POLICY-CHECKS-OVERRIDE-21',
  'an override finds its check whatever the letter case of the id (002 4: /policy-checks/:id/actions/override)',
  'policyChecks.override',
  (original) => (call) => {
    const asked = call.params.id ?? ''
    const id = [...call.world.checks.keys()].find((candidate) => candidate.toLowerCase() === asked.toLowerCase()) ?? asked
    return original({ ...call, params: { ...call.params, id } })
  },
)

rule(
  'dawn-empty-run-lists-another',
  'POLICY-CHECKS-LIST-05',
  'a run without checks lists those of the run listed before (002 4: lists the checks of a run)',
  {
    checksOf: (original) => {
      const latest = new WeakMap<World, PolicyCheck[]>()
      return (world, run) => {
        const found = original(world, run)
        if (found.length === 0) return latest.get(world) ?? found
        latest.set(world, found)
        return found
      }
    },
  },
)

rule(
  'dawn-related-kept-by-path',
  'POLICY-CHECKS-INCLUDE-03',
  'related resources are kept by `include` alone, so a second run shows those of the first (002 4: include)',
  {
    included: (original) => {
      const kept = new WeakMap<World, Map<string, JsonObject[]>>()
      return (world, checks, paths) => {
        const known = kept.get(world) ?? new Map<string, JsonObject[]>()
        kept.set(world, known)
        const related = known.get(paths.join()) ?? original(world, checks, paths)
        if (related.length > 0) known.set(paths.join(), related)
        return related
      }
    },
  },
)

route(
  'dawn-parallel-answers-mixed',
  'POLICY-CHECKS-OVERRIDE-04',
  'overrides of two checks at the same time both answer with the later one (002 4: returns `data` with the updated policy check)',
  'policyChecks.override',
  (original) => {
    const latest = new WeakMap<World, PolicyCheck>()
    return async (call) => {
      const given = await original(call)
      const check = namedCheck(call)
      if (!check) return given
      latest.set(call.world, check)
      // What comes after the change takes its time: events, mails.
      await pause(60)
      return answerAbout(call, latest.get(call.world) ?? check)
    }
  },
)

rule(
  'dawn-page-size-of-another',
  'POLICY-CHECKS-PAGE-04',
  'the page size of whoever asked for one last is the default of all (002 4: page[size], 20 items per page)',
  {
    page: (original) => {
      let latest: number | undefined
      return (query, defaultSize) => {
        const page = original(query, latest ?? defaultSize)
        if (query.has('page[size]')) latest = page.size
        return page
      }
    },
  },
)

route(
  'dawn-times-of-first-for-all',
  'POLICY-CHECKS-OVERRIDE-22',
  'a list shows the timestamps of its first check with all (002 2.1: a key is present once that status was reached)',
  'policyChecks.list',
  changedResources((resource, _call, _index, all) => {
    const ofFirst = objectIn(objectIn(all[0] ?? {}, 'attributes'), 'status-timestamps')
    return { ...resource, attributes: { ...objectIn(resource, 'attributes'), 'status-timestamps': ofFirst } }
  }),
)

rule(
  'dawn-any-failed-overridable',
  'POLICY-CHECKS-OVERRIDE-15',
  'every status that ends in failed may be overridden, hard_failed too (002 3: only soft_failed is left by an override)',
  {
    overridable: (original) => (check) => original(check) || check.status.endsWith('_failed'),
  },
)

route(
  'dawn-page-cut-before-run',
  'POLICY-CHECKS-PAGE-05',
  'a page is cut from the checks of all runs and only then reduced to the run (002 4: page[number] of the checks of a run)',
  'policyChecks.list',
  underRules(({ paged, slice }, { query, params, world }) => {
    if (!paged(query)) return {}
    const wanted = new Set<unknown>(ofRun(world, params.run_id ?? ''))
    return { checksOf: () => [...world.checks.values()], slice: (items, page) => slice(items, page).filter((item) => wanted.has(item)) }
  }),
)
