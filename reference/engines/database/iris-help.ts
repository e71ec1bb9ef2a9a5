/** What the faults of several classes share: other rules for one request, the lease of an answer, and whose request it is. */
import type { Call } from '../../core/engine.ts'
import type { Lease } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { DatabaseRoute } from './engine.ts'
import type { DatabaseRules } from './rules.ts'
import type { DatabaseState } from './state.ts'

export type DatabaseCall = Call<DatabaseState, DatabaseRules>
type Handler = DatabaseRoute['handle']

export const nameOf = (call: DatabaseCall): string => call.params.name ?? ''

/** Handles a request, and what it arms, by other rules. */
export const withRules =
  (change: (rules: DatabaseRules, call: DatabaseCall) => Partial<DatabaseRules>) =>
  (original: Handler): Handler =>
  (call) =>
    original({ ...call, rules: { ...call.rules, ...change(call.rules, call) } })

/** One way at the first call, another from then on. */
export const atFirst = <A extends unknown[], T>(first: (...given: A) => T, then: (...given: A) => T): ((...given: A) => T) => {
  let done = false
  return (...given) => {
    if (done) return then(...given)
    done = true
    return first(...given)
  }
}

/** The lease that an answer shows. */
export const leaseOf = (call: DatabaseCall, reply: Reply): Lease | undefined =>
  call.services.leases.find(String((reply.body as { lease_id?: string }).lease_id))

/** Whether a request is for a path below a database mount. */
export const asks =
  (path: RegExp) =>
  (call: Asked): boolean =>
    call !== undefined && 'rootRotation' in call.rules && path.test(call.path.slice(call.mount.path.length))
