/** What several faults of the broker share. */
import type { Call } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Lease } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { Asked } from '../../mutations/callers.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerState } from './state.ts'

export type BrokerCall = Call<BrokerState, BrokerRules>

export const nameIn = (call: BrokerCall): string => call.params.name ?? ''

/** The same request for another name. */
export const calledAs = (call: BrokerCall, name: string): BrokerCall => ({ ...call, params: { ...call.params, name } })

/** The same request over a state of which parts are others; what is written goes nowhere. */
export const seeing = (call: BrokerCall, parts: Partial<BrokerState>): BrokerCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as BrokerState, parts),
})

/** The lease of an answer with credentials. */
export const leaseIn = (call: BrokerCall, given: Reply): Lease | undefined =>
  call.services.leases.find(String((given.body as JsonObject | undefined)?.lease_id))

/** Whether a request is for a section of a broker mount, such as `creds` or `config/lease`. */
export const isAt =
  (section: string) =>
  ({ path }: { path: string }): boolean =>
    !isProvisioning({ path }) && new RegExp(`/${section}(/[^/]*)?$`).test(path)

/** The same for a request whose operation is known. */
export const asksFor =
  (method: string, section: string) =>
  (call: Asked): boolean =>
    call !== undefined && 'tagsOfUser' in call.rules && call.method === method && isAt(section)(call)
