/** Faults of what a request does to its neighbours: other checks of the run, other runs, other pages, other callers. */
import { setTimeout as pause } from 'node:timers/promises'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedDocument, changedResources, objectIn, without } from '../../run-management/answer-changes.ts'
import { policyChecks } from './engine.ts'
import { askedCheck, checksOfRun, isForbidden, overrideView, siblings } from './frank-help.ts'

const { rule, route } = faultsOf(policyChecks)

rule(
  'frank-override-takes-next',
  'POLICY-CHECKS-OVERRIDE-22',
  'an override moves the next check of the run along (002 3: the override operation moves that check)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      const all = checksOfRun(world, check.runId)
      const next = all[all.findIndex(({ id }) => id === check.id) + 1]
      if (done && next) await original(next, now, overridable, world)
      return done
    },
  },
)

rule(
  'frank-stamps-shared-in-run',
  'POLICY-CHECKS-OVERRIDE-22',
  'an override stamps the whole run (002 2.1: a key is present once that status was reached)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      if (done) for (const sibling of siblings(world, check)) sibling.timestamps = check.timestamps
      return done
    },
  },
)

rule(
  'frank-one-override-per-run',
  'POLICY-CHECKS-OVERRIDE-01',
  'a run takes one override; its other soft-failed checks are refused (002 3: soft_failed to overridden)',
  {
    override: (original) => (check, now, overridable, world) =>
      siblings(world, check).some(({ status }) => status === 'overridden') ? false : original(check, now, overridable, world),
  },
)

route(
  'frank-override-answers-first-of-run',
  'POLICY-CHECKS-OVERRIDE-10',
  'an override answers with the first check of the run, not with the one overridden (002 4: returns data with the updated policy check)',
  'policyChecks.override',
  changedResources((resource, call) => {
    const [first] = checksOfRun(call.world, askedCheck(call)?.runId ?? '')
    return first ? overrideView(call, first) : resource
  }),
)

route(
  'frank-show-by-prefix',
  'POLICY-CHECKS-SHOW-05',
  'an id that is cut short shows the first check whose id begins so (002 4: GET /policy-checks/:id is one policy check, of that id)',
  'policyChecks.show',
  (original) => (call) => {
    const asked = call.params.id ?? ''
    const id = call.world.checks.has(asked) ? asked : [...call.world.checks.keys()].find((known) => known.startsWith(asked))
    return original({ ...call, params: { ...call.params, id: id ?? asked } })
  },
)

route(
  'frank-override-by-longer-id',
  'POLICY-CHECKS-OVERRIDE-21',
  'an override of an id that is too long overrides the check whose id it begins with (002 4: POST /policy-checks/:id/actions/override)',
  'policyChecks.override',
  (original) => (call) => {
    const asked = call.params.id ?? ''
    const id = [...call.world.checks.keys()].find((known) => asked.startsWith(known)) ?? asked
    return original({ ...call, params: { ...call.params, id } })
  },
)

rule(
  'frank-included-workspace-is-first',
  'POLICY-CHECKS-INCLUDE-04',
  "include gives the first workspace of all (002 4: run.workspace, the run's workspace)",
  {
    included: (original) => (world, checks, paths) => {
      const [workspace] = world.workspaces.values()
      return original(world, checks, paths).map((resource) =>
        workspace && resource.type === 'workspaces'
          ? { ...resource, id: workspace.id, attributes: { ...objectIn(resource, 'attributes'), name: workspace.name } }
          : resource,
      )
    },
  },
)

route(
  'frank-included-on-first-page-only',
  'POLICY-CHECKS-INCLUDE-12',
  'pages after the first lack the related resources (002 4: list accepts include to return related resources)',
  'policyChecks.list',
  changedDocument((body, { query }) => (Number(query.get('page[number]') ?? 1) > 1 ? without(body, 'included') : body)),
)

const overriding = remembered(() => ({ busy: false }))

rule(
  'frank-one-override-at-a-time',
  ['POLICY-CHECKS-OVERRIDE-01', 'POLICY-CHECKS-OVERRIDE-12'],
  'while a check is being overridden, an override in another run is refused (002 3: override of soft_failed leads to overridden)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const lock = overriding(world)
      if (lock.busy) return false
      lock.busy = true
      try {
        await pause(100)
        return await original(check, now, overridable, world)
      } finally {
        lock.busy = false
      }
    },
  },
)

route(
  'frank-listed-output-link-of-first',
  'POLICY-CHECKS-FIELD-19',
  'all items of a list link to the output of the first (002 2.1: links.output is /api/v2/policy-checks/<id>/output)',
  'policyChecks.list',
  changedResources((resource, _call, _index, [first]) => ({ ...resource, links: { ...objectIn(first ?? resource, 'links') } })),
)

route(
  'frank-workspace-include-keeps-one-per-run',
  'POLICY-CHECKS-INCLUDE-11',
  'a list with include=run.workspace has one check for each run (002 4: without paging parameters the result contains all items)',
  'policyChecks.list',
  changedDocument((body, { query }) =>
    query.get('include')?.includes('run.workspace') && Array.isArray(body.data) ? { ...body, data: body.data.slice(0, 1) } : body,
  ),
)

const claimed = remembered(() => new Set<string>())

route(
  'frank-refused-attempt-claims-check',
  'POLICY-CHECKS-OVERRIDE-01',
  "an attempt of somebody without permission blocks the check for those who have it (002 5.3: the caller's can-override)",
  'policyChecks.override',
  (original) => async (call) => {
    const id = call.params.id ?? ''
    const attempts = claimed(call.world)
    try {
      return await original(attempts.has(id) ? { ...call, rules: { ...call.rules, override: () => false } } : call)
    } catch (cause) {
      if (isForbidden(cause)) attempts.add(id)
      throw cause
    }
  },
)
