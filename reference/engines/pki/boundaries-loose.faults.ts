/** Faults at the edges of lists, sizes, lifetimes and path lengths. */
import { secret } from '../../core/envelope.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, replyData, requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { parseOtherName } from './x509/names.ts'

const { rule, route } = faultsOf(pkiEngine)

rule(
  'not-before-within-an-hour',
  'PKI-NOTBEFORE-02',
  'a not_before_duration above an hour counts as an hour (001 4.2, not_before_duration)',
  {
    validFrom: (original) => (role, now) => original({ ...role, not_before_duration: Math.min(role.not_before_duration, 3600) }, now),
  },
)

rule('intermediate-zero-is-no-limit', [], 'sign-intermediate takes max_path_length 0 for none (001 4.2: 0 is a literal zero)', {
  pathLength: (original) => (requested, above) => original(requested || -1, above),
})

rule(
  'path-length-equal-to-signer',
  ['PKI-INTER-08'],
  'a CA may have the path length of the CA that signs it (001 4.2: one less than that)',
  {
    pathLength: (original) => (requested, above) => (above > 0 && requested === above ? requested : original(requested, above)),
  },
)

rule('third-name-unchecked', [], 'host names after the second are not held against the role (001 4.2, alt_names: any name)', {
  refusal: (original) => (rules, role, commonName, names, request) =>
    original(rules, role, commonName, { ...names, dns: names.dns.slice(0, 2) }, request),
})

rule('first-uri-checked-only', ['PKI-URISANS-04'], 'only the first of several URIs is held against the role (001 4.2, allowed_uri_sans)', {
  refusal: (original) => (rules, role, commonName, names, request) =>
    original(rules, role, commonName, { ...names, uri: names.uri.slice(0, 1) }, request),
})

rule('one-other-name-suffices', [], 'one allowed entry of other_sans lets the others in (001 4.2, other_sans: must match the role)', {
  refusal: (original) => (rules, role, commonName, names, request) => {
    const other = names.other.some((name) => rules.otherNameAllowed(role, name)) ? [] : names.other
    return original(rules, role, commonName, { ...names, other }, request)
  },
})

rule('single-address-passes', [], 'a single IP address passes a role that allows none (001 4.2, ip_sans: only if the role allows)', {
  refusal: (original) => (rules, role, commonName, names, request) =>
    original(rules, role, commonName, names.ip.length === 1 ? { ...names, ip: [] } : names, request),
})

route(
  'thirty-names',
  ['PKI-ALT-01', 'PKI-ALT-02'],
  'alternative names after the thirtieth are dropped (001 4.2, alt_names)',
  ['pki.issue', 'pki.sign'],
  requestBody((body) =>
    typeof body.alt_names === 'string' ? { ...body, alt_names: body.alt_names.split(',').slice(0, 30).join(',') } : body,
  ),
)

rule('ttl-below-maximum', [], 'a role whose ttl equals its max_ttl is refused (001 4.2, ttl: must not exceed max_ttl)', {
  lifetimesAgree: (original) => (role) => original(role) && (role.max_ttl === 0 || role.ttl !== role.max_ttl),
})

rule(
  'requested-maximum-falls-back',
  ['PKI-REQTTL-01'],
  'a request for exactly max_ttl gets the ttl of the role (001 4.2, ttl: must not exceed max_ttl)',
  {
    lifetime: (original) => (role, requested, limits) => original(role, requested === role.max_ttl ? 0 : requested, limits),
  },
)

rule('requested-ttl-below-role-ttl', [], 'a ttl between ttl and max_ttl of the role is cut to the former (001 4.2, ttl)', {
  lifetime: (original) => (role, requested, limits) => original(role, role.ttl > 0 ? Math.min(requested, role.ttl) : requested, limits),
})

rule('largest-curve-smaller', ['PKI-KEYBITS-02'], 'a role with an EC key of 521 bits issues one of 384 (001 4.2, key_bits)', {
  keyToIssue: (original) => (role) => {
    const wanted = original(role)
    return wanted.type === 'ec' ? { ...wanted, bits: Math.min(wanted.bits, 384) } : wanted
  },
})

rule('smallest-curve-larger', [], 'a root with an EC key of 224 bits gets one of 256 (001 4.2, root/generate: e.g. 224 or 521)', {
  rootKeyBits: (original) => (type, requested) => (type === 'ec' ? Math.max(original(type, requested), 256) : original(type, requested)),
})

rule('rsa-1024-for-any', [], 'a role for any key signs one of RSA with exactly 1024 bits (001 8: more than 1024 bits)', {
  requestKeyAllowed: (original) => (role, key) =>
    original(role, key) || (role.key_type === 'any' && key.type === 'rsa' && key.bits >= 1024),
})

