/** The parameters of each kind as a table: type, default, what is required, and the sets of values that are stated. */
import type { Json } from '../../core/json.ts'
import type { Kind } from './state.ts'

export interface Parameter {
  type: 'text' | 'flag' | 'integer'
  default: Json
}

const text = (fallback = ''): Parameter => ({ type: 'text', default: fallback })
const flag: Parameter = { type: 'flag', default: false }
const integer = (fallback: number): Parameter => ({ type: 'integer', default: fallback })

const generic: Record<string, Parameter> = {
  allow_generate_key: flag,
  allow_replace_key: flag,
  allow_store_key: flag,
  any_mount: flag,
  usages: text('sign,verify'),
}

/** All parameters of each kind. */
export const parameters: Record<Kind, Record<string, Parameter>> = {
  pkcs11: {
    ...generic,
    library: text(),
    key_label: text(),
    key_id: text(),
    mechanism: text(),
    pin: text(),
    slot: text(),
    token_label: text(),
    curve: text(),
    key_bits: integer(0),
    force_rw_session: flag,
    max_parallel: integer(1),
  },
  cloudakms: {
    ...generic,
    access_key: text(),
    secret_key: text(),
    curve: text(),
    endpoint: text(),
    key_bits: integer(0),
    key_type: text(),
    kms_key: text(),
    region: text('us-east-1'),
  },
  cloudbkeyvault: {
    ...generic,
    tenant_id: text(),
    client_id: text(),
    client_secret: text(),
    environment: text('CLOUDBPUBLICCLOUD'),
    vault_name: text(),
    key_name: text(),
    resource: text(),
    key_bits: integer(0),
    key_type: text(),
  },
  cloudckms: {
    ...generic,
    credentials: text(),
    crypto_key: text(),
    crypto_key_version: text('1'),
    key_ring: text(),
    project: text(),
    region: text(),
    algorithm: text(),
  },
}

/** Parameters without which a key is refused; those that may come from a server's environment are not among them. */
export const required: Record<Kind, string[]> = {
  pkcs11: ['library', 'mechanism', 'pin'],
  cloudakms: ['key_type', 'kms_key'],
  cloudbkeyvault: ['tenant_id', 'vault_name', 'key_name', 'key_type'],
  cloudckms: ['crypto_key', 'key_ring', 'algorithm'],
}

/** Of each group at least one has to be there. */
export const oneOf: Record<Kind, string[][]> = {
  pkcs11: [
    ['key_label', 'key_id'],
    ['slot', 'token_label'],
  ],
  cloudakms: [],
  cloudbkeyvault: [],
  cloudckms: [],
}

const SIZES = ['2048', '3072', '4096']
const RSA = ['PSS', 'PKCS1'].flatMap((padding) => [
  ...SIZES.map((size) => `RSA_SIGN_${padding}_${size}_SHA256`),
  `RSA_SIGN_${padding}_4096_SHA512`,
])

/** Sets of values that are stated, by kind and parameter. */
export const stated: Record<Kind, Record<string, string[]>> = {
  pkcs11: { key_bits: SIZES },
  cloudakms: { key_bits: SIZES, key_type: ['RSA', 'ECDSA'], curve: ['P256', 'P384', 'P521'] },
  cloudbkeyvault: { key_bits: SIZES, key_type: ['RSA-HSM'] },
  cloudckms: { algorithm: ['EC_SIGN_P256_SHA256', 'EC_SIGN_P384_SHA384', ...RSA] },
}

export const USAGES = ['encrypt', 'decrypt', 'sign', 'verify', 'wrap', 'unwrap', 'mac', 'random']

/** What a read of a key shows of the parameters of its kind: what the document names, and never a secret. */
export const shown: Record<Kind, string[]> = {
  pkcs11: [
    'allow_generate_key',
    'allow_replace_key',
    'allow_store_key',
    'any_mount',
    'curve',
    'force_rw_session',
    'key_bits',
    'key_label',
    'library',
    'mechanism',
    'pin',
    'slot',
    'token_label',
  ],
  cloudakms: ['curve', 'endpoint', 'key_bits', 'key_type', 'kms_key', 'region'],
  cloudbkeyvault: ['tenant_id', 'client_id', 'environment', 'vault_name', 'key_name', 'resource', 'key_bits', 'key_type'],
  cloudckms: ['crypto_key', 'crypto_key_version', 'key_ring', 'project', 'region', 'algorithm'],
}
