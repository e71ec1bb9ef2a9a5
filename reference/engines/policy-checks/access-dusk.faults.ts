/** Faults of who may ask: bearers, rights to read and to override, and what is said of them. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { anybody, changedAttributes } from '../../run-management/answer-changes.ts'
import { document, Refusal } from '../../run-management/documents.ts'
import type { Caller } from '../../run-management/world.ts'
import { resourceOf } from './checks.rules.ts'
import { checkOf, withRules } from './dusk-help.ts'
import { policyChecks } from './engine.ts'

const { rule, route } = faultsOf(policyChecks)
const OVERRIDE = 'policyChecks.override'

route(
  'dusk-readers-override-warnings',
  'POLICY-CHECKS-OVERRIDE-17',
  "whoever may read may override warnings (002 5: governed by the caller's permissions.can-override)",
  OVERRIDE,
  (original) => {
    return (call) => {
      const { mayOverride, mayRead } = call.rules
      return original(
        withRules(call, {
          mayOverride: (caller, check) => mayOverride(caller, check) || (check.result.softFailed === 0 && mayRead(caller, check)),
        }),
      )
    }
  },
)

route(
  'dusk-forbidden-override-works',
  'POLICY-CHECKS-OVERRIDE-17',
  'an override that is refused for want of permission takes effect (002 5: can-override)',
  OVERRIDE,
  (original) => {
    return async (call) => {
      try {
        return await original(call)
      } catch (cause) {
        const check = checkOf(call)
        const forbidden = cause instanceof Refusal && cause.status === 403
        if (check && forbidden) await call.rules.override(check, call.now(), call.rules.overridable, call.world)
        throw cause
      }
    }
  },
)

route(
  'dusk-show-permission-by-status',
  'POLICY-CHECKS-FIELD-25',
  'show says can-override of every soft-failed check, whoever asks (002 2.1: whether the caller may override)',
  'policyChecks.show',
  changedAttributes((attributes) => ({ ...attributes, permissions: { 'can-override': attributes.status === 'soft_failed' } })),
)

route(
  'dusk-list-permits-nobody',
  'POLICY-CHECKS-LIST-09',
  'can-override is false in lists, also for those who may (002 2.1: whether the caller may override)',
  'policyChecks.list',
  changedAttributes((attributes) => ({ ...attributes, permissions: { 'can-override': false } })),
)

rule(
  'dusk-nobody-reads',
  'POLICY-CHECKS-AUTH-01',
  'without an Authorization header checks can be read (002 5: every request sends a bearer token)',
  {
    bearer: (original) => (header) => (header === undefined ? '' : original(header)),
    caller: (original) => (world, bearer, recognises) =>
      bearer === '' ? anybody({ readRuns: true, overrideChecks: false, managePools: false }) : original(world, bearer, recognises),
  },
)

rule(
  'dusk-any-scheme',
  'POLICY-CHECKS-AUTH-07',
  'a token passes under another scheme and without any (002 5: a bearer token in header Authorization)',
  {
    bearer: (original) => (header) => original(header) ?? /^(?:\S+ +)?(\S+)$/.exec(header ?? '')?.[1],
  },
)

const KEPT = 32
const beginnings = remembered(() => new Map<string, Caller>())
rule(
  'dusk-bearer-beginning-enough',
  'POLICY-CHECKS-AUTH-03',
  'of a bearer, the first 32 characters are compared (002 5: a bearer token; a wrong one is refused)',
  {
    caller: (original) => (world, bearer, recognises) => {
      const known = beginnings(world)
      const found = original(world, bearer, recognises)
      if (found) known.set(bearer.slice(0, KEPT), found)
      return found ?? known.get(bearer.slice(0, KEPT))
    },
  },
)

rule(
  'dusk-no-permission-for-warnings',
  'POLICY-CHECKS-FIELD-24',
  'can-override is false for warnings, which can be overridden all the same (002 2.1: whether the caller may override)',
  {
    canOverride: (original) => (permitted, check) =>
      original(permitted, check) && (check.status !== 'soft_failed' || check.result.softFailed > 0),
  },
)

route(
  'dusk-forbidden-override-ignored',
  'POLICY-CHECKS-OVERRIDE-17',
  'an override without permission answers 200 and does nothing (002 5: governed by can-override)',
  OVERRIDE,
  (original) => {
    return async (call) => {
      try {
        return await original(call)
      } catch (cause) {
        const check = checkOf(call)
        if (!check || !(cause instanceof Refusal) || cause.status !== 403) throw cause
        return document(200, { data: call.rules.overrideAnswer(resourceOf(call.rules, check, call.caller)) })
      }
    }
  },
)
