/** Words that the loose faults of the broker engine share: what a request is about, other names for roles, other leases. */
import type { Call } from '../../core/engine.ts'
import type { LeaseRequest, Leases } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { Asked } from '../../mutations/callers.ts'
import { remembered } from '../../mutations/remembering.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerState } from './state.ts'

export type BrokerCall = Call<BrokerState, BrokerRules>
type Handler = (call: BrokerCall) => Reply | Promise<Reply>

export const ROLE_ROUTES = ['broker.writeRole', 'broker.readRole', 'broker.deleteRole', 'broker.readCreds']

/** Whether a request to a broker mount is about a path such as `creds`. */
export const isAbout = (folder: string, call: Asked): boolean =>
  call !== undefined && 'connectionComplete' in call.rules && `/${call.path}/`.includes(`/${folder}/`)

/** Handles a request under another name of its role. */
export const renamed =
  (change: (name: string, call: BrokerCall) => string) =>
  (original: Handler): Handler =>
  (call) =>
    original({ ...call, params: { ...call.params, name: change(call.params.name ?? '', call) } })

/** Handles a request with another state; what it does not name is the mount's own. */
export const withState = (call: BrokerCall, other: Partial<BrokerState>): BrokerCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as BrokerState, other),
})

/** Issues another lease. */
export const leasing =
  (change: (request: LeaseRequest, call: BrokerCall) => LeaseRequest) =>
  (original: Handler): Handler =>
  (call) => {
    const { leases } = call.services
    const issue: Leases['issue'] = (issuing, request) => leases.issue(issuing, change(request, call))
    return original({ ...call, services: { ...call.services, leases: { issue } as unknown as Leases } })
  }

/** The states of all broker mounts of a server whose connection was written. */
export const known = remembered(() => new Set<BrokerState>())

/** Remembers a mount when its connection is written. */
export const remembering =
  (original: Handler): Handler =>
  (call) => {
    known(call.services).add(call.state)
    return original(call)
  }
