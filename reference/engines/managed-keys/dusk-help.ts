/** What several of the dusk faults share: finding a key, another set of rules for one call, all writes at once. */
import type { Reply } from '../../core/reply.ts'
import type { KeyCall } from './keys.ts'
import type { ManagedKeyRules } from './rules.ts'
import { KINDS, type Kind, type ManagedKey } from './state.ts'

export type Handler = (call: KeyCall) => Reply | Promise<Reply>

/** True for paths of managed keys, in any namespace. */
export const isKeysPath = (path: string | undefined): boolean => /(^|\/)sys\/managed-keys(\/|$)/.test(path ?? '')

/** True for the path at which a key is tested. */
export const isTestPath = (path: string | undefined): boolean => isKeysPath(path) && /\/test\/sign$/.test(path ?? '')

/** The key that a call names, whatever its kind. */
export const keyAt = ({ state, mount, params }: KeyCall): ManagedKey | undefined =>
  state.namespaces.get(mount.namespace)?.get(params.name ?? '')

/** Namespace and name of the key that a call names. */
export const placeOf = ({ mount, params }: KeyCall): string => `${mount.namespace} ${params.name}`

/** The call with some rules replaced. */
export const withRules = (call: KeyCall, rules: Partial<ManagedKeyRules>): KeyCall => ({ ...call, rules: { ...call.rules, ...rules } })

/** The call with other lists of the mounts. */
export const withLists = (call: KeyCall, lists: KeyCall['services']['allowedManagedKeys']): KeyCall => ({
  ...call,
  services: { ...call.services, allowedManagedKeys: lists },
})

/** One wrapper for the writes of all kinds. */
export const writes = (wrap: (kind: Kind) => (original: Handler) => Handler): Record<string, (original: Handler) => Handler> =>
  Object.fromEntries(KINDS.map((kind) => [`managedKeys.write${kind.charAt(0).toUpperCase()}${kind.slice(1)}`, wrap(kind)]))
