/** Subjects and general names, to and from DER. */
import { isIPv4 } from 'node:net'
import { child, children, constructed, context, isOid, type Node, oid, printable, readOid, readText, sequence, set, utf8 } from './der.ts'

/** Values of a subject by attribute; the common name comes last in the encoding. */
export interface Subject {
  country?: string[]
  organization?: string[]
  ou?: string[]
  locality?: string[]
  province?: string[]
  street_address?: string[]
  postal_code?: string[]
  serial_number?: string
  common_name?: string
}

const ATTRIBUTES = {
  country: '2.5.4.6',
  organization: '2.5.4.10',
  ou: '2.5.4.11',
  locality: '2.5.4.7',
  province: '2.5.4.8',
  street_address: '2.5.4.9',
  postal_code: '2.5.4.17',
} as const
const COMMON_NAME = '2.5.4.3'
const SERIAL_NUMBER = '2.5.4.5'

const attribute = (type: string, text: string): Buffer =>
  sequence(oid(type), type === ATTRIBUTES.country || type === SERIAL_NUMBER ? printable(text) : utf8(text))

/** Name: one relative name per attribute, several values as one set. */
export const writeSubject = (subject: Subject): Buffer => {
  const names = Object.entries(ATTRIBUTES).flatMap(([field, type]) => {
    const values = subject[field as keyof typeof ATTRIBUTES] ?? []
    return values.length === 0 ? [] : [set(...values.map((value) => attribute(type, value)))]
  })
  if (subject.common_name) names.push(set(attribute(COMMON_NAME, subject.common_name)))
  if (subject.serial_number) names.push(set(attribute(SERIAL_NUMBER, subject.serial_number)))
  return sequence(...names)
}

/** The last common name of an encoded Name; empty where it has none. */
export const commonNameOf = (name: Node): string => {
  const found = children(name)
    .flatMap(children)
    .filter((pair) => readOid(child(pair, 0)) === COMMON_NAME)
  return found.length === 0 ? '' : readText(child(found.at(-1)!, 1))
}

export interface OtherName {
  oid: string
  value: string
}

/** Alternative names by kind. Addresses are text, e.g. `10.0.0.1` or `2001:db8::1`. */
export interface AlternativeNames {
  dns: string[]
  email: string[]
  ip: string[]
  uri: string[]
  other: OtherName[]
}

export const noNames = (): AlternativeNames => ({ dns: [], email: [], ip: [], uri: [], other: [] })
export const isEmpty = (names: AlternativeNames): boolean => Object.values(names).every((list) => list.length === 0)

/** Sixteen-bit groups of an IPv6 address in any legal spelling. */
const groups = (text: string): number[] => {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  if (dotted !== null) {
    const [a, b, c, d] = dotted[2]!.split('.').map(Number)
    return groups(`${dotted[1]}${((a! << 8) | b!).toString(16)}:${((c! << 8) | d!).toString(16)}`)
  }
  const [head, tail] = text.split('::').map((half) => (half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16))))
  if (tail === undefined) return head!
  return [...head!, ...new Array<number>(8 - head!.length - tail.length).fill(0), ...tail]
}

const ipBytes = (text: string): Buffer =>
  isIPv4(text) ? Buffer.from(text.split('.').map(Number)) : Buffer.from(groups(text).flatMap((group) => [group >> 8, group & 0xff]))

const ipText = (bytes: Buffer): string =>
  bytes.length === 4 ? bytes.join('.') : (bytes.toString('hex').match(/.{4}/g) ?? []).map((group) => group.replace(/^0{1,3}/, '')).join(':')

/** GeneralNames. */
export const writeNames = (names: AlternativeNames): Buffer =>
  sequence(
    ...names.other.map((other) => constructed(0, oid(other.oid), constructed(0, utf8(other.value)))),
    ...names.email.map((name) => context(1, Buffer.from(name, 'latin1'))),
    ...names.dns.map((name) => context(2, Buffer.from(name, 'latin1'))),
    ...names.uri.map((name) => context(6, Buffer.from(name, 'latin1'))),
    ...names.ip.map((name) => context(7, ipBytes(name))),
  )

/** Reads GeneralNames; kinds that no row of the contract knows are refused by an error. */
export const readNames = (sequenceOfNames: Node): AlternativeNames => {
  const names = noNames()
  for (const name of children(sequenceOfNames)) {
    const kind = name.tag & 0x1f
    if (kind === 0) names.other.push({ oid: readOid(child(name, 0)), value: readText(child(child(name, 1), 0)) })
    else if (kind === 1) names.email.push(name.content.toString('latin1'))
    else if (kind === 2) names.dns.push(name.content.toString('latin1'))
    else if (kind === 6) names.uri.push(name.content.toString('latin1'))
    else if (kind === 7) names.ip.push(ipText(name.content))
    else throw new Error('alternative names of this kind are not supported')
  }
  return names
}

/** `<oid>;<type>:<value>` with type UTF8 (or UTF-8); undefined where the text has another shape. */
export const parseOtherName = (text: string): OtherName | undefined => {
  const match = /^([0-9.]+);(?:UTF8|UTF-8):(.+)$/is.exec(text.trim())
  return match !== null && isOid(match[1]!) ? { oid: match[1]!, value: match[2]! } : undefined
}

/** NameConstraints that permit these DNS domains only. */
export const writePermittedDomains = (domains: string[]): Buffer =>
  sequence(constructed(0, ...domains.map((domain) => sequence(context(2, Buffer.from(domain, 'latin1'))))))
