/** Words that the faults of these files share. */
import type { Leases } from '../../core/leases.ts'
import type { Asked } from '../../mutations/callers.ts'
import { remembered } from '../../mutations/remembering.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { CloudcRules } from './rules.ts'
import type { Bindings } from './state.ts'

/** What a mount remembers of its rolesets, by name. */
export const memory = <T>(): ((owner: object) => Map<string, T>) => remembered(() => new Map<string, T>())

export const withRules = (call: CloudcCall, rules: Partial<CloudcRules>): CloudcCall => ({ ...call, rules: { ...call.rules, ...rules } })

/** A call whose leases are kept in another way. */
export const withLeases = (call: CloudcCall, change: (leases: Leases) => Partial<Pick<Leases, 'issue' | 'forcePrefix'>>): CloudcCall => {
  const { leases } = call.services
  const kept = { issue: leases.issue.bind(leases), forcePrefix: leases.forcePrefix.bind(leases), ...change(leases) }
  return { ...call, services: { ...call.services, leases: kept as unknown as Leases } }
}

export const nameOf = ({ params }: CloudcCall): string => params.name ?? params.roleset ?? ''

export const mapBindings = (bindings: Bindings, change: (entry: [string, string[]], index: number) => [string, string[]][]): Bindings =>
  Object.fromEntries(Object.entries(bindings).flatMap(change))

/** What a request to this engine is about: the last fixed part of its path. */
export const kindOf = (call: Asked): string | undefined => {
  if (call === undefined || typeof call.state !== 'object' || call.state === null || !('rolesets' in call.state)) return undefined
  const [kind, , action] = call.path.slice(call.mount.path.length).split('/')
  return action ?? kind
}
