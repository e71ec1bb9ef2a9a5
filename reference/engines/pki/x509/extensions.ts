/** Certificate extensions: the ones a CA writes, and reading those of others. */
import {
  boolean,
  child,
  children,
  constructed,
  context,
  integer,
  type Node,
  namedBits,
  octets,
  oid,
  parse,
  readOid,
  sequence,
} from './der.ts'
import { type AlternativeNames, writeNames, writePermittedDomains } from './names.ts'

export interface Extension {
  oid: string
  critical: boolean
  value: Buffer
}

export const EXTENSION = {
  subjectKey: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  crlPoints: '2.5.29.31',
  policies: '2.5.29.32',
  authorityKey: '2.5.29.35',
  extendedUsage: '2.5.29.37',
  authorityAccess: '1.3.6.1.5.5.7.1.1',
} as const

/** Bits of KeyUsage by their names in the contract, lower case. */
export const KEY_USAGES: Record<string, number> = {
  digitalsignature: 0,
  contentcommitment: 1,
  nonrepudiation: 1,
  keyencipherment: 2,
  dataencipherment: 3,
  keyagreement: 4,
  certsign: 5,
  keycertsign: 5,
  crlsign: 6,
  encipheronly: 7,
  decipheronly: 8,
}

/** Object identifiers of extended usages by name, lower case. */
export const EXTENDED_USAGES: Record<string, string> = {
  any: '2.5.29.37.0',
  serverauth: '1.3.6.1.5.5.7.3.1',
  clientauth: '1.3.6.1.5.5.7.3.2',
  codesigning: '1.3.6.1.5.5.7.3.3',
  emailprotection: '1.3.6.1.5.5.7.3.4',
  ipsecendsystem: '1.3.6.1.5.5.7.3.5',
  ipsectunnel: '1.3.6.1.5.5.7.3.6',
  ipsecuser: '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  ocspsigning: '1.3.6.1.5.5.7.3.9',
}

const extension = (id: string, critical: boolean, value: Buffer): Extension => ({ oid: id, critical, value })

export const keyUsage = (positions: Iterable<number>): Extension => extension(EXTENSION.keyUsage, true, namedBits(positions))
export const extendedUsage = (oids: string[]): Extension => extension(EXTENSION.extendedUsage, false, sequence(...oids.map(oid)))
export const policies = (oids: string[]): Extension =>
  extension(EXTENSION.policies, false, sequence(...oids.map((policy) => sequence(oid(policy)))))
export const subjectKey = (id: Buffer): Extension => extension(EXTENSION.subjectKey, false, octets(id))
export const authorityKey = (id: Buffer): Extension => extension(EXTENSION.authorityKey, false, sequence(context(0, id)))
export const alternativeNames = (names: AlternativeNames): Extension => extension(EXTENSION.alternativeNames, false, writeNames(names))
export const permittedDomains = (domains: string[]): Extension => extension(EXTENSION.nameConstraints, true, writePermittedDomains(domains))

/** BasicConstraints; a negative path length means no limit. */
export const basicConstraints = (ca: boolean, pathLength = -1): Extension =>
  extension(EXTENSION.basicConstraints, true, ca ? sequence(boolean(true), ...(pathLength >= 0 ? [integer(pathLength)] : [])) : sequence())

/** Distribution points of the CRL and where the issuer's certificate is, by URL. */
export const distributionPoints = (urls: string[]): Extension =>
  extension(
    EXTENSION.crlPoints,
    false,
    sequence(...urls.map((url) => sequence(constructed(0, constructed(0, context(6, Buffer.from(url, 'latin1'))))))),
  )
export const authorityAccess = (issuers: string[], ocsp: string[]): Extension =>
  extension(
    EXTENSION.authorityAccess,
    false,
    sequence(
      ...ocsp.map((url) => sequence(oid('1.3.6.1.5.5.7.48.1'), context(6, Buffer.from(url, 'latin1')))),
      ...issuers.map((url) => sequence(oid('1.3.6.1.5.5.7.48.2'), context(6, Buffer.from(url, 'latin1')))),
    ),
  )

export const writeExtension = (item: Extension): Buffer =>
  sequence(oid(item.oid), ...(item.critical ? [boolean(true)] : []), octets(item.value))

/** Reads a SEQUENCE OF Extension. */
export const readExtensions = (list: Node): Extension[] =>
  children(list).map((node) => {
    const parts = children(node)
    const flag = parts.length === 3 ? parts[1]! : undefined
    return { oid: readOid(child(node, 0, 0x06)), critical: flag !== undefined && flag.content[0] !== 0, value: parts.at(-1)!.content }
  })

/** Whether extensions make a CA, and its path length (negative: no limit). */
export const caLimits = (extensions: Extension[]): { ca: boolean; pathLength: number } => {
  const found = extensions.find((item) => item.oid === EXTENSION.basicConstraints)
  if (found === undefined) return { ca: false, pathLength: -1 }
  const parts = children(parse(found.value))
  const ca = parts[0]?.tag === 0x01 && parts[0].content[0] !== 0
  const limit = parts.find((part) => part.tag === 0x02)
  return { ca, pathLength: limit === undefined ? -1 : limit.content.readUIntBE(0, Math.min(limit.content.length, 6)) }
}

export const bitsOf = (value: Buffer): number[] => {
  const content = parse(value).content
  const found: number[] = []
  for (let position = 0; position < (content.length - 1) * 8; position++) {
    if (content[1 + (position >> 3)]! & (0x80 >> (position & 7))) found.push(position)
  }
  return found
}
