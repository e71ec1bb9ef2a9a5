/** What the faults of this label share: a call as a faulty server hands it on. */
import type { Leases } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { CloudcRules } from './rules.ts'

export type Handler = (call: CloudcCall) => Reply | Promise<Reply>

export const TOKENS = ['cloudc.readToken', 'cloudc.createToken']
export const KEYS = ['cloudc.readKey', 'cloudc.createKey']

export const nameOf = (call: CloudcCall): string => call.params.name ?? call.params.roleset ?? ''

/** Below this are the leases of the keys that a roleset has issued. */
export const leasesBelow = ({ mount }: CloudcCall, name: string): string => `${mount.namespace}${mount.path}key/${name}/`

/** The call with other decisions. */
export const withRules = (call: CloudcCall, rules: Partial<CloudcRules>): CloudcCall => ({ ...call, rules: { ...call.rules, ...rules } })

/** The call with other ways of keeping leases: of what handlers of this engine use. */
export const withLeases = (call: CloudcCall, changed: Partial<Pick<Leases, 'issue' | 'forcePrefix'>>): CloudcCall => {
  const { leases } = call.services
  const same = { issue: leases.issue.bind(leases), forcePrefix: leases.forcePrefix.bind(leases) }
  return { ...call, services: { ...call.services, leases: { ...same, ...changed } as unknown as Leases } }
}
