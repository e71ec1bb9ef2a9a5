/** What a target, or what prepares it, may lack without breaking the contract: the names that `without` of a configuration takes. */

/** Features by the names that `without` of a configuration takes, each in words that follow "without". */
export const FEATURES = {
  identities: 'tokens with chosen permissions',
  mounts: 'throw-away mounts',
  namespaces: 'namespaces',
  leases: 'the lease endpoints',
  tuning: 'tuning of mounts',
  identityTemplates: 'identity templates',
  replaceCa: 'replacing a certificate authority',
  pkcs11: 'managed keys of kind pkcs11',
} as const

/** What a target or its provisioner may be able to give. */
export type Feature = keyof typeof FEATURES

/** Features that a provisioner gives; the others show only in what checks ask for. */
export type Provided = Exclude<Feature, 'identityTemplates' | 'replaceCa' | 'pkcs11'>

const IN_CHECKS: readonly Feature[] = ['identityTemplates', 'replaceCa', 'pkcs11']

/** Whether a provisioner gives it; the others show only in what checks ask for. */
export const isProvided = (feature: Feature): feature is Provided => !IN_CHECKS.includes(feature)
