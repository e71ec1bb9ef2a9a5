/** What one SSH mount remembers. */
import type { KeyObject } from 'node:crypto'
import type { PublicKey } from './key-formats.ts'

export type KeyType = 'otp' | 'dynamic' | 'ca'

/** A role under the contract's own names. Lists stay the text they were written as; durations are seconds, 0 where unset. */
export interface Role {
  key_type: KeyType
  key: string
  admin_user: string
  default_user: string
  cidr_list: string
  exclude_cidr_list: string
  port: number
  key_bits: number
  install_script: string
  allowed_users: string
  allowed_users_template: boolean
  allowed_domains: string
  key_option_specs: string
  ttl: number
  max_ttl: number
  allowed_critical_options: string
  allowed_extensions: string
  default_critical_options: Record<string, string>
  default_extensions: Record<string, string>
  allow_user_certificates: boolean
  allow_host_certificates: boolean
  allow_bare_domains: boolean
  allow_subdomains: boolean
  allow_user_key_ids: boolean
  key_id_format: string
  allowed_user_key_lengths: Record<string, number>
  algorithm_signer: string
}

export interface CaPair {
  privateKey: KeyObject
  publicKey: PublicKey
}

/** What a one-time password stands for. */
export interface Otp {
  ip: string
  username: string
  role: string
}

export interface SshState {
  /** Registered private keys as they were given. */
  keys: Map<string, string>
  roles: Map<string, Role>
  /** Names of the zero-address roles; undefined where none were set. */
  zeroAddress: string[] | undefined
  ca: CaPair | undefined
  otps: Map<string, Otp>
}

export const newState = (): SshState => ({ keys: new Map(), roles: new Map(), zeroAddress: undefined, ca: undefined, otps: new Map() })
