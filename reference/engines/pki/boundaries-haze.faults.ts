import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'

const { rule } = faultsOf(pkiEngine, 'pki')

rule(
  'haze-emails-unchecked-beside-hosts',
  'PKI-ALT-03',
  'email addresses are held against the policy only where no host name is asked for (001 4.2, alt_names: any name not matching role policy denies the whole request)',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(rules, role, commonName, names.dns.length > 0 ? { ...names, email: [] } : names, request),
  },
)

rule(
  'haze-subdomains-of-first-domain',
  'PKI-DOMAINS-04',
  'subdomains are allowed below the first of several allowed_domains only (001 4.2, role parameters: allowed_domains is a list, allow_subdomains)',
  {
    subdomainAllowed: (original) => (role, name, domain) =>
      domain === role.allowed_domains[0]?.toLowerCase() && original(role, name, domain),
  },
)

rule(
  'haze-last-path-length-lost',
  'PKI-INTER-08',
  'an intermediate under a CA of path length 1 gets no limit where it should get 0 (001 4.2, max_path_length: if the signing certificate sets a limit, one less than that)',
  { pathLength: (original) => (requested, signer) => (requested < 0 && signer === 1 ? -1 : original(requested, signer)) },
)

rule(
  'haze-maximum-for-asked-ttl-only',
  'PKI-TTL-03',
  'max_ttl limits a ttl that is asked for, but not the default where role and request name none (001 4.2, role parameters: system default or max_ttl, whichever is shorter)',
  {
    lifetime: (original) => (role, requested, limits) =>
      requested > 0 ? original(role, requested, limits) : Math.min(role.ttl || limits.default, limits.max),
  },
)

rule(
  'haze-one-allowed-uri-suffices',
  'PKI-URISANS-04',
  'where one of several uri_sans is allowed, the others are not looked at (001 4.2: role allowed_uri_sans; readings: a forbidden alternative name of any kind denies the whole request)',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(rules, role, commonName, names.uri.some((uri) => rules.uriAllowed(role, uri)) ? { ...names, uri: [] } : names, request),
  },
)

rule(
  'haze-second-star-literal',
  'PKI-GLOB-02',
  'of several stars in a glob only the first stands for other characters (001 4.2, role parameters: allow_glob_domains allows glob patterns)',
  {
    globAllowed: (original) => (role, name, pattern) => {
      const at = pattern.indexOf('*')
      const head = pattern.slice(0, at).toLowerCase()
      const tail = pattern.slice(at + 1).toLowerCase()
      const text = name.full.toLowerCase()
      return original(role, name, pattern) && text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail)
    },
  },
)

rule(
  'haze-wildcard-one-level-only',
  'PKI-SUB-03',
  'with allow_subdomains *.example.com is allowed, but *.sub.example.com is not (001 4.2, role parameters: allow_subdomains includes wildcard subdomains)',
  {
    subdomainAllowed: (original) => (role, name, domain) => !(name.wildcard && name.domain !== domain) && original(role, name, domain),
  },
)

rule(
  'haze-localhost-only-without-domains',
  'PKI-GLOB-03',
  'localhost is refused at roles that have allowed_domains (001 4.2, role parameters: allow_localhost is true by default)',
  { localhostAllowed: (original) => (role, name) => role.allowed_domains.length === 0 && original(role, name) },
)

rule(
  'haze-csr-subject-overridden',
  'PKI-INTER-12',
  'with use_csr_values the subject is that of the request body as soon as the body names a part of one (001 4.2, sign-intermediate: true keeps the subject from the CSR)',
  {
    // An empty name takes two bytes.
    intermediateSubject: (original) => (requested, request, useRequest) =>
      original(requested, request, useRequest && requested.length <= 2),
  },
)
