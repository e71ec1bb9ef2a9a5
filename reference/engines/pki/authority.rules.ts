/** Decisions about CAs. */

import type { KeyObject } from 'node:crypto'
import { invalid } from '../../core/errors.ts'
import type { LifetimeLimits } from './issue.rules.ts'
import type { Authority, PkiState } from './state.ts'
import { type Certificate, type CertificateContent, readCertificate } from './x509/certificate.ts'
import { caLimits, EXTENSION, type Extension } from './x509/extensions.ts'
import { samePublicKey } from './x509/key-forms.ts'
import type { AlternativeNames } from './x509/names.ts'
import type { CertificateRequest } from './x509/request.ts'

export const authorityRules = {
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
  /** The new statement of its issuer: the earlier ones are gone. */
  replacedExtensions: (): string[] => [EXTENSION.authorityKey, EXTENSION.crlPoints, EXTENSION.authorityAccess],
  signedKeyBelongs: (key: KeyObject, certificate: Certificate): boolean => samePublicKey(key, certificate.publicKeyInfo),
  keyBelongs: (key: KeyObject, certificate: Certificate): boolean => samePublicKey(key, certificate.publicKeyInfo),
  mustBeAuthority: (certificate: Certificate): boolean => certificate.ca,
  keepsAbove: (certificates: Buffer[]): Buffer[] => certificates,
  isSelfIssued: (certificate: Certificate): boolean => certificate.selfIssued,
  /** What stays of the CA when its key is deleted. */
  afterDeletion: (authority: Authority): Authority | undefined => ({ ...authority, key: undefined }),
  readAuthority: (der: Buffer): Certificate => readCertificate(der),
}
