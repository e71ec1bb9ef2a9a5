/** Verifies paths and CRLs with node:crypto: the second judge of trust on every machine. */
import { createPublicKey, type KeyObject, verify, X509Certificate } from 'node:crypto'
import forge from 'node-forge'
import { factsOf } from './x509.ts'
import { bytesOf, membersOf, plainSerial, readDer } from './x509-node.ts'

/** Whether a name is one of a constraint or below it. */
const within = (name: string, constraint: string): boolean => {
  const base = constraint.replace(/^\./, '').toLowerCase()
  return base === '' || name.toLowerCase() === base || name.toLowerCase().endsWith(`.${base}`)
}

/** Why an issuer may not stand above those below it in a path, its signature aside. */
const authorityProblem = (issuer: string, below: string[]): string | undefined => {
  const { basicConstraints, permittedDns, subject } = factsOf(issuer)
  const name = subject.CN?.[0] ?? 'the issuer'
  if (basicConstraints?.ca !== true) return `${name} is not a CA`
  const between = below.slice(1).map((pem) => new X509Certificate(pem))
  const counted = between.filter((certificate) => certificate.subject !== certificate.issuer).length
  if (basicConstraints.pathLength !== undefined && counted > basicConstraints.pathLength) return `${name} has more CAs below it than it may`
  const outside =
    permittedDns.length === 0 ? undefined : factsOf(below[0]!).dns.find((dns) => !permittedDns.some((one) => within(dns, one)))
  return outside === undefined ? undefined : `${name} does not permit the name ${outside}`
}

/**
 * Whether a path holds, at whatever time: the clock of the one who signed may differ from ours.
 * @param chain PEM certificates from the leaf's issuer up to the one that is trusted
 * @returns undefined where it does, else why not
 */
export const nodePathProblem = (leaf: string, chain: string[]): string | undefined => {
  const path = [leaf, ...chain]
  for (const [at, issuer] of chain.entries()) {
    const [below, above] = [new X509Certificate(path[at]!), new X509Certificate(issuer)]
    if (!below.checkIssued(above)) return `${above.subject} did not issue ${below.subject}`
    if (!below.verify(above.publicKey)) return `the signature of ${above.subject} on ${below.subject} is wrong`
    // The names that are constrained are those of the leaf, which comes first.
    const problem = authorityProblem(issuer, path.slice(0, at + 1))
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Hashes of signature algorithms by object identifier; null where the algorithm has its own. */
const HASHES: Record<string, string | null> = {
  '1.2.840.113549.1.1.5': 'sha1',
  '1.2.840.113549.1.1.14': 'sha224',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.1': 'sha224',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.3.101.112': null,
}

/** How long the header of the element at the beginning of `der` is, and all of it. */
const extentOf = (der: Uint8Array): { header: number; whole: number } => {
  const first = der[1] ?? 0
  if (first < 0x80) return { header: 2, whole: 2 + first }
  const octets = first & 0x7f
  const length = der.subarray(2, 2 + octets).reduce((sum, octet) => sum * 256 + octet, 0)
  return { header: 2 + octets, whole: 2 + octets + length }
}

/** The signed part of a certificate, CRL or request: as it came, since another encoding of it would have another signature. */
const signedPart = (der: Uint8Array): Uint8Array => {
  const inside = der.subarray(extentOf(der).header)
  return inside.subarray(0, extentOf(inside).whole)
}

const isSigned = (der: Uint8Array, algorithm: string, signature: Buffer, key: KeyObject): boolean | undefined => {
  const hash = HASHES[algorithm]
  return hash === undefined ? undefined : verify(hash, signedPart(der), key, signature)
}

/** True for times and not for what may follow them: the list of a CRL's entries is a sequence. */
const isList = ({ type, tagClass }: forge.asn1.Asn1): boolean =>
  tagClass === forge.asn1.Class.UNIVERSAL && type === forge.asn1.Type.SEQUENCE

/**
 * Serial numbers on a PEM CRL, and whether the CA signed it; undefined for an algorithm that this reader does not know.
 * @throws Error where it is malformed
 */
export const nodeCrl = (pem: string, issuer: string): { serials: string[]; verified: boolean | undefined } => {
  const der = Buffer.from(/-----BEGIN [A-Z0-9 ]+-----([^-]*)-----END/.exec(pem)?.[1] ?? '', 'base64')
  const [signed, algorithm, signature] = membersOf(readDer(der))
  const lists = membersOf(signed).filter(isList)
  // Algorithm and issuer come first; a CRL without entries has no third list.
  const entries = membersOf(lists[2])
  const oid = forge.asn1.derToOid(bytesOf(membersOf(algorithm)[0]).toString('latin1'))
  return {
    serials: entries.map((entry) => plainSerial(bytesOf(membersOf(entry)[0]).toString('hex'))),
    verified: isSigned(der, oid, bytesOf(signature).subarray(1), createPublicKey(issuer)),
  }
}
