/** Reads OpenSSH certificates from their wire format, as PROTOCOL.certkeys of OpenSSH states it, and verifies their signature with node:crypto. */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { sshpk } from './sshpk.ts'

export interface SshCertificate {
  type: 'user' | 'host'
  keyId: string
  serial: bigint
  principals: string[]
  /** Seconds since the epoch; infinite where it holds forever. */
  validAfter: number
  validBefore: number
  criticalOptions: Record<string, string>
  extensions: Record<string, string>
  /** SHA-256 fingerprint of the certified key, `SHA256:...`. */
  key: string
  /** The same of the key that signed. */
  signer: string
  /** e.g. `rsa-sha2-256`. */
  signatureAlgorithm: string
}

/** What the other readers are compared in: options by their names. */
export type SshReading = Omit<SshCertificate, 'criticalOptions' | 'extensions' | 'signatureAlgorithm' | 'signer'> & {
  criticalOptions: string[]
  extensions: string[]
}

/** Takes values one after another from a buffer, and none from beyond its end. */
class Wire {
  readonly #bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get left(): boolean {
    return this.at < this.#bytes.length
  }

  #take(length: number): Buffer {
    if (this.at + length > this.#bytes.length) throw new Error('it ends too early')
    this.at += length
    return this.#bytes.subarray(this.at - length, this.at)
  }

  number(): number {
    return this.#take(4).readUInt32BE()
  }

  long(): bigint {
    return this.#take(8).readBigUInt64BE()
  }

  bytes(): Buffer {
    return this.#take(this.number())
  }

  text(): string {
    return this.bytes().toString('utf8')
  }
}

const all = <T>(bytes: Buffer, one: (wire: Wire) => T): T[] => {
  const wire = new Wire(bytes)
  const found: T[] = []
  while (wire.left) found.push(one(wire))
  return found
}

/** How many values a public key has, by the algorithm of its certificate; they stand before the serial number. */
const KEY_VALUES: Record<string, number> = {
  'ssh-rsa': 2,
  'ssh-ed25519': 1,
  'ecdsa-sha2-nistp256': 2,
  'ecdsa-sha2-nistp384': 2,
  'ecdsa-sha2-nistp521': 2,
}

const lengthPrefixed = (bytes: Uint8Array | string): Buffer => {
  const value = Buffer.from(bytes as string)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(value.length)
  return Buffer.concat([length, value])
}

/** SHA-256 fingerprint of a public key's wire form. */
const fingerprint = (key: Buffer): string => `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

/** A value is text within the option's bytes; no bytes mean no value. */
const optionValue = (data: Buffer): string => (data.length < 4 ? '' : data.subarray(4).toString('utf8'))

const optionsIn = (bytes: Buffer): Record<string, string> =>
  Object.fromEntries(all(bytes, (wire) => [wire.text(), optionValue(wire.bytes())]))

/** The greatest number means that the certificate never expires. */
const end = (seconds: bigint): number => (seconds === 2n ** 64n - 1n ? Number.POSITIVE_INFINITY : Number(seconds))

const HASHES: Record<string, string | null> = {
  'ssh-rsa': 'sha1',
  'rsa-sha2-256': 'sha256',
  'rsa-sha2-512': 'sha512',
  'ecdsa-sha2-nistp256': 'sha256',
  'ecdsa-sha2-nistp384': 'sha384',
  'ecdsa-sha2-nistp521': 'sha512',
  'ssh-ed25519': null,
}

const keyObject = (blob: Buffer, algorithm: string): KeyObject =>
  createPublicKey(sshpk.parseKey(`${algorithm} ${blob.toString('base64')}`, 'ssh').toString('pkcs8'))

/** Two numbers of an elliptic signature, each in as many bytes as the curve's numbers have. */
const rawPair = (bytes: Buffer, size: number): Buffer => {
  const numbers = all(bytes, (wire) => wire.bytes())
  const padded = numbers.map((number) =>
    Buffer.from(
      number
        .toString('hex')
        .replace(/^(00)+/, '')
        .padStart(2 * size, '0'),
      'hex',
    ),
  )
  return Buffer.concat(padded)
}

const CURVE_BYTES: Record<string, number> = { 'ecdsa-sha2-nistp256': 32, 'ecdsa-sha2-nistp384': 48, 'ecdsa-sha2-nistp521': 66 }

const isVerified = (signed: Buffer, key: Buffer, algorithm: string, signature: Buffer): boolean => {
  const hash = HASHES[algorithm]
  if (hash === undefined) throw new Error(`its signature is of an unknown kind, ${algorithm}`)
  const object = keyObject(key, new Wire(key).text())
  const size = CURVE_BYTES[algorithm]
  return size === undefined
    ? verify(hash, signed, object, signature)
    : verify(hash, signed, { key: object, dsaEncoding: 'ieee-p1363' }, rawPair(signature, size))
}

/**
 * Reads a certificate's line, e.g. `ssh-ed25519-cert-v01@openssh.com AAAA...`, and verifies that its signing key signed it.
 * @throws Error where it is malformed or wrongly signed
 */
export const readCertificateLine = (line: string): SshCertificate => {
  const [algorithm = '', base64 = ''] = line.trim().split(/\s+/)
  const raw = Buffer.from(base64, 'base64')
  const wire = new Wire(raw)
  if (wire.text() !== algorithm) throw new Error('the name of its algorithm differs from what it holds')
  const plain = /^(.+)-cert-v01@openssh\.com$/.exec(algorithm)?.[1] ?? ''
  const values = KEY_VALUES[plain]
  if (values === undefined) throw new Error(`certificates of the kind ${algorithm} are not known`)
  // What makes two certificates of the same content differ.
  wire.bytes()
  const begin = wire.at
  for (let at = 0; at < values; at += 1) wire.bytes()
  const key = Buffer.concat([lengthPrefixed(plain), raw.subarray(begin, wire.at)])
  const serial = wire.long()
  const type = wire.number()
  if (type !== 1 && type !== 2) throw new Error(`its type is ${type}, which is neither user nor host`)
  const keyId = wire.text()
  const principals = all(wire.bytes(), (list) => list.text())
  const [validAfter, validBefore] = [wire.long(), wire.long()]
  const criticalOptions = optionsIn(wire.bytes())
  const extensions = optionsIn(wire.bytes())
  // Reserved.
  wire.bytes()
  const signer = wire.bytes()
  const signed = raw.subarray(0, wire.at)
  const signature = new Wire(wire.bytes())
  if (wire.left) throw new Error('something follows its signature')
  const signatureAlgorithm = signature.text()
  if (!isVerified(signed, signer, signatureAlgorithm, signature.bytes())) throw new Error('its signature is wrong')
  return {
    type: type === 1 ? 'user' : 'host',
    keyId,
    serial,
    principals,
    validAfter: end(validAfter),
    validBefore: end(validBefore),
    criticalOptions,
    extensions,
    key: fingerprint(key),
    signer: fingerprint(signer),
    signatureAlgorithm,
  }
}
