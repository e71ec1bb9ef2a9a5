/** What the faults of these files share. */
import type { JsonObject } from '../../core/json.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { KeyCall } from './keys.ts'
import type { ManagedKeyRules } from './rules.ts'
import type { ManagedKey } from './state.ts'

/** The operations that write a key, one for each kind. */
export const WRITES = ['pkcs11', 'cloudakms', 'cloudbkeyvault', 'cloudckms'].map(
  (kind) => `managedKeys.write${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`,
)

export const nameOf = ({ params }: KeyCall): string => params.name ?? ''

/** A name with its namespace, for what is remembered of keys that may be gone. */
export const placeOf = (call: KeyCall): string => `${call.mount.namespace} ${nameOf(call)}`

/** The keys of the namespace that is asked. */
export const keysIn = (call: KeyCall): Map<string, ManagedKey> => call.rules.keysIn(call.state.namespaces, call.mount.namespace)

/** The key that a request names, of whatever kind; undefined where there is none. */
export const keyIn = (call: KeyCall): ManagedKey | undefined => keysIn(call).get(nameOf(call))

/** The same request, decided otherwise. */
export const deciding = (call: KeyCall, rules: Partial<ManagedKeyRules>): KeyCall => ({ ...call, rules: { ...call.rules, ...rules } })

/** The same request with other members of its body. */
export const saying = (call: KeyCall, members: JsonObject): KeyCall => ({ ...call, body: { ...call.body, ...members } })

/** The same request, which sees other lists of what mounts may use. */
export const seeingMounts = (
  call: KeyCall,
  change: (lists: { mount: string; keys: string[] }[]) => { mount: string; keys: string[] }[],
): KeyCall => ({
  ...call,
  services: { ...call.services, allowedManagedKeys: (namespace) => change(call.services.allowedManagedKeys(namespace)) },
})

/** The same way of wrapping for every operation that writes a key. */
export const everyWrite = <W>(wrap: W): Record<string, W> => Object.fromEntries(WRITES.map((operation) => [operation, wrap]))

/** Whether a path, in any namespace, is one of managed keys. */
export const isManagedPath = (path: string): boolean => /(^|\/)sys\/managed-keys(\/|$)/.test(path)

/** Whether a request, seen by the conventions, is one for managed keys. */
export const isManaged = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'mechanismOf' in call.rules
