/** Faults about who is calling and what the caller may do with policy checks. */

import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { anybody, anyCasePasses, longerBearersPass } from '../../run-management/answer-changes.ts'
import { document } from '../../run-management/documents.ts'
import type { PartCall } from '../../run-management/part.ts'
import { type PolicyCheckRules, resourceOf } from './checks.rules.ts'
import { policyChecks } from './engine.ts'

const { rule, route, change } = faultsOf(policyChecks)

type Call = PartCall<PolicyCheckRules>

const NOBODY = 'nobody'
const permittedOnce = remembered(() => new Set<string>())

const mayNot = (call: Call): boolean => {
  const check = call.world.checks.get(call.params.id ?? '')
  return check !== undefined && call.rules.mayRead(call.caller, check) && !call.rules.mayOverride(call.caller, check)
}

route(
  'override-unchecked',
  ['POLICY-CHECKS-OVERRIDE-17'],
  'a caller for whom can-override is false overrides all the same (002 5.3)',
  'policyChecks.override',
  (original) => (call) => original({ ...call, rules: { ...call.rules, mayOverride: () => true } }),
)

route(
  'warning-override-unchecked',
  ['POLICY-CHECKS-OVERRIDE-17'],
  'a check with warnings only is overridden by callers whose can-override is false (002 5.3)',
  'policyChecks.override',
  (original) => (call) =>
    original({
      ...call,
      rules: { ...call.rules, mayOverride: (caller, check) => check.result.softFailed === 0 || call.rules.mayOverride(caller, check) },
    }),
)

rule(
  'can-override-always',
  ['POLICY-CHECKS-FIELD-25'],
  'can-override is true for callers who may not override (002 2.1, whether the caller may override)',
  {
    canOverride: () => () => true,
  },
)

route(
  'can-override-false-in-list',
  ['POLICY-CHECKS-LIST-09'],
  'a list shows can-override false to callers who may (002 2.1, can-override)',
  'policyChecks.list',
  (original) => (call) => original({ ...call, rules: { ...call.rules, canOverride: () => false } }),
)

route(
  'effect-before-refusal',
  ['POLICY-CHECKS-OVERRIDE-17'],
  'an override is done before its caller is refused (readings: not permitted: refused, unchanged)',
  'policyChecks.override',
  (original) => async (call) => {
    const check = call.world.checks.get(call.params.id ?? '')
    if (check && mayNot(call)) await call.rules.override(check, call.now(), call.rules.overridable, call.world)
    return original(call)
  },
)

route(
  'unpermitted-override-200',
  ['POLICY-CHECKS-OVERRIDE-17'],
  'a caller who may not override gets 200 and the check as it is (readings: refused, 4xx)',
  'policyChecks.override',
  (original) => (call) => {
    const check = call.world.checks.get(call.params.id ?? '')
    return check && mayNot(call) ? document(200, { data: resourceOf(call.rules, check, call.caller) }) : original(call)
  },
)

rule(
  'unpermitted-override-500',
  ['POLICY-CHECKS-OVERRIDE-17'],
  'a caller who may not override gets 500 (readings: 5xx is never a refusal)',
  {
    forbiddenStatus: () => () => 500,
  },
)

change(
  'override-after-permitted-look',
  ['POLICY-CHECKS-OVERRIDE-17'],
  'once someone who may override has seen a check, every reader overrides it (002 5.3)',
  {
    routes: {
      'policyChecks.show': (original) => (call) => {
        const check = call.world.checks.get(call.params.id ?? '')
        if (check && call.rules.mayOverride(call.caller, check)) permittedOnce(call.world).add(check.id)
        return original(call)
      },
      'policyChecks.override': (original) => (call) => {
        const { mayOverride } = call.rules
        const opened = permittedOnce(call.world)
        return original({
          ...call,
          rules: { ...call.rules, mayOverride: (caller, check) => opened.has(check.id) || mayOverride(caller, check) },
        })
      },
    },
  },
)

rule(
  'anonymous-reads',
  ['POLICY-CHECKS-AUTH-01'],
  'a request without bearer reads policy checks (002 5.1; readings: missing bearer: refused)',
  {
    bearer: (original) => (header) => original(header) ?? (header === undefined ? NOBODY : undefined),
    caller: (original) => (world, bearer, recognises) =>
      bearer === NOBODY ? anybody({ readRuns: true, overrideChecks: false, managePools: false }) : original(world, bearer, recognises),
  },
)

rule('unknown-bearer-reads', ['POLICY-CHECKS-AUTH-03'], 'a bearer that was never issued reads policy checks (002 5.1)', {
  caller: (original) => (world, bearer, recognises) =>
    original(world, bearer, recognises) ?? anybody({ readRuns: true, overrideChecks: false, managePools: false }),
})

rule(
  'longer-bearer-passes-anew',
  ['POLICY-CHECKS-AUTH-03', 'POLICY-CHECKS-AUTH-05'],
  'a good bearer with more text behind it passes (002 5.1)',
  { caller: longerBearersPass },
)

rule(
  'any-case-bearer-passes',
  ['POLICY-CHECKS-AUTH-03', 'POLICY-CHECKS-AUTH-05'],
  'a good bearer passes in another letter case (002 5.1)',
  { caller: anyCasePasses },
)
