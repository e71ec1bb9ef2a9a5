/** What the faults of this label share: where a request goes, and the lease of an answer. */
import type { Call } from '../../core/engine.ts'
import type { Lease } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { DatabaseRules } from './rules.ts'
import type { DatabaseState } from './state.ts'

export type DatabaseCall = Call<DatabaseState, DatabaseRules>

type Asked = Call<unknown, object> | undefined

/** The name in a request's path. */
export const nameOf = (call: { params: Record<string, string> }): string => call.params.name ?? ''

/** Whether a request goes to a database mount. */
export const isDatabase = (call: Asked): call is Call<unknown, object> => call !== undefined && 'staticTtl' in call.rules

/** The state of the database mount that a request goes to, where its path begins with a kind of object. */
export const stateAt = (call: Asked, kind: string): DatabaseState | undefined =>
  isDatabase(call) && call.path.startsWith(`${call.mount.path}${kind}/`) ? (call.state as DatabaseState) : undefined

/** The lease of the credential in an answer. */
export const leaseOf = (call: DatabaseCall, reply: Reply): Lease | undefined =>
  call.services.leases.find(String((reply.body as { lease_id?: string } | undefined)?.lease_id))
