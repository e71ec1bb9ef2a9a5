/** Faults of time and order: the second call, what was before, what an override leaves behind. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedQuery, objectIn, without } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import { namedCheck, whoAsks } from './east-help.ts'
import { policyChecks } from './engine.ts'

const { rule, route, change } = faultsOf(policyChecks)

type Handle = (typeof policyChecks.routes)[number]['handle']
type Reply = Awaited<ReturnType<Handle>>

rule('east-override-again', 'POLICY-CHECKS-OVERRIDE-16', 'an overridden check is overridden once more (002 3: from soft_failed)', {
  overridable: (original) => (check) => original(check) || check.status === 'overridden',
})

rule(
  'east-override-refused-unstamps',
  'POLICY-CHECKS-OVERRIDE-16',
  'a second, refused override takes overridden-at away (002 2.1: present once that status was reached)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      if (!done) delete check.timestamps['overridden-at']
      return done
    },
  },
)

rule(
  'east-override-drops-earlier-stamps',
  'POLICY-CHECKS-OVERRIDE-07',
  'after an override only overridden-at is left (002 2.1: a key is present once that status was reached)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      if (done) check.timestamps = { 'overridden-at': now }
      return done
    },
  },
)

rule(
  'east-override-stamped-by-queue',
  'POLICY-CHECKS-OVERRIDE-08',
  'overridden-at is the time of queueing (002 3: overridden-at is set by the override, after soft_failed)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      if (done) check.timestamps['overridden-at'] = check.timestamps['queued-at'] ?? now
      return done
    },
  },
)

rule('east-override-warning-passes', 'POLICY-CHECKS-OVERRIDE-12', 'an overridden warning becomes passed (002 3: next state overridden)', {
  override: (original) => async (check, now, overridable, world) => {
    const done = await original(check, now, overridable, world)
    if (done && check.result.softFailed === 0) check.status = 'passed'
    return done
  },
})

rule(
  'east-override-answer-stamped-before',
  'POLICY-CHECKS-OVERRIDE-06',
  'an override answers with the timestamps from before (002 3: overridden-at is set)',
  {
    overrideAnswer: (original) => (resource) => {
      const attributes = objectIn(resource, 'attributes')
      const timestamps = without(objectIn(attributes, 'status-timestamps'), 'overridden-at')
      return original({ ...resource, attributes: { ...attributes, 'status-timestamps': timestamps } })
    },
  },
)

rule(
  'east-list-without-overridden',
  'POLICY-CHECKS-OVERRIDE-11',
  'a check leaves the list of its run once it is overridden (002 4: lists the policy checks of a run)',
  {
    checksOf: (original) => (world, run) => original(world, run).filter(({ status }) => status !== 'overridden'),
  },
)

const lists = remembered(() => new Map<string, Reply>())
route(
  'east-list-as-first-asked',
  'POLICY-CHECKS-OVERRIDE-11',
  'a list stays as it was when the caller first asked for it, overrides or not (002 3: next state overridden)',
  'policyChecks.list',
  (original) => async (call) => {
    const kept = lists(call.world)
    const key = `${whoAsks(call)} ${call.path}?${call.query}`
    const reply = kept.get(key) ?? (await original(call))
    kept.set(key, reply)
    return reply
  },
)

const seen = remembered(() => new Set<string>())
change(
  'east-override-needs-reading',
  'POLICY-CHECKS-OVERRIDE-01',
  'a check that nobody has read yet cannot be overridden (002 4: overrides a soft-mandatory policy)',
  {
    routes: {
      'policyChecks.show': (original) => (call) => {
        seen(call.world).add(call.params.id!)
        return original(call)
      },
      'policyChecks.list': (original) => (call) => {
        for (const { id } of call.rules.checksOf(call.world, call.params.run_id!)) seen(call.world).add(id)
        return original(call)
      },
      'policyChecks.override': (original) => (call) => {
        if (namedCheck(call) && !seen(call.world).has(call.params.id!)) throw new Refusal(409, 'the policy check is not loaded')
        return original(call)
      },
    },
  },
)

const locked = remembered(() => new Set<string>())
route(
  'east-override-locked-by-attempt',
  'POLICY-CHECKS-OVERRIDE-01',
  'after an attempt of one who may not override, nobody can (002 5.3: governed by the caller’s can-override)',
  'policyChecks.override',
  (original) => async (call) => {
    const check = namedCheck(call)
    if (check && locked(call.world).has(check.id)) throw new Refusal(409, 'an override of this policy check is under way')
    if (check && !call.rules.mayOverride(call.caller, check)) locked(call.world).add(check.id)
    return original(call)
  },
)

const cursors = remembered(() => new Map<string, number>())
route(
  'east-pages-in-sequence',
  'POLICY-CHECKS-PAGE-05',
  'a page behind the first is the one after that which the caller read last, whatever its number (002 4: page[number])',
  'policyChecks.list',
  changedQuery((query, call) => {
    if (!call.rules.paged(query)) return query
    const read = cursors(call.world)
    const key = `${whoAsks(call)} ${call.params.run_id}`
    const { number } = call.rules.page(query, call.rules.defaultPageSize())
    const next = number === 1 ? 1 : (read.get(key) ?? 0) + 1
    read.set(key, next)
    query.set('page[number]', String(next))
    return query
  }),
)

const sizes = remembered(() => new Map<string, string>())
route(
  'east-page-size-sticks',
  'POLICY-CHECKS-PAGE-04',
  'the page size of an earlier request stays for those that name none (002 4: default 20 items per page)',
  'policyChecks.list',
  changedQuery((query, call) => {
    const known = sizes(call.world)
    const size = query.get('page[size]') ?? known.get(whoAsks(call))
    if (size === undefined || !call.rules.paged(query)) return query
    known.set(whoAsks(call), size)
    query.set('page[size]', size)
    return query
  }),
)
