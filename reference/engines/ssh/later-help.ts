/** What the faults in the files `*-later.faults.ts` share. */
import type { SshRules } from './rules.ts'
import type { Role } from './state.ts'
import { nameOf, type SshCall } from './wrappers.ts'

export const namedRole = (call: SshCall): Role | undefined => call.state.roles.get(nameOf(call))

export const withRules = (call: SshCall, change: Partial<SshRules>): SshCall => ({ ...call, rules: { ...call.rules, ...change } })

export const ipv4Number = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
