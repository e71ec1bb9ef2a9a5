/** What some of the faults here share: other rules or leases for one request, memories of rolesets and of mounts. */
import type { Json } from '../../core/json.ts'
import type { LeaseRequest, Leases } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { Asked } from '../../mutations/callers.ts'
import { remembered } from '../../mutations/remembering.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { CloudcRules } from './rules.ts'
import type { CloudcState, Roleset } from './state.ts'

type Handler = (call: CloudcCall) => Reply | Promise<Reply>
export type Wrap = (original: Handler) => Handler

/** The name of the roleset that a request is about. */
export const nameIn = ({ params }: CloudcCall): string => params.name ?? params.roleset ?? ''

/** The roleset of a request as it stands now. */
export const rolesetIn = (call: CloudcCall): Roleset | undefined => call.state.rolesets.get(nameIn(call))

/** Where the leases of keys of a mount begin. */
export const keysBelow = ({ mount }: CloudcCall, rest: string): string => `${mount.namespace}${mount.path}key/${rest}`

/** A request that is handled by other rules. */
export const ruled = (call: CloudcCall, changes: Partial<CloudcRules>): CloudcCall => ({ ...call, rules: { ...call.rules, ...changes } })

/** A request for a key whose lease is issued in another way. */
export const issuing = (call: CloudcCall, change: (request: LeaseRequest) => LeaseRequest): CloudcCall => {
  const { leases } = call.services
  const issue: Leases['issue'] = (by, request) => leases.issue(by, change(request))
  return { ...call, services: { ...call.services, leases: { issue } as unknown as Leases } }
}

/** Remembers rolesets as they were made. */
export const atCreation = () => {
  const known = remembered(() => new Map<string, Roleset>())
  const noting: Wrap = (original) => async (call) => {
    const isNew = rolesetIn(call) === undefined
    const given = await original(call)
    const made = rolesetIn(call)
    if (isNew && made) known(call.state).set(nameIn(call), made)
    return given
  }
  return { noting, first: (call: CloudcCall): Roleset | undefined => known(call.state).get(nameIn(call)) }
}

/** Remembers the mounts of a server in which a roleset was written. */
export const mountsWritten = () => {
  const known = remembered(() => new Set<CloudcState>())
  const noting: Wrap = (original) => (call) => {
    known(call.services).add(call.state)
    return original(call)
  }
  return { noting, mounts: (call: CloudcCall): CloudcState[] => [...known(call.services)] }
}

/** Whether a request goes to this engine, at a path below its mount. */
export const asksAt = (call: Asked, path: RegExp): boolean =>
  call !== undefined && 'mayGiveKey' in call.rules && path.test(call.path.slice(call.mount.path.length))

/** The first amount and unit of a duration with several. */
export const firstUnit = (value: Json): Json => (typeof value === 'string' ? (/^\d+(?:\.\d+)?[a-zµ]+/.exec(value)?.[0] ?? value) : value)
