/** What the loose faults of this engine share: other rules, leases or requests to the provider for one call, and where a request goes. */
import type { Call } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Leases } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import { type CloudcCall, linkOf } from './provider-calls.ts'
import type { CloudcRules } from './rules.ts'
import type { CloudcState, Roleset } from './state.ts'

export type Handler = (call: CloudcCall) => Reply | Promise<Reply>

type Wrap = (original: Handler) => Handler

type ProviderMethod = 'GET' | 'POST' | 'DELETE'

type Ask = (method: ProviderMethod, url: string, body?: JsonObject) => Promise<JsonObject>

export const KEY_ROUTES = ['cloudc.readKey', 'cloudc.createKey']

export const TOKEN_ROUTES = ['cloudc.readToken', 'cloudc.createToken']

export const nameOf = ({ params }: Pick<CloudcCall, 'params'>): string => params.name ?? params.roleset ?? ''

export const rolesetOf = (call: CloudcCall): Roleset | undefined => call.state.rolesets.get(nameOf(call))

export const keyPrefix = ({ mount }: Pick<CloudcCall, 'mount'>, name: string): string => `${mount.namespace}${mount.path}key/${name}/`

export const withRules =
  (choose: (call: CloudcCall) => Partial<CloudcRules>): Wrap =>
  (original) =>
  (call) =>
    original({ ...call, rules: { ...call.rules, ...choose(call) } })

export const withState = (call: CloudcCall, changed: Partial<CloudcState>): CloudcCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as CloudcState, changed),
})

export const withLeases = (call: CloudcCall, changed: Partial<Pick<Leases, 'issue' | 'forcePrefix'>>): CloudcCall => ({
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

export const overProvider = (call: CloudcCall, change: (ask: Ask) => Ask): CloudcCall => {
  const link = linkOf(call)
  const between = {
    token: (...given: Parameters<typeof link.token>) => link.token(...given),
    call: (credentials: Parameters<typeof link.call>[0], method: ProviderMethod, url: string, now: number, body?: JsonObject) =>
      change((...asked) => link.call(credentials, asked[0], asked[1], now, asked[2]))(method, url, body),
  }
  const links = { get: () => between, set: () => links }
  return withState(call, { links: links as unknown as CloudcState['links'] })
}

export const isOurs = (call: Call<unknown, object> | undefined): call is Call<unknown, object> =>
  call !== undefined && 'mayRotateKey' in call.rules
