/** Makes certificate requests, keys and certificates for checks, with WebCrypto and @peculiar/x509. */
import 'reflect-metadata'
import { createPrivateKey, createPublicKey, generateKeyPairSync, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import forge from 'node-forge'
import { useCredentials } from '../base/credential-guard.ts'

type CryptoKeyPair = webcrypto.CryptoKeyPair

/** `ec256`, `ec384`, `rsa2048`, `rsa1024`. */
export type KeyKind = 'ec256' | 'ec384' | 'rsa2048' | 'rsa1024'

const ALGORITHMS = {
  ec256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  ec384: { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  rsa2048: { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
  rsa1024: { name: 'RSASSA-PKCS1-v1_5', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
} as const

const pairs = new Map<KeyKind, Promise<CryptoKeyPair>>()

const newPair = (kind: KeyKind): Promise<CryptoKeyPair> =>
  webcrypto.subtle.generateKey(ALGORITHMS[kind], true, ['sign', 'verify']) as Promise<CryptoKeyPair>

/** A key pair of the kind, made once per process: a request proves possession of whatever key it has. */
const pairOf = (kind: KeyKind): Promise<CryptoKeyPair> => {
  let pair = pairs.get(kind)
  if (pair === undefined) {
    pair = newPair(kind)
    pairs.set(kind, pair)
  }
  return pair
}

export interface RequestInput {
  key?: KeyKind
  commonName?: string
  /** Further attributes of the subject by short name, e.g. `{ O: 'Example' }`. */
  subject?: Record<string, string>
  dns?: string[]
  email?: string[]
  ip?: string[]
  uri?: string[]
  /** Text of an other name with the OID of user principal names, 1.3.6.1.4.1.311.20.2.3. */
  principal?: string[]
  /** Asks for basic constraints of a CA, which are critical unless it says otherwise. */
  ca?: boolean | 'uncritical'
  /** Path length of those constraints. */
  pathLength?: number
  /** Names of bits, e.g. `digitalSignature`. */
  keyUsage?: (keyof typeof x509.KeyUsageFlags)[]
  /** Object identifiers. */
  extendedKeyUsage?: string[]
  /** Any further extension: object identifier, DER value in hexadecimal, and whether it is critical. */
  extension?: { oid: string; value: string; critical?: boolean }
}

const nameOf = (input: RequestInput): x509.JsonName => [
  ...(input.commonName === undefined ? [] : [{ CN: [input.commonName] }]),
  ...Object.entries(input.subject ?? {}).map(([type, value]) => ({ [type]: [value] })),
]

const extensionsOf = (input: RequestInput): x509.Extension[] => {
  const names: x509.JsonGeneralNames = [
    ...(input.dns ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(input.email ?? []).map((value) => ({ type: 'email' as const, value })),
    ...(input.ip ?? []).map((value) => ({ type: 'ip' as const, value })),
    ...(input.uri ?? []).map((value) => ({ type: 'url' as const, value })),
    ...(input.principal ?? []).map((value) => ({ type: 'upn' as const, value })),
  ]
  return [
    ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
    ...(input.ca ? [new x509.BasicConstraintsExtension(true, input.pathLength, input.ca === true)] : []),
    ...(input.keyUsage
      ? [
          new x509.KeyUsagesExtension(
            input.keyUsage.reduce((flags, name) => flags | x509.KeyUsageFlags[name], 0),
            true,
          ),
        ]
      : []),
    ...(input.extendedKeyUsage ? [new x509.ExtendedKeyUsageExtension(input.extendedKeyUsage)] : []),
    ...(input.extension
      ? [new x509.Extension(input.extension.oid, input.extension.critical ?? false, Buffer.from(input.extension.value, 'hex'))]
      : []),
  ]
}

/** A PEM certificate request with a valid signature. */
export const certificateRequest = async (input: RequestInput): Promise<string> => {
  const kind = input.key ?? 'ec256'
  const extensions = extensionsOf(input)
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: nameOf(input),
    keys: (await pairOf(kind)) as unknown as CryptoKeyPair & Parameters<typeof x509.Pkcs10CertificateRequestGenerator.create>[0]['keys'],
    signingAlgorithm: ALGORITHMS[kind],
    ...(extensions.length > 0 ? { extensions } : {}),
  })
  return request.toString('pem')
}

/** A PEM request whose signature does not fit: one byte of it differs. */
export const forgedRequest = async (input: RequestInput): Promise<string> => {
  const pem = await certificateRequest(input)
  const bytes = Buffer.from(pem.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64')
  // The last byte belongs to the signature in both algorithms.
  bytes[bytes.length - 1] = bytes[bytes.length - 1]! ^ 0x01
  return x509.PemConverter.encode(new Uint8Array(bytes).buffer, 'CERTIFICATE REQUEST')
}

/** SubjectPublicKeyInfo of a PEM request, in base64. */
export const requestPublicKey = (pem: string): string =>
  Buffer.from(new x509.Pkcs10CertificateRequest(pem).publicKey.rawData).toString('base64')

export interface OwnAuthority {
  key: KeyKind
  /** PEM. */
  certificate: string
  /** PKCS#8 PEM. */
  privateKey: string
}

const pkcs8 = async (key: webcrypto.CryptoKey): Promise<string> =>
  x509.PemConverter.encode((await webcrypto.subtle.exportKey('pkcs8', key)) as ArrayBuffer, 'PRIVATE KEY')

const DAY = 24 * 3_600_000

/**
 * A certificate of ours with a new key, EC unless the input says otherwise, self-signed or signed by another of ours.
 * @param input `ca` makes it a CA; `hours` its lifetime, default 24; `namesOwnKey` gives a self-signed one the id of its own key as its authority's
 */
export const ownCertificate = async (
  input: RequestInput & { hours?: number; issuer?: OwnAuthority; serial?: string; namesOwnKey?: boolean },
): Promise<OwnAuthority> => {
  const key = input.key ?? 'ec256'
  const pair = await newPair(key)
  const signer = input.issuer === undefined ? undefined : await importKey(input.issuer)
  const issuer = input.issuer === undefined ? undefined : new x509.X509Certificate(input.issuer.certificate)
  const authorityKey = issuer?.publicKey ?? (input.namesOwnKey === true ? (pair.publicKey as never) : undefined)
  const names = nameOf(input)
  const now = Math.floor(Date.now() / 1000) * 1000
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber:
      input.serial ??
      Buffer.from(webcrypto.getRandomValues(new Uint8Array(12)))
        .toString('hex')
        .replace(/^./, '4'),
    subject: names,
    issuer: issuer === undefined ? names : issuer.subjectName.toJSON(),
    // Long ago, for a target whose clock is behind ours.
    notBefore: new Date(now - DAY),
    notAfter: new Date(now + (input.hours ?? 24) * 3_600_000),
    publicKey: pair.publicKey as never,
    signingKey: (signer ?? pair.privateKey) as never,
    signingAlgorithm: ALGORITHMS[input.issuer?.key ?? key],
    extensions: [
      ...extensionsOf(input.ca === true ? { ...input, keyUsage: input.keyUsage ?? ['keyCertSign', 'cRLSign'] } : input),
      await x509.SubjectKeyIdentifierExtension.create(pair.publicKey as never),
      ...(authorityKey === undefined ? [] : [await x509.AuthorityKeyIdentifierExtension.create(authorityKey)]),
    ],
  })
  const privateKey = await pkcs8(pair.privateKey)
  useCredentials(privateKey)
  return { key, certificate: certificate.toString('pem'), privateKey }
}

const importKey = ({ privateKey, key }: OwnAuthority): Promise<webcrypto.CryptoKey> =>
  webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(privateKey), ALGORITHMS[key], true, [
    'sign',
  ]) as Promise<webcrypto.CryptoKey>

/** A new EC private key in PKCS#8 PEM that belongs to nothing. */
export const strayKey = (): string => {
  const privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  useCredentials(privateKey)
  return privateKey
}

/** An EC private key in PEM as the older `EC PRIVATE KEY` (SEC 1), which servers and tools write as well. */
export const asTraditional = (privateKey: string): string => {
  const traditional = createPrivateKey(privateKey).export({ type: 'sec1', format: 'pem' }) as string
  useCredentials(traditional)
  return traditional
}

/** SubjectPublicKeyInfo in base64 of a private key in PEM, or in base64 of PKCS#1, SEC 1 or PKCS#8. Throws for any other text. */
export const publicKeyOf = (privateKey: string): string => {
  useCredentials(privateKey)
  const key = privateKey.includes('-----') ? createPrivateKey(privateKey) : keyFromDer(Buffer.from(privateKey, 'base64'))
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')
}

/** What follows the version of a key, in each form: an algorithm, the bytes of the key, or a number of it. */
const SECOND = new Map([
  [forge.asn1.Type.SEQUENCE, 'pkcs8'],
  [forge.asn1.Type.OCTETSTRING, 'sec1'],
  [forge.asn1.Type.INTEGER, 'pkcs1'],
] as const)

/** Which encoding a private key in DER has; undefined for other bytes. Optional parts may be there or not. */
export const privateKeyForm = (der: Uint8Array): 'pkcs1' | 'sec1' | 'pkcs8' | undefined => {
  useCredentials(Buffer.from(der).toString('base64'))
  try {
    const { value } = forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(der).toString('latin1')))
    const type = SECOND.get((value as forge.asn1.Asn1[])[1]!.type as forge.asn1.Type.SEQUENCE)
    // OpenSSL tries every form whatever it is told: it finds a key and does not say in which form.
    createPrivateKey({ key: Buffer.from(der), format: 'der', type: type ?? 'pkcs8' })
    return type
  } catch {
    return undefined
  }
}

const keyFromDer = (der: Buffer) => createPrivateKey({ key: der, format: 'der', type: privateKeyForm(der) ?? 'pkcs8' })
