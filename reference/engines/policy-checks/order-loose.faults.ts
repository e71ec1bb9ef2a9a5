/** Faults of policy checks that come with time and order: before an override, at a second one, after it, after a refused one. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedAttributes, changedResources, objectIn, without } from '../../run-management/answer-changes.ts'
import { policyChecks } from './engine.ts'

type Rules = typeof policyChecks.rules
type Handle = (typeof policyChecks.routes)[number]['handle']

const { rule, route, change } = faultsOf(policyChecks)

const alsoFrom = (...states: string[]) => ({
  overridable:
    (original: Rules['overridable']): Rules['overridable'] =>
    (check) =>
      original(check) || states.includes(check.status),
})

rule(
  'override-twice',
  ['POLICY-CHECKS-OVERRIDE-16'],
  'a check that was overridden can be overridden again (002 3: soft_failed)',
  alsoFrom('overridden'),
)

rule(
  'override-queued',
  ['POLICY-CHECKS-OVERRIDE-14'],
  'a check that is still queued can be overridden (002 3: soft_failed)',
  alsoFrom('queued'),
)

rule(
  'refused-override-stamps',
  ['POLICY-CHECKS-OVERRIDE-13', 'POLICY-CHECKS-OVERRIDE-15'],
  'a refused override sets overridden-at (002 2.1: present once that status was reached)',
  {
    override: (original) => (check, now, overridable, world) => {
      if (!overridable(check)) check.timestamps['overridden-at'] = now
      return original(check, now, overridable, world)
    },
  },
)

rule('refused-override-resets', ['POLICY-CHECKS-OVERRIDE-16'], 'a refused second override puts the check back to soft_failed (002 3)', {
  override: (original) => (check, now, overridable, world) => {
    const again = check.status === 'overridden'
    const done = original(check, now, overridable, world)
    if (again) check.status = 'soft_failed'
    return done
  },
})

const cachedBy =
  (keyOf: (call: Parameters<Handle>[0]) => string) =>
  (original: Handle): Handle => {
    const cached = remembered(() => new Map<string, Reply>())
    return async (call) => {
      const known = cached(call.world)
      const key = `${call.caller.kind === 'user' ? call.caller.user.id : ''} ${keyOf(call)}`
      const given = known.get(key) ?? (await original(call))
      known.set(key, given)
      return given
    }
  }

route(
  'show-cached',
  ['POLICY-CHECKS-OVERRIDE-26', 'POLICY-CHECKS-OVERRIDE-10'],
  'a check that was shown before an override is shown so after it (002 3)',
  'policyChecks.show',
  cachedBy(({ path, query }) => `${path}?${query}`),
)

route(
  'first-list-stays',
  ['POLICY-CHECKS-OVERRIDE-11'],
  'pages of a run stay as they were when asked for first, other lists do not (002 3)',
  'policyChecks.list',
  (original) => {
    const pages = cachedBy(({ path, query }) => `${path}?${query}`)(original)
    return (call) => (call.query.has('page[size]') ? pages(call) : original(call))
  },
)

rule(
  'override-drops-soft-failed',
  ['POLICY-CHECKS-OVERRIDE-07'],
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
  'show-without-override-time',
  ['POLICY-CHECKS-OVERRIDE-10'],
  'overridden-at is in the answer of the override only, not in shows (002 2.1)',
  'policyChecks.show',
  (original) =>
    changedAttributes<Rules>((attributes) => ({
      ...attributes,
      'status-timestamps': without(objectIn(attributes, 'status-timestamps'), 'overridden-at'),
    }))(original),
)

rule(
  'queued-has-all-times',
  ['POLICY-CHECKS-STATE-05'],
  'a queued check has soft-failed-at already (002 2.1: present once that status was reached)',
  {
    timestamps: (original) => (check) => {
      const times = original(check)
      return { ...times, 'soft-failed-at': times['soft-failed-at'] ?? times['queued-at'] ?? null }
    },
  },
)

route(
  'overridden-loses-run',
  ['POLICY-CHECKS-FIELD-17'],
  'a show of an overridden check has no run any more (002 2.1: absent in the override response)',
  'policyChecks.show',
  (original) =>
    changedResources<Rules>((resource) =>
      objectIn(resource, 'attributes').status === 'overridden' ? without(resource, 'relationships') : resource,
    )(original),
)

rule('queued-not-listed', ['POLICY-CHECKS-LIST-03'], 'a list leaves out checks that are still queued (002 4: the policy checks of a run)', {
  checksOf: (original) => (world, run) => original(world, run).filter(({ status }) => status !== 'queued'),
})

change(
  'override-locked-by-refusal',
  ['POLICY-CHECKS-FIELD-24', 'POLICY-CHECKS-OVERRIDE-01', 'POLICY-CHECKS-OVERRIDE-05'],
  'after a refused override of a caller without permission nobody can override the check (002 5.3)',
  {
    rules: {
      mayOverride: (original) => (caller, check) => original(caller, check) && !locked.has(check.id),
    },
    routes: {
      'policyChecks.override': (original) => async (call) => {
        try {
          return await original(call)
        } catch (cause) {
          locked.add(call.params.id ?? '')
          throw cause
        }
      },
    },
  },
)

const locked = new Set<string>()
