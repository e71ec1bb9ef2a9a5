/** What the faults of this label share: where a request goes, and decisions taken otherwise for one request. */
import type { RequestFacts } from '../../core/rules.ts'
import type { KeyCall } from './keys.ts'
import type { ManagedKeyRules } from './rules.ts'
import type { ManagedKey } from './state.ts'

export const TEST = 'managedKeys.testSign'
export const WRITES = [
  'managedKeys.writePkcs11',
  'managedKeys.writeCloudakms',
  'managedKeys.writeCloudbkeyvault',
  'managedKeys.writeCloudckms',
]
export const ALL = [...WRITES, TEST, 'managedKeys.list', 'managedKeys.read', 'managedKeys.delete']

/** Whether a request goes to managed keys, in whatever namespace. */
export const isHere = ({ path }: Pick<RequestFacts, 'path'>): boolean => /(^|\/)sys\/managed-keys(\/|$)/.test(path)

/** The call with some decisions taken otherwise. */
export const ruled = (call: KeyCall, changes: Partial<ManagedKeyRules>): KeyCall => ({ ...call, rules: { ...call.rules, ...changes } })

/** All keys of the call's namespace. */
export const keysHere = ({ rules, state, mount }: KeyCall): Map<string, ManagedKey> => rules.keysIn(state.namespaces, mount.namespace)

/** The key of the name in the path, whatever its kind. */
export const keyNamed = (call: KeyCall): ManagedKey | undefined => keysHere(call).get(call.params.name ?? '')

/** The key that the path means by kind and name. */
export const keyMeant = (call: KeyCall): ManagedKey | undefined => {
  const key = keyNamed(call)
  return key?.kind === call.params.type ? key : undefined
}

/** A name with its namespace. */
export const placeOf = ({ mount, params }: KeyCall): string => `${mount.namespace} ${params.name}`

/** Knows the request that was located last, which holds until that request waits for the first time. */
export const lastRequest = () => {
  let last: RequestFacts | undefined
  return {
    asked: (): RequestFacts | undefined => (last !== undefined && isHere(last) ? last : undefined),
    effectivePath:
      (original: (header: string | undefined, request: RequestFacts, namespaces: string[]) => string) =>
      (header: string | undefined, request: RequestFacts, namespaces: string[]): string => {
        last = request
        return original(header, request, namespaces)
      },
  }
}
