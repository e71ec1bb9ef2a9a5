/** Faults of hurried work on policy checks. */
import type { Json } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import type { PolicyCheck } from '../../run-management/world.ts'
import { policyChecks } from './engine.ts'
import { part, resources, withAttributes } from './wrappers.ts'

const { rule, route } = faultsOf(policyChecks)

rule(
  'shortcut-override-stamps-run',
  ['POLICY-CHECKS-OVERRIDE-22'],
  'an override writes its time to the other failed checks of the run, too',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      if (!done) return done
      for (const other of world.checks.values())
        if (other.runId === check.runId && other.status === 'soft_failed') other.timestamps['overridden-at'] = now
      return done
    },
  },
)
rule('shortcut-pages-by-size-only', ['POLICY-CHECKS-PAGE-04'], 'a list is cut into pages only where the size of a page is given', {
  paged: () => (query) => query.has('page[size]'),
})
rule('shortcut-failed-once', ['POLICY-CHECKS-OVERRIDE-16'], 'a check that soft-failed once can be overridden again and again', {
  overridable: () => (check) => check.timestamps['soft-failed-at'] !== undefined,
})

const listsWithRelated = remembered(() => new Map<string, Reply>())
route(
  'shortcut-related-list-kept',
  ['POLICY-CHECKS-OVERRIDE-11'],
  'a list with related resources is kept for its caller, so that overrides do not show there',
  'policyChecks.list',
  (original) => async (call) => {
    const { query, caller, path } = call
    if (!query.get('include') || caller.kind !== 'user') return original(call)
    const kept = listsWithRelated(caller.user)
    const kind = `${path}?${query}`
    const reply = kept.get(kind) ?? (await original(call))
    kept.set(kind, reply)
    return reply
  },
)
rule(
  'shortcut-permission-of-first-caller',
  ['POLICY-CHECKS-FIELD-24', 'POLICY-CHECKS-FIELD-25'],
  'can-override is worked out for whoever sees a check first',
  {
    canOverride: (original) => {
      const known = new WeakMap<PolicyCheck, boolean>()
      return (permitted, check) => {
        const may = known.get(check) ?? original(permitted, check)
        known.set(check, may)
        return may
      }
    },
  },
)
route(
  'shortcut-answer-time-without-offset',
  ['POLICY-CHECKS-OVERRIDE-07'],
  'the answer of an override gives its times without offset',
  'policyChecks.override',
  resources((resource) => {
    const times = Object.entries(part(part(resource, 'attributes'), 'status-timestamps'))
    const bare = times.map(([key, time]): [string, Json] => [key, String(time).replace(/(Z|[+-]\d\d:\d\d)$/, '')])
    return withAttributes(resource, { 'status-timestamps': Object.fromEntries(bare) })
  }),
)
