/** Faults at boundaries: none, one and many, exactly at a limit, zero, long and large. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'
import { defaults } from './role.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')

rule(
  'north-first-alternative-name-judged',
  'PKI-ALT-03',
  'of several host names only the first is held against the policy (001 4.2: alt_names, any name not matching role policy denies the whole request)',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(rules, role, commonName, { ...names, dns: names.dns.slice(0, 1) }, request),
  },
)

rule(
  'north-one-value-per-subject-field',
  'PKI-OU-02',
  'a subject field of a role with several values puts only the first into certificates (001 4.2 subject fields: comma-separated or JSON array)',
  {
    subject: (original) => (role, commonName) => {
      const whole = original(role, commonName)
      return { ...whole, organization: role.organization.slice(0, 1), ou: role.ou.slice(0, 1), locality: role.locality.slice(0, 1) }
    },
  },
)

rule(
  'north-zero-path-length-unlimited',
  'PKI-INTER-09',
  'a root asked for with max_path_length 0 gets no limit (001 4.2: max_path_length, 0 is a literal zero)',
  { rootPathLength: (original) => (requested) => original(requested || -1) },
)

rule(
  'north-child-inherits-path-length',
  'PKI-INTER-08',
  'an intermediate without a wish gets the very path length of its signer (001 4.2: max_path_length, if the signing certificate sets a limit, one less than that)',
  { pathLength: (original) => (requested, signer) => (requested < 0 && signer > 0 ? signer : original(requested, signer)) },
)

rule('north-ttl-at-maximum-refused', 'PKI-REQTTL-01', 'a ttl of exactly max_ttl is refused (001 4.2: ttl must not exceed role max_ttl)', {
  lifetime: (original) => (role, requested, limits) => {
    if (requested > 0 && requested === role.max_ttl) throw invalid('ttl must be below max_ttl')
    return original(role, requested, limits)
  },
})

rule(
  'north-default-ttl-beyond-maximum',
  'PKI-TTL-03',
  'where neither request nor role has a ttl the system default counts, even beyond max_ttl (001 4.2: ttl "", system default or max_ttl, whichever is shorter)',
  {
    lifetime: (original) => (role, requested, limits) =>
      original(requested === 0 && role.ttl === 0 ? { ...role, max_ttl: 0 } : role, requested, limits),
  },
)

route(
  'north-start-within-authority',
  'PKI-NOTBEFORE-02',
  'a certificate never starts before its CA does, whatever not_before_duration says (001 4.2 role parameters: not_before_duration)',
  ['pki.issue', 'pki.sign'],
  withRules((rules, call) => ({
    validFrom: (role, now) => Math.max(rules.validFrom(role, now), call.state.authority?.certificate.notBefore ?? 0),
  })),
)

rule(
  'north-largest-curve-refused',
  'PKI-ROOT-09',
  'a root on the curve of 521 bits is refused as too large (001 4.2: key_bits, a valid value for ec, e.g. 224 or 521)',
  {
    rootKeyBits: (original) => (type, requested) => {
      if (type === 'ec' && (requested ?? 0) > 512) throw invalid('key_bits must not exceed 512')
      return original(type, requested)
    },
  },
)

rule(
  'north-any-takes-rsa-1024',
  'PKI-KEYTYPE-07',
  'a role of key_type any signs for an RSA key of exactly 1024 bits (001 8: for RSA with key_type any more than 1024 bits)',
  {
    requestKeyAllowed: (original) => (role, key) =>
      original(role, key) || (role.key_type === 'any' && key.type === 'rsa' && key.bits === 1024),
  },
)

rule(
  'north-no-usage-means-default',
  'PKI-USAGE-04',
  'an empty key_usage gives certificates the default usages (001 4.2: key_usage, empty list for no constraint)',
  {
    keyUsages: (original) => (role, request) =>
      original(role.key_usage.length === 0 ? { ...role, key_usage: defaults().key_usage } : role, request),
  },
)

rule(
  'north-longest-common-name-refused',
  'PKI-CN-01',
  'a common name of 64 characters is refused as too long (001 4.2: common_name, requested CN)',
  {
    commonName: (original) => (role, requested, request) => {
      const name = original(role, requested, request)
      if (name.length >= 64) throw invalid('common_name must be shorter than 64 characters')
      return name
    },
  },
)

route(
  'north-root-outlives-maximum',
  'PKI-ROOT-17',
  'a root gets any ttl asked for, however far beyond the maximum (001 4.2: ttl, for root/generate must not exceed the engine max or system max)',
  'pki.generateRoot',
  withRules((rules) => ({ authorityLifetime: (requested, limits) => requested || rules.authorityLifetime(requested, limits) })),
)
