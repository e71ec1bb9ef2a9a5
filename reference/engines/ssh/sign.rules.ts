/** Decisions about certificates. */
import { createHash } from 'node:crypto'
import type { Token } from '../../core/tokens.ts'
import type { PublicKey } from './key-formats.ts'
import { entriesOf } from './networks.ts'
import type { SignatureAlgorithm } from './openssh-certificate.ts'
import type { Role } from './state.ts'

export type CertificateType = 'user' | 'host'

/** Values of the key id's variables. */
export interface KeyIdFacts {
  displayName: string
  roleName: string
  publicKeyHash: string
}

const without = (values: Record<string, string>, allowed: string[]): string[] =>
  Object.keys(values).filter((name) => !allowed.includes(name))

export const signRules = {
  signsFor(role: Role): boolean {
    return role.key_type === 'ca'
  },

  /** Undefined for a text that is neither. */
  certificateType(text: string): CertificateType | undefined {
    return text === '' || text === 'user' ? 'user' : text === 'host' ? 'host' : undefined
  },

  typeAllowed(role: Role, type: CertificateType): boolean {
    return type === 'user' ? role.allow_user_certificates : role.allow_host_certificates
  },

  /** The entries of `allowed_users` for this caller. A template stands for what the token says; an unknown one for nothing. */
  allowedUsers(role: Role, token: Token | undefined): string[] {
    const names = entriesOf(role.allowed_users)
    if (!role.allowed_users_template) return names
    return names.flatMap((name) => {
      const template = /^\{\{\s*identity\.entity\.(?:(name)|metadata\.(\w+))\s*\}\}$/.exec(name)
      if (!template) return [name]
      const value = template[1] ? token?.displayName : token?.meta[template[2] ?? '']
      return value ? [value] : []
    })
  },

  requestedPrincipals(text: string): string[] {
    return entriesOf(text)
  },

  /** Who a certificate is for where the request names nobody. */
  defaultPrincipals(role: Role, type: CertificateType): string[] {
    return type === 'user' && role.default_user !== '' ? [role.default_user] : []
  },

  principalAllowed(user: string, allowed: string[]): boolean {
    return allowed.includes('*') || allowed.includes(user)
  },

  hostAllowed(role: Role, host: string): boolean {
    const domains = entriesOf(role.allowed_domains)
    if (domains.includes('*')) return true
    return domains.some((domain) => (role.allow_bare_domains && host === domain) || (role.allow_subdomains && host.endsWith(`.${domain}`)))
  },

  /** Whether a certificate may name nobody, and so be valid for anybody. */
  mayNameNobody(type: CertificateType, allowed: string[]): boolean {
    return type === 'user' && allowed.includes('*')
  },

  maxTtl(role: Role, mountMaximum: number): number {
    return role.max_ttl || mountMaximum
  },

  defaultTtl(role: Role, mountDefault: number, maximum: number): number {
    return Math.min(role.ttl || mountDefault, maximum)
  },

  /** Seconds for a request above the maximum; undefined refuses it. */
  excessiveTtl(_requested: number, _maximum: number): number | undefined {
    return undefined
  },

  /** Certificates begin a little early, for clocks that are slow. */
  validAfter(now: number): number {
    return now - 30
  },

  validBefore(now: number, ttl: number): number {
    return now + ttl
  },

  /** Whether a key id that the role does not permit refuses the request; otherwise it is ignored. */
  refusesForbiddenKeyId(): boolean {
    return true
  },

  usesRequestedKeyId(role: Role, requested: string): boolean {
    return role.allow_user_key_ids && requested !== ''
  },

  publicKeyHash(key: PublicKey): string {
    return createHash('sha256').update(key.blob).digest('hex')
  },

  defaultKeyId(role: Role, facts: KeyIdFacts): string {
    if (role.key_id_format === '') return facts.displayName
    return role.key_id_format
      .replaceAll('{{token_display_name}}', () => facts.displayName)
      .replaceAll('{{role_name}}', () => facts.roleName)
      .replaceAll('{{public_key_hash}}', () => facts.publicKeyHash)
  },

  /** Requested critical options that the role does not permit. */
  forbiddenCriticalOptions(role: Role, requested: Record<string, string>): string[] {
    const allowed = entriesOf(role.allowed_critical_options)
    return allowed.length === 0 ? [] : without(requested, allowed)
  },

  criticalOptions(role: Role, requested: Record<string, string>): Record<string, string> {
    return Object.keys(requested).length === 0 ? role.default_critical_options : requested
  },

  /** Requested extensions that the role does not permit. */
  forbiddenExtensions(role: Role, requested: Record<string, string>): string[] {
    const allowed = entriesOf(role.allowed_extensions)
    return allowed.includes('*') ? [] : without(requested, allowed)
  },

  /** Whether extensions where the role permits none are ignored; otherwise they refuse the request. */
  ignoresExtensions(_role: Role): boolean {
    return false
  },

  extensions(role: Role, requested: Record<string, string>): Record<string, string> {
    return Object.keys(requested).length === 0 ? role.default_extensions : requested
  },

  /** Lengths are given by kind (`rsa`, `ecdsa`, `ed25519`, `ec`) or by the algorithm's own name; 0 stands for any length. */
  keyLengthAllowed(lengths: Record<string, number>, key: PublicKey): boolean {
    if (Object.keys(lengths).length === 0) return true
    const names = [key.kind, key.algorithm, ...(key.kind === 'ecdsa' ? ['ec'] : [])]
    return names.some((name) => Object.hasOwn(lengths, name) && (lengths[name] === 0 || lengths[name] === key.bits))
  },

  /** 64 random bits. */
  serial(random: { bytes(length: number): Uint8Array }): bigint {
    return Buffer.from(random.bytes(8)).readBigUInt64BE()
  },

  serialShown(serial: bigint): string {
    return serial.toString(16)
  },

  /** Whether a role's algorithm fits the CA's key: only RSA has a choice. */
  algorithmFits(role: Role, ca: PublicKey): boolean {
    return role.algorithm_signer === '' || ca.kind === 'rsa'
  },

  signatureAlgorithm(role: Role): SignatureAlgorithm {
    return (role.algorithm_signer || 'rsa-sha2-256') as SignatureAlgorithm
  },

  certificateKey(key: PublicKey): PublicKey {
    return key
  },
}