rule(
  'no-usage-is-default',
  ['PKI-USAGE-04'],
  'an empty key_usage puts the default usages into certificates (001 4.2, empty list for no constraint)',
  {
    keyUsages: (original) => (role, request) =>
      original(role.key_usage.length > 0 ? role : { ...role, key_usage: ['DigitalSignature', 'KeyAgreement', 'KeyEncipherment'] }, request),
  },
)

rule('three-usages', [], 'key usages after the third are left out of certificates (001 4.2, key_usage)', {
  keyUsages: (original) => (role, request) => original(role, request).slice(0, 3),
})

rule('first-bare-domain', 'PKI-DOMAINS-04', 'of several allowed_domains only the first may be used bare (001 4.2, allow_bare_domains)', {
  bareAllowed: (original) => (role, name, domain) => original(role, name, domain) && role.allowed_domains[0]?.toLowerCase() === domain,
})

rule('one-level-of-subdomains', [], 'subdomains of subdomains are refused (001 4.2, allow_subdomains)', {
  subdomainAllowed: (original) => (role, name, domain) =>
    original(role, name, domain) && !name.domain.slice(0, -domain.length - 1).includes('.'),
})

rule('one-star', 'PKI-GLOB-02', 'only the first star of a pattern in allowed_domains stands for anything (001 4.2, allow_glob_domains)', {
  globAllowed: (original) => (role, name, pattern) => {
    const [head = '', ...rest] = pattern.toLowerCase().split('*')
    const full = name.full.toLowerCase()
    return original(role, name, pattern) && (rest.length < 2 || (full.startsWith(head) && full.endsWith(rest.join('*'))))
  },
})

rule('first-policy-identifier', [], 'certificates carry only the first of several policy identifiers (001 4.2, policy_identifiers)', {
  policies: (original) => (role) => original(role).slice(0, 1),
})

rule('first-permitted-domain', [], 'a CA permits only the first of several permitted_dns_domains (001 4.2, permitted_dns_domains)', {
  permittedDomains: (original) => (domains) => original(domains).slice(0, 1),
})

route(
  'hundred-roles',
  ['PKI-ROLE-04'],
  'the list of roles ends after a hundred names (001 4.2, LIST roles)',
  'pki.listRoles',
  replyData((data) => ({ ...data, keys: Array.isArray(data.keys) ? data.keys.slice(0, 100) : [] })),
)

route(
  'empty-certificate-list',
  [],
  'an empty list of certificates answers 200 (000 1: an empty listing returns 404)',
  'pki.listCertificates',
  insteadOfRefusal(() => secret({ keys: [] })),
)

rule(
  'no-host-name-refused',
  'PKI-REQUIRECN-03',
  'a role that needs no CN refuses requests that name addresses or URIs only (001 4.2, require_cn)',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      commonName === '' && names.dns.length + names.email.length === 0
        ? 'no name was requested'
        : original(rules, role, commonName, names, request),
  },
)

rule('oid-prefix', [], 'an entry of allowed_other_sans allows longer object identifiers that begin with its own (001 4.2)', {
  otherNameAllowed: (original) => (role, name) =>
    role.allowed_other_sans.some((entry) => {
      const oid = parseOtherName(entry)?.oid ?? ''
      return original({ ...role, allowed_other_sans: [entry] }, oid !== '' && name.oid.startsWith(oid) ? { ...name, oid } : name)
    }),
})

rule(
  'email-domain-by-ending',
  ['PKI-MATRIX-03'],
  'allow_subdomains allows email addresses of domains that merely end alike (001 4.2, allow_subdomains)',
  {
    subdomainAllowed: (original) => (role, name, domain) =>
      original(role, name, domain) || (role.allow_subdomains && name.email && name.domain !== domain && name.domain.endsWith(domain)),
  },
)

rule('first-copied-extension', [], 'use_csr_values copies only the first extension of a CSR (001 4.2, copies CSR extensions)', {
  requestedExtensions: (original) => (extensions) => original(extensions).slice(0, 1),
})

const firstValues = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([field, value]) => [
      field,
      ['ou', 'organization', 'locality', 'province'].includes(field) && typeof value === 'string' && !value.startsWith('[')
        ? (value.split(',')[0] ?? '')
        : value,
    ]),
  )
route(
  'first-subject-value',
  [],
  'of comma-separated subject values a CA gets the first only (001 4.2, subject fields)',
  ['pki.generateRoot', 'pki.signIntermediate'],
  requestBody((body) => firstValues(body)),
)
