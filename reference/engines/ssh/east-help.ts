/** What the faults of these files share. */
import type { Call } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { SshRules } from './rules.ts'
import type { Role, SshState } from './state.ts'

export type SshCall = Call<SshState, SshRules>

export const isSshState = (state: unknown): state is SshState =>
  typeof state === 'object' && state !== null && 'otps' in state && 'zeroAddress' in state

/** Whether a request goes to an SSH mount. */
export const isSsh = (call: Asked): call is NonNullable<Asked> => isSshState(call?.state)

export const nameIn = (call: SshCall): string => call.params.name ?? ''

export const roleIn = (call: SshCall): Role | undefined => call.state.roles.get(nameIn(call))

/** `data` of an answer; an empty object where there is none. */
export const dataOf = (reply: Reply): JsonObject => ((reply.body as JsonObject | undefined)?.data ?? {}) as JsonObject

/** The call with some of its state replaced for this request only; what is issued is still kept in the state itself. */
export const overlaid = (call: SshCall, parts: Partial<SshState>): SshCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as SshState, parts),
})
