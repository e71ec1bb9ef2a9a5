/** Name policies with holes, and with too few. */
import type { Fault } from '../../core/mutation.ts'
import { parseOtherName } from '../../engines/pki/x509/names.ts'
import { onBody, pkiFault } from './shared.ts'

const split = (value: unknown): string[] => String(value ?? '').split(',')

const hosts: Fault[] = [
  pkiFault('localhost-never', 'localhost is never allowed', 'PKI-LOCALHOST-02', {
    rules: { localhostAllowed: () => () => false },
  }),
  pkiFault('localhost-always', 'localhost is always allowed', 'PKI-LOCALHOST-03', {
    rules: { localhostAllowed: () => (_role, name) => name.full === 'localhost' },
  }),
  pkiFault('domain-suffix', 'a domain is compared by its last letters, without the dot', 'PKI-DOMAINS-02', {
    rules: {
      subdomainAllowed: () => (role, name, domain) => role.allow_subdomains && name.domain !== domain && name.domain.endsWith(domain),
    },
  }),
  pkiFault('domain-itself', 'a listed domain is allowed whatever the switches say', 'PKI-DOMAINS-03', {
    rules: { bareAllowed: () => (_role, name, domain) => name.domain === domain },
  }),
  pkiFault('domain-first', 'only the first listed domain counts', 'PKI-DOMAINS-04', {
    rules: { subdomainAllowed: (original) => (role, name, domain) => domain === role.allowed_domains[0] && original(role, name, domain) },
  }),
  pkiFault('domain-case', 'names are compared by case', 'PKI-DOMAINS-05', {
    rules: { subdomainAllowed: (original) => (role, name, domain) => name.full.endsWith(domain) && original(role, name, domain) },
  }),
  pkiFault('bare-needs-subdomains', 'bare domains are allowed together with subdomains only', 'PKI-BARE-02', {
    rules: { bareAllowed: (original) => (role, name, domain) => role.allow_subdomains && original(role, name, domain) },
  }),
  pkiFault('bare-includes-subdomains', 'the switch for bare domains allows subdomains too', 'PKI-BARE-03', {
    rules: {
      bareAllowed: (original) => (role, name, domain) =>
        original(role, name, domain) || (role.allow_bare_domains && name.domain.endsWith(`.${domain}`)),
    },
  }),
  pkiFault('subdomains-one-level', 'subdomains are allowed one level deep', 'PKI-SUB-02', {
    rules: {
      subdomainAllowed: (original) => (role, name, domain) =>
        original(role, name, domain) && (name.wildcard || !name.domain.slice(0, -domain.length - 1).includes('.')),
    },
  }),
  pkiFault('wildcards-denied', 'wildcard subdomains are denied', 'PKI-SUB-03', {
    rules: { subdomainAllowed: (original) => (role, name, domain) => !name.wildcard && original(role, name, domain) },
  }),
  pkiFault('subdomains-include-bare', 'the switch for subdomains allows the domain itself', 'PKI-SUB-04', {
    rules: {
      subdomainAllowed: (original) => (role, name, domain) =>
        original(role, name, domain) || (role.allow_subdomains && name.domain === domain),
    },
  }),
  pkiFault('globs-dead', 'glob patterns match nothing', 'PKI-GLOB-02', { rules: { globAllowed: () => () => false } }),
  pkiFault('globs-always', 'stars are patterns whatever the role says', 'PKI-GLOB-03', {
    rules: { globAllowed: (original) => (role, name, pattern) => original({ ...role, allow_glob_domains: true }, name, pattern) },
  }),
  pkiFault('any-name-dotted', 'any name means any name with a dot', 'PKI-ANY-02', {
    rules: { anyAllowed: (original) => (role, name) => original(role, name) && name.domain.includes('.') },
  }),
  pkiFault('attributes-exclude', 'glob patterns switch subdomains off', 'PKI-ADDITIVE-01', {
    rules: { subdomainAllowed: (original) => (role, name, domain) => !role.allow_glob_domains && original(role, name, domain) },
  }),
  pkiFault('matrix-any-hostnames', 'any name is allowed where bare domains and patterns are on as well', 'PKI-MATRIX-01', {
    rules: { anyAllowed: (original) => (role, name) => original(role, name) || (role.allow_bare_domains && role.allow_glob_domains) },
  }),
  pkiFault('dns-names-unchecked', 'DNS alternative names are not checked where there is no common name', 'PKI-MATRIX-02', {
    rules: {
      refusal: (original) => (rules, role, commonName, names, request) =>
        original(rules, role, commonName, commonName === '' ? { ...names, dns: [] } : names, request),
    },
  }),
  pkiFault('email-suffix', 'email domains are compared by their last letters', 'PKI-MATRIX-03', {
    rules: {
      subdomainAllowed: (original) => (role, name, domain) =>
        original(role, name, domain) || (name.email && role.allow_subdomains && name.domain.endsWith(domain) && name.domain !== domain),
    },
  }),
  pkiFault('csr-common-name-unchecked', 'the common name of a certificate request is not checked', 'PKI-MATRIX-04', {
    rules: {
      refusal: (original) => (rules, role, commonName, names, request) =>
        original(rules, role, request?.commonName === commonName ? '' : commonName, names, request),
    },
  }),
  pkiFault('csr-names-unchecked', 'alternative names of a certificate request are not checked', 'PKI-SIGN-08', {
    rules: {
      refusal: (original) => (rules, role, commonName, names, request) =>
        original(rules, role, commonName, request ? { dns: [], email: [], ip: [], uri: [], other: [] } : names, request),
    },
  }),
  pkiFault('hostnames-free', 'what is no host name passes where any name is allowed', 'PKI-HOSTNAMES-02', {
    rules: { shapeAllowed: (original) => (role, name) => role.allow_any_name || original(role, name) },
  }),
  pkiFault('hostnames-forced', 'host names are enforced whatever the role says', 'PKI-HOSTNAMES-03', {
    rules: { shapeAllowed: (original) => (role, name) => original({ ...role, enforce_hostnames: true }, name) },
  }),
  pkiFault('common-name-changed', 'the common name loses its first label', 'PKI-CN-01', {
    rules: { subject: (original) => (role, commonName) => original(role, commonName.replace(/^[^.]+\.(?=.*\.)/, '')) },
  }),
  pkiFault('common-name-unchecked', 'the common name is not checked', 'PKI-CN-02', {
    rules: { refusal: (original) => (rules, role, _commonName, names, request) => original(rules, role, '', names, request) },
  }),
  pkiFault('common-name-missing', 'the common name is in no alternative name', 'PKI-CN-03', {
    rules: { withCommonName: () => (names) => names },
  }),
  pkiFault('exclude-ignored-dns', 'a host name cannot be excluded from the alternative names', 'PKI-EXCLUDE-01', {
    rules: {
      withCommonName: (original) => (names, commonName, exclude) => original(names, commonName, exclude && commonName.includes('@')),
    },
  }),
  pkiFault('exclude-ignored-email', 'an email address cannot be excluded from the alternative names', 'PKI-EXCLUDE-02', {
    rules: {
      withCommonName: (original) => (names, commonName, exclude) => original(names, commonName, exclude && !commonName.includes('@')),
    },
  }),
  pkiFault('alt-names-first', 'only the first alternative name is taken', ['PKI-ALT-01', 'PKI-ISSUE-08'], {
    rules: {
      withCommonName: (original) => (names, commonName, exclude) =>
        original({ ...names, dns: commonName === '' ? names.dns.slice(0, 1) : [] }, commonName, exclude),
    },
  }),
  pkiFault('emails-as-dns', 'email addresses become DNS names', 'PKI-ALT-02', {
    rules: {
      withCommonName: (original) => (names, commonName, exclude) =>
        original({ ...names, dns: [...names.dns, ...names.email], email: [] }, commonName, exclude),
    },
  }),
  pkiFault('denied-names-dropped', 'a name that policy denies is left out instead of denying the request', 'PKI-ALT-03', {
    rules: {
      refusal: (original) => (rules, role, commonName, names, request) => {
        for (const list of [names.dns, names.email]) {
          for (const name of [...list])
            if (original(rules, role, name, { ...names, dns: [], email: [] }, request)) list.splice(list.indexOf(name), 1)
        }
        return original(rules, role, commonName, names, request)
      },
    },
  }),
]

