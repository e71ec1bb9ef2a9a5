/** What several faults of this engine share: other rules or another lease for a single request. */
import type { LeaseRequest, Leases } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { CloudcRules } from './rules.ts'
import type { Roleset } from './state.ts'

export type Handler = (call: CloudcCall) => Reply | Promise<Reply>

export const KEYS = ['cloudc.readKey', 'cloudc.createKey'] as const
export const TOKENS = ['cloudc.readToken', 'cloudc.createToken'] as const

/** The request under other rules. */
export const ruled = (call: CloudcCall, rules: Partial<CloudcRules>): CloudcCall => ({ ...call, rules: { ...call.rules, ...rules } })

/** The request with another lease behind the key that it issues. */
export const leasing = (call: CloudcCall, change: (request: LeaseRequest) => LeaseRequest): CloudcCall => {
  const { leases } = call.services
  const issue: Leases['issue'] = (issuing, request) => leases.issue(issuing, change(request))
  // Issuing is all that the routes of keys do with leases.
  return { ...call, services: { ...call.services, leases: { issue } as unknown as Leases } }
}

/** Whether a request that was routed already is one to this engine. */
export const isCloudc = (call: { rules: object } | undefined): boolean => call !== undefined && 'mayRotateKey' in call.rules

/** Rolesets of the same mount under other names. */
export const others = ({ state }: CloudcCall, name: string | undefined): Roleset[] =>
  [...state.rolesets].filter(([known]) => known !== name).map(([, roleset]) => roleset)
