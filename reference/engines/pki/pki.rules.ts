/** The decisions of the PKI engine, small and named: faults and variants override them one by one. */
import type { KeyObject } from 'node:crypto'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { isHostname, policyRules, refusalOf } from './policy.ts'
import { defaults, type Role, showRole } from './role.ts'
import type { Authority, PkiState } from './state.ts'
import { type Certificate, type CertificateContent, randomSerial, readCertificate } from './x509/certificate.ts'
import { isOid } from './x509/der.ts'
import { basicConstraints, caLimits, EXTENDED_USAGES, type Extension, KEY_USAGES } from './x509/extensions.ts'
import { generateKey, type KeyType, samePublicKey, validBits } from './x509/keys.ts'
import { type AlternativeNames, isEmpty, type Subject } from './x509/names.ts'
import type { CertificateRequest } from './x509/request.ts'

/** Bounds on lifetimes that a request inherits, in seconds. */
export interface LifetimeLimits {
  default: number
  max: number
}

const roleRules = {
  roleDefaults: (): Role => defaults(),
  /** A write describes the whole role: what it leaves out returns to the default. */
  writeRole: (_previous: Role | undefined, given: Partial<Role>, base: Role): Role => ({ ...base, ...given }),
  showRole: (role: Role): JsonObject => showRole(role),
  /** EC roles without a size get the common curve, for the stated default is an RSA size. */
  roleBits: (role: Role, given: Partial<Role>): number => (role.key_type === 'ec' && given.key_bits === undefined ? 256 : role.key_bits),
  keyTypeKnown: (type: string): boolean => ['rsa', 'ec', 'any'].includes(type),
  keyBitsValid: (type: string, bits: number): boolean => type === 'any' || validBits(type as KeyType, bits),
  lifetimesAgree: (role: Role): boolean => role.max_ttl === 0 || role.ttl <= role.max_ttl,
  oidValid: (text: string): boolean => isOid(text),
  usageKnown: (name: string): boolean => KEY_USAGES[name.toLowerCase()] !== undefined,
  extendedUsageKnown: (name: string): boolean => EXTENDED_USAGES[name.toLowerCase()] !== undefined,
}

const issueRules = {
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
  /** Basic constraints of a role's certificates: none, or that they are no CA. A request cannot change that. */
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
  /** Whether a bundle holds the CA that issued the certificate. */
  bundlesIssuer: (_issuer: Authority): boolean => true,
  /** What a bundle holds besides the certificate: the key, where there is one, and the issuer of what is not a root. */
  bundleParts: (key: string | undefined, certificate: string, issuer: string | undefined): string[] =>
    [key, certificate, issuer].filter((part) => part !== undefined),
}

const authorityRules = {
  mayGenerate: (state: PkiState): boolean => state.authority?.key === undefined,
  /** Asked again once the key is made. */
  stillMayGenerate: (state: PkiState): boolean => state.authority?.key === undefined,
  returnsKey: (type: string): boolean => type === 'exported',
  generationTypeKnown: (type: string): boolean => type === 'exported' || type === 'internal',
  rootKeyType: (requested: string): string => requested || 'rsa',
  rootKeyBits: (type: string, requested: number | undefined): number => requested || (type === 'ec' ? 256 : 2048),
  subjectSerial: (requested: string): string => requested,
  /** Path length of a new CA under a signer (negative: no limit); throws where the signer allows no CA below it. */
  pathLength: (requested: number, signer: number): number => {
    if (signer < 0) return requested
    if (signer === 0) throw invalid('the path length of the CA allows no CA below it')
    if (requested > signer - 1) throw invalid('max_path_length exceeds what the CA allows')
    return requested < 0 ? signer - 1 : requested
  },
  authorityLifetime: (requested: number, limits: LifetimeLimits): number => Math.min(requested || limits.max, limits.max),
  permittedDomains: (domains: string[]): string[] => domains,
  /** A root's own limit is the one requested. */
  rootPathLength: (requested: number): number => requested,
  intermediateSubject: (requested: Buffer, request: CertificateRequest, useRequest: boolean): Buffer =>
    useRequest ? request.subject : requested,
  intermediateNames: (requested: AlternativeNames, request: CertificateRequest, useRequest: boolean): AlternativeNames =>
    useRequest ? request.names : requested,
  /** Key usages and extensions that an intermediate takes over from its request. */
  requestedUsages: (bits: number[]): number[] => bits,
  requestedExtensions: (extensions: Extension[]): Extension[] => extensions,
  /** Whether signing as requested would make a CA. */
  verbatimRefuses: (extensions: Extension[]): boolean => caLimits(extensions).ca,
  verbatimExtensions: (extensions: Extension[]): Extension[] => extensions,
  /** What a self-issued certificate keeps under its new issuer: everything. */
  asGiven: (content: CertificateContent): CertificateContent => content,
  signedKeyBelongs: (key: KeyObject, certificate: Certificate): boolean => samePublicKey(key, certificate.publicKeyInfo),
  keyBelongs: (key: KeyObject, certificate: Certificate): boolean => samePublicKey(key, certificate.publicKeyInfo),
  mustBeAuthority: (certificate: Certificate): boolean => certificate.ca,
  keepsAbove: (certificates: Buffer[]): Buffer[] => certificates,
  isSelfIssued: (certificate: Certificate): boolean => certificate.selfIssued,
  /** What stays of the CA when its key is deleted. */
  afterDeletion: (authority: Authority): Authority | undefined => ({ ...authority, key: undefined }),
  readAuthority: (der: Buffer): Certificate => readCertificate(der),
}

const revocationRules = {
  /** The stored spelling of a serial number as callers write it. */
  serialKey: (text: string): string => text.trim().toLowerCase().replaceAll('-', ':'),
  /** Time of a revocation, in seconds since the epoch; a second one changes nothing. */
  revocationTime: (earlier: number | undefined, now: number): number => earlier ?? Math.floor(now),
  /** What follows a revocation: a new CRL. */
  afterRevocation: (publish: () => void): void => publish(),
  listedSerials: (state: PkiState): string[] => [...state.certificates.keys()],
  revokedSerials: (state: PkiState): string[] => state.revoked,
}

export const rules = { ...policyRules, ...roleRules, ...issueRules, ...authorityRules, ...revocationRules }

export type PkiRules = typeof rules
