/** What the faults labelled `east` share. */

import type { JsonObject } from '../../core/json.ts'
import type { Lease } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { Bindings, Roleset } from './state.ts'

export const dataOf = (given: Reply): JsonObject => ((given.body as JsonObject | undefined)?.data ?? {}) as JsonObject

/** Of either spelling of the parameter. */
export const nameIn = ({ params }: CloudcCall): string => params.name ?? params.roleset ?? ''

export const rolesetOf = (call: CloudcCall): Roleset | undefined => call.state.rolesets.get(nameIn(call))

export const leaseIn = (call: CloudcCall, given: Reply): Lease | undefined =>
  call.services.leases.find(String((given.body as JsonObject | undefined)?.lease_id ?? ''))

/** The same request under some other rules. */
export const ruledBy = (call: CloudcCall, rules: Partial<CloudcCall['rules']>): CloudcCall => ({
  ...call,
  rules: { ...call.rules, ...rules },
})

export const sameBindings = (one: Bindings, other: Bindings): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Whether a request that is known as a call goes to this engine: its rules tell. */
export const isOurs = (call: { rules: object } | undefined): boolean => call !== undefined && 'mayGiveKey' in call.rules

/** Whether a path below any mount or namespace reads like one of rolesets, which no other engine has. */
export const namesRoleset = (path: string): boolean => /(^|\/)(rolesets?|token|key)(\/|$)/.test(path) && !isProvisioning({ path })
