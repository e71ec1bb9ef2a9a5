/** Faults at bounds: empty, zero, one, many, first, last and exactly at the limit. */
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import { onState } from './overlays.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')

rule(
  'later-ttl-equal-to-maximum',
  ['PKI-ROLE-01'],
  'a role whose ttl equals its max_ttl is refused (001 4.2: ttl must not exceed role max_ttl)',
  {
    lifetimesAgree: (original) => (role) => original(role) && (role.max_ttl === 0 || role.ttl !== role.max_ttl),
  },
)

rule('later-root-path-length-zero', ['PKI-INTER-09'], 'a root with max_path_length 0 has no limit (001 4.2: 0 is a literal zero)', {
  rootPathLength: (original) => (requested) => original(requested) || -1,
})

rule(
  'later-path-length-below-one',
  ['PKI-INTER-08'],
  'an intermediate under a CA with path length 1 gets 1 again (001 4.2: if the signing certificate sets a limit, one less than that)',
  {
    pathLength: (original) => (requested, signer) => (requested < 0 && signer > 0 ? Math.max(1, signer - 1) : original(requested, signer)),
  },
)

rule(
  'later-no-backdating-is-default',
  ['PKI-NOTBEFORE-02'],
  'not_before_duration 0 backdates by the default of 30 seconds (001 4.2: not_before_duration, default 30s)',
  { validFrom: (original) => (role, now) => original({ ...role, not_before_duration: role.not_before_duration || 30 }, now) },
)

rule(
  'later-rsa-1024-for-any',
  ['PKI-KEYTYPE-07'],
  'a role of key_type any signs a request with an RSA key of exactly 1024 bits (001 8: for RSA with key_type any more than 1024 bits)',
  {
    requestKeyAllowed: (original) => (role, key) =>
      original(role, key) || (role.key_type === 'any' && key.type === 'rsa' && key.bits >= 1024),
  },
)

rule(
  'later-last-name-unchecked',
  ['PKI-ALT-03'],
  'the last of several alternative host names is not held against the role (001 4.2: any name not matching denies the whole request)',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(rules, role, commonName, names.dns.length > 1 ? { ...names, dns: names.dns.slice(0, -1) } : names, request),
  },
)

rule(
  'later-first-uri-only',
  ['PKI-INTER-21'],
  'of several URI names only the first gets into the certificate (001 4.2: uri_sans, comma-delimited)',
  {
    withCommonName: (original) => (names, commonName, exclude) => original({ ...names, uri: names.uri.slice(0, 1) }, commonName, exclude),
  },
)

rule(
  'later-empty-key-usage-is-default',
  ['PKI-USAGE-04'],
  'an empty key_usage gives the default usages (001 4.2: key_usage, empty list for no constraint)',
  {
    writeRole: (original) => (previous, given, base) => {
      const { key_usage: usage, ...rest } = given
      return original(previous, usage?.length === 0 ? rest : given, base)
    },
  },
)

route(
  'later-ten-roles-listed',
  ['PKI-ROLE-04'],
  'the listing of roles ends after ten names (001 4.2: LIST roles gives data.keys)',
  'pki.listRoles',
  (original) => (call) => original(onState(call, { roles: new Map([...call.state.roles].sort().slice(0, 10)) })),
)

rule(
  'later-subdomain-by-ending',
  ['PKI-DOMAINS-02'],
  'a role for subdomains of example.com issues for notexample.com (001 4.2: a CN not allowed by role policy is denied)',
  {
    subdomainAllowed: (original) => (role, name, domain) =>
      original(role, name, domain) || (role.allow_subdomains && name.domain !== domain && name.domain.endsWith(domain)),
  },
)

rule(
  'later-no-domains-any-name',
  ['PKI-DOMAINS-02'],
  'a role without allowed_domains issues for any name (001 4.2: allow_any_name default false; a CN not allowed by role policy is denied)',
  { anyAllowed: (original) => (role, name) => original(role, name) || role.allowed_domains.length === 0 },
)
