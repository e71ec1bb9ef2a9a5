/** Decisions about what goes into a certificate. */
import type { KeyObject } from 'node:crypto'
import { invalid } from '../../core/errors.ts'
import { isHostname, refusalOf } from './names.rules.ts'
import type { Role } from './role.ts'
import type { Authority } from './state.ts'
import { randomSerial } from './x509/certificate.ts'
import { basicConstraints, type Extension, KEY_USAGES } from './x509/extensions.ts'
import { generateKey, type KeyType } from './x509/key-forms.ts'
import { type AlternativeNames, isEmpty, type Subject } from './x509/names.ts'
import type { CertificateRequest } from './x509/request.ts'

/** Bounds on lifetimes that a request inherits, in seconds. */
export interface LifetimeLimits {
  default: number
  max: number
}

export const issueRules = {
  /** Seconds that a certificate lives: the request's, else the role's, else the default, within the maximum. */
  lifetime: (role: Role, requested: number, limits: LifetimeLimits): number => {
    const max = role.max_ttl > 0 ? Math.min(role.max_ttl, limits.max) : limits.max
    return Math.min(requested || role.ttl || limits.default, max)
  },
  validFrom: (role: Role, now: number): number => now - role.not_before_duration,
  /** End of validity under a CA that ends itself; throws where it cannot be had. */
  endWithinAuthority: (notAfter: number, authorityEnd: number): number => {
    if (notAfter > authorityEnd) throw invalid('the certificate would outlive the CA')
    return notAfter
  },
  commonName: (role: Role, requested: string, request: CertificateRequest | undefined): string =>
    role.use_csr_common_name && request?.commonName ? request.commonName : requested,
  alternativeNames: (role: Role, requested: AlternativeNames, request: CertificateRequest | undefined): AlternativeNames =>
    role.use_csr_sans && request !== undefined && !isEmpty(request.names) ? request.names : requested,
  refusal: refusalOf,
  commonNameMissing: (role: Role, commonName: string): boolean => role.require_cn && commonName === '',
  /** Alternative names with the common name among them, where it can be one. */
  withCommonName: (names: AlternativeNames, commonName: string, exclude: boolean): AlternativeNames => {
    if (exclude)
      return { ...names, dns: names.dns.filter((name) => name !== commonName), email: names.email.filter((name) => name !== commonName) }
    const list = commonName.includes('@') ? 'email' : 'dns'
    if (list === 'dns' && !isHostname(commonName.replace(/^\*\./, ''))) return names
    return names[list].includes(commonName) ? names : { ...names, [list]: [commonName, ...names[list]] }
  },
  /** Usages are the role's; those that a request asks for do not count. */
  keyUsages: (role: Role, _request: CertificateRequest | undefined): number[] =>
    role.key_usage.map((name) => KEY_USAGES[name.toLowerCase()]!),
  flagUsages: (role: Role): string[] => [
    ...(role.server_flag ? ['serverauth'] : []),
    ...(role.client_flag ? ['clientauth'] : []),
    ...(role.code_signing_flag ? ['codesigning'] : []),
    ...(role.email_protection_flag ? ['emailprotection'] : []),
  ],
  namedUsages: (role: Role): string[] => role.ext_key_usage.map((name) => name.toLowerCase()),
  usageOids: (role: Role): string[] => role.ext_key_usage_oids,
  subject: (role: Role, commonName: string): Subject => ({
    country: role.country,
    organization: role.organization,
    ou: role.ou,
    locality: role.locality,
    province: role.province,
    street_address: role.street_address,
    postal_code: role.postal_code,
    serial_number: role.serial_number,
    common_name: commonName,
  }),
  policies: (role: Role): string[] => role.policy_identifiers,
  /** Basic constraints of a role's certificates: none, or that they are not a CA. A request cannot change that. */
  basicConstraints: (role: Role, _request: CertificateRequest | undefined): Extension[] =>
    role.basic_constraints_valid_for_non_ca ? [basicConstraints(false)] : [],
  newKey: (type: KeyType, bits: number): Promise<KeyObject> => generateKey(type, bits),
  issuesKeys: (role: Role): boolean => role.key_type !== 'any',
  keyToIssue: (role: Role): { type: KeyType; bits: number } => ({ type: role.key_type as KeyType, bits: role.key_bits }),
  /** Whether a role signs requests with a key of this type and size. */
  requestKeyAllowed: (role: Role, key: { type: KeyType; bits: number }): boolean =>
    (role.key_type === 'any' || role.key_type === key.type) && (key.type === 'ec' || key.bits > 1024),
  requestProven: (request: CertificateRequest): boolean => request.proven,
  serialNumber: (): Buffer => randomSerial(),
  stored: (role: Role): boolean => !role.no_store,
  leased: (role: Role): boolean => role.generate_lease && !role.no_store,
  /** CA certificates that go with a certificate, the issuer first. */
  chain: (authority: Authority): Buffer[] => [authority.certificate.der, ...authority.above],
  formatKnown: (format: string): boolean => ['', 'pem', 'der', 'pem_bundle'].includes(format),
  keyForm: (format: string): 'der' | 'pkcs8' => {
    if (format === 'pkcs8') return 'pkcs8'
    if (format === '' || format === 'der') return 'der'
    throw invalid('private_key_format must be der or pkcs8')
  },
  /** Whether issuer and key are PEM whatever the format. */
  formatsCertificateAlone: (): boolean => false,
  /** Whether a bundle holds the CA that issued the certificate. */
  bundlesIssuer: (_issuer: Authority): boolean => true,
  /** What a bundle holds besides the certificate: the key, where there is one, and the issuer of what is not a root. */
  bundleParts: (key: string | undefined, certificate: string, issuer: string | undefined): string[] =>
    [key, certificate, issuer].filter((part) => part !== undefined),
}
