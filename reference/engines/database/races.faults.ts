/** Faults that show only where requests meet. */

import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import type { StaticRole } from './state.ts'
import { nameOf } from './wrappers.ts'

const { route } = faultsOf(databaseEngine)

/** Rotations by hand of a role that are under way. */
const underWay = new WeakMap<StaticRole, number>()

/** Long enough for the rotations behind to reach the database. */
const STORING_MS = 500

route(
  'rotations-overtaken',
  'DATABASE-RACE-01',
  'of rotations at once the first to reach the database is the last to be stored',
  'database.rotateRole',
  (original) => async (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    if (role === undefined) return original(call)
    underWay.set(role, (underWay.get(role) ?? 0) + 1)
    const reply = await original(call)
    const { password } = role
    const others = (underWay.get(role) ?? 1) - 1
    underWay.set(role, others)
    if (others > 0) {
      await new Promise((done) => setTimeout(done, STORING_MS * others))
      role.password = password
    }
    return reply
  },
)
