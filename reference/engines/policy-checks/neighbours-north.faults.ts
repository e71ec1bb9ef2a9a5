/** Faults that show at a neighbour: another check, run, workspace or caller, a similar id. */
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedResources } from '../../run-management/answer-changes.ts'
import type { PolicyCheck } from '../../run-management/world.ts'
import { type PolicyCheckRules, resourceOf } from './checks.rules.ts'
import { policyChecks } from './engine.ts'
import { about, askerOf, checkIn, deciding, idIn, inRun, LIST, OVERRIDE, runIn, SHOW } from './north-help.ts'

const { rule, route, change } = faultsOf(policyChecks)

rule(
  'north-override-takes-namesakes',
  'POLICY-CHECKS-OVERRIDE-22',
  'an override takes along the checks of the run that failed in the same way (002 4: POST /policy-checks/:id/actions/override)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      const namesakes = inRun(world, check.runId).filter(({ status, result }) => {
        return status === 'soft_failed' && result.softFailed === check.result.softFailed
      })
      if (done) for (const namesake of namesakes) await original(namesake, now, overridable, world)
      return done
    },
  },
)

route(
  'north-overridden-at-of-sibling',
  'POLICY-CHECKS-OVERRIDE-22',
  'show and list give a check the overridden-at of another check of its run (002 2.1: a key is present once that status was reached)',
  [LIST, SHOW],
  (original) => (call) =>
    original(
      deciding(call, {
        timestamps: (check) => {
          const overridden = inRun(call.world, check.runId).find(({ status }) => status === 'overridden')
          const theirs = overridden && call.rules.timestamps(overridden)['overridden-at']
          return { ...(theirs === undefined ? {} : { 'overridden-at': theirs }), ...call.rules.timestamps(check) }
        },
      }),
    ),
)

route(
  'north-show-folds-case',
  'POLICY-CHECKS-SHOW-05',
  'an id that differs from that of a check by its letter case shows this check (002 4: GET /policy-checks/:id; 2.1: id)',
  SHOW,
  (original) => (call) => {
    const id = idIn(call)
    const folded = [...call.world.checks.keys()].find((known) => known.toLowerCase() === id.toLowerCase())
    return original(call.world.checks.has(id) || folded === undefined ? call : about(call, folded))
  },
)

route(
  'north-override-without-kind',
  'POLICY-CHECKS-OVERRIDE-21',
  'an override finds a check by its id without polchk- in front, too (002 2.1: id, shape polchk-<alphanumeric>; 4: override)',
  OVERRIDE,
  (original) => (call) => {
    const full = `polchk-${idIn(call)}`
    return original(call.world.checks.has(full) ? about(call, full) : call)
  },
)

rule(
  'north-empty-run-lists-all',
  'POLICY-CHECKS-LIST-05',
  'the list of a run without checks has those of all runs (002 4: lists the policy checks of a run)',
  {
    checksOf: (original) => (world, run) => {
      const own = original(world, run)
      return own.length > 0 ? own : [...world.checks.values()]
    },
  },
)

const pages = remembered(() => new Map<string, PolicyCheck[]>())
change(
  'north-pages-kept-without-run',
  'POLICY-CHECKS-LIST-04',
  'until the next override, a page with the same parameters is that of the run that was listed before (002 4: policy checks of a run)',
  {
    rules: {
      override: (original) => (check, now, overridable, world) => {
        pages(world).clear()
        return original(check, now, overridable, world)
      },
    },
    routes: {
      [LIST]: (original) => (call) =>
        original(
          deciding(call, {
            checksOf: (world, run) => {
              if (!call.rules.paged(call.query)) return call.rules.checksOf(world, run)
              const key = call.query.toString()
              const checks = pages(world).get(key) ?? call.rules.checksOf(world, run)
              pages(world).set(key, checks)
              return checks
            },
          }),
        ),
    },
  },
)

const related = remembered(() => new Map<string, JsonObject[]>())
rule(
  'north-included-stays',
  'POLICY-CHECKS-INCLUDE-03',
  'what was included once for a value of include is included for every other run (002 4: include, run returns the run)',
  {
    included: (original) => (world, checks, paths) => {
      const key = paths.join(',')
      const included = related(world).get(key) ?? original(world, checks, paths)
      if (included.length > 0) related(world).set(key, included)
      return included
    },
  },
)

rule(
  'north-workspace-beside',
  'POLICY-CHECKS-INCLUDE-04',
  'include=run.workspace gives the workspace that was made before the one of the run (002 4: run.workspace, the workspace of the run)',
  {
    included: (original) => (world, checks, paths) => {
      const workspaces = [...world.workspaces.values()]
      return original(world, checks, paths).map((resource) => {
        if (resource.type !== 'workspaces') return resource
        const beside = workspaces.at(workspaces.findIndex(({ id }) => id === resource.id) - 1)
        return beside ? { ...resource, id: beside.id, attributes: { name: beside.name } } : resource
      })
    },
  },
)

route(
  'north-output-of-first',
  'POLICY-CHECKS-FIELD-19',
  'every check of a list links to the output of the first one (002 2.1: links.output, /api/v2/policy-checks/<id>/output)',
  LIST,
  changedResources<PolicyCheckRules>((resource, _call, _index, all) => ({ ...resource, links: all[0]?.links ?? null })),
)

route(
  'north-override-answers-first-of-run',
  'POLICY-CHECKS-OVERRIDE-04',
  'the answer to an override shows the first check of the run (002 4: override returns data with the updated policy check)',
  OVERRIDE,
  (original) => (call) => {
    const check = checkIn(call)
    const first = check && inRun(call.world, check.runId)[0]
    if (first === undefined) return original(call)
    return original(deciding(call, { overrideAnswer: () => call.rules.overrideAnswer(resourceOf(call.rules, first, call.caller)) }))
  },
)

const views = remembered(() => new Map<string, Reply>())
change(
  'north-old-view-of-others',
  'POLICY-CHECKS-OVERRIDE-10',
  'whoever saw a check before somebody else overrode it sees the old state for ever (002 3: soft_failed becomes overridden)',
  {
    routes: {
      [SHOW]: (original) => async (call) => {
        if (call.query.has('include')) return original(call)
        const key = `${askerOf(call)} ${idIn(call)}`
        const given = views(call.world).get(key) ?? (await original(call))
        views(call.world).set(key, given)
        return given
      },
      [OVERRIDE]: (original) => (call) => {
        views(call.world).delete(`${askerOf(call)} ${idIn(call)}`)
        return original(call)
      },
    },
  },
)

const lastRuns = remembered(() => new Map<string, string>())
route(
  'north-run-of-list-before',
  'POLICY-CHECKS-INCLUDE-02',
  'the checks of a list name the run that the caller listed before as theirs (002 2.1: relationships.run.data)',
  LIST,
  (original) => async (call) => {
    const before = lastRuns(call.world).get(askerOf(call))
    const given = await original(before === undefined ? call : deciding(call, { runOf: () => before }))
    lastRuns(call.world).set(askerOf(call), runIn(call))
    return given
  },
)
