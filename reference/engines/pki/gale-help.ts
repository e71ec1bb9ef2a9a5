/** What the faults of this set share: where they are declared, which operations they wrap, and looking into calls and answers. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { Asked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import { onState } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import type { Role } from './role.ts'

export const pki = faultsOf(pkiEngine, 'pki')
export const core = faultsOf(coreEngine, 'pki')

/** The two operations that make certificates by a role. */
export const BY_ROLE = ['pki.issue', 'pki.sign']

export const dataOf = (reply: Reply): JsonObject => (reply.body as { data?: JsonObject } | undefined)?.data ?? {}

/** The serial number that a body names, in the colon spelling. */
export const serialIn = (call: PkiCall): string => call.rules.serialKey(String(call.body.serial_number))

export const nameOf = (call: PkiCall): string => call.params.name ?? ''

/** The call with some fields of its body changed; undefined leaves one out. */
export const withFields = (call: PkiCall, change: Record<string, JsonObject[string] | undefined>): PkiCall => ({
  ...call,
  body: Object.fromEntries(Object.entries({ ...call.body, ...change }).filter(([, value]) => value !== undefined)) as JsonObject,
})

/** The call with another state of its role. */
export const withRole = (call: PkiCall, change: (role: Role) => Partial<Role>): PkiCall => {
  const role = call.state.roles.get(nameOf(call))
  if (role === undefined) return call
  return onState(call, { roles: new Map(call.state.roles).set(nameOf(call), { ...role, ...change(role) }) })
}

/** Whether a request that was routed goes to this engine. */
const isPki = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'serialKey' in call.rules

/** Whether a routed request goes to a path of this engine that ends like this. */
export const at =
  (end: RegExp) =>
  (call: Asked): boolean =>
    isPki(call) && end.test(call.path)
