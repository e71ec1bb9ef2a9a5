/** What one mount of the cloud-C engine knows. */
import type { ProviderLink } from '../../clouds/service-account.ts'

export type SecretType = 'access_token' | 'service_account_key'

/** Roles by resource, each named as it was written. */
export type Bindings = Record<string, string[]>

/** A service account at the provider, and the key that tokens are made with. */
export interface Account {
  email: string
  /** Name of the key at the provider and its credentials file; rolesets for keys have none. */
  tokenKey: { name: string; file: string } | undefined
}

export interface Roleset {
  secretType: SecretType
  project: string
  bindings: Bindings
  scopes: string[]
  account: Account
}

export interface CloudcState {
  config: { credentials: string; ttl: number; maxTtl: number }
  rolesets: Map<string, Roleset>
  /** Changes of one roleset go one after another. */
  turns: Map<string, Promise<unknown>>
  /** Connections to the provider, by the proxy that they go through. */
  links: Map<string, ProviderLink>
}
