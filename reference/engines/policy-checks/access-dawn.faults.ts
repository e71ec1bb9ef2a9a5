/** Faults of who may ask: bearers, the right to override, and what is said of it. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { anybody, anyCasePasses } from '../../run-management/answer-changes.ts'
import { document, Refusal } from '../../run-management/documents.ts'
import type { PolicyCheck } from '../../run-management/world.ts'
import type { PolicyCheckRules } from './checks.rules.ts'
import { afterDenial, answerAbout, type Call, namedCheck, underRules, userOf } from './dawn-help.ts'
import { policyChecks } from './engine.ts'

const { rule, route, change } = faultsOf(policyChecks)

route(
  'dawn-denied-but-done',
  'POLICY-CHECKS-OVERRIDE-17',
  'an override by a caller who may not is refused, yet the check is overridden (002 5: governed by can-override)',
  'policyChecks.override',
  afterDenial(async ({ rules, world, now }, check, refused) => {
    await rules.override(check, now(), rules.overridable, world)
    throw refused
  }),
)

route(
  'dawn-readers-override-warnings',
  'POLICY-CHECKS-OVERRIDE-17',
  'a warning is overridden by whoever may read it (002 5: governed by can-override)',
  'policyChecks.override',
  underRules(({ mayOverride, mayRead }) => ({
    mayOverride: (caller, check) => mayOverride(caller, check) || (check.result.softFailed === 0 && mayRead(caller, check)),
  })),
)

rule(
  'dawn-can-override-by-status',
  'POLICY-CHECKS-FIELD-25',
  'can-override is true for everybody on a soft-failed check (002 2.1: whether the caller may override)',
  {
    canOverride: (original) => (permitted, check) => original(permitted, check) || check.status === 'soft_failed',
  },
)

rule(
  'dawn-can-override-of-first-asker',
  'POLICY-CHECKS-FIELD-24',
  'can-override keeps what it was for the first who asked (002 2.1: whether the caller may override)',
  {
    canOverride: (original) => {
      const kept = new WeakMap<PolicyCheck, boolean>()
      return (permitted, check) => {
        const answer = kept.get(check) ?? original(permitted, check)
        kept.set(check, answer)
        return answer
      }
    },
  },
)

route(
  'dawn-list-without-caller',
  'POLICY-CHECKS-LIST-09',
  'in a list can-override is false also for those who may (002 2.1: whether the caller may override)',
  'policyChecks.list',
  underRules(() => ({ canOverride: () => false })),
)

rule(
  'dawn-bearers-in-any-case',
  'POLICY-CHECKS-AUTH-03',
  'the letter case of a bearer does not matter (002 5: every request sends a bearer token)',
  {
    caller: anyCasePasses,
  },
)

rule(
  'dawn-bearer-of-request-before',
  'POLICY-CHECKS-AUTH-01',
  'a request without a bearer goes by the one of the request before (002 5: every request sends a bearer token)',
  {
    bearer: (original) => {
      let latest: string | undefined
      return (header) => {
        if (header === undefined) return latest
        const given = original(header)
        latest = given ?? latest
        return given
      }
    },
  },
)

/** Rules that let requests without a bearer pass as a nobody who may read. */
const nobodyPasses = {
  bearer: (original: PolicyCheckRules['bearer']) => (header: string | undefined) => (header === undefined ? '' : original(header)),
  caller:
    (original: PolicyCheckRules['caller']): PolicyCheckRules['caller'] =>
    (world, bearer, recognises) =>
      bearer === '' ? anybody({ readRuns: true, overrideChecks: false, managePools: false }) : original(world, bearer, recognises),
}

const isNobody = ({ caller }: Call): boolean => userOf(caller) === 'user-anonymous'

const nobodyRefused =
  <Answer>(original: (call: Call) => Answer) =>
  (call: Call): Answer => {
    if (isNobody(call)) throw new Refusal(401, 'a valid bearer token is needed')
    return original(call)
  }

change('dawn-show-is-public', 'POLICY-CHECKS-AUTH-01', 'show works without a bearer (002 5: every request sends a bearer token)', {
  rules: nobodyPasses,
  routes: { 'policyChecks.list': nobodyRefused, 'policyChecks.override': nobodyRefused, 'policyChecks.showOutput': nobodyRefused },
})

change(
  'dawn-nobody-lists-nothing',
  'POLICY-CHECKS-AUTH-01',
  'a list without a bearer succeeds with no items (002 5: every request sends a bearer token)',
  {
    rules: nobodyPasses,
    routes: {
      'policyChecks.list': (original) => (call) => (isNobody(call) ? document(200, { data: [] }) : original(call)),
      'policyChecks.show': nobodyRefused,
      'policyChecks.override': nobodyRefused,
      'policyChecks.showOutput': nobodyRefused,
    },
  },
)

route(
  'dawn-permission-kept-for-run',
  'POLICY-CHECKS-OVERRIDE-17',
  'once somebody was allowed to override a check of a run, all its readers are (002 5: governed by can-override of the caller)',
  'policyChecks.override',
  (original) => {
    const opened = remembered(() => new Set<string>())
    return underRules(({ mayOverride, mayRead }, { world }) => ({
      mayOverride: (caller, check) => {
        if (mayOverride(caller, check)) opened(world).add(check.runId)
        return opened(world).has(check.runId) && mayRead(caller, check)
      },
    }))(original)
  },
)

const firstReaders = new WeakMap<PolicyCheck, string>()

change(
  'dawn-first-reader-overrides',
  'POLICY-CHECKS-OVERRIDE-01',
  'only who read a check first overrides it, whatever can-override says to others (002 5: governed by can-override)',
  {
    rules: {
      mayRead: (original) => (caller, check) => {
        const may = original(caller, check)
        if (may && check && !firstReaders.has(check)) firstReaders.set(check, userOf(caller))
        return may
      },
    },
    routes: {
      'policyChecks.override': (original) => (call) => {
        const check = namedCheck(call)
        const first = check && firstReaders.get(check)
        if (first !== undefined && first !== userOf(call.caller)) throw new Refusal(403, 'somebody else works on this policy check')
        return original(call)
      },
    },
  },
)

route(
  'dawn-denial-looks-like-success',
  'POLICY-CHECKS-OVERRIDE-17',
  'an override by a caller who may not is answered as if it were done (002 5: governed by can-override)',
  'policyChecks.override',
  afterDenial((call, check) => answerAbout(call, { ...check, status: 'overridden' })),
)
