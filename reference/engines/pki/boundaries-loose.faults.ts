/** Faults at the edges of lists, sizes, lifetimes and path lengths. */
import { faultsOf } from '../../mutations/declare.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'

const { rule, route } = faultsOf(pkiEngine)

rule(
  'not-before-within-an-hour',
  'PKI-NOTBEFORE-02',
  'a not_before_duration above an hour counts as an hour (001 4.2, not_before_duration)',
  {
    validFrom: (original) => (role, now) => original({ ...role, not_before_duration: Math.min(role.not_before_duration, 3600) }, now),
  },
)

rule(
  'path-length-equal-to-signer',
  ['PKI-INTER-08'],
  'a CA may have the path length of the CA that signs it (001 4.2: one less than that)',
  {
    pathLength: (original) => (requested, above) => (above > 0 && requested === above ? requested : original(requested, above)),
  },
)

rule('first-uri-checked-only', ['PKI-URISANS-04'], 'only the first of several URIs is held against the role (001 4.2, allowed_uri_sans)', {
  refusal: (original) => (rules, role, commonName, names, request) =>
    original(rules, role, commonName, { ...names, uri: names.uri.slice(0, 1) }, request),
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

rule(
  'requested-maximum-falls-back',
  ['PKI-REQTTL-01'],
  'a request for exactly max_ttl gets the ttl of the role (001 4.2, ttl: must not exceed max_ttl)',
  {
    lifetime: (original) => (role, requested, limits) => original(role, requested === role.max_ttl ? 0 : requested, limits),
  },
)

rule('largest-curve-smaller', ['PKI-KEYBITS-02'], 'a role with an EC key of 521 bits issues one of 384 (001 4.2, key_bits)', {
  keyToIssue: (original) => (role) => {
    const wanted = original(role)
    return wanted.type === 'ec' ? { ...wanted, bits: Math.min(wanted.bits, 384) } : wanted
  },
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

rule('first-bare-domain', 'PKI-DOMAINS-04', 'of several allowed_domains only the first may be used bare (001 4.2, allow_bare_domains)', {
  bareAllowed: (original) => (role, name, domain) => original(role, name, domain) && role.allowed_domains[0]?.toLowerCase() === domain,
})

rule('one-star', 'PKI-GLOB-02', 'only the first star of a pattern in allowed_domains stands for anything (001 4.2, allow_glob_domains)', {
  globAllowed: (original) => (role, name, pattern) => {
    const [head = '', ...rest] = pattern.toLowerCase().split('*')
    const full = name.full.toLowerCase()
    return original(role, name, pattern) && (rest.length < 2 || (full.startsWith(head) && full.endsWith(rest.join('*'))))
  },
})

route(
  'hundred-roles',
  ['PKI-ROLE-04'],
  'the list of roles ends after a hundred names (001 4.2, LIST roles)',
  'pki.listRoles',
  replyData((data) => ({ ...data, keys: Array.isArray(data.keys) ? data.keys.slice(0, 100) : [] })),
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

rule(
  'email-domain-by-ending',
  ['PKI-MATRIX-03'],
  'allow_subdomains allows email addresses of domains that merely end alike (001 4.2, allow_subdomains)',
  {
    subdomainAllowed: (original) => (role, name, domain) =>
      original(role, name, domain) || (role.allow_subdomains && name.email && name.domain !== domain && name.domain.endsWith(domain)),
  },
)
