/** Words that the faults of this engine share. */
import type { Call } from '../../core/engine.ts'
import type { Lease } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { DatabaseRules } from './rules.ts'
import type { Connection, DatabaseState } from './state.ts'

type DatabaseCall = Call<DatabaseState, DatabaseRules>

export const nameOf = (call: DatabaseCall): string => call.params.name ?? ''

/** The call as handlers see it where some decisions are taken otherwise. */
export const withRules = (call: DatabaseCall, rules: Partial<DatabaseRules>): DatabaseCall => ({
  ...call,
  rules: { ...call.rules, ...rules },
})

/** The lease that an answer names. */
export const leaseOf = (call: DatabaseCall, reply: Reply): Lease | undefined =>
  call.services.leases.find(String((reply.body as { lease_id?: string } | undefined)?.lease_id))

/** The connection of the dynamic role `:name`. */
export const connectionOfRole = (call: DatabaseCall): Connection | undefined => {
  const role = call.state.roles.get(nameOf(call))
  return role && call.state.connections.get(role.dbName)
}

/** Whether a call goes to a mount of this engine. */
export const isDatabase = (call: Asked): call is DatabaseCall => call !== undefined && 'staticRoleOf' in call.rules
