/** What faults in the files `*-later.faults.ts` share. */
import type { StaticRole } from './state.ts'
import { type DatabaseCall, type Handle, nameOf } from './wrappers.ts'

export const staticRoleOf = (call: DatabaseCall): StaticRole | undefined => call.state.staticRoles.get(nameOf(call))

/** The first rotation that a request arms comes after another delay; undefined leaves it as it is. */
export const firstDelay =
  (delayOf: (call: DatabaseCall) => ((role: StaticRole, now: number) => number) | undefined) =>
  (original: Handle): Handle =>
  (call) => {
    const delay = delayOf(call)
    let armed = delay === undefined
    const nextRotation = (role: StaticRole, now: number): number | undefined => {
      if (armed || delay === undefined) return call.rules.nextRotation(role, now)
      armed = true
      return Math.max(0, delay(role, now))
    }
    return original({ ...call, rules: { ...call.rules, nextRotation } })
  }

export const renamed =
  (change: (call: DatabaseCall) => string) =>
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, params: { ...call.params, name: change(call) } })
