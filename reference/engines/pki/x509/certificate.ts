/** Certificates: building and signing one, and reading what a CA must know of another's. */
import { createPublicKey, type KeyObject, randomBytes, verify } from 'node:crypto'
import { bits, child, children, constructed, integer, type Node, parse, readTime, sequence, time } from './der.ts'
import { caLimits, type Extension, readExtensions, writeExtension } from './extensions.ts'
import { publicKeyInfo, signatureAlgorithm, signWith } from './key-forms.ts'

/** What a certificate says; times in seconds since the epoch, `subject` and `issuer` as encoded names. */
export interface CertificateContent {
  serial: Buffer
  issuer: Buffer
  subject: Buffer
  notBefore: number
  notAfter: number
  publicKeyInfo: Buffer
  extensions: Extension[]
}

/** 20 random bytes, positive: more than 64 bits, and short enough for every reader. */
export const randomSerial = (): Buffer => {
  const bytes = randomBytes(20)
  bytes[0] = (bytes[0]! & 0x3f) | 0x40
  return bytes
}

/** `0a:1b:...`, the contract's spelling. */
export const serialText = (serial: Uint8Array): string => (Buffer.from(serial).toString('hex').match(/../g) ?? []).join(':')

/** The certificate in DER, signed by `key`. */
export const signCertificate = (content: CertificateContent, key: KeyObject): Buffer => {
  const algorithm = signatureAlgorithm(key)
  const body = sequence(
    constructed(0, integer(2)),
    integer(content.serial),
    algorithm,
    content.issuer,
    sequence(time(content.notBefore), time(content.notAfter)),
    content.subject,
    content.publicKeyInfo,
    ...(content.extensions.length > 0 ? [constructed(3, sequence(...content.extensions.map(writeExtension)))] : []),
  )
  return sequence(body, algorithm, bits(signWith(key, body)))
}

export interface Certificate extends CertificateContent {
  der: Buffer
  ca: boolean
  /** Negative: no limit. */
  pathLength: number
  selfIssued: boolean
  publicKey: KeyObject
  subjectNode: Node
}

/** Reads a certificate; throws where the bytes are none. */
export const readCertificate = (der: Buffer): Certificate => {
  const body = child(parse(der), 0, 0x30)
  const parts = children(body)
  if (parts[0]?.tag !== 0xa0) throw new Error('only version 3 certificates are supported')
  const [, serial, , issuer, validity, subject, info, ...rest] = parts
  const block = rest.find((part) => part.tag === 0xa3)
  const extensions = block === undefined ? [] : readExtensions(child(block, 0, 0x30))
  const number = serial!.content[0] === 0 ? serial!.content.subarray(1) : serial!.content
  return {
    der,
    serial: number,
    issuer: issuer!.raw,
    subject: subject!.raw,
    subjectNode: subject!,
    notBefore: readTime(child(validity!, 0)),
    notAfter: readTime(child(validity!, 1)),
    publicKeyInfo: info!.raw,
    publicKey: createPublicKey({ key: info!.raw, format: 'der', type: 'spki' }),
    extensions,
    ...caLimits(extensions),
    selfIssued: issuer!.raw.equals(subject!.raw),
  }
}

const DIGESTS: Record<string, string> = {
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a8648ce3d040301': 'sha224',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
}

/** Whether a signed structure (certificate or request) bears a signature of this key. */
export const signedBy = (der: Buffer, key: KeyObject): boolean => {
  const [body, algorithm, signature] = children(parse(der))
  const digest = DIGESTS[child(algorithm!, 0, 0x06).content.toString('hex')]
  if (digest === undefined || signature === undefined) return false
  return verify(digest, body!.raw, key, signature.content.subarray(1))
}

/** Certificate for the key pair `key`, signed by itself. */
export const selfSign = (content: Omit<CertificateContent, 'publicKeyInfo'>, key: KeyObject): Buffer =>
  signCertificate({ ...content, publicKeyInfo: publicKeyInfo(key) }, key)
