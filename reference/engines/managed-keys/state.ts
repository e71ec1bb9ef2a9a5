/** What one server knows of managed keys: by namespace and name, for a name is unique across kinds. */
import type { ProviderLink } from '../../clouds/service-account.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Modules } from './modules.ts'

export const KINDS = ['pkcs11', 'cloudakms', 'cloudbkeyvault', 'cloudckms'] as const
export type Kind = (typeof KINDS)[number]
/** Kinds whose keys a cloud service holds. */
export type CloudKind = Exclude<Kind, 'pkcs11'>

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
  /** Connections to cloud providers, by the proxy that they go through. */
  links: Map<string, ProviderLink>
  /** The end of what makes keys at cloud services now. */
  making: Promise<unknown>
}
