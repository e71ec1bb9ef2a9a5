/** What the faults of this label share. */
import type { Call } from '../../core/engine.ts'
import type { SshRules } from './rules.ts'
import type { Role, SshState } from './state.ts'

export type SshCall = Call<SshState, SshRules>

export const isSsh = ({ rules }: { rules: object }): boolean => 'signsFor' in rules

export const nameIn = (call: SshCall): string => call.params.name ?? ''

export const roleIn = (call: SshCall): Role | undefined => call.state.roles.get(nameIn(call))

/** The call with some of its rules replaced, for this request only. */
export const withRules = (call: SshCall, rules: Partial<SshRules>): SshCall => ({ ...call, rules: { ...call.rules, ...rules } })

/** The call with other roles in its state, which otherwise stays the same. */
export const withRoles = (call: SshCall, roles: Map<string, Role>): SshCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as SshState, { roles }),
})
