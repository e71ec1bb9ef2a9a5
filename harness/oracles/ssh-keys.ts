/** Key pairs for tests: the same seed gives the same pair. */
import { createECDH, createHash, createPrivateKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { useCredentials } from '../base/credential-guard.ts'
import { sshpk } from './sshpk.ts'

export type SshKeyKind = 'ed25519' | 'ecdsa-256' | 'ecdsa-384' | 'ecdsa-521' | 'rsa-1024' | 'rsa-2048' | 'rsa-3072'

export interface SshKeyPair {
  /** PEM that OpenSSH reads. */
  privateKey: string
  /** `<algorithm> <base64>`, without comment. */
  publicKey: string
  /** `SHA256:...` */
  fingerprint: string
  /** SHA-256 of the key's wire form. */
  digest: Buffer
}

const CURVES: Record<string, { name: string; jwk: string; bytes: number }> = {
  'ecdsa-256': { name: 'prime256v1', jwk: 'P-256', bytes: 32 },
  'ecdsa-384': { name: 'secp384r1', jwk: 'P-384', bytes: 48 },
  'ecdsa-521': { name: 'secp521r1', jwk: 'P-521', bytes: 66 },
}
const url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

const ed25519 = (random: (length: number) => Uint8Array): JsonWebKey => {
  // The prefix of a PKCS#8 Ed25519 key: everything before its 32 bytes.
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), random(32)])
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' })
}

const ecdsa = (kind: string, random: (length: number) => Uint8Array): JsonWebKey => {
  const curve = CURVES[kind]!
  const scalar = Buffer.from(random(curve.bytes))
  // Below the order of each curve, which begins with ones: one bit less than full length, P-521's first byte being its single top bit.
  scalar[0] = kind === 'ecdsa-521' ? 0 : scalar[0]! & 0x7f
  const pair = createECDH(curve.name)
  pair.setPrivateKey(scalar)
  const point = pair.getPublicKey()
  const half = (point.length - 1) / 2
  return { kty: 'EC', crv: curve.jwk, d: url(scalar), x: url(point.subarray(1, 1 + half)), y: url(point.subarray(1 + half)) }
}

const described = (key: import('sshpk').PrivateKey, privateKey: string): SshKeyPair => {
  useCredentials(privateKey)
  const publicKey = key.toPublic().toString('ssh').split(' ').slice(0, 2).join(' ')
  return {
    privateKey,
    publicKey,
    fingerprint: key.toPublic().fingerprint('sha256').toString(),
    digest: createHash('sha256')
      .update(Buffer.from(publicKey.split(' ')[1] ?? '', 'base64'))
      .digest(),
  }
}

/**
 * A pair of a kind that random bytes suffice for.
 * @param random gives so many bytes, e.g. `bench.random.bytes`
 */
export const sshKeyPair = (kind: Exclude<SshKeyKind, `rsa-${string}`>, random: (length: number) => Uint8Array): SshKeyPair => {
  const jwk = kind === 'ed25519' ? ed25519(random) : ecdsa(kind, random)
  const pem = createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }).toString()
  const key = sshpk.parsePrivateKey(pem, 'pkcs8')
  return described(
    key,
    kind === 'ed25519' ? key.toString('ssh-private') : createPrivateKey(pem).export({ type: 'sec1', format: 'pem' }).toString(),
  )
}

/** The pair of a private key in PEM. @throws for any other text */
export const sshKeyPairOf = (privateKey: string): SshKeyPair => described(sshpk.parsePrivateKey(privateKey, 'auto'), privateKey)

/**
 * A new RSA pair, different each time: no seed makes one in reasonable time.
 * @param bits length of the modulus
 */
export const sshRsaKeyPair = (bits: number): SshKeyPair => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  return sshKeyPairOf(privateKey.export({ type: 'pkcs1', format: 'pem' }).toString().trim())
}

/** Kind and size of a public key's line, e.g. `{kind: 'rsa', bits: 2048}`. @throws for any other text */
export const sshKeyFacts = (line: string): { kind: string; bits: number; fingerprint: string } => {
  const key = sshpk.parseKey(line.trim(), 'ssh')
  return { kind: key.type, bits: key.size, fingerprint: key.fingerprint('sha256').toString() }
}
