/** OpenSSH certificates (PROTOCOL.certkeys of OpenSSH): built and signed here, byte by byte. */
import { type KeyObject, sign } from 'node:crypto'
import { type PublicKey, publicKeyOf } from './key-formats.ts'
import { mpint, string, uint32, uint64 } from './protocol-types.ts'

export type SignatureAlgorithm = 'ssh-rsa' | 'rsa-sha2-256' | 'rsa-sha2-512'

export interface CertificateText {
  publicKey: PublicKey
  /** 64 bits. */
  serial: bigint
  type: 'user' | 'host'
  keyId: string
  principals: string[]
  /** Seconds since the epoch. */
  validAfter: number
  validBefore: number
  criticalOptions: Record<string, string>
  extensions: Record<string, string>
  nonce: Uint8Array
}

/** Options are sorted by name; a value is a string within a string, and no value an empty one. */
const options = (values: Record<string, string>): Buffer =>
  string(
    Buffer.concat(
      Object.entries(values)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([name, value]) => [string(name), string(value === '' ? '' : string(value))]),
    ),
  )

const RSA_HASH: Record<SignatureAlgorithm, string> = { 'ssh-rsa': 'sha1', 'rsa-sha2-256': 'sha256', 'rsa-sha2-512': 'sha512' }
const EC_HASH: Record<number, string> = { 256: 'sha256', 384: 'sha384', 521: 'sha512' }

const signature = (ca: KeyObject, caPublic: PublicKey, algorithm: SignatureAlgorithm, bytes: Buffer): Buffer => {
  if (caPublic.kind === 'rsa') return Buffer.concat([string(algorithm), string(sign(RSA_HASH[algorithm], bytes, ca))])
  if (caPublic.kind === 'ed25519') return Buffer.concat([string('ssh-ed25519'), string(sign(null, bytes, ca))])
  const raw = sign(EC_HASH[caPublic.bits], bytes, { key: ca, dsaEncoding: 'ieee-p1363' })
  const pair = Buffer.concat([mpint(raw.subarray(0, raw.length / 2)), mpint(raw.subarray(raw.length / 2))])
  return Buffer.concat([string(caPublic.algorithm), string(pair)])
}

/**
 * The certificate as a line, e.g. `ssh-ed25519-cert-v01@openssh.com AAAA...`.
 * @param algorithm how an RSA CA signs; other kinds of key have one algorithm each
 */
export const signCertificate = (text: CertificateText, ca: KeyObject, algorithm: SignatureAlgorithm): string => {
  const name = `${text.publicKey.algorithm}-cert-v01@openssh.com`
  const caPublic = publicKeyOf(ca)
  const body = Buffer.concat([
    string(name),
    string(text.nonce),
    text.publicKey.fields,
    uint64(text.serial),
    uint32(text.type === 'user' ? 1 : 2),
    string(text.keyId),
    string(Buffer.concat(text.principals.map((principal) => string(principal)))),
    uint64(BigInt(Math.floor(text.validAfter))),
    uint64(BigInt(Math.floor(text.validBefore))),
    options(text.criticalOptions),
    options(text.extensions),
    string(''),
    string(caPublic.blob),
  ])
  return `${name} ${Buffer.concat([body, string(signature(ca, caPublic, algorithm, body))]).toString('base64')}`
}
