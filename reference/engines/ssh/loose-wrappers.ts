/** What several of the loose faults share: requests handled as if the mount or its role were another. */
import type { Call } from '../../core/engine.ts'
import type { SshRules } from './rules.ts'
import type { Role, SshState } from './state.ts'

export type SshCall = Call<SshState, SshRules>

export const withState = (call: SshCall, change: Partial<SshState>): SshCall => ({ ...call, state: { ...call.state, ...change } })

export const withRole = (call: SshCall, change: (role: Role) => Role): SshCall => {
  const name = call.params.name ?? ''
  const role = call.state.roles.get(name)
  return role ? withState(call, { roles: new Map(call.state.roles).set(name, change(role)) }) : call
}
