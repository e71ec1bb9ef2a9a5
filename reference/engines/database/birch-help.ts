/** What several files of faults of this engine share. */
import type { Call } from '../../core/engine.ts'
import type { Lease } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { DatabaseRules } from './rules.ts'
import type { DatabaseState } from './state.ts'

type DatabaseCall = Call<DatabaseState, DatabaseRules>

export const nameOf = (call: DatabaseCall): string => call.params.name ?? ''

/** The call with some of its rules replaced. */
export const withRules = (call: DatabaseCall, rules: Partial<DatabaseRules>): DatabaseCall => ({
  ...call,
  rules: { ...call.rules, ...rules },
})

/** The lease that an answer names. */
export const leaseIn = (call: DatabaseCall, reply: Reply): Lease | undefined =>
  call.services.leases.find(String((reply.body as { lease_id?: string } | undefined)?.lease_id ?? ''))

/** The path below the mount where a request of the core goes to this engine. */
export const belowMount = (call: Call<unknown, object> | undefined): string | undefined => {
  const { state } = call ?? {}
  if (call === undefined || typeof state !== 'object' || state === null || !('staticRoles' in state)) return undefined
  return call.path.slice(call.mount.path.length)
}
