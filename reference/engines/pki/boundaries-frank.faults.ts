/** Faults at the edges: nothing, one, many, zero, exactly as much as is allowed. */
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')

rule(
  'frank-derived-zero-is-no-limit',
  'PKI-INTER-08',
  'a CA below one of path length 1 gets no limit where none is asked for (001 4.2: max_path_length, one less than that)',
  {
    pathLength: (original) => (requested, signer) => {
      const length = original(requested, signer)
      return requested < 0 && length === 0 ? -1 : length
    },
  },
)

rule(
  'frank-empty-list-is-no-update',
  'PKI-ROLE-02',
  'an empty list does not replace the list that a role has (001 4.2: create or update role; key_usage, empty list for no constraint)',
  {
    writeRole: (original) => (previous, given, base) => {
      const written = given as Record<string, unknown>
      const lists = Object.entries(previous ?? {}).filter(([field]) => {
        const list = written[field]
        return Array.isArray(list) && list.length === 0
      })
      return { ...original(previous, given, base), ...Object.fromEntries(lists) }
    },
  },
)

rule('frank-whole-maximum-refused', 'PKI-REQTTL-01', 'a ttl of exactly max_ttl is refused (001 4.2: ttl must not exceed role max_ttl)', {
  lifetime: (original) => (role, requested, limits) => {
    if (role.max_ttl > 0 && requested >= role.max_ttl) throw invalid('ttl exceeds max_ttl')
    return original(role, requested, limits)
  },
})

rule(
  'frank-not-before-zero',
  'PKI-NOTBEFORE-02',
  'not_before_duration 0 counts as not given, so that certificates begin 30 seconds ago (001 4.2: not_before_duration, default 30s)',
  {
    validFrom: (original) => (role, now) => original({ ...role, not_before_duration: role.not_before_duration || 30 }, now),
  },
)

rule(
  'frank-last-alternative-unchecked',
  'PKI-ALT-03',
  'of several alternative host names the last is not held against policy (001 4.2: alt_names, any name not matching role policy)',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(rules, role, commonName, { ...names, dns: names.dns.length > 1 ? names.dns.slice(0, -1) : names.dns }, request),
  },
)

rule(
  'frank-ten-names-at-most',
  'PKI-ALT-01',
  'a certificate carries the first ten host names that were asked for only (001 4.2: alt_names)',
  {
    withCommonName: (original) => (names, commonName, exclude) => {
      const all = original(names, commonName, exclude)
      return { ...all, dns: all.dns.slice(0, 10) }
    },
  },
)

rule(
  'frank-largest-curve-unknown',
  'PKI-ROOT-11',
  'an EC key of 521 bits is asked for, one of 256 bits is made (001 4.2: key_bits, a valid value for ec, e.g. 224 or 521)',
  {
    rootKeyBits: (original) => (type, requested) => (type === 'ec' && requested === 521 ? 256 : original(type, requested)),
    keyToIssue: (original) => (role) => original(role.key_type === 'ec' && role.key_bits === 521 ? { ...role, key_bits: 256 } : role),
  },
)

rule(
  'frank-any-counts-curve-bits',
  'PKI-KEYTYPE-03',
  'a role of key_type any wants more than 1024 bits of EC keys, too (001 4.2: key_type, any when signing CSRs; RSA over 1024 bits)',
  {
    requestKeyAllowed: (original) => (role, key) => original(role, key) && (role.key_type !== 'any' || key.bits > 1024),
  },
)

/** The system's maximum in seconds. */
const SYSTEM_MAX = 2_764_800

route(
  'frank-root-without-ttl',
  'PKI-ROOT-17',
  'a root without ttl lives as long as the system allows, though the engine allows less (001 4.2: ttl must not exceed the engine max)',
  'pki.generateRoot',
  withRules((rules) => ({
    authorityLifetime: (requested, limits) => (requested > 0 ? rules.authorityLifetime(requested, limits) : SYSTEM_MAX),
  })),
)

route(
  'frank-signing-wants-common-name',
  'PKI-REQUIRECN-03',
  'signing refuses a request without common name under a role of require_cn false (001 4.2: require_cn)',
  'pki.sign',
  withRules(() => ({ commonNameMissing: (_role, commonName) => commonName === '' })),
)

route(
  'frank-one-more-ca-at-most',
  'PKI-CONFIG-03',
  'a bundle with two further CA certificates is refused (001 4.2: pem_bundle, optional extra CA certificates appended)',
  'pki.writeCa',
  (original) => (call) => {
    if (textOf(call.body, 'pem_bundle').split('-----BEGIN CERTIFICATE-----').length > 3)
      throw invalid('pem_bundle holds too many certificates')
    return original(call)
  },
)
