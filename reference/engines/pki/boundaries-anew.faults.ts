/** Faults at the edges: empty, one, many, the last, exactly at a limit. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import { defaults } from './role.ts'

const { rule } = faultsOf(pkiEngine, 'pki')

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

rule(
  'anew-role-ttl-at-maximum',
  ['PKI-ROLE-01'],
  'a role whose ttl equals its max_ttl is refused (001 4.2 roles: ttl, max_ttl; ttl must not exceed max_ttl)',
  {
    lifetimesAgree: () => (role) => role.max_ttl === 0 || role.ttl < role.max_ttl,
  },
)

rule(
  'anew-request-ttl-at-maximum',
  ['PKI-REQTTL-01'],
  'a ttl of exactly the max_ttl of the role is refused (001 4.2 ttl: must not exceed role max_ttl)',
  {
    lifetime: (original) => (role, requested, limits) => {
      if (role.max_ttl > 0 && requested >= role.max_ttl) throw invalid('ttl exceeds max_ttl')
      return original(role, requested, limits)
    },
  },
)

rule(
  'anew-path-length-one-becomes-none',
  ['PKI-INTER-08'],
  'a CA under a signer with path length 1 gets no limit instead of 0 (001 4.2 max_path_length: one less than that)',
  {
    pathLength: (original) => (requested, signer) => original(requested, signer) || (requested < 0 ? -1 : 0),
  },
)

rule(
  'anew-root-curve-multiple-of-32',
  ['PKI-ROOT-09'],
  'key_bits 521 is rounded down to a multiple of 32 and refused (001 4.2 root/generate: key_bits for ec, e.g. 224 or 521)',
  {
    rootKeyBits: (original) => (type, requested) => {
      const bits = original(type, requested)
      return type === 'ec' ? Math.floor(bits / 32) * 32 : bits
    },
  },
)

rule(
  'anew-empty-key-usage-default',
  ['PKI-USAGE-04'],
  'an empty key_usage gives the default usages (001 4.2 roles: key_usage: empty list for no constraint)',
  {
    keyUsages: (original) => (role, request) =>
      original(role.key_usage.length > 0 ? role : { ...role, key_usage: defaults().key_usage }, request),
  },
)

rule(
  'anew-only-first-uri-judged',
  ['PKI-URISANS-04'],
  'of several URI names only the first is held against the role (001 4.2 uri_sans: a forbidden name denies the whole request)',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(rules, role, commonName, { ...names, uri: names.uri.slice(0, 1) }, request),
  },
)

rule(
  'anew-uri-glob-first-star-only',
  ['PKI-URISANS-03'],
  'only the first star of an allowed URI is a wildcard (001 4.2 allowed_uri_sans: globs allowed)',
  {
    uriAllowed: (original) => (role, uri) =>
      role.allowed_uri_sans.some((pattern) => {
        const [head = '', ...tail] = pattern.split('*')
        if (tail.length < 2) return original({ ...role, allowed_uri_sans: [pattern] }, uri)
        return uri.startsWith(head) && uri.endsWith(tail.join('*'))
      }),
  },
)

rule(
  'anew-permitted-domains-last-lost',
  ['PKI-INTER-10'],
  'the last of several permitted DNS domains is lost (001 4.2 permitted_dns_domains: comma-separated string or array)',
  {
    permittedDomains: (original) => (domains) => original(domains.length > 1 ? domains.slice(0, -1) : domains),
  },
)

rule(
  'anew-single-policy-identifier-lost',
  ['PKI-POLICIES-02'],
  'a single policy identifier does not get into certificates, several do (001 4.2 roles: policy_identifiers)',
  {
    policies: (original) => (role) => (role.policy_identifiers.length > 1 ? original(role) : []),
  },
)

rule(
  'anew-empty-lists-read-null',
  ['PKI-DOMAINS-01'],
  'empty lists of a role read back as null (001 4.2 roles: ext_key_usage, policy_identifiers, allowed_domains: list, default [])',
  {
    showRole: (original) => (role) =>
      Object.fromEntries(Object.entries(original(role)).map(([field, value]) => [field, isEmptyList(value) ? null : value])),
  },
)

rule(
  'anew-no-domains-any-subdomain',
  ['PKI-DOMAINS-02'],
  'without allowed domains, allow_subdomains lets any name in (001 4.2: allowed_domains []; a CN not allowed by role policy is denied)',
  {
    anyAllowed: (original) => (role, name) => original(role, name) || (role.allow_subdomains && role.allowed_domains.length === 0),
  },
)
