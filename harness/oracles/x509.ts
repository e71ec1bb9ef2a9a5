/** Reads certificates and CRLs with @peculiar/x509, extension values with node-forge's ASN.1 reader. */
import 'reflect-metadata'
import { createPublicKey, X509Certificate as NodeCertificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import forge from 'node-forge'
import { type CertificateFacts, KEY_USAGE_NAMES } from './x509-facts.ts'

type Asn1 = forge.asn1.Asn1

const childrenOf = (node: Asn1): Asn1[] => (Array.isArray(node.value) ? node.value : [])
const bytesOf = (node: Asn1 | undefined): string => (typeof node?.value === 'string' ? node.value : '')
const oidOf = (node: Asn1 | undefined): string => forge.asn1.derToOid(bytesOf(node))
const decodeUtf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')
const asn1 = (bytes: ArrayBuffer | Uint8Array): Asn1 =>
  forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(bytes as ArrayBuffer).toString('latin1')))

/** The shortest spelling of an address, so that spellings can be compared. */
export const plainAddress = (text: string): string => {
  if (!text.includes(':')) return text
  try {
    return new URL(`http://[${text}]/`).hostname.slice(1, -1)
  } catch {
    return text
  }
}

const addressOf = (bytes: string): string => {
  const octets = [...Buffer.from(bytes, 'latin1')]
  if (octets.length === 4) return octets.join('.')
  const groups = Array.from({ length: octets.length / 2 }, (_, at) => ((octets[2 * at]! << 8) | octets[2 * at + 1]!).toString(16))
  return plainAddress(groups.join(':'))
}

type Names = Pick<CertificateFacts, 'dns' | 'email' | 'ip' | 'uri' | 'other'>

/** Alternative names by kind, from the value of the extension. */
const namesOf = (value: ArrayBuffer | undefined): Names => {
  const names: Names = { dns: [], email: [], ip: [], uri: [], other: [] }
  for (const name of value === undefined ? [] : childrenOf(asn1(value))) {
    const kind = name.type as number
    if (kind === 0) {
      const [type, holder] = childrenOf(name)
      const text = holder === undefined ? undefined : childrenOf(holder)[0]
      names.other.push({ oid: oidOf(type), value: decodeUtf8(bytesOf(text)), utf8: text?.type === forge.asn1.Type.UTF8 })
    } else if (kind === 1) names.email.push(bytesOf(name))
    else if (kind === 2) names.dns.push(bytesOf(name))
    else if (kind === 6) names.uri.push(bytesOf(name))
    else if (kind === 7) names.ip.push(addressOf(bytesOf(name)))
  }
  return names
}

const permittedOf = (value: ArrayBuffer | undefined): string[] => {
  if (value === undefined) return []
  const permitted = childrenOf(asn1(value)).find((node) => (node.type as number) === 0)
  return childrenOf(permitted ?? asn1(new Uint8Array([0x30, 0]))).flatMap((tree) =>
    childrenOf(tree)
      .filter((name) => (name.type as number) === 2)
      .map(bytesOf),
  )
}

const SHORT_NAMES: Record<string, string> = {
  '2.5.4.3': 'CN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.17': 'postalCode',
}

/** Attributes of a name by short name, from its encoding. */
const attributesOf = (name: ArrayBuffer): Record<string, string[]> => {
  const found: Record<string, string[]> = {}
  for (const pair of childrenOf(asn1(name)).flatMap(childrenOf)) {
    const [type, value] = childrenOf(pair)
    const oid = oidOf(type)
    const label = SHORT_NAMES[oid] ?? oid
    found[label] = [...(found[label] ?? []), decodeUtf8(bytesOf(value))]
  }
  return found
}

const keyOf = (spki: ArrayBuffer): CertificateFacts['key'] => {
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  const details = key.asymmetricKeyDetails
  if (key.asymmetricKeyType === 'rsa') return { type: 'rsa', bits: details?.modulusLength ?? 0 }
  if (key.asymmetricKeyType !== 'ec') return { type: 'other', bits: 0 }
  const { namedCurve: curve = '' } = details ?? {}
  return { type: 'ec', bits: Number(/\d{3}/.exec(curve)?.[0] ?? 0), curve }
}

