/** What these faults share: which requests are this engine's, and states and records beside the engine's own. */
import type { Call } from '../../core/engine.ts'
import type { Reply } from '../../core/reply.ts'
import type { Asked } from '../../mutations/callers.ts'
import { requestsTo } from '../../mutations/locating.ts'
import type { SshRules } from './rules.ts'
import type { Role, SshState } from './state.ts'

type SshCall = Call<SshState, SshRules>
export type SshHandler = (call: SshCall) => Reply | Promise<Reply>

export const { here: inSsh, locating } = requestsTo('ssh')

/** Whether a call is one of this engine, at a path below its mount that fits. */
export const asksSsh = (call: Asked, below: RegExp): boolean =>
  call !== undefined && typeof call.state === 'object' && call.state !== null && 'otps' in call.state && below.test(call.path)

/** The call with another role under its name. */
export const withRole = (call: SshCall, role: Role): SshCall => {
  const roles = new Map(call.state.roles).set(call.params.name ?? '', role)
  return { ...call, state: Object.assign(Object.create(call.state) as SshState, { roles }) }
}

export const roleOfCall = ({ state, params }: SshCall): Role | undefined => state.roles.get(params.name ?? '')
