/** What the faults of these files share. */
import type { Call } from '../../core/engine.ts'
import type { Lease } from '../../core/leases.ts'
import type { Mutation } from '../../core/mutation.ts'
import type { Reply } from '../../core/reply.ts'
import type { CoreRules } from '../../core/rules.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerRole, BrokerState } from './state.ts'

export type BrokerCall = Call<BrokerState, BrokerRules>

/** The name of the role that a request is about. */
export const nameOf = ({ params }: BrokerCall): string => params.name ?? ''

export const roleIn = (call: BrokerCall): BrokerRole | undefined => call.state.roles.get(nameOf(call))

/** The same request about a role of another name. */
export const about = (call: BrokerCall, name: string): BrokerCall => ({ ...call, params: { ...call.params, name } })

/** The same request, decided otherwise. */
export const deciding = (call: BrokerCall, rules: Partial<BrokerRules>): BrokerCall => ({ ...call, rules: { ...call.rules, ...rules } })

/** The lease that an answer tells of. */
export const leaseIn = (call: BrokerCall, { body }: Reply): Lease | undefined =>
  call.services.leases.find(String((body as { lease_id?: string } | undefined)?.lease_id))

/** The user that an answer tells of. */
export const userIn = ({ body }: Reply): string => (body as { data: { username: string } }).data.username

/** Whether a request, seen by the conventions, is one to this engine. */
export const isBroker = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'topicsOfUser' in call.rules

const requests = new WeakSet<object>()
let latest: object | undefined

/** Overrides of core rules that notice requests to this engine, by their headers, which stay the same object. */
export const noticing = {
  effectivePath: (original) => (header, request, namespaces) => {
    latest = request.headers
    return original(header, request, namespaces)
  },
  pathBelow: (original) => (mount, path, type) => {
    if (type === 'broker' && latest !== undefined) requests.add(latest)
    return original(mount, path, type)
  },
} satisfies Mutation<CoreRules, unknown>['rules']

/** Whether a request goes to this engine; needs `noticing`. */
export const toBroker = ({ headers }: { headers: object }): boolean => requests.has(headers)

/** Whether the request located last goes to this engine; holds until that request waits for the first time. */
export const here = (): boolean => latest !== undefined && requests.has(latest)
