/** Name policies with holes, and with too few. */
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { parseOtherName } from './x509/names.ts'

const { rule, route } = faultsOf(pkiEngine)

const split = (value: unknown): string[] => String(value ?? '').split(',')

rule('localhost-never', 'PKI-LOCALHOST-02', 'localhost is never allowed', { localhostAllowed: () => () => false })
rule('localhost-always', 'PKI-LOCALHOST-03', 'localhost is always allowed', {
  localhostAllowed: () => (_role, name) => name.full === 'localhost',
})
rule('domain-suffix', 'PKI-DOMAINS-02', 'a domain is compared by its last letters, without the dot', {
  subdomainAllowed: () => (role, name, domain) => role.allow_subdomains && name.domain !== domain && name.domain.endsWith(domain),
})
rule('domain-itself', 'PKI-DOMAINS-03', 'a listed domain is allowed whatever the switches say', {
  bareAllowed: () => (_role, name, domain) => name.domain === domain,
})
rule('domain-first', 'PKI-DOMAINS-04', 'only the first listed domain counts', {
  subdomainAllowed: (original) => (role, name, domain) => domain === role.allowed_domains[0] && original(role, name, domain),
})
rule('domain-case', 'PKI-DOMAINS-05', 'names are compared by case', {
  subdomainAllowed: (original) => (role, name, domain) => name.full.endsWith(domain) && original(role, name, domain),
})
rule('bare-needs-subdomains', 'PKI-BARE-02', 'bare domains are allowed together with subdomains only', {
  bareAllowed: (original) => (role, name, domain) => role.allow_subdomains && original(role, name, domain),
})
rule('bare-includes-subdomains', 'PKI-BARE-03', 'the switch for bare domains allows subdomains too', {
  bareAllowed: (original) => (role, name, domain) =>
    original(role, name, domain) || (role.allow_bare_domains && name.domain.endsWith(`.${domain}`)),
})
rule('subdomains-one-level', 'PKI-SUB-02', 'subdomains are allowed one level deep', {
  subdomainAllowed: (original) => (role, name, domain) =>
    original(role, name, domain) && (name.wildcard || !name.domain.slice(0, -domain.length - 1).includes('.')),
})
rule('wildcards-denied', 'PKI-SUB-03', 'wildcard subdomains are denied', {
  subdomainAllowed: (original) => (role, name, domain) => !name.wildcard && original(role, name, domain),
})
rule('subdomains-include-bare', 'PKI-SUB-04', 'the switch for subdomains allows the domain itself', {
  subdomainAllowed: (original) => (role, name, domain) => original(role, name, domain) || (role.allow_subdomains && name.domain === domain),
})
rule('globs-dead', 'PKI-GLOB-02', 'glob patterns match nothing', { globAllowed: () => () => false })
rule('globs-always', 'PKI-GLOB-03', 'stars are patterns whatever the role says', {
  globAllowed: (original) => (role, name, pattern) => original({ ...role, allow_glob_domains: true }, name, pattern),
})
rule('any-name-dotted', 'PKI-ANY-02', 'any name means any name with a dot', {
  anyAllowed: (original) => (role, name) => original(role, name) && name.domain.includes('.'),
})
rule('attributes-exclude', 'PKI-ADDITIVE-01', 'glob patterns switch subdomains off', {
  subdomainAllowed: (original) => (role, name, domain) => !role.allow_glob_domains && original(role, name, domain),
})
rule('matrix-any-hostnames', 'PKI-MATRIX-01', 'any name is allowed where bare domains and patterns are on as well', {
  anyAllowed: (original) => (role, name) => original(role, name) || (role.allow_bare_domains && role.allow_glob_domains),
})
rule('dns-names-unchecked', 'PKI-MATRIX-02', 'DNS alternative names are not checked where there is no common name', {
  refusal: (original) => (rules, role, commonName, names, request) =>
    original(rules, role, commonName, commonName === '' ? { ...names, dns: [] } : names, request),
})
rule('email-suffix', 'PKI-MATRIX-03', 'email domains are compared by their last letters', {
  subdomainAllowed: (original) => (role, name, domain) =>
    original(role, name, domain) || (name.email && role.allow_subdomains && name.domain.endsWith(domain) && name.domain !== domain),
})
rule('csr-common-name-unchecked', 'PKI-MATRIX-04', 'the common name of a certificate request is not checked', {
  refusal: (original) => (rules, role, commonName, names, request) =>
    original(rules, role, request?.commonName === commonName ? '' : commonName, names, request),
})
rule('csr-names-unchecked', 'PKI-SIGN-08', 'alternative names of a certificate request are not checked', {
  refusal: (original) => (rules, role, commonName, names, request) =>
    original(rules, role, commonName, request ? { dns: [], email: [], ip: [], uri: [], other: [] } : names, request),
})
rule('hostnames-free', 'PKI-HOSTNAMES-02', 'what is no host name passes where any name is allowed', {
  shapeAllowed: (original) => (role, name) => role.allow_any_name || original(role, name),
})
rule('hostnames-forced', 'PKI-HOSTNAMES-03', 'host names are enforced whatever the role says', {
  shapeAllowed: (original) => (role, name) => original({ ...role, enforce_hostnames: true }, name),
})
rule('common-name-changed', 'PKI-CN-01', 'the common name loses its first label', {
  subject: (original) => (role, commonName) => original(role, commonName.replace(/^[^.]+\.(?=.*\.)/, '')),
})
rule('common-name-unchecked', 'PKI-CN-02', 'the common name is not checked', {
  refusal: (original) => (rules, role, _commonName, names, request) => original(rules, role, '', names, request),
})
rule('common-name-missing', 'PKI-CN-03', 'the common name is in no alternative name', { withCommonName: () => (names) => names })
rule('exclude-ignored-dns', 'PKI-EXCLUDE-01', 'a host name cannot be excluded from the alternative names', {
  withCommonName: (original) => (names, commonName, exclude) => original(names, commonName, exclude && commonName.includes('@')),
})
rule('exclude-ignored-email', 'PKI-EXCLUDE-02', 'an email address cannot be excluded from the alternative names', {
  withCommonName: (original) => (names, commonName, exclude) => original(names, commonName, exclude && !commonName.includes('@')),
})
rule('alt-names-first', ['PKI-ALT-01', 'PKI-ISSUE-08'], 'only the first alternative name is taken', {
  withCommonName: (original) => (names, commonName, exclude) =>
    original({ ...names, dns: commonName === '' ? names.dns.slice(0, 1) : [] }, commonName, exclude),
})
rule('emails-as-dns', 'PKI-ALT-02', 'email addresses become DNS names', {
  withCommonName: (original) => (names, commonName, exclude) =>
    original({ ...names, dns: [...names.dns, ...names.email], email: [] }, commonName, exclude),
})
rule('denied-names-dropped', 'PKI-ALT-03', 'a name that policy denies is left out instead of denying the request', {
  refusal: (original) => (rules, role, commonName, names, request) => {
    for (const list of [names.dns, names.email]) {
      for (const name of [...list])
        if (original(rules, role, name, { ...names, dns: [], email: [] }, request)) list.splice(list.indexOf(name), 1)
    }
    return original(rules, role, commonName, names, request)
  },
})

