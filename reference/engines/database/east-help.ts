/** What the faults of this set share. */
import type { Call } from '../../core/engine.ts'
import type { Lease } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { DatabaseRules } from './rules.ts'
import type { DatabaseState } from './state.ts'

type DatabaseCall = Call<DatabaseState, DatabaseRules>

export const nameOf = (call: DatabaseCall): string => call.params.name ?? ''

/** The call with other decisions, for one request. */
export const withRules = (call: DatabaseCall, changed: Partial<DatabaseRules>): DatabaseCall => ({
  ...call,
  rules: { ...call.rules, ...changed },
})

/** Whether a request goes to a database mount, wherever it is mounted. */
export const isDatabase = (call: Asked): boolean => call !== undefined && 'staticRoleOf' in call.rules

/** Whether a request goes to a part of a database mount, e.g. `creds`. */
export const isAt = (call: Asked, part: string): boolean =>
  call !== undefined && isDatabase(call) && call.path.startsWith(`${call.mount.path}${part}/`)

/** The lease that an answer shows. */
export const leaseIn = (call: DatabaseCall, reply: Reply): Lease | undefined =>
  call.services.leases.find(String((reply.body as { lease_id?: string } | undefined)?.lease_id ?? ''))

/** Paths that no other engine has. */
export const isOwnPath = (path: string): boolean => /\/(static-roles|static-creds|rotate-role|rotate-root|reset)(\/|$)/.test(path)
