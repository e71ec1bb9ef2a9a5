/** Faults of policy checks that come with time and order: before an override, at a second one, after it, after a refused one. */
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedAttributes, changedDocument, changedResources, objectIn, without } from '../../run-management/answer-changes.ts'
import type { PolicyCheck } from '../../run-management/world.ts'
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

rule('override-passed-anew', [], 'a check that passed can be overridden (002 3: soft_failed)', alsoFrom('passed'))

rule(
  'override-queued',
  ['POLICY-CHECKS-OVERRIDE-14'],
  'a check that is still queued can be overridden (002 3: soft_failed)',
  alsoFrom('queued'),
)

rule('override-hard-failed', [], 'a check that failed hard can be overridden (002 3: soft-mandatory or a warning)', alsoFrom('hard_failed'))

rule('second-override-nothing', [], 'a second override succeeds and changes nothing (002 3: soft_failed)', {
  override: (original) => (check, now, overridable, world) => check.status === 'overridden' || original(check, now, overridable, world),
})

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

rule('refused-override-moves', [], 'an override that is refused for the state of the check moves it all the same (002 3)', {
  override: (original) => (check, now, overridable, world) => {
    const done = original(check, now, overridable, world)
    check.status = 'overridden'
    return done
  },
})

rule('refused-override-resets', ['POLICY-CHECKS-OVERRIDE-16'], 'a refused second override puts the check back to soft_failed (002 3)', {
  override: (original) => (check, now, overridable, world) => {
    const again = check.status === 'overridden'
    const done = original(check, now, overridable, world)
    if (again) check.status = 'soft_failed'
    return done
  },
})

route(
  'override-not-kept',
  [],
  'an override is answered, but the check stays soft_failed (002 3)',
  'policyChecks.override',
  (original) => async (call) => {
    const check = call.world.checks.get(call.params.id ?? '')
    const before = check && { ...check, timestamps: { ...check.timestamps } }
    const given = await original(call)
    if (check && before) Object.assign(check, before)
    return given
  },
)

route(
  'override-answers-before',
  [],
  'the answer of an override has the check as it was before (002 4: the updated policy check)',
  'policyChecks.override',
  (original) => async (call) => {
    const check = call.world.checks.get(call.params.id ?? '')
    const status = check?.status ?? ''
    return changedAttributes<Rules>((attributes) => ({
      ...attributes,
      status,
      'status-timestamps': without(objectIn(attributes, 'status-timestamps'), 'overridden-at'),
    }))(original)(call)
  },
)

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
  'list-cached-anew',
  [],
  'a run that was listed before an override is listed so after it (002 3)',
  'policyChecks.list',
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

route('included-show-stays', [], 'a show with include answers what the first one with it did (002 3)', 'policyChecks.show', (original) => {
  const shows = cachedBy(({ path, query }) => `${path}?${query}`)(original)
  return (call) => (call.query.has('include') ? shows(call) : original(call))
})

rule(
  'override-drops-earlier-times',
  [],
  'an override leaves overridden-at alone of all timestamps (002 2.1: a key is present once reached)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      if (done) check.timestamps = { 'overridden-at': now }
      return done
    },
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

rule('override-time-of-failure-anew', [], 'overridden-at is the time of soft-failed-at (002 3: overridden-at is set)', {
  override: (original) => async (check, now, overridable, world) => {
    const done = await original(check, now, overridable, world)
    if (done) check.timestamps['overridden-at'] = check.timestamps['soft-failed-at'] ?? now
    return done
  },
})

rule('override-sets-no-time', [], 'overridden-at is not set (002 3: overridden-at is set in status-timestamps)', {
  override: (original) => async (check, now, overridable, world) => {
    const done = await original(check, now, overridable, world)
    delete check.timestamps['overridden-at']
    return done
  },
})

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

rule('null-before-override', [], 'overridden-at is null before an override (002 2.1: a key is present once that status was reached)', {
  timestamps: (original) => (check) => ({ 'overridden-at': null, ...original(check) }),
})

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

rule('override-resets-queued', [], 'queued-at becomes the time of the override (002 2.1, status-timestamps)', {
  override: (original) => async (check, now, overridable, world) => {
    const done = await original(check, now, overridable, world)
    if (done) check.timestamps['queued-at'] = now
    return done
  },
})

route('show-late', [], 'the first show after an override has the check as it was (002 3)', 'policyChecks.show', (original) => {
  const before = remembered(() => new Map<string, PolicyCheck>())
  return (call) => {
    const id = call.params.id ?? ''
    const check = call.world.checks.get(id)
    const known = before(call.world).get(id)
    if (check) before(call.world).set(id, { ...check, timestamps: { ...check.timestamps } })
    return original(known ? { ...call, world: { ...call.world, checks: new Map(call.world.checks).set(id, known) } } : call)
  }
})

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

rule('overridden-not-listed', [], 'a list leaves out overridden checks (002 4: the policy checks of a run)', {
  checksOf: (original) => (world, run) => original(world, run).filter(({ status }) => status !== 'overridden'),
})

rule('queued-not-listed', ['POLICY-CHECKS-LIST-03'], 'a list leaves out checks that are still queued (002 4: the policy checks of a run)', {
  checksOf: (original) => (world, run) => original(world, run).filter(({ status }) => status !== 'queued'),
})

route('list-leaves-status', [], 'a list shows overridden checks as soft_failed (002 2.1, status)', 'policyChecks.list', (original) =>
  changedAttributes<Rules>((attributes) => ({
    ...attributes,
    status: attributes.status === 'overridden' ? 'soft_failed' : (attributes.status ?? null),
  }))(original),
)

route(
  'overridden-without-include',
  [],
  'a show of an overridden check includes nothing (002 4, include)',
  'policyChecks.show',
  (original) =>
    changedDocument<Rules>((body) => {
      const overridden = objectIn(objectIn(body, 'data'), 'attributes').status === 'overridden'
      return overridden && 'included' in body ? { ...body, included: [] } : body
    })(original),
)

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

rule('override-loses-scope', [], 'scope of an overridden check is null (002 2.1: string)', {
  scope: (original) => (check) => (check.status === 'overridden' ? (null as unknown as string) : original(check)),
})

rule('override-loses-result', [], 'an overridden check has lost its counts (002 2.1, attributes.result)', {
  result:
    (original) =>
    (check): JsonObject =>
      check.status === 'overridden' ? { result: true } : original(check),
})
