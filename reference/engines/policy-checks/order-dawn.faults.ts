/** Faults of time and order: what came before, the second call, what an override leaves behind. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedResources, objectIn, without } from '../../run-management/answer-changes.ts'
import type { PolicyCheck } from '../../run-management/world.ts'
import { answerAbout, namedCheck, underRules, userOf } from './dawn-help.ts'
import { policyChecks } from './engine.ts'

const { rule, route } = faultsOf(policyChecks)

route(
  'dawn-override-time-not-kept',
  'POLICY-CHECKS-OVERRIDE-10',
  'only the answer of an override has its time, later reads do not (002 3: overridden-at is set in status-timestamps)',
  'policyChecks.override',
  (original) => async (call) => {
    const given = await original(call)
    delete namedCheck(call)?.timestamps['overridden-at']
    return given
  },
)

route(
  'dawn-answer-made-before-change',
  'POLICY-CHECKS-OVERRIDE-05',
  'an override answers with the check as it was before (002 4: returns `data` with the updated policy check)',
  'policyChecks.override',
  (original) => async (call) => {
    const check = namedCheck(call)
    const before = check && answerAbout(call, check)
    const given = await original(call)
    return before ?? given
  },
)

rule(
  'dawn-refused-but-stamped',
  'POLICY-CHECKS-OVERRIDE-13',
  'an override that is refused for the status sets overridden-at (002 2.1: a key is present once that status was reached)',
  {
    override: (original) => (check, now, overridable, world) => {
      check.timestamps['overridden-at'] = now
      return original(check, now, overridable, world)
    },
  },
)

rule(
  'dawn-earlier-times-dropped',
  'POLICY-CHECKS-OVERRIDE-07',
  'an override drops queued-at and soft-failed-at (002 2.1: a key is present once that status was reached)',
  {
    override: (original) => async (check, now, overridable, world) => {
      if (!(await original(check, now, overridable, world))) return false
      check.timestamps = { 'overridden-at': now }
      return true
    },
  },
)

rule(
  'dawn-queued-again-by-override',
  'POLICY-CHECKS-OVERRIDE-07',
  'an override sets queued-at anew, after soft-failed-at (002 3: queued before it reaches soft_failed)',
  {
    override: (original) => async (check, now, overridable, world) => {
      if (!(await original(check, now, overridable, world))) return false
      check.timestamps['queued-at'] = now
      return true
    },
  },
)

rule(
  'dawn-pages-used-up',
  'POLICY-CHECKS-LIST-04',
  'a page that was read is missing in later lists of the run (002 4: lists the policy checks of a run)',
  {
    checksOf: (original) => {
      const lists = remembered(() => new Map<string, PolicyCheck[]>())
      return (world, run) => {
        const kept = lists(world)
        const list = kept.get(run) ?? original(world, run)
        kept.set(run, list)
        return list
      }
    },
    slice: () => (items, page) => (items as (typeof items)[number][]).splice((page.number - 1) * page.size, page.size),
  },
)

route(
  'dawn-compound-show-kept',
  'POLICY-CHECKS-OVERRIDE-10',
  'show with related resources stays as it was before the override (002 3: next state overridden)',
  'policyChecks.show',
  (original) => {
    const answers = remembered(() => new Map<string, Reply>())
    return async (call) => {
      if (!call.query.has('include')) return original(call)
      const kept = answers(call.world)
      const key = `${userOf(call.caller)} ${call.params.id} ${call.query}`
      const given = kept.get(key) ?? (await original(call))
      kept.set(key, given)
      return given
    }
  },
)

route(
  'dawn-overridden-not-on-pages',
  'POLICY-CHECKS-OVERRIDE-11',
  'pages leave out checks that are overridden, the whole list does not (002 4: lists the policy checks of a run)',
  'policyChecks.list',
  underRules(({ paged, checksOf }, { query }) =>
    paged(query) ? { checksOf: (world, run) => checksOf(world, run).filter(({ status }) => status !== 'overridden') } : {},
  ),
)

rule(
  'dawn-second-override-undoes',
  'POLICY-CHECKS-OVERRIDE-16',
  'a second override is refused and takes the first one back (002 3: no transition from overridden)',
  {
    override: (original) => (check, now, overridable, world) => {
      if (check.status !== 'overridden') return original(check, now, overridable, world)
      check.status = 'soft_failed'
      delete check.timestamps['overridden-at']
      return false
    },
  },
)

route(
  'dawn-run-lost-by-override',
  'POLICY-CHECKS-FIELD-17',
  'show of an overridden check has no run any more (002 2.1: relationships.run.data is absent in the override response only)',
  'policyChecks.show',
  changedResources((resource) =>
    objectIn(resource, 'attributes').status === 'overridden' ? without(resource, 'relationships') : resource,
  ),
)

route(
  'dawn-passed-nothing-to-do',
  'POLICY-CHECKS-OVERRIDE-13',
  'an override of a check that has passed succeeds without doing anything (002 3: the transition starts from soft_failed)',
  'policyChecks.override',
  (original) => (call) => {
    const { rules, caller } = call
    const check = namedCheck(call)
    if (check?.status !== 'passed' || !rules.mayRead(caller, check) || !rules.mayOverride(caller, check)) return original(call)
    return answerAbout(call, check)
  },
)
