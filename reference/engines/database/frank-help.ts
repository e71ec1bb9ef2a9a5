/** What these faults share: which requests are this engine's, and calls with other rules or leases. */
import type { Call } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Lease, LeaseRequest, Leases } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { Asked } from '../../mutations/callers.ts'
import { requestsTo } from '../../mutations/locating.ts'
import type { DatabaseRules } from './rules.ts'
import type { DatabaseState } from './state.ts'

export type DatabaseCall = Call<DatabaseState, DatabaseRules>

/** Paths that only this engine has. */
export const STATIC_PATH = /(^|\/)(static-roles|static-creds|rotate-role|rotate-root)(\/|$)/

export const nameOf = ({ params }: DatabaseCall): string => params.name ?? ''

export const dataOf = (given: Reply): JsonObject => ((given.body as JsonObject | undefined)?.data ?? {}) as JsonObject

export const withRules = (call: DatabaseCall, rules: Partial<DatabaseRules>): DatabaseCall => ({
  ...call,
  rules: { ...call.rules, ...rules },
})

/** The call with leases whose requests are changed; `then` is told of each lease. */
export const withLeases = (
  call: DatabaseCall,
  change: (request: LeaseRequest) => LeaseRequest,
  then: (lease: Lease) => void = () => {},
): DatabaseCall => {
  const issue: Leases['issue'] = (issuing, request) => {
    const lease = call.services.leases.issue(issuing, change(request))
    then(lease)
    return lease
  }
  // The engine only issues.
  return { ...call, services: { ...call.services, leases: { issue } as unknown as Leases } }
}

/** Whether a call is one of this engine, at a path that fits. */
export const asksDatabase = (call: Asked, path = /./): call is NonNullable<Asked> =>
  call !== undefined && typeof call.state === 'object' && call.state !== null && 'staticRoles' in call.state && path.test(call.path)

export const { here: inDatabase, locating } = requestsTo('database')
