/** Faults of who may ask: bearers, and the permission to override as it is shown and as it is asked for. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { anybody, changedAttributes, lastCallerStays, longerBearersPass } from '../../run-management/answer-changes.ts'
import type { PolicyCheck } from '../../run-management/world.ts'
import { policyChecks } from './engine.ts'
import { asAllowed, askedCheck, callerId, isForbidden, mayReadRuns, siblings } from './frank-help.ts'

const { rule, route } = faultsOf(policyChecks)

route(
  'frank-listed-permission-always',
  'POLICY-CHECKS-FIELD-25',
  'a list says of everybody that they may override (002 2.1: can-override is whether the caller may override)',
  'policyChecks.list',
  changedAttributes((attributes) => ({ ...attributes, permissions: { 'can-override': true } })),
)

rule(
  'frank-no-header-reads',
  'POLICY-CHECKS-AUTH-01',
  'who sends no Authorization header may read (002 5.1: every request sends a bearer token)',
  {
    bearer: (original) => (header) => (header === undefined ? '' : original(header)),
    caller: (original) => (world, bearer, recognises) =>
      bearer === '' ? anybody({ readRuns: true, overrideChecks: false, managePools: false }) : original(world, bearer, recognises),
  },
)

rule(
  'frank-bare-bearer-word',
  'POLICY-CHECKS-AUTH-01',
  'the word Bearer without a token has all rights (002 5.1: a bearer token in header Authorization)',
  {
    bearer: (original) => (header) => (header?.trim() === 'Bearer' ? '-' : original(header)),
    caller: (original) => (world, bearer, recognises) =>
      bearer === '-' ? anybody({ readRuns: true, overrideChecks: true, managePools: true }) : original(world, bearer, recognises),
  },
)

rule(
  'frank-unknown-bearer-is-last-caller',
  'POLICY-CHECKS-AUTH-03',
  'an unknown token counts as whoever called last (002 5.1: every request sends a bearer token)',
  {
    caller: lastCallerStays,
  },
)

rule(
  'frank-longer-bearer',
  'POLICY-CHECKS-AUTH-03',
  'a token with something appended is taken for the token (002 5.1: a bearer token in header Authorization)',
  {
    caller: longerBearersPass,
  },
)

route(
  'frank-forbidden-yet-done',
  'POLICY-CHECKS-OVERRIDE-17',
  'an override without permission is refused after it was done (002 5.3: governed by permissions.can-override)',
  'policyChecks.override',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const check = askedCheck(call)
      if (check && isForbidden(cause)) await call.rules.override(check, call.now(), call.rules.overridable, call.world)
      throw cause
    }
  },
)

const decided = new WeakMap<PolicyCheck, boolean>()

rule(
  'frank-permission-of-first-caller',
  'POLICY-CHECKS-OVERRIDE-17',
  'who met a check first decides for all whether they may override it (002 2.1: whether the caller may)',
  {
    mayOverride: (original) => (caller, check) => {
      const may = decided.get(check) ?? original(caller, check)
      decided.set(check, may)
      return may
    },
  },
)

route(
  'frank-stranger-overrides',
  'POLICY-CHECKS-OVERRIDE-18',
  'who may not even read a check may override it (002 5.3: governed by permissions.can-override)',
  'policyChecks.override',
  (original) => (call) => original(mayReadRuns(call.caller) ? call : asAllowed(call)),
)

const overriders = remembered(() => new Map<string, string>())

route(
  'frank-run-belongs-to-first-overrider',
  'POLICY-CHECKS-OVERRIDE-01',
  'checks of a run can be overridden by whoever overrode the first of them only (002 5.3: governed by permissions.can-override)',
  'policyChecks.override',
  (original) => async (call) => {
    const run = askedCheck(call)?.runId ?? ''
    const owner = overriders(call.world).get(run)
    const caller = callerId(call.caller)
    if (owner !== undefined && owner !== caller) return original({ ...call, rules: { ...call.rules, mayOverride: () => false } })
    const given = await original(call)
    overriders(call.world).set(run, caller)
    return given
  },
)

route(
  'frank-permission-of-included-run',
  'POLICY-CHECKS-FIELD-25',
  'with include, can-override says whether the caller may read the run (002 2.1: can-override is whether the caller may override)',
  ['policyChecks.show', 'policyChecks.list'],
  changedAttributes((attributes, { query, caller }) =>
    query.has('include') ? { ...attributes, permissions: { 'can-override': mayReadRuns(caller) } } : attributes,
  ),
)

route(
  'frank-warning-needs-no-permission',
  'POLICY-CHECKS-OVERRIDE-17',
  'a warning is overridden by everybody who may read it (002 5.3: governed by permissions.can-override)',
  'policyChecks.override',
  (original) => (call) => {
    const result = askedCheck(call)?.result
    const isWarning = result !== undefined && result.softFailed === 0 && result.advisoryFailed > 0
    return original(isWarning && mayReadRuns(call.caller) ? asAllowed(call) : call)
  },
)

route(
  'frank-run-opened-by-first-override',
  'POLICY-CHECKS-OVERRIDE-17',
  'after one check of a run is overridden, whoever may read overrides the others (002 5.3: governed by permissions.can-override)',
  'policyChecks.override',
  (original) => (call) => {
    const check = askedCheck(call)
    const isOpen = check !== undefined && siblings(call.world, check).some(({ status }) => status === 'overridden')
    return original(isOpen && mayReadRuns(call.caller) ? asAllowed(call) : call)
  },
)
