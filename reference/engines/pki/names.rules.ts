/** Name policy: which names a role lets into a certificate. Pure decisions; each may be overridden on its own. */
import { isIP } from 'node:net'
import type { Role } from './role.ts'
import { type AlternativeNames, type OtherName, parseOtherName } from './x509/names.ts'
import type { CertificateRequest } from './x509/request.ts'

/** A requested name, taken apart. */
export interface RequestedName {
  full: string
  /** The part after `@` of an email address, else the name; without a leading `*.`; lower case. */
  domain: string
  email: boolean
  wildcard: boolean
}

/** Matches text against a pattern in which `*` stands for any characters; case is ignored. */
const globMatches = (pattern: string, text: string): boolean => {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 'is').test(text)
}

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const HOSTNAME = new RegExp(`^${LABEL}(\\.${LABEL})*\\.?$`, 'i')

export const isHostname = (text: string): boolean => text.length <= 253 && HOSTNAME.test(text)

const takeApart = (full: string): RequestedName => {
  const at = full.lastIndexOf('@')
  const host = full.slice(at + 1).toLowerCase()
  const wildcard = at < 0 && host.startsWith('*.')
  return { full, domain: wildcard ? host.slice(2) : host, email: at > 0, wildcard }
}

export const policyRules = {
  /** Whether the name has a legal shape for this role. */
  shapeAllowed: (role: Role, name: RequestedName): boolean => !role.enforce_hostnames || isHostname(name.domain),
  anyAllowed: (role: Role, _name: RequestedName): boolean => role.allow_any_name,
  localhostAllowed: (role: Role, name: RequestedName): boolean => role.allow_localhost && name.full.toLowerCase() === 'localhost',
  bareAllowed: (role: Role, name: RequestedName, domain: string): boolean =>
    role.allow_bare_domains && !name.wildcard && name.domain === domain,
  subdomainAllowed: (role: Role, name: RequestedName, domain: string): boolean =>
    role.allow_subdomains && ((name.wildcard && name.domain === domain) || name.domain.endsWith(`.${domain}`)),
  globAllowed: (role: Role, name: RequestedName, pattern: string): boolean =>
    role.allow_glob_domains && pattern.includes('*') && globMatches(pattern, name.full),
  addressAllowed: (role: Role): boolean => role.allow_ip_sans,
  isAddress: (text: string): boolean => isIP(text) !== 0,
  isUri: (text: string): boolean => /^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(text) && URL.canParse(text),
  uriAllowed: (role: Role, uri: string): boolean => role.allowed_uri_sans.some((pattern) => globMatches(pattern, uri)),
  otherNameAllowed: (role: Role, name: OtherName): boolean =>
    role.allowed_other_sans.some((entry) => {
      if (entry === '*') return true
      const allowed = parseOtherName(entry)
      return allowed !== undefined && allowed.oid === name.oid && globMatches(allowed.value, name.value)
    }),
}

export type PolicyRules = typeof policyRules

/** Whether the role's attributes, which add up, allow a host name or email address. */
const nameAllowed = (rules: PolicyRules, role: Role, text: string): boolean => {
  const name = takeApart(text)
  if (!rules.shapeAllowed(role, name)) return false
  if (rules.anyAllowed(role, name) || rules.localhostAllowed(role, name)) return true
  return role.allowed_domains.some((listed) => {
    const domain = listed.toLowerCase()
    return rules.bareAllowed(role, name, domain) || rules.subdomainAllowed(role, name, domain) || rules.globAllowed(role, name, listed)
  })
}

/**
 * Why the policy refuses a common name or one of the alternative names; undefined where it allows them all. Names of a certificate
 * request are judged like those of the body.
 */
export const refusalOf = (
  rules: PolicyRules,
  role: Role,
  commonName: string,
  names: AlternativeNames,
  _request: CertificateRequest | undefined,
): string | undefined => {
  if (commonName !== '' && !nameAllowed(rules, role, commonName))
    return `common name ${commonName.slice(0, 100)} is not allowed by this role`
  const name = [...names.dns, ...names.email].find((candidate) => !nameAllowed(rules, role, candidate))
  if (name !== undefined) return `alternative name ${name.slice(0, 100)} is not allowed by this role`
  if (names.ip.length > 0 && !rules.addressAllowed(role)) return 'IP alternative names are not allowed by this role'
  if (names.uri.some((uri) => !rules.uriAllowed(role, uri))) return 'a URI alternative name is not allowed by this role'
  if (names.other.some((other) => !rules.otherNameAllowed(role, other))) return 'an other name is not allowed by this role'
  return undefined
}
