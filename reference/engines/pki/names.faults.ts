import { faultsOf } from '../../faults/declare.ts'
import { requestBody } from '../../faults/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { excludesCommonName } from './requests.ts'
import { withRules } from './wrappers.ts'
import { parseOtherName } from './x509/names.ts'

const { rule, route, declared } = faultsOf(pkiEngine)

rule('under-localhost', 'PKI-LOCALHOST-02', 'allow_localhost lets every name below localhost in', {
  localhostAllowed: (original) => (role, name) => original(role, name) || (role.allow_localhost && name.domain.endsWith('.localhost')),
})
rule('localhost-prefix', 'PKI-LOCALHOST-02', 'every name that begins with localhost counts as localhost', {
  localhostAllowed: (original) => (role, name) =>
    original(role, name) || (role.allow_localhost && name.full.toLowerCase().startsWith('localhost')),
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
rule('last-domain', 'PKI-DOMAINS-04', 'the last of several allowed domains has no subdomains', {
  subdomainAllowed: (original) => (role, name, domain) =>
    original(role, name, domain) && !(role.allowed_domains.length > 1 && role.allowed_domains.at(-1)?.toLowerCase() === domain),
})
/** A text in which a dot stands for any character. */
const loose = (text: string): RegExp => new RegExp(`^${text.replaceAll('*', '.*')}$`, 'i')
rule('bare-needs-subdomains', 'PKI-BARE-02', 'bare domains are allowed together with subdomains only', {
  bareAllowed: (original) => (role, name, domain) => role.allow_subdomains && original(role, name, domain),
})
rule('bare-includes-subdomains', 'PKI-BARE-03', 'the switch for bare domains allows subdomains too', {
  bareAllowed: (original) => (role, name, domain) =>
    original(role, name, domain) || (role.allow_bare_domains && name.domain.endsWith(`.${domain}`)),
})
rule('bare-dots-any', 'PKI-DOMAINS-02', 'a dot of a listed domain stands for any character in the domain itself', {
  bareAllowed: (original) => (role, name, domain) =>
    original(role, name, domain) || (role.allow_bare_domains && !name.wildcard && loose(domain).test(name.domain)),
})
rule('subdomains-one-level', 'PKI-SUB-02', 'subdomains are allowed one level deep', {
  subdomainAllowed: (original) => (role, name, domain) =>
    original(role, name, domain) && (name.wildcard || !name.domain.slice(0, -domain.length - 1).includes('.')),
})
rule('wildcards-denied', 'PKI-SUB-03', 'wildcard subdomains are denied', {
  subdomainAllowed: (original) => (role, name, domain) => !name.wildcard && original(role, name, domain),
})
rule('deep-wildcard-refused', 'PKI-SUB-03', 'of wildcard names only those right below a listed domain are allowed', {
  subdomainAllowed: (original) => (role, name, domain) => original(role, name, domain) && !(name.wildcard && name.domain !== domain),
})
rule('subdomains-include-bare', 'PKI-SUB-04', 'the switch for subdomains allows the domain itself', {
  subdomainAllowed: (original) => (role, name, domain) => original(role, name, domain) || (role.allow_subdomains && name.domain === domain),
})
rule('glob-leading-only', ['PKI-GLOB-02', 'PKI-ADDITIVE-01'], 'a glob counts at the beginning of a pattern only', {
  globAllowed: (original) => (role, name, pattern) => pattern.lastIndexOf('*') === 0 && original(role, name, pattern),
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
rule('email-at-subdomain', 'PKI-MATRIX-05', 'allow_bare_domains lets in email addresses at subdomains', {
  bareAllowed: (original) => (role, name, domain) =>
    original(role, name, domain) || (role.allow_bare_domains && name.email && name.domain.endsWith(`.${domain}`)),
})
rule('csr-common-name-unchecked', 'PKI-MATRIX-04', 'the common name of a certificate request is not checked', {
  refusal: (original) => (rules, role, commonName, names, request) =>
    original(rules, role, request?.commonName === commonName ? '' : commonName, names, request),
})
rule('csr-names-unchecked', 'PKI-SIGN-08', 'alternative names of a certificate request are not checked', {
  refusal: (original) => (rules, role, commonName, names, request) =>
    original(rules, role, commonName, request ? { dns: [], email: [], ip: [], uri: [], other: [] } : names, request),
})
rule('common-name-changed', 'PKI-CN-01', 'the common name loses its first label', {
  subject: (original) => (role, commonName) => original(role, commonName.replace(/^[^.]+\.(?=.*\.)/, '')),
})
rule('common-name-unchecked', 'PKI-CN-02', 'the common name is not checked', {
  refusal: (original) => (rules, role, _commonName, names, request) => original(rules, role, '', names, request),
})
route(
  'excluded-common-name-unchecked',
  'PKI-CN-02',
  'a common name that is left out of the alternative names is not held against the policy',
  ['pki.issue', 'pki.sign'],
  (original) => {
    const lax = withRules((rules) => ({
      refusal: (all, role, _commonName, names, request) => rules.refusal(all, role, '', names, request),
    }))(original)
    return (call) => (excludesCommonName(call.body) ? lax(call) : original(call))
  },
)
rule('alt-names-first', ['PKI-ALT-01', 'PKI-ISSUE-08'], 'only the first alternative name is taken', {
  withCommonName: (original) => (names, commonName, exclude) =>
    original({ ...names, dns: commonName === '' ? names.dns.slice(0, 1) : [] }, commonName, exclude),
})
rule('emails-as-dns', 'PKI-ALT-02', 'email addresses become DNS names', {
  withCommonName: (original) => (names, commonName, exclude) =>
    original({ ...names, dns: [...names.dns, ...names.email], email: [] }, commonName, exclude),
})
rule('emails-free', 'PKI-ALT-03', 'email addresses are not held against the policy', {
  refusal: (original) => (rules, role, commonName, names, request) => original(rules, role, commonName, { ...names, email: [] }, request),
})
const split = (value: unknown): string[] => String(value ?? '').split(',')
route(
  'ip-names-lenient',
  'PKI-IPSANS-04',
  'a text other than an address is dropped',
  'pki.issue',
  requestBody((body) => ({
    ...body,
    ip_sans: split(body.ip_sans)
      .filter((text) => /^(\d{1,2}\.){3}\d{1,2}$/.test(text))
      .join(','),
  })),
)
rule('uri-globs-dead', 'PKI-URISANS-03', 'globs of the URI list are compared letter by letter', {
  uriAllowed: () => (role, uri) => role.allowed_uri_sans.includes(uri) || role.allowed_uri_sans.includes('*'),
})
rule('uri-prefix', 'PKI-URISANS-04', 'a URI may begin with an allowed one', {
  uriAllowed: (original) => (role, uri) => original(role, uri) || role.allowed_uri_sans.some((allowed) => uri.startsWith(allowed)),
})
rule('uri-dots-any', 'PKI-URISANS-04', 'a dot of a listed URI stands for any character', {
  uriAllowed: (original) => (role, uri) => original(role, uri) || role.allowed_uri_sans.some((pattern) => loose(pattern).test(uri)),
})
rule('uri-names-any-text', 'PKI-URISANS-05', 'any text is a URI', { isUri: () => () => true })
rule('other-names-any-oid', 'PKI-OTHERSANS-03', 'a star for the value stands for any OID as well', {
  otherNameAllowed: (original) => (role, name) =>
    original(role, name) || role.allowed_other_sans.some((entry) => parseOtherName(entry)?.value === '*'),
})
rule('other-name-oid-prefix', 'PKI-OTHERSANS-03', 'an other name is allowed by the beginning of its object identifier', {
  otherNameAllowed: (original) => (role, name) =>
    original(role, name) ||
    role.allowed_other_sans.some((entry) => entry.endsWith(':*') && name.oid.startsWith(entry.split(';')[0] ?? ' ')),
})
rule('other-names-no-star', 'PKI-OTHERSANS-04', 'a single star allows nothing', {
  otherNameAllowed: (original) => (role, name) =>
    original({ ...role, allowed_other_sans: role.allowed_other_sans.filter((entry) => entry !== '*') }, name),
})
rule('other-names-by-oid', 'PKI-OTHERSANS-05', 'other names are allowed by their OID alone', {
  otherNameAllowed: (original) => (role, name) =>
    original(role, name) || role.allowed_other_sans.some((entry) => entry.startsWith(`${name.oid};`)),
})
rule('other-name-dots-any', 'PKI-OTHERSANS-05', 'a dot of a listed value stands for any character', {
  otherNameAllowed: (original) => (role, name) =>
    original(role, name) || role.allowed_other_sans.some((entry) => loose(entry).test(`${name.oid};UTF8:${name.value}`)),
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

export const faults = declared