const kinds: Fault[] = [
  pkiFault('ip-names-v4', 'IPv6 addresses are dropped', 'PKI-IPSANS-02', {
    rules: {
      alternativeNames: (original) => (role, names, request) => ({
        ...original(role, names, request),
        ip: names.ip.filter((ip) => !ip.includes(':')),
      }),
    },
  }),
  pkiFault('ip-names-always', 'addresses are allowed whatever the role says', 'PKI-IPSANS-03', {
    rules: { addressAllowed: () => () => true },
  }),
  pkiFault('ip-names-lenient', 'what is no address is dropped', 'PKI-IPSANS-04', {
    routes: {
      'pki.issue': onBody((body) => ({
        ...body,
        ip_sans: split(body.ip_sans)
          .filter((text) => /^(\d{1,2}\.){3}\d{1,2}$/.test(text))
          .join(','),
      })),
    },
  }),
  pkiFault('uri-names-open', 'an empty list allows every URI', 'PKI-URISANS-01', {
    rules: { uriAllowed: (original) => (role, uri) => role.allowed_uri_sans.length === 0 || original(role, uri) },
  }),
  pkiFault('uri-names-dropped', 'URIs do not reach the certificate', 'PKI-URISANS-02', {
    rules: { withCommonName: (original) => (names, commonName, exclude) => ({ ...original(names, commonName, exclude), uri: [] }) },
  }),
  pkiFault('uri-globs-dead', 'globs of the URI list are compared letter by letter', 'PKI-URISANS-03', {
    rules: { uriAllowed: () => (role, uri) => role.allowed_uri_sans.includes(uri) || role.allowed_uri_sans.includes('*') },
  }),
  pkiFault('uri-names-some', 'one allowed URI lets the others pass', 'PKI-URISANS-04', {
    rules: { uriAllowed: () => (role) => role.allowed_uri_sans.length > 0 },
  }),
  pkiFault('uri-names-any-text', 'any text is a URI', 'PKI-URISANS-05', { rules: { isUri: () => () => true } }),
  pkiFault('uri-list-first', 'of a JSON list of URIs the first counts', 'PKI-URISANS-06', {
    routes: {
      'pki.writeRole': onBody((body) =>
        Array.isArray(body.allowed_uri_sans) ? { ...body, allowed_uri_sans: body.allowed_uri_sans.slice(0, 1) } : body,
      ),
    },
  }),
  pkiFault('other-names-open', 'an empty list allows every other name', 'PKI-OTHERSANS-01', {
    rules: { otherNameAllowed: (original) => (role, name) => role.allowed_other_sans.length === 0 || original(role, name) },
  }),
  pkiFault('other-names-dropped', 'other names do not reach the certificate', 'PKI-OTHERSANS-02', {
    rules: { withCommonName: (original) => (names, commonName, exclude) => ({ ...original(names, commonName, exclude), other: [] }) },
  }),
  pkiFault('other-names-any-oid', 'a star for the value stands for any OID as well', 'PKI-OTHERSANS-03', {
    rules: {
      otherNameAllowed: (original) => (role, name) =>
        original(role, name) || role.allowed_other_sans.some((entry) => parseOtherName(entry)?.value === '*'),
    },
  }),
  pkiFault('other-names-no-star', 'a single star allows nothing', 'PKI-OTHERSANS-04', {
    rules: {
      otherNameAllowed: (original) => (role, name) =>
        original({ ...role, allowed_other_sans: role.allowed_other_sans.filter((entry) => entry !== '*') }, name),
    },
  }),
  pkiFault('other-names-by-oid', 'other names are allowed by their OID alone', 'PKI-OTHERSANS-05', {
    rules: {
      otherNameAllowed: (original) => (role, name) =>
        original(role, name) || role.allowed_other_sans.some((entry) => entry.startsWith(`${name.oid};`)),
    },
  }),
  pkiFault('other-names-any-type', 'every type of an other name is taken for UTF8', 'PKI-OTHERSANS-06', {
    routes: {
      'pki.issue': onBody((body) => ({ ...body, other_sans: String(body.other_sans ?? '').replace(/;(BMP|IA5|PRINTABLE):/g, ';UTF8:') })),
    },
  }),
  pkiFault('other-names-lenient', 'malformed other names are dropped', 'PKI-OTHERSANS-07', {
    routes: {
      'pki.issue': onBody((body) => ({
        ...body,
        other_sans: split(body.other_sans)
          .filter((text) => parseOtherName(text))
          .join(','),
      })),
    },
  }),
  pkiFault('other-names-spelling', 'entries with UTF-8 match nothing', 'PKI-OTHERSANS-08', {
    rules: {
      otherNameAllowed: (original) => (role, name) =>
        original({ ...role, allowed_other_sans: role.allowed_other_sans.filter((entry) => !entry.includes('UTF-8')) }, name),
    },
  }),
  pkiFault('other-names-first', 'of several other names the first is taken', ['PKI-OTHERSANS-09', 'PKI-OTHERSANS-10'], {
    rules: {
      withCommonName: (original) => (names, commonName, exclude) =>
        original({ ...names, other: names.other.slice(0, 1) }, commonName, exclude),
    },
  }),
]

export const nameFaults: Fault[] = [...hosts, ...kinds]
