/** What the signers of the cloud kinds are given, and what they give back. */
import type { KeyObject } from 'node:crypto'
import type { ProviderLink } from '../../clouds/service-account.ts'
import type { JsonObject } from '../../core/json.ts'
import type { ManagedKeyRules } from './rules.ts'

export type Padding = 'pkcs1' | 'pss' | 'ecdsa'

/** What a service is asked to do for one test. */
export interface CloudTest {
  rules: ManagedKeyRules
  link: ProviderLink
  values: JsonObject
  /** As the API names it, e.g. `sha2-256`. */
  hash: string
  pss: boolean
  generate: boolean
  data: Buffer
  /** Seconds since the epoch. */
  now: number
}

/** A signature over the data, and how it is to be verified. */
export interface CloudSignature {
  publicKey: KeyObject
  padding: Padding
  /** As node:crypto names it, e.g. `sha256`. */
  hash: string
  signature: Buffer
}

/** A test that fails for what was found, in words. */
export class CloudProblem extends Error {}
