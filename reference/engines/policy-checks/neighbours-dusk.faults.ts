/** Faults of what lies beside a check: others of its run, other runs, other callers, other pages. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedResources, objectIn } from '../../run-management/answer-changes.ts'
import type { PolicyCheck } from '../../run-management/world.ts'
import { afterOverride, ofSameRun } from './dusk-help.ts'
import { policyChecks } from './engine.ts'

const { rule, route } = faultsOf(policyChecks)

rule(
  'dusk-later-siblings-too',
  'POLICY-CHECKS-OVERRIDE-22',
  'an override also overrides the checks that follow in the run (002 3: soft_failed, override operation)',
  {
    override: afterOverride((check, now, world) => {
      const all = ofSameRun(world, check)
      for (const later of all.slice(all.indexOf(check) + 1)) {
        if (later.status !== 'soft_failed') continue
        later.status = 'overridden'
        later.timestamps['overridden-at'] = now
      }
    }),
  },
)

const closedRuns = remembered(() => new Set<string>())
rule(
  'dusk-one-override-closes-run',
  'POLICY-CHECKS-OVERRIDE-01',
  'after one override the other checks of the run cannot be overridden (002 3: soft_failed to overridden)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const closed = closedRuns(world)
      if (closed.has(check.runId)) return false
      const done = await original(check, now, overridable, world)
      if (done) closed.add(check.runId)
      return done
    },
  },
)

rule(
  'dusk-stamps-whole-run',
  'POLICY-CHECKS-OVERRIDE-22',
  'an override stamps overridden-at on all checks of the run (002 2.1: a key is present once that status was reached)',
  {
    override: afterOverride((check, now, world) => {
      for (const other of ofSameRun(world, check)) other.timestamps['overridden-at'] = now
    }),
  },
)

route(
  'dusk-list-gathers-timestamps',
  'POLICY-CHECKS-OVERRIDE-22',
  'a list item shows timestamp keys of the items before it, too (002 2.1: a key is present once that status was reached)',
  'policyChecks.list',
  changedResources((resource, _call, index, all) => {
    const gathered: JsonObject = Object.assign(
      {},
      ...all.slice(0, index + 1).map((item) => objectIn(objectIn(item, 'attributes'), 'status-timestamps')),
    )
    return { ...resource, attributes: { ...objectIn(resource, 'attributes'), 'status-timestamps': gathered } }
  }),
)

route(
  'dusk-list-links-to-last',
  'POLICY-CHECKS-LIST-09',
  'all items of a list link to the output of the last one (002 2.1: links.output, /api/v2/policy-checks/<id>/output)',
  'policyChecks.list',
  changedResources((resource, _call, _index, all) => ({ ...resource, links: all.at(-1)?.links ?? null })),
)

rule(
  'dusk-permission-kept-per-check',
  'POLICY-CHECKS-FIELD-24',
  'can-override is worked out once for each check, whoever asks later (002 2.1: whether the caller may override)',
  {
    canOverride: (original) => {
      const known = new WeakMap<PolicyCheck, boolean>()
      return (permitted, check) => {
        const value = known.get(check) ?? original(permitted, check)
        known.set(check, value)
        return value
      }
    },
  },
)

const runsShown = remembered(() => new Map<string, string>())
route(
  'dusk-show-keeps-first-run',
  'POLICY-CHECKS-INCLUDE-01',
  'a caller who shows checks of several runs sees the first run in all of them (002 2.1: relationships.run.data)',
  'policyChecks.show',
  changedResources((resource, { caller, world }) => {
    const shown = runsShown(world)
    const who = caller.kind === 'user' ? caller.user.id : caller.token.id
    const data = objectIn(objectIn(objectIn(resource, 'relationships'), 'run'), 'data')
    const id = shown.get(who) ?? String(data.id)
    shown.set(who, id)
    return { ...resource, relationships: { run: { data: { ...data, id } } } }
  }),
)

rule(
  'dusk-includes-oldest-workspace',
  'POLICY-CHECKS-INCLUDE-04',
  "the workspace included is the oldest one, whatever the run (002 4: run.workspace, the run's workspace)",
  {
    included: (original) => (world, checks, paths) => {
      const [oldest] = world.workspaces.values()
      return original(world, checks, paths).map((resource) =>
        resource.type === 'workspaces' && oldest ? { ...resource, id: oldest.id, attributes: { name: oldest.name } } : resource,
      )
    },
  },
)

route(
  'dusk-show-by-beginning',
  'POLICY-CHECKS-SHOW-05',
  'a check is found by the beginning of its id (002 4: GET /policy-checks/:id)',
  'policyChecks.show',
  (original) => {
    return (call) => {
      const asked = call.params.id ?? ''
      const id = call.world.checks.has(asked) ? asked : ([...call.world.checks.keys()].find((known) => known.startsWith(asked)) ?? asked)
      return original({ ...call, params: { ...call.params, id } })
    }
  },
)

rule(
  'dusk-hidden-once-hidden-for-all',
  'POLICY-CHECKS-OVERRIDE-18',
  'a check that one caller may not see is missing for all from then on (002 4: data is one policy check)',
  {
    mayRead: (original) => {
      const missing = new WeakSet<PolicyCheck>()
      return (caller, check) => {
        if (check && missing.has(check)) return false
        const may = original(caller, check)
        if (check && !may) missing.add(check)
        return may
      }
    },
  },
)

rule(
  'dusk-followed-check-superseded',
  'POLICY-CHECKS-OVERRIDE-01',
  'only the last check of a run can be overridden (002 3: soft_failed, override operation, overridden)',
  {
    override: (original) => (check, now, overridable, world) =>
      ofSameRun(world, check).at(-1) === check && original(check, now, overridable, world),
  },
)

route(
  'dusk-pages-before-run',
  'POLICY-CHECKS-PAGE-05',
  'pages are cut from the checks of all runs before those of the run are chosen (002 4: lists the policy checks of a run; page[number])',
  'policyChecks.list',
  (original) => (call) => {
    const { rules, query, world } = call
    if (!rules.paged(query)) return original(call)
    const cut: [string, PolicyCheck][] = rules.slice([...world.checks], rules.page(query, rules.defaultPageSize()))
    const first = new URLSearchParams(query)
    first.set('page[number]', '1')
    return original({ ...call, query: first, world: { ...world, checks: new Map(cut) } })
  },
)
