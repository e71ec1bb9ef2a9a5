/** Keys that sign messages or digests: RSA with both paddings, ECDSA on three curves. */
import { constants, createECDH, createHash, generateKeyPair, type KeyObject, privateEncrypt, randomBytes, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { rsaPair } from './rsa-pairs.ts'

export type KeySpec = 'RSA_2048' | 'RSA_3072' | 'RSA_4096' | 'P-256' | 'P-384' | 'P-521'
export type Padding = 'pkcs1' | 'pss' | 'ecdsa'
export type Hash = 'sha256' | 'sha384' | 'sha512'

export interface SigningKey {
  spec: KeySpec
  publicKey: KeyObject
  privateKey: KeyObject
}

const generate = promisify(generateKeyPair)

/** Makes a key of a spec. */
export const makeKey = async (spec: KeySpec): Promise<SigningKey> => {
  const pair = spec.startsWith('RSA') ? await rsaPair(Number(spec.slice(4))) : await generate('ec', { namedCurve: spec })
  return { spec, ...pair }
}

const CURVES = {
  'P-256': { name: 'prime256v1', order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n },
  'P-384': {
    name: 'secp384r1',
    order: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  },
  'P-521': {
    name: 'secp521r1',
    order:
      0x1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
  },
} as const

const DIGEST_INFO: Record<Hash, string> = {
  sha256: '3031300d060960864801650304020105000420',
  sha384: '3041300d060960864801650304020205000430',
  sha512: '3051300d060960864801650304020305000440',
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`)
const modulo = (value: bigint, order: bigint): bigint => ((value % order) + order) % order

const inverse = (value: bigint, order: bigint): bigint => {
  let [a, b, x, y] = [modulo(value, order), order, 1n, 0n]
  while (b !== 0n) {
    const q = a / b
    ;[a, b, x, y] = [b, a - q * b, y, x - q * y]
  }
  return modulo(x, order)
}

const derInteger = (value: bigint): Buffer => {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, 'hex')
  const content = (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes
  return Buffer.concat([Buffer.from([2, content.length]), content])
}

/** ECDSA over a digest, which node:crypto does not offer; its ECDH multiplies the base point. */
const signEcDigest = (key: SigningKey, digest: Buffer): Buffer => {
  const { name, order } = CURVES[key.spec as keyof typeof CURVES]
  const secret = numberOf(Buffer.from(String(key.privateKey.export({ format: 'jwk' }).d), 'base64url'))
  const bits = order.toString(2).length
  const excess = BigInt(Math.max(0, digest.length * 8 - bits))
  const message = numberOf(digest) >> excess
  const nonce = createECDH(name)
  const point = nonce.generateKeys()
  const k = numberOf(nonce.getPrivateKey())
  const r = modulo(numberOf(point.subarray(1, 1 + (point.length - 1) / 2)), order)
  const s = modulo(inverse(k, order) * (message + r * secret), order)
  const content = Buffer.concat([derInteger(r), derInteger(s)])
  const length = content.length < 0x80 ? [content.length] : [0x81, content.length]
  return Buffer.concat([Buffer.from([0x30, ...length]), content])
}

/** Mask generation of PSS. */
const mask = (seed: Buffer, length: number, hash: Hash): Buffer => {
  const parts: Buffer[] = []
  for (let counter = 0, made = 0; made < length; counter++) {
    const index = Buffer.alloc(4)
    index.writeUInt32BE(counter)
    const part = createHash(hash).update(seed).update(index).digest()
    parts.push(part)
    made += part.length
  }
  return Buffer.concat(parts).subarray(0, length)
}

const pssEncoded = (digest: Buffer, hash: Hash, modulusBits: number): Buffer => {
  const salt = randomBytes(digest.length)
  const hashed = createHash(hash)
    .update(Buffer.concat([Buffer.alloc(8), digest, salt]))
    .digest()
  const data = Buffer.alloc(modulusBits / 8 - digest.length - 1)
  data[data.length - salt.length - 1] = 1
  salt.copy(data, data.length - salt.length)
  const masks = mask(hashed, data.length, hash)
  const masked = Buffer.from(data.map((byte, place) => byte ^ (masks[place] ?? 0)))
  masked[0] = (masked[0] ?? 0) & 0x7f
  return Buffer.concat([masked, hashed, Buffer.from([0xbc])])
}

/**
 * Signs a digest.
 *
 * @throws Error for a digest whose length is not that of the hash.
 */
export const signDigest = (key: SigningKey, padding: Padding, hash: Hash, digest: Buffer): Buffer => {
  if (digest.length !== Number(hash.slice(3)) / 8) throw new Error(`a digest of ${hash} does not have ${digest.length} bytes`)
  if (padding === 'ecdsa') return signEcDigest(key, digest)
  if (padding === 'pkcs1')
    return privateEncrypt(
      { key: key.privateKey, padding: constants.RSA_PKCS1_PADDING },
      Buffer.concat([Buffer.from(DIGEST_INFO[hash], 'hex'), digest]),
    )
  return privateEncrypt({ key: key.privateKey, padding: constants.RSA_NO_PADDING }, pssEncoded(digest, hash, Number(key.spec.slice(4))))
}

const options = (padding: Padding): { padding?: number; saltLength?: number } =>
  padding === 'pss' ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } : {}

/** Signs a message. */
export const signMessage = (key: SigningKey, padding: Padding, hash: Hash, message: Buffer): Buffer =>
  sign(hash, message, { key: key.privateKey, ...options(padding) })

/** Whether a signature fits a message. */
export const verifyMessage = (key: KeyObject, padding: Padding, hash: Hash, message: Buffer, signature: Buffer): boolean =>
  verify(hash, message, { key, ...options(padding) }, signature)

/** The same signature with a bit turned over. */
export const corrupted = (signature: Buffer): Buffer => {
  const wrong = Buffer.from(signature)
  const last = wrong.length - 1
  wrong[last] = (wrong[last] ?? 0) ^ 1
  return wrong
}
