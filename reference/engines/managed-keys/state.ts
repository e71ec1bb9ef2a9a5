/** What one server knows of managed keys: by namespace and name, for a name is unique across kinds. */
import type { JsonObject } from '../../core/json.ts'
import type { Modules } from './modules.ts'

export const KINDS = ['pkcs11', 'cloudakms', 'cloudbkeyvault', 'cloudckms'] as const
export type Kind = (typeof KINDS)[number]

export interface ManagedKey {
  uuid: string
  kind: Kind
  name: string
  /** Every parameter of the kind by its name: as written, or its default. */
  parameters: JsonObject
}

export interface ManagedKeysState {
  namespaces: Map<string, Map<string, ManagedKey>>
  modules: Modules
}
