/** Faults of time and order: second calls, what is read after an override, what a call leaves for the next. */
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedResources, objectIn, without } from '../../run-management/answer-changes.ts'
import type { PolicyCheck } from '../../run-management/world.ts'
import { policyChecks } from './engine.ts'
import { askedCheck, callerId, checksOfRun, overrideView } from './frank-help.ts'

const { rule, route } = faultsOf(policyChecks)

rule(
  'frank-override-again',
  'POLICY-CHECKS-OVERRIDE-16',
  'what is overridden can be overridden again (002 3: an override starts from soft_failed)',
  {
    overridable: (original) => (check) => original(check) || check.status === 'overridden',
  },
)

rule(
  'frank-queued-and-hard-failed-overridable',
  'POLICY-CHECKS-OVERRIDE-15',
  'whatever neither passed nor is overridden can be overridden (002 3: from soft_failed)',
  {
    overridable: () => (check) => check.status !== 'passed' && check.status !== 'overridden',
  },
)

const shown = remembered(() => new Map<string, Reply>())

route(
  'frank-show-kept-from-first-time',
  'POLICY-CHECKS-OVERRIDE-26',
  'a check that its caller was shown before an override is shown so after it (002 3: next state overridden)',
  'policyChecks.show',
  (original) => async (call) => {
    const kept = shown(call.world)
    const key = `${callerId(call.caller)} ${call.path} ${call.query.get('include')}`
    const given = kept.get(key) ?? (await original(call))
    kept.set(key, given)
    return given
  },
)

const snapshots = remembered(() => new Map<string, Map<string, PolicyCheck>>())

route(
  'frank-later-pages-as-of-the-first',
  'POLICY-CHECKS-OVERRIDE-11',
  'pages after the first show checks as they were when the first was asked for (002 3: next state overridden)',
  'policyChecks.list',
  (original) => (call) => {
    if (!call.rules.paged(call.query)) return original(call)
    const run = call.params.run_id ?? ''
    const key = `${callerId(call.caller)} ${run} ${call.query.get('page[size]')}`
    const taken = snapshots(call.world)
    if (Number(call.query.get('page[number]') ?? 1) <= 1) {
      taken.set(key, new Map(checksOfRun(call.world, run).map((check) => [check.id, structuredClone(check)])))
    }
    const checks = taken.get(key) ?? call.world.checks
    return original({ ...call, world: { ...call.world, checks } })
  },
)

rule(
  'frank-override-drops-soft-failed-at',
  'POLICY-CHECKS-OVERRIDE-07',
  'an override replaces soft-failed-at (002 2.1: a key is present once that status was reached)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      if (done) delete check.timestamps['soft-failed-at']
      return done
    },
  },
)

route(
  'frank-override-answers-state-before',
  'POLICY-CHECKS-OVERRIDE-05',
  'an override answers with the check as it was before (002 4: returns data with the updated policy check)',
  'policyChecks.override',
  (original) => async (call) => {
    const check = askedCheck(call)
    const before = check && structuredClone(check)
    const given = await original(call)
    return before ? { ...given, body: { data: overrideView(call, before) } } : given
  },
)

rule(
  'frank-second-override-takes-back',
  'POLICY-CHECKS-OVERRIDE-16',
  'a second override is refused but takes the first one back (002 3: no way leads out of overridden)',
  {
    override: (original) => (check, now, overridable, world) => {
      if (check.status !== 'overridden') return original(check, now, overridable, world)
      check.status = 'soft_failed'
      delete check.timestamps['overridden-at']
      return false
    },
  },
)

rule(
  'frank-stamp-before-state-is-asked',
  'POLICY-CHECKS-OVERRIDE-13',
  'a refused override leaves overridden-at (002 2.1: present once that status was reached)',
  {
    override: (original) => (check, now, overridable, world) => {
      check.timestamps['overridden-at'] ??= now
      return original(check, now, overridable, world)
    },
  },
)

const sizes = remembered(() => new Map<string, string>())

route(
  'frank-page-size-stays',
  'POLICY-CHECKS-PAGE-01',
  'a list without paging parameters takes the page size that its caller asked for last (002 4: neither given, not paginated, all items)',
  'policyChecks.list',
  (original) => (call) => {
    const latest = sizes(call.world)
    const query = new URLSearchParams(call.query)
    const asked = query.get('page[size]')
    const kept = latest.get(callerId(call.caller))
    if (asked !== null) latest.set(callerId(call.caller), asked)
    else if (kept !== undefined) query.set('page[size]', kept)
    return original({ ...call, query })
  },
)

route(
  'frank-show-touches-queued-at',
  'POLICY-CHECKS-AUTH-05',
  'every show moves queued-at to now, past soft-failed-at (002 3: queued-at before it reaches soft_failed)',
  'policyChecks.show',
  (original) => async (call) => {
    const given = await original(call)
    const check = askedCheck(call)
    if (check) check.timestamps['queued-at'] = call.now()
    return given
  },
)

route(
  'frank-list-evaluates-anew',
  'POLICY-CHECKS-OVERRIDE-11',
  'a list derives the status from the failures and so undoes overrides (002 3: next state overridden)',
  'policyChecks.list',
  (original) => (call) => {
    for (const check of checksOfRun(call.world, call.params.run_id ?? '')) {
      if (check.status === 'overridden' && check.result.softFailed > 0) check.status = 'soft_failed'
    }
    return original(call)
  },
)

const statusOf = (resource: JsonObject): Json => objectIn(resource, 'attributes').status ?? null

route(
  'frank-run-lost-after-override',
  'POLICY-CHECKS-FIELD-17',
  'once a check is overridden, reads lack its run, too (002 2.1: relationships.run.data, absent in the override response alone)',
  ['policyChecks.show', 'policyChecks.list'],
  changedResources((resource) => (statusOf(resource) === 'overridden' ? without(resource, 'relationships') : resource)),
)
