/** Private keys: making them off the main thread, naming them and writing them in every form. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { child, nothing, oid, parse, sequence } from './der.ts'
import { writePem } from './pem.ts'

export type KeyType = 'rsa' | 'ec'

const CURVES: Record<number, string> = { 224: 'secp224r1', 256: 'prime256v1', 384: 'secp384r1', 521: 'secp521r1' }
const CURVE_BITS: Record<string, number> = { secp224r1: 224, prime256v1: 256, secp384r1: 384, secp521r1: 521 }
const RSA_BITS = [2048, 3072, 4096, 8192]

const generate = promisify(generateKeyPair)

/** Whether a key of this type can have this size. */
export const validBits = (type: KeyType, bits: number): boolean => (type === 'ec' ? CURVES[bits] !== undefined : RSA_BITS.includes(bits))

/** A new private key; `bits` must be valid for the type. */
export const generateKey = async (type: KeyType, bits: number): Promise<KeyObject> =>
  type === 'ec'
    ? (await generate('ec', { namedCurve: CURVES[bits]! })).privateKey
    : (await generate('rsa', { modulusLength: bits })).privateKey

/** Type and size of a private or public key. Throws for kinds that no certificate of ours carries. */
export const describeKey = (key: KeyObject): { type: KeyType; bits: number } => {
  const details = key.asymmetricKeyDetails
  if (key.asymmetricKeyType === 'rsa') return { type: 'rsa', bits: details?.modulusLength ?? 0 }
  const bits = CURVE_BITS[details?.namedCurve ?? '']
  if (key.asymmetricKeyType !== 'ec' || bits === undefined) throw new Error('keys of this kind are not supported')
  return { type: 'ec', bits }
}

/** SubjectPublicKeyInfo of a private or public key. */
export const publicKeyInfo = (key: KeyObject): Buffer =>
  (key.type === 'private' ? createPublicKey(key) : key).export({ type: 'spki', format: 'der' })

/** Key identifier: SHA-1 over the public key's bits. */
export const keyIdentifier = (spki: Uint8Array): Buffer =>
  createHash('sha1')
    .update(child(parse(spki), 1, 0x03).content.subarray(1))
    .digest()

export const samePublicKey = (key: KeyObject, spki: Uint8Array): boolean => publicKeyInfo(key).equals(spki)

export const readPrivateKey = (label: string, bytes: Buffer): KeyObject => createPrivateKey(writePem(label, bytes))

/** AlgorithmIdentifier of signatures that `signWith` makes with this key. */
export const signatureAlgorithm = (key: KeyObject): Buffer =>
  key.asymmetricKeyType === 'rsa' ? sequence(oid('1.2.840.113549.1.1.11'), nothing()) : sequence(oid('1.2.840.10045.4.3.2'))

export const signWith = (key: KeyObject, bytes: Uint8Array): Buffer => sign('sha256', bytes, key)

/** DER of a private key with its PEM label: the traditional form of its type, or PKCS#8. */
export const exportKey = (key: KeyObject, form: 'der' | 'pkcs8'): { label: string; bytes: Buffer } => {
  if (form === 'pkcs8') return { label: 'PRIVATE KEY', bytes: key.export({ type: 'pkcs8', format: 'der' }) }
  return key.asymmetricKeyType === 'rsa'
    ? { label: 'RSA PRIVATE KEY', bytes: key.export({ type: 'pkcs1', format: 'der' }) }
    : { label: 'EC PRIVATE KEY', bytes: key.export({ type: 'sec1', format: 'der' }) }
}
