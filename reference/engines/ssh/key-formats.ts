/** Public and private keys: the lines of authorized-keys files, PEM, and OpenSSH's own private key format. */
import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { invalid } from '../../core/errors.ts'
import { mpint, string, WireReader } from './protocol-types.ts'

export type KeyKind = 'rsa' | 'ecdsa' | 'ed25519'

export interface PublicKey {
  /** Name of the algorithm on the wire, e.g. `ssh-rsa`. */
  algorithm: string
  kind: KeyKind
  bits: number
  /** The key as the protocol carries it, algorithm included. */
  blob: Buffer
  /** What follows the algorithm in `blob`. */
  fields: Buffer
  object: KeyObject
}

const CURVES: Record<string, { jwk: string; bits: number }> = {
  nistp256: { jwk: 'P-256', bits: 256 },
  nistp384: { jwk: 'P-384', bits: 384 },
  nistp521: { jwk: 'P-521', bits: 521 },
}
const url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const plain = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url')
const bitLength = (bytes: Uint8Array): number => (bytes.length === 0 ? 0 : bytes.length * 8 - Math.clz32(bytes[0] ?? 0) + 24)

const point = (curve: string, bytes: Buffer): JsonWebKey => {
  const half = (bytes.length - 1) / 2
  if (bytes[0] !== 4) throw new Error('the point is compressed')
  return { kty: 'EC', crv: CURVES[curve]?.jwk, x: url(bytes.subarray(1, 1 + half)), y: url(bytes.subarray(1 + half)) }
}

const parseBlob = (blob: Buffer): PublicKey => {
  const reader = new WireReader(blob)
  const algorithm = reader.text()
  const fields = blob.subarray(4 + algorithm.length)
  const made = (kind: KeyKind, bits: number, jwk: JsonWebKey): PublicKey => {
    if (!reader.atEnd) throw new Error('the key has bytes after its end')
    return { algorithm, kind, bits, blob, fields, object: createPublicKey({ key: jwk, format: 'jwk' }) }
  }
  if (algorithm === 'ssh-rsa') {
    const e = reader.number()
    const n = reader.number()
    return made('rsa', bitLength(n), { kty: 'RSA', n: url(n), e: url(e) })
  }
  if (algorithm === 'ssh-ed25519') return made('ed25519', 256, { kty: 'OKP', crv: 'Ed25519', x: url(reader.bytes()) })
  const curve = reader.text()
  if (algorithm !== `ecdsa-sha2-${curve}` || !CURVES[curve]) throw new Error('unknown kind of key')
  return made('ecdsa', CURVES[curve].bits, point(curve, reader.bytes()))
}

/** Reads a line such as `ssh-ed25519 AAAA... comment`. Throws 400 naming the field where it is none. */
export const parsePublicKey = (line: string, field: string): PublicKey => {
  const [algorithm, base64 = ''] = line.trim().split(/\s+/)
  try {
    const key = parseBlob(Buffer.from(base64, 'base64'))
    if (key.algorithm !== algorithm || key.blob.toString('base64').replace(/=+$/, '') !== base64.replace(/=+$/, ''))
      throw new Error('damaged')
    return key
  } catch {
    throw invalid(`${field} is not an SSH public key`)
  }
}

/** The public half of a key pair. */
export const publicKeyOf = (privateKey: KeyObject): PublicKey => {
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' })
  if (jwk.kty === 'RSA') return parseBlob(Buffer.concat([string('ssh-rsa'), mpint(plain(jwk.e)), mpint(plain(jwk.n))]))
  if (jwk.kty === 'OKP' && jwk.crv === 'Ed25519') return parseBlob(Buffer.concat([string('ssh-ed25519'), string(plain(jwk.x))]))
  const curve = Object.keys(CURVES).find((name) => CURVES[name]?.jwk === jwk.crv)
  if (curve === undefined) throw new Error('unknown kind of key')
  const bytes = Buffer.concat([Buffer.from([4]), plain(jwk.x), plain(jwk.y)])
  return parseBlob(Buffer.concat([string(`ecdsa-sha2-${curve}`), string(curve), string(bytes)]))
}

/** The line of a public key as authorized-keys files have it, without line end. */
export const publicKeyLine = (key: PublicKey): string => `${key.algorithm} ${key.blob.toString('base64')}`

const OPENSSH = /^-----BEGIN OPENSSH PRIVATE KEY-----\s*([A-Za-z0-9+/=\s]+)-----END OPENSSH PRIVATE KEY-----\s*$/
const MAGIC = 'openssh-key-v1\0'

/** BigInt of unsigned bytes, and back. */
const big = (bytes: Uint8Array): bigint => BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)
const small = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(2 * Math.ceil(value.toString(16).length / 2), '0'), 'hex')

const opensshJwk = (reader: WireReader): JsonWebKey => {
  const algorithm = reader.text()
  if (algorithm === 'ssh-ed25519') {
    const x = reader.bytes()
    return { kty: 'OKP', crv: 'Ed25519', x: url(x), d: url(reader.bytes().subarray(0, 32)) }
  }
  if (algorithm === 'ssh-rsa') {
    const [n, e, d, qi, p, q] = Array.from({ length: 6 }, () => reader.number()) as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer]
    const rest = (prime: Buffer): string => url(small(big(d) % (big(prime) - 1n)))
    return { kty: 'RSA', n: url(n), e: url(e), d: url(d), p: url(p), q: url(q), qi: url(qi), dp: rest(p), dq: rest(q) }
  }
  const curve = reader.text()
  const size = Math.ceil((CURVES[curve]?.bits ?? 0) / 8)
  const jwk = point(curve, reader.bytes())
  const d = reader.number()
  return { ...jwk, d: url(Buffer.concat([Buffer.alloc(size - d.length), d])) }
}

const parseOpenssh = (base64: string): KeyObject => {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.subarray(0, MAGIC.length).toString('latin1') !== MAGIC) throw new Error('not an OpenSSH key')
  const reader = new WireReader(bytes.subarray(MAGIC.length))
  if (reader.text() !== 'none') throw new Error('the key is encrypted')
  reader.text()
  reader.bytes()
  if (reader.uint32() !== 1) throw new Error('more than one key')
  reader.bytes()
  const inner = new WireReader(reader.bytes())
  const mark = inner.uint32()
  if (inner.uint32() !== mark) throw new Error('damaged')
  return createPrivateKey({ key: opensshJwk(inner), format: 'jwk' })
}

/** Reads an unencrypted private key. Throws 400 naming the field where it is none, or of a kind that SSH does not know. */
export const parsePrivateKey = (text: string, field: string): KeyObject => {
  try {
    const openssh = OPENSSH.exec(text.trim())
    const key = openssh ? parseOpenssh(openssh[1] ?? '') : createPrivateKey(text)
    publicKeyOf(key)
    return key
  } catch {
    throw invalid(`${field} is not an SSH private key`)
  }
}
