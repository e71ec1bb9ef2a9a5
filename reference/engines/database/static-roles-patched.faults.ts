/** Static roles: what they share with those beside them, and what an update or a text does to their period. */
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import type { StaticRole } from './state.ts'
import { type DatabaseCall, nameOf } from './wrappers.ts'

const { rule, route } = faultsOf(databaseEngine)

/** The other static roles of the connection of the role that a call names. */
const siblings = (call: DatabaseCall, role: StaticRole | undefined): StaticRole[] =>
  [...call.state.staticRoles.values()].filter((other) => other !== role && other.dbName === role?.dbName)

route(
  'patched-rotation-of-siblings',
  ['DATABASE-APART-01'],
  'a rotation by hand also sets the time of the last rotation of the other static roles of the connection',
  'database.rotateRole',
  (original) => async (call) => {
    const given = await original(call)
    const role = call.state.staticRoles.get(nameOf(call))
    if (role) for (const other of siblings(call, role)) other.rotatedAt = role.rotatedAt
    return given
  },
)
route(
  'patched-deleted-timers',
  ['DATABASE-ROTATE-01'],
  'deleting a static role ends the schedule of the other static roles of the connection',
  'database.deleteStaticRole',
  (original) => async (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    const given = await original(call)
    if (role) for (const other of siblings(call, role)) other.cancel()
    return given
  },
)
rule('patched-user-of-first', ['DATABASE-STATIC-23'], 'whether a user has a static role already is asked of the first static role only', {
  userAvailable: () => (state, dbName, username) => {
    const [first] = state.staticRoles.values()
    return first?.dbName !== dbName || first.username !== username
  },
})
rule('patched-any-first', ['DATABASE-ALLOWED-05'], '* allows a static role only where it is the first of allowed_roles', {
  staticRoleAllowed: () => (allowed, role) => allowed[0] === '*' || allowed.includes(role),
})
rule('patched-shortened-period', ['DATABASE-STATIC-02'], 'a shortened rotation_period does not rotate sooner', {
  nextRotation: (original) => {
    const longest = new WeakMap<StaticRole, number>()
    return (role, now) => {
      const period = Math.max(role.period, longest.get(role) ?? 0)
      longest.set(role, period)
      return original({ ...role, period }, now)
    }
  },
})
route(
  'patched-period-text',
  ['DATABASE-STATIC-16'],
  'a rotation_period that is a text may be shorter than the minimum',
  'database.writeStaticRole',
  (original) => (call) => {
    const { periodAllowed } = call.rules
    const isText = typeof call.body.rotation_period === 'string'
    return original({ ...call, rules: { ...call.rules, periodAllowed: (period) => (isText ? period >= 1 : periodAllowed(period)) } })
  },
)
