/** What faults in the files beside this one share. */
import type { Call, Engine } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Lease, LeaseRequest, Leases } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerRole, BrokerState } from './state.ts'

export type BrokerCall = Call<BrokerState, BrokerRules>
type Handler = (call: BrokerCall) => Reply | Promise<Reply>

export const ROLE_OPERATIONS = ['broker.writeRole', 'broker.readRole', 'broker.deleteRole', 'broker.readCreds']

export const nameOf = (call: BrokerCall): string => call.params.name ?? ''

export const below = (call: Asked): string => (call && 'vhostsOf' in call.rules ? call.path.slice(call.mount.path.length) : '')

export const isBroker = (engine: Engine): boolean => engine.type === 'broker'

export const withState = (call: BrokerCall, part: Partial<BrokerState>): BrokerCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as BrokerState, part),
})

export const withRole = (call: BrokerCall, role: BrokerRole): BrokerCall =>
  withState(call, { roles: new Map(call.state.roles).set(nameOf(call), role) })

export const renamed =
  (change: (name: string) => string) =>
  (original: Handler): Handler =>
  (call) =>
    original({ ...call, params: { ...call.params, name: change(nameOf(call)) } })

export const issuing = (call: BrokerCall, change: (request: LeaseRequest, lease: () => Lease | undefined) => LeaseRequest): BrokerCall => {
  const { leases } = call.services
  let issued: Lease | undefined
  const issue: Leases['issue'] = (where, request) => {
    issued = leases.issue(
      where,
      change(request, () => issued),
    )
    return issued
  }
  return { ...call, services: { ...call.services, leases: Object.assign(Object.create(leases) as Leases, { issue }) } }
}

export const usernameIn = (reply: Reply): string => {
  const { data } = reply.body as { data: JsonObject }
  return String(data.username)
}
