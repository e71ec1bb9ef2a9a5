/** What a certificate says, as plain values: the same shape from every reader, so that readers can be compared. */
export interface CertificateFacts {
  /** Hexadecimal, lower case, without leading zeros. */
  serial: string
  /** Values by short name (`CN`, `O`, `OU`, `C`, `L`, `ST`, `STREET`, `postalCode`, `serialNumber`). */
  subject: Record<string, string[]>
  issuer: Record<string, string[]>
  /** Seconds since the epoch. */
  notBefore: number
  notAfter: number
  dns: string[]
  email: string[]
  /** In the shortest spelling of the address. */
  ip: string[]
  uri: string[]
  other: { oid: string; value: string; utf8: boolean }[]
  /** Undefined where the extension is absent. */
  basicConstraints: { ca: boolean; pathLength: number | undefined } | undefined
  /** Names as in the X.509 standard, e.g. `digitalSignature`; undefined where the extension is absent. */
  keyUsage: string[] | undefined
  /** Object identifiers. */
  extendedKeyUsage: string[]
  policies: string[]
  permittedDns: string[]
  subjectKeyId: string | undefined
  authorityKeyId: string | undefined
  /** The curve of an elliptic key as OpenSSL names it, e.g. `prime256v1`; empty where it has no name. */
  key: { type: 'rsa' | 'ec' | 'other'; bits: number; curve?: string }
  /** SubjectPublicKeyInfo in base64. */
  publicKey: string
  /** Object identifiers of all extensions. */
  extensions: string[]
  /** What each extension holds by its object identifier: `critical` where it is, and its value in hexadecimal. */
  extensionValues: Record<string, string>
}

/** What every reader shows, so that readers can be compared: the second and third ones count where they cannot tell. */
export type SharedFacts = Pick<
  CertificateFacts,
  'serial' | 'notBefore' | 'notAfter' | 'dns' | 'email' | 'ip' | 'uri' | 'basicConstraints' | 'keyUsage'
> & { extendedKeyUsages: number; otherNames: number }

/** Names of the bits of KeyUsage, in their order. */
export const KEY_USAGE_NAMES = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
]
