/** Faults of policy checks about who asks: whose override is taken, what can-override says, which bearer counts. */
import { faultsOf } from '../../mutations/declare.ts'
import { anybody, changedAttributes, longerBearersPass, without } from '../../run-management/answer-changes.ts'
import { document } from '../../run-management/documents.ts'
import type { Caller } from '../../run-management/world.ts'
import { resourceOf } from './checks.rules.ts'
import { policyChecks } from './engine.ts'

type Rules = typeof policyChecks.rules
type Handle = (typeof policyChecks.routes)[number]['handle']

const { rule, route, change } = faultsOf(policyChecks)

const userOf = (caller: Caller) => (caller.kind === 'user' ? caller.user : undefined)

rule('readers-override', ['POLICY-CHECKS-FIELD-25'], 'whoever may read runs may override (002 5.3)', {
  mayOverride: (original) => (caller, check) => original(caller, check) || userOf(caller)?.rights.readRuns === true,
})

rule('readers-override-warnings', ['POLICY-CHECKS-OVERRIDE-17'], 'a warning may be overridden by whoever may read it (002 5.3)', {
  mayOverride: (original) => (caller, check) =>
    original(caller, check) ||
    (userOf(caller)?.rights.readRuns === true && check.result.softFailed === 0 && check.status === 'soft_failed'),
})

route(
  'override-before-asking',
  ['POLICY-CHECKS-OVERRIDE-17', 'POLICY-CHECKS-OVERRIDE-18'],
  'an override that is refused for want of permission has moved the check (002 5.3)',
  'policyChecks.override',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const check = call.world.checks.get(call.params.id ?? '')
      if (check && check.status === 'soft_failed') {
        check.status = 'overridden'
        check.timestamps['overridden-at'] = call.now()
      }
      throw cause
    }
  },
)

route(
  'denied-override-silent',
  ['POLICY-CHECKS-OVERRIDE-17', 'POLICY-CHECKS-OVERRIDE-18'],
  'an override without permission is answered with 200 and the check as it is (002 5.3)',
  'policyChecks.override',
  (original) => async (call) => {
    const check = call.world.checks.get(call.params.id ?? '')
    if (!check || call.rules.mayOverride(call.caller, check)) return original(call)
    return document(200, { data: without(resourceOf(call.rules, check, call.caller), 'relationships') })
  },
)

const can = (value: (permitted: boolean, call: Parameters<Handle>[0]) => boolean) =>
  changedAttributes<Rules>((attributes, call) => {
    const check = { ...[...call.world.checks.values()][0] } as Parameters<Rules['mayOverride']>[1]
    return { ...attributes, permissions: { 'can-override': value(call.rules.mayOverride(call.caller, check), call) } }
  })

route(
  'list-can-always',
  ['POLICY-CHECKS-FIELD-25'],
  'can-override of a list is true for everybody (002 2.1: whether the caller may override)',
  'policyChecks.list',
  (original) => can(() => true)(original),
)

route(
  'show-can-inverted',
  ['POLICY-CHECKS-INCLUDE-11'],
  'can-override of a show with include is the opposite (002 2.1)',
  'policyChecks.show',
  (original) => can((permitted, { query }) => (query.has('include') ? !permitted : permitted))(original),
)

rule(
  'can-of-first-asker',
  ['POLICY-CHECKS-FIELD-24', 'POLICY-CHECKS-FIELD-25'],
  'can-override goes by whoever saw the check first (002 2.1: whether the caller may override)',
  {
    canOverride: (original) => {
      const known = new Map<string, boolean>()
      return (permitted, check) => {
        const first = known.get(check.id) ?? original(permitted, check)
        known.set(check.id, first)
        return first
      }
    },
  },
)

rule(
  'may-once-anybody',
  ['POLICY-CHECKS-OVERRIDE-17'],
  'once somebody with permission has seen a check, everybody may override it (002 5.3)',
  {
    mayOverride: (original) => {
      const open = new Set<string>()
      return (caller, check) => {
        if (original(caller, check)) open.add(check.id)
        return open.has(check.id)
      }
    },
  },
)

rule(
  'can-by-state',
  ['POLICY-CHECKS-FIELD-25'],
  'can-override says whether the state allows an override, not whether the caller may (002 2.1)',
  {
    canOverride: () => (_permitted, check) => check.status === 'soft_failed',
  },
)

const nobodyIs = (rights: { readRuns: boolean; overrideChecks: boolean }) => ({
  bearer:
    (original: Rules['bearer']): Rules['bearer'] =>
    (header) =>
      header === undefined ? 'nobody' : original(header),
  caller:
    (original: Rules['caller']): Rules['caller'] =>
    (world, bearer, recognises) =>
      bearer === 'nobody' ? anybody({ ...rights, managePools: false }) : original(world, bearer, recognises),
})

rule(
  'nobody-reads',
  ['POLICY-CHECKS-AUTH-01'],
  'lists and shows need no bearer (002 5.1)',
  nobodyIs({ readRuns: true, overrideChecks: false }),
)

change('empty-bearer-reads', ['POLICY-CHECKS-AUTH-01'], 'a header without a token after Bearer is enough for reading (002 5.1)', {
  rules: {
    bearer: (original) => (header) => (/^Bearer *$/i.test(header ?? '') ? 'nobody' : original(header)),
    caller: (original) => (world, bearer, recognises) =>
      bearer === 'nobody' ? anybody({ readRuns: true, overrideChecks: false, managePools: false }) : original(world, bearer, recognises),
  },
})

rule(
  'longer-bearer-passes',
  ['POLICY-CHECKS-AUTH-03', 'POLICY-CHECKS-AUTH-05'],
  'a bearer with something appended is taken for the good one (002 5.1)',
  { caller: longerBearersPass },
)
