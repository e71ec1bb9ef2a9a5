/** Reads certificates with node:crypto, and the extensions that it does not show with node-forge's ASN.1 reader: at hand on every machine. */
import { X509Certificate } from 'node:crypto'
import forge from 'node-forge'
import { plainAddress } from './x509.ts'
import { KEY_USAGE_NAMES, type SharedFacts } from './x509-facts.ts'

type Asn1 = forge.asn1.Asn1

/** The members of a constructed value; none for another. */
export const membersOf = (node: Asn1 | undefined): Asn1[] => (Array.isArray(node?.value) ? node.value : [])

/** The bytes of a plain value; none for another. */
export const bytesOf = (node: Asn1 | undefined): Buffer => Buffer.from(typeof node?.value === 'string' ? node.value : '', 'latin1')

/** The library's function takes options that its published types do not know. */
const fromDer = forge.asn1.fromDer as unknown as (
  bytes: forge.util.ByteBuffer,
  options: { strict: boolean; decodeBitStrings: boolean },
) => Asn1

/** Reads DER. Bit strings stay bytes: what is in them is not always ASN.1. @throws Error where it is malformed */
export const readDer = (der: Uint8Array): Asn1 =>
  fromDer(forge.util.createBuffer(Buffer.from(der).toString('latin1')), { strict: true, decodeBitStrings: false })

/** Hexadecimal, lower case, without leading zeros: how all readers write serial numbers. */
export const plainSerial = (hex: string): string => hex.toLowerCase().replace(/^0+(?=.)/, '')

const OPEN_CONTEXT_3 = 3

/** Values of extensions by object identifier. */
const extensionsOf = (der: Uint8Array): Map<string, Asn1> => {
  const signed = membersOf(readDer(der))[0]
  const holder = membersOf(signed).find(
    ({ tagClass, type }) => tagClass === forge.asn1.Class.CONTEXT_SPECIFIC && (type as number) === OPEN_CONTEXT_3,
  )
  const found = new Map<string, Asn1>()
  for (const extension of membersOf(membersOf(holder)[0])) {
    const parts = membersOf(extension)
    found.set(forge.asn1.derToOid(bytesOf(parts[0]).toString('latin1')), readDer(bytesOf(parts.at(-1))))
  }
  return found
}

const basicConstraintsOf = (value: Asn1 | undefined): SharedFacts['basicConstraints'] => {
  if (value === undefined) return undefined
  const members = membersOf(value)
  const ca = members.find(({ type }) => type === forge.asn1.Type.BOOLEAN)
  const limit = members.find(({ type }) => type === forge.asn1.Type.INTEGER)
  return {
    ca: (bytesOf(ca)[0] ?? 0) !== 0,
    pathLength: limit === undefined ? undefined : Number.parseInt(bytesOf(limit).toString('hex'), 16),
  }
}

/** The first byte of a bit string says how many bits of the last are unused; the first bit is the highest. */
const keyUsageOf = (value: Asn1 | undefined): string[] | undefined => {
  if (value === undefined) return undefined
  const bits = bytesOf(value).subarray(1)
  return KEY_USAGE_NAMES.filter((_, at) => ((bits[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0)
}

/** `DNS:a, IP Address:10.0.0.1, URI:"with\u002c comma"`: a value that could be mistaken is a JSON string. */
const namesIn = (text: string): { kind: string; value: string }[] =>
  [...text.matchAll(/([A-Za-z0-9 ]+):("(?:[^"\\]|\\.)*"|[^,]*)(?:, |$)/g)].map(([, kind = '', value = '']) => ({
    kind,
    value: value.startsWith('"') ? String(JSON.parse(value)) : value,
  }))

/** What node:crypto reads in a PEM certificate. @throws Error where it cannot read it */
export const nodeFacts = (pem: string): SharedFacts => {
  const certificate = new X509Certificate(pem)
  const extensions = extensionsOf(certificate.raw)
  const names = namesIn(certificate.subjectAltName ?? '')
  const ofKind = (kind: string): string[] => names.filter((name) => name.kind === kind).map(({ value }) => value)
  return {
    serial: plainSerial(certificate.serialNumber),
    notBefore: Date.parse(certificate.validFrom) / 1000,
    notAfter: Date.parse(certificate.validTo) / 1000,
    dns: ofKind('DNS'),
    email: ofKind('email'),
    ip: ofKind('IP Address').map(plainAddress),
    uri: ofKind('URI'),
    otherNames: ofKind('othername').length,
    basicConstraints: basicConstraintsOf(extensions.get('2.5.29.19')),
    keyUsage: keyUsageOf(extensions.get('2.5.29.15')),
    extendedKeyUsages: certificate.keyUsage?.length ?? 0,
  }
}
