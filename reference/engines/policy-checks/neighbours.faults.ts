/** Faults in which something else changes than the check that was asked for. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import type { PolicyCheck, World } from '../../run-management/world.ts'
import { resourceOf } from './checks.rules.ts'
import { policyChecks } from './engine.ts'
import { overrideQuietly, resources, withAttributes } from './wrappers.ts'

const { rule, route, change } = faultsOf(policyChecks)

const siblings = (world: World, check: PolicyCheck): PolicyCheck[] =>
  [...world.checks.values()].filter(({ id, runId }) => runId === check.runId && id !== check.id)

rule(
  'neighbour-override-siblings',
  'POLICY-CHECKS-OVERRIDE-22',
  'overriding a check overrides the other soft-failed checks of its run too',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      if (done) for (const other of siblings(world, check)) overrideQuietly(other, now)
      return done
    },
  },
)

rule(
  'neighbour-override-stamps-siblings',
  'POLICY-CHECKS-OVERRIDE-22',
  'overriding a check sets overridden-at on the other checks of its run',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      if (done) for (const other of siblings(world, check)) other.timestamps['overridden-at'] = now
      return done
    },
  },
)

rule(
  'neighbour-override-next-run',
  'POLICY-CHECKS-OVERRIDE-22',
  'overriding a check overrides the check that was made after it, whatever its run',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      const all = [...world.checks.values()]
      if (done) overrideQuietly(all[all.indexOf(check) + 1], now)
      return done
    },
  },
)

route(
  'neighbour-list-fills-page',
  'POLICY-CHECKS-LIST-04',
  'a short page of a list is filled up with checks of other runs',
  'policyChecks.list',
  (original) => async (call) => {
    const given = await original(call)
    const size = Number(call.query.get('page[size]') ?? 0)
    const body = given.body as { data: JsonObject[] }
    const missing = size - body.data.length
    if (missing <= 0) return given
    const others = [...call.world.checks.values()].filter(({ runId }) => runId !== call.params.run_id).slice(0, missing)
    return { ...given, body: { ...body, data: [...body.data, ...others.map((check) => resourceOf(call.rules, check, call.caller))] } }
  },
)

const runsWithOverride = new WeakMap<object, Set<string>>()
const overriddenRuns = (owner: object): Set<string> => {
  const known = runsWithOverride.get(owner) ?? new Set()
  runsWithOverride.set(owner, known)
  return known
}

change(
  'neighbour-override-locks-siblings',
  'POLICY-CHECKS-OVERRIDE-17',
  'once a check of a run is overridden, the others say that the caller may not override them',
  {
    routes: {
      'policyChecks.override': (original) => async (call) => {
        const given = await original(call)
        overriddenRuns(call.world).add(call.world.checks.get(call.params.id!)?.runId ?? '')
        return given
      },
      'policyChecks.show': resources((resource, call) => {
        const check = call.world.checks.get(resource.id as string)!
        const locked = check.status === 'soft_failed' && overriddenRuns(call.world).has(check.runId)
        return locked ? withAttributes(resource, { permissions: { 'can-override': false } }) : resource
      }),
    },
  },
)

rule(
  'neighbour-include-newest-workspace',
  ['POLICY-CHECKS-INCLUDE-03', 'POLICY-CHECKS-INCLUDE-04'],
  'the workspace that is included is the one of the newest run',
  {
    included: (original) => (world, checks, paths) => {
      const newest = [...world.workspaces.values()].at(-1)
      return original(world, checks, paths).map((one) =>
        one.type === 'workspaces' && newest ? { ...one, id: newest.id, attributes: { name: newest.name } } : one,
      )
    },
  },
)
