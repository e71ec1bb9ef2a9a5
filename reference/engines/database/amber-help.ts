/** What these faults share: leases as they are issued, and where a request goes. */
import type { Call } from '../../core/engine.ts'
import type { Lease, LeaseRequest, Leases } from '../../core/leases.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { DatabaseRoute } from './engine.ts'
import type { DatabaseRules } from './rules.ts'
import type { Connection, DatabaseState } from './state.ts'

export type DatabaseCall = Call<DatabaseState, DatabaseRules>
type Handle = DatabaseRoute['handle']

export const nameOf = (call: DatabaseCall): string => call.params.name ?? ''

/** The connection that the dynamic role of a call uses. */
export const connectionOfRole = (call: DatabaseCall): Connection | undefined =>
  call.state.connections.get(call.state.roles.get(nameOf(call))?.dbName ?? '')

/** A call that is handled by some other rules. */
export const withRules = (call: DatabaseCall, rules: Partial<DatabaseRules>): DatabaseCall => ({
  ...call,
  rules: { ...call.rules, ...rules },
})

/** Whether a request goes to a mount of this engine, and to a path below it that begins so. */
export const goesTo = (call: Asked, start = ''): boolean =>
  call !== undefined && 'rootStatementsOf' in call.rules && call.path.slice(call.mount.path.length).startsWith(start)

/** Registers another lease than the handler asks for. */
export const issuing =
  (change: (request: LeaseRequest, call: DatabaseCall, lease: () => Lease | undefined) => LeaseRequest) =>
  (original: Handle): Handle =>
  (call) => {
    const { leases } = call.services
    let lease: Lease | undefined
    const issue: Leases['issue'] = (issuer, request) => {
      lease = leases.issue(
        issuer,
        change(request, call, () => lease),
      )
      return lease
    }
    return original({ ...call, services: { ...call.services, leases: { issue } as Leases } })
  }