rule('ip-names-v4', 'PKI-IPSANS-02', 'IPv6 addresses are dropped', {
  alternativeNames: (original) => (role, names, request) => ({
    ...original(role, names, request),
    ip: names.ip.filter((ip) => !ip.includes(':')),
  }),
})
rule('ip-names-always', 'PKI-IPSANS-03', 'addresses are allowed whatever the role says', { addressAllowed: () => () => true })
route(
  'ip-names-lenient',
  'PKI-IPSANS-04',
  'what is no address is dropped',
  'pki.issue',
  requestBody((body) => ({
    ...body,
    ip_sans: split(body.ip_sans)
      .filter((text) => /^(\d{1,2}\.){3}\d{1,2}$/.test(text))
      .join(','),
  })),
)
rule('uri-names-open', 'PKI-URISANS-01', 'an empty list allows every URI', {
  uriAllowed: (original) => (role, uri) => role.allowed_uri_sans.length === 0 || original(role, uri),
})
rule('uri-names-dropped', 'PKI-URISANS-02', 'URIs do not reach the certificate', {
  withCommonName: (original) => (names, commonName, exclude) => ({ ...original(names, commonName, exclude), uri: [] }),
})
rule('uri-globs-dead', 'PKI-URISANS-03', 'globs of the URI list are compared letter by letter', {
  uriAllowed: () => (role, uri) => role.allowed_uri_sans.includes(uri) || role.allowed_uri_sans.includes('*'),
})
rule('uri-names-some', 'PKI-URISANS-04', 'one allowed URI lets the others pass', {
  uriAllowed: () => (role) => role.allowed_uri_sans.length > 0,
})
rule('uri-names-any-text', 'PKI-URISANS-05', 'any text is a URI', { isUri: () => () => true })
rule('other-names-open', 'PKI-OTHERSANS-01', 'an empty list allows every other name', {
  otherNameAllowed: (original) => (role, name) => role.allowed_other_sans.length === 0 || original(role, name),
})
rule('other-names-dropped', 'PKI-OTHERSANS-02', 'other names do not reach the certificate', {
  withCommonName: (original) => (names, commonName, exclude) => ({ ...original(names, commonName, exclude), other: [] }),
})
rule('other-names-any-oid', 'PKI-OTHERSANS-03', 'a star for the value stands for any OID as well', {
  otherNameAllowed: (original) => (role, name) =>
    original(role, name) || role.allowed_other_sans.some((entry) => parseOtherName(entry)?.value === '*'),
})
rule('other-names-no-star', 'PKI-OTHERSANS-04', 'a single star allows nothing', {
  otherNameAllowed: (original) => (role, name) =>
    original({ ...role, allowed_other_sans: role.allowed_other_sans.filter((entry) => entry !== '*') }, name),
})
rule('other-names-by-oid', 'PKI-OTHERSANS-05', 'other names are allowed by their OID alone', {
  otherNameAllowed: (original) => (role, name) =>
    original(role, name) || role.allowed_other_sans.some((entry) => entry.startsWith(`${name.oid};`)),
})
route(
  'other-names-any-type',
  'PKI-OTHERSANS-06',
  'every type of an other name is taken for UTF8',
  'pki.issue',
  requestBody((body) => ({ ...body, other_sans: String(body.other_sans ?? '').replace(/;(BMP|IA5|PRINTABLE):/g, ';UTF8:') })),
)
route(
  'other-names-lenient',
  'PKI-OTHERSANS-07',
  'malformed other names are dropped',
  'pki.issue',
  requestBody((body) => ({
    ...body,
    other_sans: split(body.other_sans)
      .filter((text) => parseOtherName(text))
      .join(','),
  })),
)
rule('other-names-spelling', 'PKI-OTHERSANS-08', 'entries with UTF-8 match nothing', {
  otherNameAllowed: (original) => (role, name) =>
    original({ ...role, allowed_other_sans: role.allowed_other_sans.filter((entry) => !entry.includes('UTF-8')) }, name),
})
rule('other-names-first', ['PKI-OTHERSANS-09', 'PKI-OTHERSANS-10'], 'of several other names the first is taken', {
  withCommonName: (original) => (names, commonName, exclude) => original({ ...names, other: names.other.slice(0, 1) }, commonName, exclude),
})
rule(
  'wildcard-of-any-domain',
  ['PKI-DOMAINS-02', 'PKI-DOMAINS-04'],
  'where subdomains are allowed, a wildcard passes whatever it is over',
  {
    subdomainAllowed: (original) => (role, name, domain) => (role.allow_subdomains && name.wildcard) || original(role, name, domain),
  },
)
rule('key-type-any-refused', 'PKI-KEYTYPE-03', 'no role can be of type any', {
  keyTypeKnown: (original) => (type) => type !== 'any' && original(type),
})

