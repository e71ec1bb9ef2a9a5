/** Faults of who may ask: bearers, callers without the right to override, several callers with it, strangers. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { anybody } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { Caller, PolicyCheck } from '../../run-management/world.ts'
import { policyChecks } from './engine.ts'
import { askedCheck, callerId, siblingsOf, withRules } from './west-help.ts'

const { rule, route, change } = faultsOf(policyChecks)

const hasRight = (caller: Caller, right: 'readRuns' | 'overrideChecks' | 'managePools'): boolean =>
  caller.kind === 'user' && caller.user.rights[right]

route(
  'west-list-promises-override',
  'POLICY-CHECKS-FIELD-25',
  'in a list can-override is true for whoever may read (002 2.1: whether the caller may override)',
  'policyChecks.list',
  withRules((_rules, { caller }) => ({ canOverride: () => hasRight(caller, 'readRuns') })),
)

route(
  'west-override-before-permission',
  'POLICY-CHECKS-OVERRIDE-17',
  'the override of a reader is refused after it was done (002 5.3: governed by can-override)',
  'policyChecks.override',
  (original) => async (call) => {
    const { rules, caller, world } = call
    const check = askedCheck(call)
    if (check && rules.mayRead(caller, check) && !rules.mayOverride(caller, check)) {
      await rules.override(check, call.now(), rules.overridable, world)
    }
    return original(call)
  },
)

route(
  'west-warnings-for-readers',
  'POLICY-CHECKS-OVERRIDE-17',
  'whoever may read a check may override it when it has warnings only (002 5.3: governed by can-override)',
  'policyChecks.override',
  withRules((rules) => ({
    mayOverride: (caller, check) =>
      rules.mayOverride(caller, check) ||
      (check.result.softFailed === 0 && check.result.advisoryFailed > 0 && rules.mayRead(caller, check)),
  })),
)

const permitted = new WeakSet<PolicyCheck>()

change(
  'west-permission-kept-by-check',
  'POLICY-CHECKS-OVERRIDE-17',
  "once a caller with the right was shown a check, every reader can override it (002 5.3: the caller's can-override)",
  {
    routes: {
      'policyChecks.show': (original) => async (call) => {
        const reply = await original(call)
        const check = askedCheck(call)
        if (check && call.rules.mayOverride(call.caller, check)) permitted.add(check)
        return reply
      },
      'policyChecks.override': withRules((rules) => ({
        mayOverride: (caller, check) => permitted.has(check) || rules.mayOverride(caller, check),
      })),
    },
  },
)

rule(
  'west-any-scheme',
  'POLICY-CHECKS-AUTH-07',
  'the scheme before the token is of no importance, Basic or none will do (002 5.1: bearer token)',
  {
    bearer: (original) => (header) => original(header) ?? /^(?:\w+ +)?(\S+)$/.exec(header ?? '')?.[1],
  },
)

rule(
  'west-unknown-bearer-reads',
  'POLICY-CHECKS-AUTH-03',
  'a bearer that nobody has reads as a guest (002 5.1: bearer token of every request)',
  {
    caller: (original) => (world, bearer, recognises) =>
      original(world, bearer, recognises) ?? anybody({ readRuns: true, overrideChecks: false, managePools: false }),
  },
)

route(
  'west-strangers-override',
  'POLICY-CHECKS-OVERRIDE-18',
  'an override is refused to those who may only read, not to those who may not even read (002 5.3: governed by can-override)',
  'policyChecks.override',
  withRules((rules, { caller }) => ({
    mayRead: () => caller.kind === 'user',
    mayOverride: (asking, check) => rules.mayOverride(asking, check) || !hasRight(asking, 'readRuns'),
  })),
)

route(
  'west-managers-override-hard',
  'POLICY-CHECKS-OVERRIDE-15',
  'who manages the organization can override hard failures (002 3: the policy is soft-mandatory or a warning)',
  'policyChecks.override',
  withRules((rules, { caller }) => ({
    overridable: (check) => rules.overridable(check) || (check.status === 'hard_failed' && hasRight(caller, 'managePools')),
  })),
)

const latestPermission = remembered((): { given?: boolean } => ({}))

route(
  'west-permission-of-caller-before',
  'POLICY-CHECKS-FIELD-25',
  'a shown check has the can-override of whoever was shown one before (002 2.1: whether the caller may override)',
  'policyChecks.show',
  withRules((rules, { world }) => ({
    canOverride: (allowed, check) => {
      const latest = latestPermission(world)
      const given = latest.given ?? allowed
      latest.given = allowed
      return rules.canOverride(given, check)
    },
  })),
)

route(
  'west-run-opened-by-override',
  'POLICY-CHECKS-OVERRIDE-17',
  'after one override in a run its readers can override the other checks (002 5.3: governed by can-override)',
  'policyChecks.override',
  withRules((rules, { world }) => ({
    mayOverride: (caller, check) =>
      rules.mayOverride(caller, check) || siblingsOf(world, check).some(({ status }) => status === 'overridden'),
  })),
)

const reviewers = new WeakMap<PolicyCheck, string>()

change(
  'west-first-reviewer-only',
  ['POLICY-CHECKS-OVERRIDE-01'],
  'only who of those with the right was shown a check first can override it (002 5.3: governed by can-override)',
  {
    routes: {
      'policyChecks.show': (original) => async (call) => {
        const reply = await original(call)
        const check = askedCheck(call)
        if (check && !reviewers.has(check) && call.rules.mayOverride(call.caller, check)) reviewers.set(check, callerId(call))
        return reply
      },
      'policyChecks.override': (original) => (call) => {
        const check = askedCheck(call)
        const reviewer = check && call.rules.mayOverride(call.caller, check) ? reviewers.get(check) : undefined
        if (reviewer !== undefined && reviewer !== callerId(call))
          throw new Refusal(call.rules.forbiddenStatus(), 'another reviewer has it')
        return original(call)
      },
    },
  },
)
