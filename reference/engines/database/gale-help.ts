/** What the faults of this label share: calls of this engine, calls with other rules, and which requests go here. */
import type { Call } from '../../core/engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Lease } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { DatabaseRules } from './rules.ts'
import type { DatabaseState } from './state.ts'

export type DatabaseCall = Call<DatabaseState, DatabaseRules>

export const nameOf = (call: DatabaseCall): string => call.params.name ?? ''

/** The call with some decisions replaced. */
export const withRules = (call: DatabaseCall, rules: Partial<DatabaseRules>): DatabaseCall => ({
  ...call,
  rules: { ...call.rules, ...rules },
})

/** The next rotation is due when `first` says, all later ones as usual. */
export const nextRotationOnce = (call: DatabaseCall, first: DatabaseRules['nextRotation']): Partial<DatabaseRules> => {
  let used = false
  return {
    nextRotation(role, now) {
      if (used) return call.rules.nextRotation(role, now)
      used = true
      return first(role, now)
    },
  }
}

export const dataOf = (reply: Reply): JsonObject => ((reply.body as JsonObject | undefined)?.data ?? {}) as JsonObject

/** The lease of an answer, where it has one. */
export const leaseOf = (call: DatabaseCall, reply: Reply): Lease | undefined =>
  call.services.leases.find(String((reply.body as JsonObject | undefined)?.lease_id ?? ''))

/** Whether a call goes to this engine, at or below a path. */
export const isAt = (call: Asked, path: string): boolean =>
  call !== undefined &&
  'staticRoles' in (call.state as object) &&
  `${call.path}/`.startsWith(`${call.mount.path}${path === '' ? '' : `${path}/`}`)

/** Whether a listing is asked for by the query of a GET. */
export const listsByQuery = (call: { query: URLSearchParams }): boolean => call.query.get('list') === 'true'

export const isText = (value: Json | undefined): value is string => typeof value === 'string'
