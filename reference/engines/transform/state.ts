/** What one transform mount knows. */
import type { Cipher } from './cipher.ts'
import type { TokenStore } from './token-store.ts'

export type Kind = 'fpe' | 'masking' | 'tokenization'

export interface Template {
  type: string
  pattern: string
  /** Name of an alphabet; empty where none was given. */
  alphabet: string
}

export interface Transformation {
  type: Kind
  /** Name of a template. */
  template: string
  tweakSource: string
  maskingCharacter: string
  allowedRoles: string[]
  /** Made when the transformation is, and kept when it is updated. */
  key: Uint8Array
  cipher: Cipher
  mappingMode: string
  /** Seconds; 0: tokens may live for ever. */
  maxTtl: number
  /** Names of the stores of its tokens. */
  stores: string[]
  /** What its tokens are kept under: another one for each transformation that was ever made. */
  id: string
}

export interface StoreSettings {
  type: string
  /** Types of transformations. */
  supported: string[]
  /** With slots for user name and password. */
  connectionString: string
  username: string
  password: string
  schema: string
  maxOpen: number
  maxIdle: number
  /** Seconds; 0 for ever. */
  maxLifetime: number
}

export interface Store {
  settings: StoreSettings
  tokens: TokenStore
}

export interface TransformState {
  alphabets: Map<string, string>
  templates: Map<string, Template>
  transformations: Map<string, Transformation>
  /** Names of transformations by role. */
  roles: Map<string, string[]>
  internalStore: TokenStore
  /** Stores in databases, by name. */
  stores: Map<string, Store>
}
