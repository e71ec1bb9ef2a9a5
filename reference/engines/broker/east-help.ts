/** What the faults of this label share: calls with one thing exchanged, and which requests go to this engine. */
import type { Call } from '../../core/engine.ts'
import type { Leases } from '../../core/leases.ts'
import type { Mutation } from '../../core/mutation.ts'
import type { CoreRules, RequestFacts } from '../../core/rules.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerState } from './state.ts'

export type BrokerCall = Call<BrokerState, BrokerRules>
type Issue = Leases['issue']

export const roleName = (call: BrokerCall): string => call.params.name ?? ''

export const withName = (call: BrokerCall, name: string): BrokerCall => ({ ...call, params: { ...call.params, name } })

/** The call with other rules, for this one request. */
export const withRules = (call: BrokerCall, rules: Partial<BrokerRules>): BrokerCall => ({ ...call, rules: { ...call.rules, ...rules } })

/** The call with a part of the state exchanged; what is not, stays the living one. */
export const withState = (call: BrokerCall, part: Partial<BrokerState>): BrokerCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as BrokerState, part),
})

/** The call with another way of issuing leases. */
export const withIssue = (call: BrokerCall, wrap: (issue: Issue) => Issue): BrokerCall => {
  const { leases } = call.services
  const issue = wrap((issuing, request) => leases.issue(issuing, request))
  return { ...call, services: { ...call.services, leases: Object.assign(Object.create(leases) as Leases, { issue }) } }
}

/** Knows which requests go to mounts of this engine; `locating` are the overrides that it learns from. */
export const brokerRequests = () => {
  const found = new WeakSet<RequestFacts>()
  const byHeaders = new WeakMap<object, RequestFacts>()
  let latest: RequestFacts | undefined
  let here = false
  return {
    has: (request: RequestFacts): boolean => found.has(request),
    /** The request being answered, where it goes here; holds until it waits for the first time. */
    current: (): RequestFacts | undefined => (here ? latest : undefined),
    of: (call: { headers: object }): RequestFacts | undefined => byHeaders.get(call.headers),
    locating: {
      effectivePath: (original) => (header, request, namespaces) => {
        latest = request
        here = false
        return original(header, request, namespaces)
      },
      pathBelow: (original) => (mount, path, type) => {
        here = type === 'broker'
        if (here && latest) {
          found.add(latest)
          byHeaders.set(latest.headers, latest)
        }
        return original(mount, path, type)
      },
    } satisfies Mutation<CoreRules, unknown>['rules'],
  }
}
