/** Faults of the PKI engine at the edges: none, one, several, exactly at a limit, zero, the default. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'

const { rule } = faultsOf(pkiEngine, 'pki')

rule(
  'iris-ttl-at-maximum-refused',
  'PKI-REQTTL-01',
  'a requested ttl that equals the max_ttl of the role is refused (document 2, 4.2, ttl: must not exceed role max_ttl)',
  {
    lifetime: (original) => (role, requested, limits) => {
      if (requested > 0 && requested === role.max_ttl) throw invalid('ttl must be less than max_ttl')
      return original(role, requested, limits)
    },
  },
)

rule(
  'iris-role-ttl-caps-requests',
  'PKI-REQTTL-01',
  'a requested ttl between ttl and max_ttl of the role is cut to the ttl of the role (document 2, 4.2, ttl: bounded by role max_ttl, role ttl is only the default)',
  {
    lifetime: (original) => (role, requested, limits) =>
      original(role, role.ttl > 0 && requested > role.ttl ? role.ttl : requested, limits),
  },
)

rule(
  'iris-path-one-less-refused',
  'PKI-INTER-08',
  'max_path_length exactly one less than that of the signer is refused (document 2, 4.2, max_path_length: one less than the limit of the signing certificate)',
  {
    pathLength: (original) => (requested, signer) => {
      if (signer > 0 && requested >= signer - 1) throw invalid('max_path_length must be below that of the CA')
      return original(requested, signer)
    },
  },
)

rule(
  'iris-one-allowed-uri-suffices',
  'PKI-URISANS-04',
  'several uri_sans are accepted as soon as one of them is allowed (document 2, 4.2: allowed_uri_sans; a name that does not match denies the whole request)',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(rules, role, commonName, { ...names, uri: names.uri.some((uri) => rules.uriAllowed(role, uri)) ? [] : names.uri }, request),
  },
)

rule(
  'iris-smallest-curve-rounded-up',
  'PKI-ROOT-11',
  'a root with key_type ec and key_bits 224 gets a key of 256 bits (document 2, 4.2, root/generate: a valid value for ec, e.g. 224 or 521)',
  {
    rootKeyBits: (original) => (type, requested) => original(type, type === 'ec' && requested === 224 ? 256 : requested),
  },
)

rule(
  'iris-no-flag-as-both',
  'PKI-EXTOIDS-02',
  'a role with all usage flags off and no ext_key_usage gets server and client usage (document 2, 4.2, role parameters: server_flag and client_flag false)',
  {
    flagUsages: (original) => (role) => {
      const usages = original(role)
      return usages.length === 0 && role.ext_key_usage.length === 0 ? ['serverauth', 'clientauth'] : usages
    },
  },
)

rule(
  'iris-subdomains-of-first-domain-only',
  'PKI-DOMAINS-04',
  'allow_subdomains counts for the first of several allowed_domains only (document 2, 4.2, role parameters: allowed_domains is a list, allow_subdomains adds to it)',
  {
    subdomainAllowed: (original) => (role, name, domain) =>
      role.allowed_domains[0]?.toLowerCase() === domain && original(role, name, domain),
  },
)

rule(
  'iris-any-refuses-2048',
  'PKI-KEYTYPE-03',
  'a role of key_type any refuses requests with RSA keys of 2048 bits (document 2, 8: for RSA with key_type any more than 1024 bits)',
  {
    requestKeyAllowed: (original) => (role, key) =>
      original(role, key) && (role.key_type !== 'any' || key.type !== 'rsa' || key.bits > 2048),
  },
)
