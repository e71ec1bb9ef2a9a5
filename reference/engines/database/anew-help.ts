/** What faults in the files beside this one share. */
import type { LeaseRequest, Leases } from '../../core/leases.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { DatabaseRules } from './rules.ts'
import type { DatabaseCall, Handle } from './wrappers.ts'

export const afterwards =
  (act: (call: DatabaseCall) => void | Promise<void>) =>
  (original: Handle): Handle =>
  async (call) => {
    const given = await original(call)
    await act(call)
    return given
  }

export const beforehand =
  (act: (call: DatabaseCall) => void) =>
  (original: Handle): Handle =>
  (call) => {
    act(call)
    return original(call)
  }

export const byRules =
  (other: (call: DatabaseCall) => Partial<DatabaseRules>) =>
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, rules: { ...call.rules, ...other(call) } })

export const withLease =
  (change: (request: LeaseRequest, call: DatabaseCall) => LeaseRequest) =>
  (original: Handle): Handle =>
  (call) => {
    const { leases } = call.services
    const issue: Leases['issue'] = (issuing, request) => leases.issue(issuing, change(request, call))
    return original({ ...call, services: { ...call.services, leases: { issue } as Leases } })
  }

const isDatabase = (call: Asked): call is DatabaseCall => call !== undefined && 'staticRoleAllowed' in call.rules

export const isAt = (call: Asked, method: string, below: string): call is DatabaseCall =>
  isDatabase(call) && call.method === method && call.path.slice(call.mount.path.length).startsWith(below)
