/** What the faults of these files share. */
import type { Call, Route } from '../../core/engine.ts'
import type { SshRules } from './rules.ts'
import type { Role, SshState } from './state.ts'

export type SshCall = Call<SshState, SshRules>

type Handle = Route<SshState, SshRules>['handle']

/** The name that a request's path holds. */
export const nameOf = ({ params }: SshCall): string => params.name ?? ''

/** The role that a request is about. */
export const roleIn = (call: SshCall): Role | undefined => call.state.roles.get(nameOf(call))

/** The same request, decided otherwise. */
export const deciding = (call: SshCall, rules: Partial<SshRules>): SshCall => ({ ...call, rules: { ...call.rules, ...rules } })

/** A handler for which some decisions are made again with each request. */
export const decidedPerCall =
  (rulesFor: (call: SshCall) => Partial<SshRules>) =>
  (original: Handle): Handle =>
  (call) =>
    original(deciding(call, rulesFor(call)))
