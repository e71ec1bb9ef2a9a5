/** Faults of policy checks whose effect falls on a neighbour: another check, another run, another page. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedDocument, changedResources, objectIn } from '../../run-management/answer-changes.ts'
import { policyChecks } from './engine.ts'

type Rules = typeof policyChecks.rules

const { rule, route, change } = faultsOf(policyChecks)

const shownLast = remembered(() => ({ id: '' }))

rule('override-takes-run', ['POLICY-CHECKS-OVERRIDE-22'], 'an override moves all soft-failed checks of the run (002 3: the policy check)', {
  override: (original) => async (check, now, overridable, world) => {
    const done = await original(check, now, overridable, world)
    if (!done) return false
    for (const other of world.checks.values()) if (other.runId === check.runId) await original(other, now, overridable, world)
    return true
  },
})

rule('override-takes-next', ['POLICY-CHECKS-OVERRIDE-22'], 'an override moves the next check of the run as well (002 3)', {
  override: (original) => async (check, now, overridable, world) => {
    const run = [...world.checks.values()].filter(({ runId }) => runId === check.runId)
    const done = await original(check, now, overridable, world)
    const next = run[run.indexOf(check) + 1]
    if (done && next) await original(next, now, overridable, world)
    return done
  },
})

rule('override-takes-earlier', ['POLICY-CHECKS-OVERRIDE-22'], 'an override moves the checks of the run before it as well (002 3)', {
  override: (original) => async (check, now, overridable, world) => {
    const run = [...world.checks.values()].filter(({ runId }) => runId === check.runId)
    const done = await original(check, now, overridable, world)
    if (done) for (const other of run.slice(0, run.indexOf(check))) await original(other, now, overridable, world)
    return done
  },
})

change(
  'override-moves-last-shown',
  ['POLICY-CHECKS-OVERRIDE-04', 'POLICY-CHECKS-OVERRIDE-05'],
  'an override moves the check that was shown last (002 4, override)',
  {
    routes: {
      'policyChecks.show': (original) => (call) => {
        if (call.world.checks.has(call.params.id ?? '')) shownLast(call.world).id = call.params.id ?? ''
        return original(call)
      },
      'policyChecks.override': (original) => (call) => {
        const { id } = shownLast(call.world)
        return original(id ? { ...call, params: { ...call.params, id } } : call)
      },
    },
  },
)

rule('empty-run-lists-all', ['POLICY-CHECKS-LIST-05'], 'a run without checks lists those of all runs (002 4, list)', {
  checksOf: (original) => (world, run) => {
    const own = original(world, run)
    return own.length === 0 ? [...world.checks.values()] : own
  },
})

rule(
  'run-of-first',
  ['POLICY-CHECKS-INCLUDE-01', 'POLICY-CHECKS-INCLUDE-02'],
  'relationships.run names the first run that the server was asked about (002 2.1)',
  {
    runOf: (original) => {
      let first = ''
      return (check) => (first ||= original(check))
    },
  },
)

route(
  'list-links-of-first',
  ['POLICY-CHECKS-FIELD-19'],
  'all checks of a list link to the output of the first (002 2.1, links.output)',
  'policyChecks.list',
  (original) =>
    changedResources<Rules>((resource, _call, _index, all) => ({ ...resource, links: (all[0] ?? resource).links ?? {} }))(original),
)

route(
  'list-status-of-first',
  ['POLICY-CHECKS-OVERRIDE-22'],
  'a list gives all checks the status of its first (002 2.1, status)',
  'policyChecks.list',
  (original) =>
    changedResources<Rules>((resource, _call, _index, all) => {
      const status = objectIn(all[0] ?? resource, 'attributes').status ?? null
      return { ...resource, attributes: { ...objectIn(resource, 'attributes'), status } }
    })(original),
)

rule(
  'includes-first-run',
  ['POLICY-CHECKS-INCLUDE-12'],
  'include returns the run that was included first, for every check (002 4: the run)',
  {
    included: (original) => {
      const first = remembered(() => ({ resources: [] as JsonObject[] }))
      return (world, checks, paths) => {
        const known = first(world)
        if (known.resources.length === 0) known.resources = original(world, checks, paths)
        return known.resources
      }
    },
  },
)

rule(
  'includes-last-workspace',
  ['POLICY-CHECKS-INCLUDE-03', 'POLICY-CHECKS-INCLUDE-04'],
  'include=run.workspace returns the newest workspace (002 4: the runs workspace)',
  {
    included: (original) => (world, checks, paths) => {
      const newest = [...world.workspaces.keys()].at(-1) ?? ''
      return original(world, checks, paths).map((resource) => (resource.type === 'workspaces' ? { ...resource, id: newest } : resource))
    },
  },
)

rule(
  'second-override-of-run-refused',
  ['POLICY-CHECKS-OVERRIDE-01', 'POLICY-CHECKS-OVERRIDE-03', 'POLICY-CHECKS-OVERRIDE-05'],
  'only one check of a run can be overridden (002 3: soft_failed and override)',
  {
    override: (original) => (check, now, overridable, world) => {
      const siblings = [...world.checks.values()].filter(({ runId }) => runId === check.runId)
      return siblings.some(({ status }) => status === 'overridden') ? false : original(check, now, overridable, world)
    },
  },
)

route(
  'override-answers-first',
  ['POLICY-CHECKS-OVERRIDE-04'],
  'the answer of an override has the id of the first check of its run (002 4, override)',
  'policyChecks.override',
  (original) =>
    changedDocument<Rules>((body, call) => {
      const run = call.world.checks.get(call.params.id ?? '')?.runId
      const first = [...call.world.checks.values()].find(({ runId }) => runId === run)
      return { ...body, data: { ...objectIn(body, 'data'), id: first?.id ?? '' } }
    })(original),
)
