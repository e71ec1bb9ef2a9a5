/** Faults of who may ask: bearers, callers without permission, what they are shown, what happens in spite of a refusal. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { anybody } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { Caller } from '../../run-management/world.ts'
import { policyChecks } from './engine.ts'
import {
  askerOf,
  type ChecksCall,
  checkIn,
  deciding,
  type Handle,
  idIn,
  inRun,
  LIST,
  OUTPUT,
  OVERRIDE,
  SHOW,
  unauthenticated,
} from './north-help.ts'

const { rule, route, change } = faultsOf(policyChecks)

const forbidden = (): Refusal => new Refusal(403, 'you may not override this policy check')

route(
  'north-overridden-in-spite-of-refusal',
  'POLICY-CHECKS-OVERRIDE-17',
  'a caller who may only read is refused, but the check is overridden (002 5.3: override is governed by permissions.can-override)',
  OVERRIDE,
  (original) => async (call) => {
    const { rules, caller, world } = call
    const check = checkIn(call)
    if (check && rules.mayRead(caller, check) && !rules.mayOverride(caller, check)) {
      await rules.override(check, call.now(), rules.overridable, world)
    }
    return original(call)
  },
)

const permitted = remembered(() => new Map<string, boolean>())
route(
  'north-permission-of-first-viewer',
  'POLICY-CHECKS-FIELD-24',
  'show gives everyone the can-override of whoever looked at the check first (002 2.1: can-override, whether the caller may override)',
  SHOW,
  (original) => (call) =>
    original(
      deciding(call, {
        canOverride: (own, check) => {
          const first = permitted(call.world).get(check.id) ?? call.rules.canOverride(own, check)
          permitted(call.world).set(check.id, first)
          return first
        },
      }),
    ),
)

/** Asks otherwise who may override, without another `can-override`. */
const overridingWhere =
  (also: (call: ChecksCall) => boolean) =>
  (original: Handle): Handle =>
  (call) =>
    original(deciding(call, { mayOverride: (caller, check) => call.rules.mayOverride(caller, check) || also(call) }))

route(
  'north-warnings-for-everyone',
  'POLICY-CHECKS-OVERRIDE-17',
  'whoever may read a check may override it when it failed with warnings only (002 5.3: override is governed by permissions.can-override)',
  OVERRIDE,
  overridingWhere((call) => {
    const result = checkIn(call)?.result
    return result !== undefined && result.softFailed === 0 && result.advisoryFailed > 0
  }),
)

route(
  'north-open-after-first-override',
  'POLICY-CHECKS-OVERRIDE-17',
  'once a check of a run is overridden, whoever may read may override the others (002 5.3: governed by permissions.can-override)',
  OVERRIDE,
  overridingWhere((call) => inRun(call.world, checkIn(call)?.runId ?? '').some(({ status }) => status === 'overridden')),
)

route(
  'north-strangers-override',
  'POLICY-CHECKS-OVERRIDE-18',
  'a caller who has no rights at all overrides a check, only one who may read is asked for the permission (002 5.3: can-override)',
  OVERRIDE,
  (original) => (call) =>
    original(
      deciding(call, {
        mayRead: () => true,
        mayOverride: (caller, check) => !call.rules.mayRead(caller, check) || call.rules.mayOverride(caller, check),
      }),
    ),
)

const nobody = anybody({ readRuns: true, overrideChecks: true, managePools: false })
const isNobody = (caller: Caller): boolean => caller === nobody
const refusingNobody =
  (original: Handle): Handle =>
  (call) => {
    if (isNobody(call.caller)) throw unauthenticated()
    return original(call)
  }
/** Lets requests without the header through to the handlers, as nobody's. */
const withoutHeader: NonNullable<Parameters<typeof change>[3]['rules']> = {
  bearer: (original) => (header) => (header === undefined ? '' : original(header)),
  caller: (original) => (world, bearer, recognises) => (bearer === '' ? nobody : original(world, bearer, recognises)),
}

change(
  'north-overridden-then-401',
  'POLICY-CHECKS-AUTH-05',
  'an override without an Authorization header is refused, but done (002 5.1: every request sends a bearer token)',
  {
    rules: withoutHeader,
    routes: {
      [LIST]: refusingNobody,
      [SHOW]: refusingNobody,
      [OUTPUT]: refusingNobody,
      [OVERRIDE]: (original) => async (call) => {
        const given = await original(call)
        if (isNobody(call.caller)) throw unauthenticated()
        return given
      },
    },
  },
)

change(
  'north-list-without-bearer',
  'POLICY-CHECKS-AUTH-01',
  'the list needs no Authorization header (002 5.1: every request sends a bearer token)',
  {
    rules: withoutHeader,
    routes: { [SHOW]: refusingNobody, [OUTPUT]: refusingNobody, [OVERRIDE]: refusingNobody },
  },
)

rule(
  'north-any-scheme',
  'POLICY-CHECKS-AUTH-07',
  'a token is taken without a scheme or with another one than Bearer, too (002 5.1: bearer token)',
  {
    bearer: () => (header) => /^(?:\S+ +)?(\S+)$/.exec(header ?? '')?.[1],
  },
)

const holders = remembered(() => new Map<string, string>())
route(
  'north-run-belongs-to-first-overrider',
  'POLICY-CHECKS-OVERRIDE-01',
  'a run of which somebody overrode a check is closed to others with can-override (002 5.3: governed by permissions.can-override)',
  OVERRIDE,
  (original) => async (call) => {
    const run = checkIn(call)?.runId ?? ''
    const holder = holders(call.world).get(run)
    if (holder !== undefined && holder !== askerOf(call)) throw forbidden()
    const given = await original(call)
    holders(call.world).set(run, askerOf(call))
    return given
  },
)

const closed = remembered(() => new Set<string>())
route(
  'north-refusal-sticks-to-check',
  'POLICY-CHECKS-OVERRIDE-01',
  'once a caller without permission was refused at a check, everyone is (002 5.3: governed by the permissions.can-override of the caller)',
  OVERRIDE,
  (original) => async (call) => {
    if (closed(call.world).has(idIn(call))) throw forbidden()
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof Refusal && cause.status === call.rules.forbiddenStatus()) closed(call.world).add(idIn(call))
      throw cause
    }
  },
)

route(
  'north-list-permits-readers',
  'POLICY-CHECKS-FIELD-25',
  'the list gives can-override as true to whoever may read (002 2.1: can-override, whether the caller may override)',
  LIST,
  (original) => (call) => original(deciding(call, { canOverride: (_permitted, check) => call.rules.mayRead(call.caller, check) })),
)

const attempts = remembered(() => new Set<string>())
route(
  'north-second-attempt-passes',
  'POLICY-CHECKS-OVERRIDE-17',
  'a caller without permission who tries a refused override again succeeds (002 5.3: override is governed by permissions.can-override)',
  OVERRIDE,
  (original) => async (call) => {
    const attempt = `${askerOf(call)} ${idIn(call)}`
    const again = attempts(call.world).has(attempt)
    attempts(call.world).add(attempt)
    return overridingWhere(() => again)(original)(call)
  },
)