const bitNames = (flags: number): string[] => KEY_USAGE_NAMES.filter((_, bit) => (flags & (1 << bit)) !== 0)
const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/** Certificate from PEM (its first block) or DER. Throws where it is malformed. */
const parseCertificate = (material: string | Uint8Array): x509.X509Certificate =>
  new x509.X509Certificate(typeof material === 'string' ? material : Buffer.from(material))

/** What a certificate says, as @peculiar/x509 reads it. Throws where it is malformed. */
export const factsOf = (material: string | Uint8Array): CertificateFacts => {
  const certificate = parseCertificate(material)
  const extensionValue = (oid: string): ArrayBuffer | undefined => certificate.extensions.find((item) => item.type === oid)?.value
  const basic = certificate.getExtension(x509.BasicConstraintsExtension)
  const usage = certificate.getExtension(x509.KeyUsagesExtension)
  const policies = extensionValue('2.5.29.32')
  return {
    serial: certificate.serialNumber.toLowerCase().replace(/^0+(?=.)/, ''),
    subject: attributesOf(certificate.subjectName.toArrayBuffer()),
    issuer: attributesOf(certificate.issuerName.toArrayBuffer()),
    notBefore: seconds(certificate.notBefore),
    notAfter: seconds(certificate.notAfter),
    ...namesOf(extensionValue('2.5.29.17')),
    basicConstraints: basic === null ? undefined : { ca: basic.ca, pathLength: basic.pathLength },
    keyUsage: usage === null ? undefined : bitNames(usage.usages),
    extendedKeyUsage: (certificate.getExtension(x509.ExtendedKeyUsageExtension)?.usages ?? []).map(String),
    policies: policies === undefined ? [] : childrenOf(asn1(policies)).map((policy) => oidOf(childrenOf(policy)[0])),
    permittedDns: permittedOf(extensionValue('2.5.29.30')),
    subjectKeyId: certificate.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId,
    authorityKeyId: certificate.getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId,
    key: keyOf(certificate.publicKey.rawData),
    publicKey: Buffer.from(certificate.publicKey.rawData).toString('base64'),
    extensions: certificate.extensions.map((item) => item.type),
    extensionValues: Object.fromEntries(
      certificate.extensions.map(({ type, critical, value }) => [
        type,
        `${critical ? 'critical ' : ''}${Buffer.from(value).toString('hex')}`,
      ]),
    ),
  }
}

const CURVES_OF_WEBCRYPTO = ['prime256v1', 'secp384r1', 'secp521r1']

/** Whether WebCrypto verifies signatures of this certificate's key: of P-224 and of other curves it knows nothing. */
const isKnown = ({ publicKey }: NodeCertificate): boolean =>
  publicKey.asymmetricKeyType !== 'ec' || CURVES_OF_WEBCRYPTO.includes(publicKey.asymmetricKeyDetails?.namedCurve ?? '')

/** Whether `issuer`'s key signed the certificate and its name is the issuer named in it. Keys that WebCrypto lacks go to node's reader. */
export const signedByIssuer = async (certificate: string, issuer: string): Promise<boolean> => {
  const parsed = parseCertificate(certificate)
  const above = parseCertificate(issuer)
  if (parsed.issuer !== above.subject) return false
  const read = new NodeCertificate(issuer)
  if (!isKnown(read)) return new NodeCertificate(certificate).verify(read.publicKey)
  return parsed.verify({ publicKey: above.publicKey, signatureOnly: true })
}

export interface CrlFacts {
  /** Serial numbers as in `CertificateFacts.serial`. */
  serials: string[]
  /** Seconds since the epoch. */
  thisUpdate: number
  /** Undefined for a key that WebCrypto does not know. */
  verified: boolean | undefined
}

/** What a CRL says and whether `issuer` signed it. Throws where it is malformed. */
export const crlFactsOf = async (pem: string, issuer: string): Promise<CrlFacts> => {
  const crl = new x509.X509Crl(pem)
  return {
    serials: crl.entries.map((entry) => entry.serialNumber.toLowerCase().replace(/^0+(?=.)/, '')),
    thisUpdate: seconds(crl.thisUpdate),
    verified: isKnown(new NodeCertificate(issuer)) ? await crl.verify({ publicKey: parseCertificate(issuer).publicKey }) : undefined,
  }
}