/** A text in which a dot stands for any character. */
const loose = (text: string): RegExp => new RegExp(`^${text.replaceAll('*', '.*')}$`, 'i')
rule('domain-dots-any', 'PKI-DOMAINS-02', 'a dot of a listed domain stands for any character', {
  subdomainAllowed: (original) => (role, name, domain) =>
    original(role, name, domain) || (role.allow_subdomains && loose(`*.${domain}`).test(name.domain)),
})
rule('bare-dots-any', 'PKI-DOMAINS-02', 'a dot of a listed domain stands for any character in the domain itself', {
  bareAllowed: (original) => (role, name, domain) =>
    original(role, name, domain) || (role.allow_bare_domains && !name.wildcard && loose(domain).test(name.domain)),
})
rule('glob-dots-any', 'PKI-GLOB-02', 'a dot of a pattern stands for any character', {
  globAllowed: (original) => (role, name, pattern) =>
    original(role, name, pattern) || (role.allow_glob_domains && pattern.includes('*') && loose(pattern).test(name.full)),
})
rule('uri-dots-any', 'PKI-URISANS-04', 'a dot of a listed URI stands for any character', {
  uriAllowed: (original) => (role, uri) => original(role, uri) || role.allowed_uri_sans.some((pattern) => loose(pattern).test(uri)),
})
rule('other-name-dots-any', 'PKI-OTHERSANS-05', 'a dot of a listed value stands for any character', {
  otherNameAllowed: (original) => (role, name) =>
    original(role, name) || role.allowed_other_sans.some((entry) => loose(entry).test(`${name.oid};UTF8:${name.value}`)),
})
