/** Words that the loose faults of the database engine share: what a request is about, other names, states and leases. */
import type { Call } from '../../core/engine.ts'
import type { LeaseRequest, Leases } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { RequestFacts } from '../../core/rules.ts'
import type { Asked } from '../../mutations/callers.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import type { DatabaseRules } from './rules.ts'
import type { DatabaseState, StaticRole } from './state.ts'

export type DatabaseCall = Call<DatabaseState, DatabaseRules>
type Handler = (call: DatabaseCall) => Reply | Promise<Reply>

/** The name in a request's path. */
export const nameOf = (call: DatabaseCall): string => call.params.name ?? ''

/** Whether a request to a database mount is about a path such as `creds`. */
export const isAbout = (folder: string, call: Asked): boolean =>
  call !== undefined && 'rootRotation' in call.rules && `${call.path}/`.startsWith(`${call.mount.path}${folder}/`)

/** Whether a request that is not routed yet goes to a path such as `creds`. */
export const goesTo = (folder: string, request: RequestFacts): boolean => request.path.includes(`/${folder}/`) && !isProvisioning(request)

/** Handles a request under another name. */
export const renamed =
  (change: (name: string, call: DatabaseCall) => string) =>
  (original: Handler): Handler =>
  (call) =>
    original({ ...call, params: { ...call.params, name: change(nameOf(call), call) } })

/** Handles a request with another state; what it does not name is the mount's own. */
export const withState = (call: DatabaseCall, other: Partial<DatabaseState>): DatabaseCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as DatabaseState, other),
})

/** Issues another lease. */
export const leasing =
  (change: (request: LeaseRequest, call: DatabaseCall) => LeaseRequest) =>
  (original: Handler): Handler =>
  (call) => {
    const { leases } = call.services
    const issue: Leases['issue'] = (issuing, request) => leases.issue(issuing, change(request, call))
    return original({ ...call, services: { ...call.services, leases: { issue } as unknown as Leases } })
  }

/** The other static roles of the same connection. */
export const siblings = (state: DatabaseState, role: StaticRole): StaticRole[] =>
  [...state.staticRoles.values()].filter((other) => other !== role && other.dbName === role.dbName)
