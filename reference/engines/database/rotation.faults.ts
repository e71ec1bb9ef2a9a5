/** Faults of rotation of static roles: by schedule, by hand, with statements, and several at once. */
import { ApiError } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { databaseEngine } from './engine.ts'
import type { StaticRole } from './state.ts'
import { staticRoleAt, withRules } from './wrappers.ts'

const { rule, route, declared } = faultsOf(databaseEngine)

// By schedule
const siblings = (state: { staticRoles: Map<string, StaticRole> }, role: StaticRole | undefined): StaticRole[] =>
  [...state.staticRoles.values()].filter((other) => other !== role && other.dbName === role?.dbName)
route(
  'schedule-ends-with-sibling',
  'DATABASE-ROTATE-01',
  'deleting a static role ends the schedule of the others of its connection',
  'database.deleteStaticRole',
  (original) => (call) => {
    for (const other of siblings(call.state, staticRoleAt(call))) other.cancel()
    return original(call)
  },
)
const byHand = new WeakSet<StaticRole>()
rule('schedule-ends-by-hand', 'DATABASE-ROTATE-01', 'after a rotation by hand there is none by schedule', {
  rotatedByHandAt: (original) => (role, now) => {
    byHand.add(role)
    return original(role, now)
  },
  nextRotation: (original) => (role, now) => (byHand.has(role) ? undefined : original(role, now)),
})
const turns = remembered(() => ({ count: 0 }))
rule('schedule-once', 'DATABASE-ROTATE-01', 'a static role is rotated by schedule once and then no more', {
  rotatedAt: (original) => (role, now) => {
    turns(role).count += 1
    return original(role, now)
  },
  // The first time is the one at creation.
  nextRotation: (original) => (role: StaticRole, now) => (turns(role).count > 1 ? undefined : original(role, now)),
})
/** When each role was last rotated by a request. */
const byRequest = new WeakMap<StaticRole, number>()
route(
  'schedule-breaks-role',
  ['DATABASE-ROTATE-03', 'DATABASE-STATIC-08'],
  'after a rotation by schedule a static role can neither be rotated nor deleted',
  ['database.writeStaticRole', 'database.rotateRole', 'database.deleteStaticRole'],
  (original) => async (call) => {
    const before = staticRoleAt(call)
    const isWrite = call.path.includes('static-roles/') && call.method !== 'DELETE'
    if (before !== undefined && !isWrite && byRequest.get(before) !== before.rotatedAt) throw new ApiError(500, 'the role is busy')
    const reply = await original(call)
    const after = staticRoleAt(call)
    if (after !== undefined) byRequest.set(after, after.rotatedAt)
    return reply
  },
)

// By hand
rule('rotation-local', ['DATABASE-ROTATE-02', 'DATABASE-ROTATE-03'], 'later rotations do not reach the database', {
  rotatesInDatabase: () => (role) => role.password === '',
})
route(
  'rotation-not-shown',
  'DATABASE-ROTATE-03',
  'static credentials that were read are shown until their ttl is over, also after a rotation by hand',
  'database.readStaticCreds',
  (original) => {
    const cached = new WeakMap<StaticRole, { until: number; given: Reply }>()
    return async (call) => {
      const role = staticRoleAt(call)
      const before = role && cached.get(role)
      if (before && call.now() < before.until) return before.given
      const given = await original(call)
      const { data } = given.body as { data: { ttl: number } }
      if (role) cached.set(role, { until: call.now() + data.ttl, given })
      return given
    }
  },
)
route(
  'rotation-keeps-schedule',
  'DATABASE-ROTATE-04',
  'a rotation by hand leaves the next one by schedule where it was',
  'database.rotateRole',
  (original) => async (call) => {
    const role = staticRoleAt(call)
    const { nextRotation } = call.rules
    let due = role && role.rotatedAt + role.period
    const next: typeof nextRotation = (rotated, now) => {
      if (due === undefined) return nextRotation(rotated, now)
      const delay = Math.max(0, due - now)
      due = undefined
      return delay
    }
    return original(withRules(call, { nextRotation: next }))
  },
)
rule('rotation-ttl-kept', ['DATABASE-ROTATE-04', 'DATABASE-ROTATE-07'], 'a rotation by hand does not start the period again', {
  rotatedByHandAt: () => (role) => role.rotatedAt,
})
rule('rotation-stored-early', 'DATABASE-ROTATE-06', 'the new password is stored before the database takes it', {
  unrotated: () => (_role, password) => password,
})
/** Rotations by hand of a role that are under way. */
const underWay = remembered(() => ({ count: 0 }))
/** Long enough for the rotations behind to reach the database. */
const STORING_MS = 500
route(
  'rotations-overtaken',
  'DATABASE-RACE-01',
  'of rotations at once the first to reach the database is the last to be stored',
  'database.rotateRole',
  (original) => async (call) => {
    const role = staticRoleAt(call)
    if (role === undefined) return original(call)
    const turn = underWay(role)
    turn.count += 1
    const reply = await original(call)
    const { password } = role
    turn.count -= 1
    const others = turn.count
    if (others > 0) {
      await new Promise((done) => setTimeout(done, STORING_MS * others))
      role.password = password
    }
    return reply
  },
)

// Statements
rule('rotation-last-statement', 'DATABASE-STATIC-20', 'of several rotation statements only the last is run', {
  rotation: (original) => (role, standard) => original(role, standard).slice(-1),
})
rule('rotation-username-unfilled', 'DATABASE-STATIC-20', 'in statements of a static role the user is not filled in', {
  rotation: (original) => (role, standard) =>
    role.rotation.length === 0
      ? original(role, standard)
      : original(role, standard).map((text) => text.replaceAll('{{username}}', '{{user}}')),
})
rule('rotation-statements-needed', 'DATABASE-STATIC-21', 'without statements a rotation does nothing in the database', {
  rotation: () => (role) => role.rotation,
})

export const faults = declared
