import type { Leases } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { CloudcRules } from './rules.ts'
import type { CloudcState, Roleset } from './state.ts'

export type Handler = (call: CloudcCall) => Reply | Promise<Reply>

type Wrap = (original: Handler) => Handler

export const KEY_ROUTES = ['cloudc.readKey', 'cloudc.createKey']

export const nameOf = ({ params }: Pick<CloudcCall, 'params'>): string => params.name ?? params.roleset ?? ''

export const rolesetOf = (call: CloudcCall): Roleset | undefined => call.state.rolesets.get(nameOf(call))

export const withRules =
  (choose: (call: CloudcCall) => Partial<CloudcRules>): Wrap =>
  (original) =>
  (call) =>
    original({ ...call, rules: { ...call.rules, ...choose(call) } })

export const withState = (call: CloudcCall, changed: Partial<CloudcState>): CloudcCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as CloudcState, changed),
})

const withLeases = (call: CloudcCall, changed: Partial<Pick<Leases, 'issue' | 'forcePrefix'>>): CloudcCall => ({
  ...call,
  services: { ...call.services, leases: Object.assign(Object.create(call.services.leases) as Leases, changed) },
})

export const withIssue =
  (change: (call: CloudcCall, issue: Leases['issue']) => Leases['issue']): Wrap =>
  (original) =>
  (call) => {
    const { leases } = call.services
    return original(withLeases(call, { issue: change(call, (issuing, request) => leases.issue(issuing, request)) }))
  }
