/** What the faults of managed keys by frank share. */

import type { KeyCall } from './keys.ts'
import type { ManagedKeyRules } from './rules.ts'
import type { ManagedKey } from './state.ts'

export const WRITES = [
  'managedKeys.writePkcs11',
  'managedKeys.writeCloudakms',
  'managedKeys.writeCloudbkeyvault',
  'managedKeys.writeCloudckms',
]

/** True for paths of managed keys, in any namespace. */
export const isHere = (asked: { path: string } | undefined): boolean => /(^|\/)sys\/managed-keys(\/|$)/.test(asked?.path ?? '')

export const isTest = (asked: { path: string } | undefined): boolean => isHere(asked) && /\/test\/sign$/.test(asked?.path ?? '')

/** The call with some rules replaced. */
export const withRules = (call: KeyCall, rules: Partial<ManagedKeyRules>): KeyCall => ({ ...call, rules: { ...call.rules, ...rules } })

/** The keys of the call's namespace. */
export const keysHere = (call: KeyCall): Map<string, ManagedKey> => call.rules.keysIn(call.state.namespaces, call.mount.namespace)

/** The key of the call's name, whatever its kind. */
export const keyHere = (call: KeyCall): ManagedKey | undefined => keysHere(call).get(call.params.name ?? '')

/** Namespace and name in one text. */
export const placeOf = ({ mount, params }: KeyCall): string => `${mount.namespace} ${params.name}`

/** The kind in the path, as the client spells it. */
export const kindInPath = ({ path }: KeyCall): string => path.split('/')[2] ?? ''
