/** What amber's faults of the broker share: calls with one part changed, and whose requests are the broker's. */
import type { Call } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Lease, LeaseRequest, Leases } from '../../core/leases.ts'
import type { Mutation } from '../../core/mutation.ts'
import type { CoreRules } from '../../core/rules.ts'
import { requestsTo } from '../../mutations/locating.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerRole, BrokerState } from './state.ts'

type BrokerCall = Call<BrokerState, BrokerRules>

export const nameOf = (call: BrokerCall): string => call.params.name ?? ''

export const renamed = (call: BrokerCall, name: string): BrokerCall => ({ ...call, params: { ...call.params, name } })

export const withRules = (call: BrokerCall, rules: Partial<BrokerRules>): BrokerCall => ({ ...call, rules: { ...call.rules, ...rules } })

/** The call with another role behind its name. The state itself stays, for the end of a lease looks at its connection. */
export const withRole = (call: BrokerCall, role: BrokerRole): BrokerCall => {
  const roles = new Map(call.state.roles).set(nameOf(call), role)
  return { ...call, state: Object.assign(Object.create(call.state) as BrokerState, { roles }) }
}

/** The call with another request for the lease of what it issues; `issued` gives that lease once there is one. */
export const withLease = (call: BrokerCall, change: (request: LeaseRequest, issued: () => Lease) => LeaseRequest): BrokerCall => {
  const { leases } = call.services
  const issue: Leases['issue'] = (issuing, request) => {
    const lease: Lease = leases.issue(
      issuing,
      change(request, () => lease),
    )
    return lease
  }
  return { ...call, services: { ...call.services, leases: Object.assign(Object.create(leases) as Leases, { issue }) } }
}

/** The object in a role's text, which was checked when the role was written. */
export const objectIn = (text: string): JsonObject => (text === '' ? {} : (JSON.parse(text) as JsonObject))

export const isBroker = (call: { rules: object } | undefined): boolean => call !== undefined && 'vhostsOf' in call.rules

/**
 * Tells which requests go to the broker: `here` the one located last, `methodOf` any of them, for its headers are one object from the
 * first rule to the last.
 */
export const brokerRequests = () => {
  const { here, locating } = requestsTo('broker')
  const methods = new WeakMap<object, string>()
  return {
    here,
    /** The verb as it was sent; undefined for requests to others. */
    methodOf: ({ headers }: { headers: object }): string | undefined => methods.get(headers),
    marking: {
      ...locating,
      outOfService: (original) => (seal, request) => {
        if (here()) methods.set(request.headers, request.method)
        return original(seal, request)
      },
    } satisfies Mutation<CoreRules, unknown>['rules'],
  }
}
