/** Faults of who may ask: bearers, permissions, strangers. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { anybody, changedAttributes, changedDocument, objectIn } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { Caller } from '../../run-management/world.ts'
import { asPermitted, namedCheck, whoAsks } from './east-help.ts'
import { policyChecks } from './engine.ts'

const { rule, route, change } = faultsOf(policyChecks)

type Handle = (typeof policyChecks.routes)[number]['handle']

route(
  'east-override-warning-by-anyone',
  'POLICY-CHECKS-OVERRIDE-17',
  'a warning is overridden by callers whose can-override is false (002 5.3: governed by can-override)',
  'policyChecks.override',
  (original) => (call) => original(namedCheck(call)?.result.softFailed === 0 ? asPermitted(call) : call),
)

route(
  'east-list-permission-by-reading',
  'POLICY-CHECKS-FIELD-25',
  'in a list can-override is true for whoever may read the run (002 2.1: whether the caller may override)',
  'policyChecks.list',
  changedAttributes((attributes) => ({ ...attributes, permissions: { 'can-override': true } })),
)

route(
  'east-override-refused-but-done',
  'POLICY-CHECKS-OVERRIDE-17',
  'an override is refused to one who may not, and done (002 5.3: governed by can-override)',
  'policyChecks.override',
  (original) => async (call) => {
    const { rules, world, caller } = call
    const check = namedCheck(call)
    try {
      return await original(call)
    } finally {
      if (check && rules.mayRead(caller, check) && !rules.mayOverride(caller, check)) {
        await rules.override(check, call.now(), rules.overridable, world)
      }
    }
  },
)

const attempts = remembered(() => new Set<string>())
route(
  'east-override-second-attempt',
  'POLICY-CHECKS-OVERRIDE-17',
  'one who may not override succeeds when trying again (002 5.3: governed by can-override)',
  'policyChecks.override',
  (original) => async (call) => {
    const key = `${whoAsks(call)} ${call.params.id}`
    if (attempts(call.world).has(key)) return original(asPermitted(call))
    try {
      return await original(call)
    } catch (refused) {
      if (refused instanceof Refusal && refused.status === call.rules.forbiddenStatus()) attempts(call.world).add(key)
      throw refused
    }
  },
)

const firstSeenBy = remembered(() => new Map<string, string>())
change(
  'east-override-by-first-viewer',
  'POLICY-CHECKS-OVERRIDE-01',
  'a check is overridden only by the caller who showed it first (002 5.3: governed by can-override)',
  {
    routes: {
      'policyChecks.show': (original) => async (call) => {
        const reply = await original(call)
        const viewers = firstSeenBy(call.world)
        if (call.caller.kind === 'user' && !viewers.has(call.params.id!)) viewers.set(call.params.id!, whoAsks(call))
        return reply
      },
      'policyChecks.override': (original) => (call) => {
        const viewer = firstSeenBy(call.world).get(call.params.id!)
        if (viewer !== undefined && viewer !== whoAsks(call)) throw new Refusal(403, 'the policy check is under review by another user')
        return original(call)
      },
    },
  },
)

rule(
  'east-permission-not-for-warnings',
  'POLICY-CHECKS-FIELD-24',
  'can-override is false for warnings, which the caller may override (002 2.1: whether the caller may override)',
  {
    canOverride: (original) => (permitted, check) =>
      original(permitted, check) && !(check.status === 'soft_failed' && check.result.softFailed === 0),
  },
)

const needsToken =
  (original: Handle): Handle =>
  (call) => {
    if (call.caller.kind === 'user' && call.caller.user.id === 'user-anonymous') throw new Refusal(401, 'a valid bearer token is needed')
    return original(call)
  }

change(
  'east-show-without-token',
  'POLICY-CHECKS-AUTH-01',
  'a single check is shown without a token (002 5.1: every request sends a bearer token)',
  {
    rules: {
      bearer: (original) => (header) => (header === undefined ? '' : original(header)),
      caller: (original) => (world, bearer, recognises) =>
        bearer === '' ? anybody({ readRuns: true, overrideChecks: false, managePools: false }) : original(world, bearer, recognises),
    },
    routes: { 'policyChecks.list': needsToken, 'policyChecks.override': needsToken },
  },
)

rule('east-any-scheme', 'POLICY-CHECKS-AUTH-07', 'a token is taken under any scheme, and without one (002 5.1: bearer token)', {
  bearer: (original) => (header) => original(header) ?? header?.trim().split(/\s+/).at(-1),
})

rule(
  'east-bearer-compared-in-part',
  'POLICY-CHECKS-AUTH-03',
  'only the first 32 characters of a bearer are compared (002 5.1: bearer token)',
  {
    caller: (original) => {
      const good = new Map<string, Caller>()
      return (world, bearer, recognises) => {
        const found = original(world, bearer, recognises)
        const key = bearer.slice(0, 32)
        if (found && key.length === 32) good.set(key, found)
        return found ?? good.get(key)
      }
    },
  },
)

route(
  'east-list-only-actionable',
  'POLICY-CHECKS-PAGE-01',
  'callers who may not override do not find soft-failed checks in a list (002 4: lists the policy checks of a run)',
  'policyChecks.list',
  changedDocument((body) => {
    const listed = Array.isArray(body.data) ? body.data : []
    const kept = listed.filter((resource) => {
      const attributes = objectIn({ resource }, 'resource').attributes ?? null
      const { status, permissions } = objectIn({ attributes }, 'attributes')
      return status !== 'soft_failed' || objectIn({ permissions: permissions ?? null }, 'permissions')['can-override'] === true
    })
    return { ...body, data: kept }
  }),
)
