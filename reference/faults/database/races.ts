/** Faults that show only where requests meet. */
import type { Fault } from '../../core/mutation.ts'
import type { StaticRole } from '../../engines/database/state.ts'
import { databaseFault, nameOf } from './shared.ts'

/** Rotations by hand of a role that are under way. */
const underWay = new WeakMap<StaticRole, number>()

/** Long enough for the rotations behind to reach the database. */
const STORING_MS = 500

export const raceFaults: Fault[] = [
  databaseFault('rotations-overtaken', ['DB-RACE-01'], 'of rotations at once the first to reach the database is the last to be stored', {
    routes: {
      'database.rotateRole': (original) => async (call) => {
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
    },
  }),
]
