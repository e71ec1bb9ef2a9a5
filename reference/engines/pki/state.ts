/** What one PKI mount holds. */
import type { KeyObject } from 'node:crypto'
import type { JsonObject } from '../../core/json.ts'
import type { Role } from './role.ts'
import type { Certificate } from './x509/certificate.ts'

/** The mount's CA. Without a key it is still shown, but signs nothing. */
export interface Authority {
  certificate: Certificate
  key: KeyObject | undefined
  /** CA certificates above it, as they were supplied. */
  above: Buffer[]
}

export interface StoredCertificate {
  serial: Buffer
  der: Buffer
  notAfter: number
  /** Seconds since the epoch. */
  revokedAt?: number
}

export interface PkiState {
  authority: Authority | undefined
  /** Key of a generated intermediate whose certificate has not come back yet. */
  pendingKey: KeyObject | undefined
  roles: Map<string, Role>
  /** By serial number in the colon spelling. */
  certificates: Map<string, StoredCertificate>
  /** Serial numbers in the order of their revocation. */
  revoked: string[]
  crlNumber: number
  crl: Buffer | undefined
  crlConfig: JsonObject
  urls: { issuing_certificates: string[]; crl_distribution_points: string[]; ocsp_servers: string[] }
}

export const newState = (): PkiState => ({
  authority: undefined,
  pendingKey: undefined,
  roles: new Map(),
  certificates: new Map(),
  revoked: [],
  crlNumber: 0,
  crl: undefined,
  crlConfig: { expiry: '72h', disable: false },
  urls: { issuing_certificates: [], crl_distribution_points: [], ocsp_servers: [] },
})
