/** Faults at boundaries: none, one, many, exactly the limit, zero, negative, large. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { defaults } from './role.ts'
import { noNames } from './x509/names.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')

rule(
  'plain-default-lifetime-unbounded',
  'PKI-TTL-03',
  'max_ttl of a role without ttl does not bound the default lifetime (001 4.2: ttl, whichever is shorter)',
  {
    lifetime: (original) => (role, requested, limits) =>
      requested === 0 && role.ttl === 0 ? Math.min(limits.default, limits.max) : original(role, requested, limits),
  },
)

rule(
  'plain-ttl-at-maximum-refused',
  'PKI-REQTTL-01',
  'a ttl of exactly the role max_ttl is refused (001 4.2: must not exceed role max_ttl)',
  {
    lifetime: (original) => (role, requested, limits) => {
      if (role.max_ttl > 0 && requested >= role.max_ttl) throw invalid('ttl must be below max_ttl')
      return original(role, requested, limits)
    },
  },
)

rule('plain-path-length-zero-unset', 'PKI-INTER-09', 'max_path_length 0 of a root counts as unset (001 4.2: 0 is a literal zero)', {
  rootPathLength: (original) => (requested) => original(requested || -1),
})

rule(
  'plain-path-length-of-signer',
  'PKI-INTER-08',
  'an intermediate gets the path length of its signer (001 4.2: if the signing certificate sets a limit, one less)',
  {
    pathLength: (original) => (requested, signer) => (requested < 0 && signer > 0 ? signer : original(requested, signer)),
  },
)

rule(
  'plain-one-good-name-suffices',
  'PKI-ALT-03',
  'one allowed host name lets the other host names through (001 4.2: alt_names, any name not matching denies the whole request)',
  {
    refusal: (original) => (rules, role, commonName, names, request) => {
      const good = names.dns.some((name) => original(rules, role, '', { ...noNames(), dns: [name] }, request) === undefined)
      return original(rules, role, commonName, good ? { ...names, dns: [] } : names, request)
    },
  },
)

rule('plain-first-address-only', 'PKI-CSRSANS-03', 'a certificate gets the first IP address only (001 4.2: ip_sans, comma-delimited)', {
  alternativeNames: (original) => (role, requested, request) => {
    const names = original(role, requested, request)
    return { ...names, ip: names.ip.slice(0, 1) }
  },
})

rule(
  'plain-no-usages-as-default',
  'PKI-USAGE-04',
  'an empty key_usage gives the default usages (001 4.2: key_usage, empty list for no constraint)',
  {
    keyUsages: (original) => (role, request) =>
      original(role.key_usage.length === 0 ? { ...role, key_usage: defaults().key_usage } : role, request),
  },
)

rule(
  'plain-any-signs-1024',
  'PKI-KEYTYPE-07',
  'a role of key_type any signs RSA requests of exactly 1024 bits (001 8: for any more than 1024 bits)',
  {
    requestKeyAllowed: (original) => (role, key) => original(role, key) || (role.key_type === 'any' && key.bits >= 1024),
  },
)

rule(
  'plain-newest-not-listed',
  'PKI-LIST-03',
  'the newest certificate is missing from a list of several (001 4.2: LIST certs, serial numbers)',
  {
    listedSerials: (original) => (state) => {
      const serials = original(state)
      return serials.length > 2 ? serials.slice(0, -1) : serials
    },
  },
)

rule('plain-first-domain-only', 'PKI-DOMAINS-04', 'only the first of several allowed_domains counts (001 4.2: allowed_domains list)', {
  refusal: (original) => (rules, role, commonName, names, request) =>
    original(rules, { ...role, allowed_domains: role.allowed_domains.slice(0, 1) }, commonName, names, request),
})

rule(
  'plain-authority-outlives-maximum',
  'PKI-INTER-16',
  'a ttl of a CA beyond the engine maximum is granted (001 4.2: ttl must not exceed the engine max)',
  {
    authorityLifetime: (original) => (requested, limits) => Math.max(requested, original(requested, limits)),
  },
)

route(
  'plain-minus-one-as-zero',
  'PKI-INTER-08',
  'a max_path_length of -1 that is sent counts as 0 (001 4.2: max_path_length, default -1 = no limit)',
  ['pki.generateRoot', 'pki.signIntermediate'],
  requestBody((body) => {
    const length = body.max_path_length
    return typeof length === 'number' && length < 0 ? { ...body, max_path_length: 0 } : body
  }),
)
