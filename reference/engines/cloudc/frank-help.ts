/** What the faults of these files share. */
import type { Lease } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { CloudcRules } from './rules.ts'

export const KEYS = ['cloudc.createKey', 'cloudc.readKey']
export const TOKENS = ['cloudc.createToken', 'cloudc.readToken']

/** The name of the roleset that a request is about. */
export const nameOf = ({ params }: CloudcCall): string => params.name ?? params.roleset ?? ''

/** The same request about a roleset of another name. */
export const about = (call: CloudcCall, name: string): CloudcCall => ({
  ...call,
  params: call.params.name === undefined ? { ...call.params, roleset: name } : { ...call.params, name },
})

/** The same request, decided otherwise. */
export const deciding = (call: CloudcCall, rules: Partial<CloudcRules>): CloudcCall => ({ ...call, rules: { ...call.rules, ...rules } })

/** The lease that an answer tells of. */
export const leaseIn = (call: CloudcCall, { body }: Reply): Lease | undefined =>
  call.services.leases.find(String((body as { lease_id?: string } | undefined)?.lease_id))

/** Whether a request, seen by the conventions, is one to this engine. */
export const isCloudc = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'mayGiveToken' in call.rules
