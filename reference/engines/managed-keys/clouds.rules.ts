/** Decisions about keys that a cloud service holds: which service is asked, with what, and what is made there. */
import type { JsonObject } from '../../core/json.ts'
import type { OperatorSettings } from '../../core/operator.ts'
import type { ManagedKey } from './state.ts'

const textIn = (values: JsonObject, field: string): string => String(values[field] ?? '')

export const cloudRules = {
  /** The way to the services that is taken, where the operator has named one. */
  wayToService: (cloud: OperatorSettings['cloud']): OperatorSettings['cloud'] => cloud,
  /** Whether a key is made at a service where it is not there. */
  generatesAtService: (key: ManagedKey): boolean => key.parameters.allow_generate_key === true,
  /** What a service is asked with: the parameters as they are stored. */
  usedParameters: (values: JsonObject): JsonObject => values,
  /** Whether a key is there that the service has; one that is not there may be made. */
  isThere: (_mayBeMade: boolean): boolean => true,
  /** Whether a signature that was looked at is one. */
  verified: (isGood: boolean): boolean => isGood,
  /** Before a service is asked, and after a key has been made there. */
  beforeAsking: (): Promise<void> => Promise.resolve(),
  afterMaking: (): Promise<void> => Promise.resolve(),

  // Kind cloudakms
  regionOf: (values: JsonObject): string => textIn(values, 'region') || 'us-east-1',
  endpointOf: (values: JsonObject, region: string): string => textIn(values, 'endpoint') || `https://kms.${region}.amazonaws.com`,
  usageAllowed: (usage: string): boolean => usage === 'SIGN_VERIFY',
  keySpecOf: (values: JsonObject): string =>
    textIn(values, 'key_type').toUpperCase() === 'RSA' ? `RSA_${textIn(values, 'key_bits')}` : `ECC_NIST_${textIn(values, 'curve')}`,
  /** The alias that a key gets that is made; undefined where its parameters name none. */
  aliasOf: (values: JsonObject): string | undefined => {
    const name = textIn(values, 'kms_key')
    return name.startsWith('alias/') ? name : undefined
  },

  // Kind cloudbkeyvault
  loginHostOf: (_environment: string): string => 'login.microsoftonline.com',
  suffixOf: (values: JsonObject): string => textIn(values, 'resource') || 'vault.azure.net',
  vaultUrlOf: (values: JsonObject, suffix: string): string => `https://${textIn(values, 'vault_name')}.${suffix}`,
  sizeOf: (values: JsonObject): number => Number(values.key_bits),

  // Kind cloudckms
  ringOf: (values: JsonObject): string =>
    `projects/${textIn(values, 'project')}/locations/${textIn(values, 'region')}/keyRings/${textIn(values, 'key_ring')}`,
  versionOf: (values: JsonObject): string => textIn(values, 'crypto_key_version') || '1',
  algorithmOf: (values: JsonObject): string => textIn(values, 'algorithm'),
  /** The algorithm of a key that is made. */
  madeAlgorithm: (algorithm: string): string => algorithm,
  /** Whether a ring is made that is not there: never. */
  makesRing: (): boolean => false,
}
