/** Faults that show after an override, after a refusal, or in the second look at the same check. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedDocument, changedResources, objectIn } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { PolicyCheckRules } from './checks.rules.ts'
import { policyChecks } from './engine.ts'

const { rule, route, change } = faultsOf(policyChecks)

const refusedChecks = remembered(() => new Set<string>())

rule(
  'override-again-anew',
  ['POLICY-CHECKS-OVERRIDE-16'],
  'an overridden check is overridden again, with a new overridden-at (002 3; readings: not soft_failed)',
  {
    overridable: (original) => (check) => original(check) || check.status === 'overridden',
  },
)

rule(
  'override-queued-anew',
  ['POLICY-CHECKS-OVERRIDE-14'],
  'a queued check can be overridden before it has failed (002 3; readings: not soft_failed)',
  {
    overridable: (original) => (check) => original(check) || check.status === 'queued',
  },
)

route(
  'override-not-kept',
  ['POLICY-CHECKS-OVERRIDE-26'],
  'an override is answered but not kept (002 3, next state overridden)',
  'policyChecks.override',
  (original) => async (call) => {
    const check = call.world.checks.get(call.params.id ?? '')
    const before = check && { status: check.status, timestamps: { ...check.timestamps } }
    const reply = await original(call)
    if (check && before) Object.assign(check, before)
    return reply
  },
)

route(
  'overridden-at-not-kept',
  ['POLICY-CHECKS-OVERRIDE-10', 'POLICY-CHECKS-OVERRIDE-11'],
  'overridden-at is in the answer of the override only (002 3, overridden-at is set)',
  'policyChecks.override',
  (original) => async (call) => {
    const check = call.world.checks.get(call.params.id ?? '')
    const before = check && { ...check.timestamps }
    const reply = await original(call)
    if (check && before) check.timestamps = before
    return reply
  },
)

rule(
  'override-drops-soft-failed-at',
  ['POLICY-CHECKS-OVERRIDE-07'],
  'an override puts overridden-at in the place of soft-failed-at (002 2.1, status-timestamps)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      if (done) delete check.timestamps['soft-failed-at']
      return done
    },
  },
)

rule(
  'override-resets-queued-at',
  ['POLICY-CHECKS-OVERRIDE-07'],
  'an override sets queued-at anew (002 2.1, status-timestamps: once that status was reached)',
  {
    override: (original) => async (check, now, overridable, world) => {
      const done = await original(check, now, overridable, world)
      if (done) check.timestamps['queued-at'] = now
      return done
    },
  },
)

rule(
  'overridden-at-of-failure',
  ['POLICY-CHECKS-OVERRIDE-08'],
  'overridden-at is the time at which the check failed (002 3, overridden-at is set)',
  {
    override: (original) => (check, now, overridable, world) =>
      original(check, check.timestamps['soft-failed-at'] ?? now, overridable, world),
  },
)

route(
  'list-as-first-listed',
  ['POLICY-CHECKS-OVERRIDE-11'],
  'a list goes on showing the checks as they were listed first (002 3)',
  'policyChecks.list',
  (original) => {
    const firstOf = remembered(() => new Map<string, Reply>())
    return async (call) => {
      const kept = firstOf(call.caller.kind === 'user' ? call.caller.user : call.caller.token)
      const key = `${call.path}?${call.query}`
      const reply = kept.get(key) ?? (await original(call))
      kept.set(key, reply)
      return reply
    }
  },
)

route(
  'show-as-first-shown',
  ['POLICY-CHECKS-OVERRIDE-26'],
  'a check that was shown once is shown like that for ever (002 3)',
  'policyChecks.show',
  (original) => {
    const first = new Map<string, unknown>()
    return changedResources<PolicyCheckRules>((resource, call) => {
      const caller = call.caller.kind === 'user' ? call.caller.user.id : call.caller.token.id
      const key = `${caller} ${resource.id}`
      const attributes = first.get(key) ?? objectIn(resource, 'attributes')
      first.set(key, attributes)
      return { ...resource, attributes: attributes as typeof resource }
    })(original)
  },
)

route(
  'list-without-overridden',
  ['POLICY-CHECKS-OVERRIDE-11', 'POLICY-CHECKS-OVERRIDE-22'],
  'a check that was overridden is listed no more (002 4, lists the policy checks of a run)',
  'policyChecks.list',
  changedDocument<PolicyCheckRules>((body) => ({
    ...body,
    data: ((body.data ?? []) as { attributes: { status: string } }[]).filter(({ attributes }) => attributes.status !== 'overridden'),
  })),
)

rule(
  'refused-override-stamped',
  ['POLICY-CHECKS-OVERRIDE-13'],
  'an override that is refused for its state sets overridden-at (readings: refused, unchanged)',
  {
    override: (original) => async (check, now, overridable, world) => {
      check.timestamps['overridden-at'] ??= now
      return original(check, now, overridable, world)
    },
  },
)

change(
  'refusal-locks-check',
  ['POLICY-CHECKS-OVERRIDE-01', 'POLICY-CHECKS-OVERRIDE-03'],
  'a check whose override was refused to one caller is refused to all (002 5.3)',
  {
    routes: {
      'policyChecks.override': (original) => async (call) => {
        const id = call.params.id ?? ''
        const refused = refusedChecks(call.world)
        if (refused.has(id)) throw new Refusal(409, 'the policy check is locked')
        try {
          return await original(call)
        } catch (cause) {
          if (call.world.checks.has(id)) refused.add(id)
          throw cause
        }
      },
    },
  },
)
