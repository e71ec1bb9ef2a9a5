/** Certificate requests (PKCS#10): reading and verifying a caller's, and making one for a key of ours. */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { signedBy } from './certificate.ts'
import { bits, child, children, constructed, integer, oid, parse, readOid, sequence, set } from './der.ts'
import { EXTENSION, type Extension, readExtensions, writeExtension } from './extensions.ts'
import { publicKeyInfo, signatureAlgorithm, signWith } from './key-forms.ts'
import { type AlternativeNames, commonNameOf, noNames, readNames } from './names.ts'
import { readPem } from './pem.ts'

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14'

export interface CertificateRequest {
  /** Encoded name. */
  subject: Buffer
  commonName: string
  publicKey: KeyObject
  publicKeyInfo: Buffer
  extensions: Extension[]
  names: AlternativeNames
  /** Whether the signature is that of its own key. */
  proven: boolean
}

/** Reads the one request in a PEM text; throws where there is none or it is malformed. */
export const readRequest = (pem: string): CertificateRequest => {
  const block = readPem(pem).find(({ label }) => label === 'CERTIFICATE REQUEST' || label === 'NEW CERTIFICATE REQUEST')
  if (block === undefined) throw new Error('no certificate request in the text')
  const [, subject, info, attributes] = children(child(parse(block.bytes), 0, 0x30))
  const wanted = attributes === undefined ? [] : children(attributes).filter((item) => readOid(child(item, 0, 0x06)) === EXTENSION_REQUEST)
  const extensions = wanted.flatMap((item) => readExtensions(child(child(item, 1, 0x31), 0, 0x30)))
  const names = extensions.find((item) => item.oid === EXTENSION.alternativeNames)
  const publicKey = createPublicKey({ key: info!.raw, format: 'der', type: 'spki' })
  return {
    subject: subject!.raw,
    commonName: commonNameOf(subject!),
    publicKey,
    publicKeyInfo: info!.raw,
    extensions,
    names: names === undefined ? noNames() : readNames(parse(names.value)),
    proven: signedBy(block.bytes, publicKey),
  }
}

/** A request in DER for the key, with the subject and extensions given. */
export const makeRequest = (key: KeyObject, subject: Buffer, extensions: Extension[]): Buffer => {
  const wanted = extensions.length === 0 ? [] : [sequence(oid(EXTENSION_REQUEST), set(sequence(...extensions.map(writeExtension))))]
  const body = sequence(integer(0), subject, publicKeyInfo(key), constructed(0, ...wanted))
  return sequence(body, signatureAlgorithm(key), bits(signWith(key, body)))
}
