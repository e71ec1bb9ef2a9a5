/** What the faults of this label share: names, leases and states of one call, and requests as the core sees them. */
import type { Route } from '../../core/engine.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { CloudcRules } from './rules.ts'
import type { CloudcState, Roleset } from './state.ts'

export type Handler = Route<CloudcState, CloudcRules>['handle']

/** The call with some decisions made otherwise. */
export const under = (call: CloudcCall, rules: Partial<CloudcRules>): CloudcCall => ({ ...call, rules: { ...call.rules, ...rules } })

/** The call with other lease times in the configuration. */
export const withTimes = (call: CloudcCall, times: { ttl: number; maxTtl: number } | undefined): CloudcCall =>
  times === undefined ? call : { ...call, state: { ...call.state, config: { ...call.state.config, ttl: times.ttl, maxTtl: times.maxTtl } } }

export const nameOf = (call: CloudcCall): string => call.params.name ?? call.params.roleset ?? ''

export const rolesetOf = (call: CloudcCall): Roleset | undefined => call.state.rolesets.get(nameOf(call))

/** Where the leases of a roleset's keys begin. */
export const keysOf = (call: CloudcCall, name = nameOf(call)): string => `${call.mount.namespace}${call.mount.path}key/${name}/`

/** Does more after a roleset got another account. */
export const afterReplacement =
  (more: (call: CloudcCall, before: Roleset) => Promise<void>) =>
  (original: Handler): Handler =>
  async (call) => {
    const before = rolesetOf(call)
    const reply = await original(call)
    if (before !== undefined && rolesetOf(call)?.account.email !== before.account.email) await more(call, before)
    return reply
  }

export const KEYS = ['cloudc.readKey', 'cloudc.createKey'] as const
export const TOKENS = ['cloudc.readToken', 'cloudc.createToken'] as const

/** Whether a request goes to this engine, as the core's decisions see it. */
export const ours = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'mayGiveToken' in call.rules

export const oursAt = (method: string, path: RegExp) => (call: Asked) => ours(call) && call.method === method && path.test(call.path)
