/** What several faults of managed keys share: which requests are theirs, and the keys that these are about. */
import type { Route } from '../../core/engine.ts'
import type { KeyCall } from './keys.ts'
import type { ManagedKeyRules } from './rules.ts'
import { KINDS, type Kind, type ManagedKey, type ManagedKeysState } from './state.ts'

type Handler = Route<ManagedKeysState, ManagedKeyRules>['handle']

export const atKeys = ({ path }: { path: string }): boolean => /(^|\/)sys\/managed-keys(\/|$)/.test(path)

export const nameOf = (call: KeyCall): string => call.params.name ?? ''

/** A key's name together with its namespace. */
export const placeOf = (call: KeyCall): string => `${call.mount.namespace}:${nameOf(call)}`

export const keysHere = (call: KeyCall): Map<string, ManagedKey> => call.rules.keysIn(call.state.namespaces, call.mount.namespace)

export const keyHere = (call: KeyCall): ManagedKey | undefined => keysHere(call).get(nameOf(call))

const operationOf = (kind: Kind): string => `managedKeys.write${kind[0]?.toUpperCase()}${kind.slice(1)}`

export const WRITES = KINDS.map(operationOf)

/** The same wrapper around the writes of all kinds. */
export const onWrites = (wrap: (kind: Kind) => (original: Handler) => Handler): Record<string, (original: Handler) => Handler> =>
  Object.fromEntries(KINDS.map((kind) => [operationOf(kind), wrap(kind)]))

/** The call with another key instead of the one that it names; what is stored stays. */
export const withKey = (call: KeyCall, key: ManagedKey): KeyCall => {
  const keys = new Map(keysHere(call)).set(nameOf(call), key)
  const namespaces = new Map(call.state.namespaces).set(call.mount.namespace, keys)
  return { ...call, state: Object.assign(Object.create(call.state) as ManagedKeysState, { namespaces }) }
}
