/** Faults at bounds: empty, first and last, exactly at the limit, zero, large. */
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')

rule(
  'amber-last-name-not-judged',
  'PKI-ALT-03',
  'of several alternative names the last is not held against the policy (001 4.2: any name not matching policy denies the request)',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(rules, role, commonName, { ...names, dns: names.dns.length > 1 ? names.dns.slice(0, -1) : names.dns }, request),
  },
)

rule(
  'amber-no-limit-below-one',
  'PKI-INTER-08',
  'a CA under a signer with path length 1 gets no limit instead of 0 (001 4.2: max_path_length default -1, one less than the signer)',
  {
    pathLength: (original) => (requested, signer) => {
      const length = original(requested, signer)
      return requested < 0 ? length || -1 : length
    },
  },
)

rule(
  'amber-path-length-of-signer',
  'PKI-INTER-08',
  'an intermediate may ask for the very path length that its signer has (001 4.2: max_path_length, one less than that)',
  {
    pathLength: (original) => (requested, signer) => (signer > 0 && requested === signer ? requested : original(requested, signer)),
  },
)

rule(
  'amber-ttl-at-maximum-refused',
  'PKI-ROLE-01',
  'a role whose ttl equals its max_ttl is refused (001 4.2: ttl must not exceed max_ttl)',
  {
    lifetimesAgree: (original) => (role) => original(role) && (role.max_ttl === 0 || role.ttl !== role.max_ttl),
  },
)

/** The system's, in seconds. */
const SYSTEM_MAXIMUM = 2_764_800
route(
  'amber-root-by-system-maximum',
  'PKI-ROOT-17',
  'a root on a mount with a lower maximum lives as long as the system allows (001 4.2: ttl must not exceed the engine max)',
  'pki.generateRoot',
  withRules((rules) => ({
    authorityLifetime: (requested, limits) =>
      rules.authorityLifetime(requested, requested ? { ...limits, max: Math.max(limits.max, SYSTEM_MAXIMUM) } : limits),
  })),
)

rule(
  'amber-default-over-maximum',
  'PKI-TTL-03',
  'a role without ttl issues for the system default beyond its max_ttl (001 4.2: system default or max_ttl, whichever is shorter)',
  {
    lifetime: (original) => (role, requested, limits) => (requested || role.ttl ? original(role, requested, limits) : limits.default),
  },
)

rule(
  'amber-largest-curve-cut',
  'PKI-ROOT-11',
  'a root asked for with ec and 521 gets a key of 384 bits (001 4.2: key_bits for ec, e.g. 224 or 521)',
  {
    rootKeyBits: (original) => (type, requested) => (type === 'ec' ? Math.min(original(type, requested), 384) : original(type, requested)),
  },
)

rule(
  'amber-any-signs-1024',
  'PKI-KEYTYPE-07',
  'a role of key_type any signs a CSR with an RSA key of exactly 1024 bits (001 8: more than 1024 bits)',
  {
    requestKeyAllowed: (original) => (role, key) =>
      original(role, key) || (role.key_type === 'any' && key.type === 'rsa' && key.bits === 1024),
  },
)

rule(
  'amber-empty-usages-are-default',
  'PKI-USAGE-04',
  'an empty key_usage gives a role the default usages (001 4.2: empty list for no constraint)',
  {
    writeRole: (original) => (previous, given, base) => {
      const { key_usage: usages, ...rest } = given
      return original(previous, usages?.length === 0 ? rest : given, base)
    },
  },
)

rule(
  'amber-one-glob-per-uri',
  'PKI-URISANS-03',
  'in an allowed URI with several stars only the first one stands for anything (001 4.2: allowed_uri_sans, globs allowed)',
  {
    uriAllowed: (original) => (role, uri) => {
      const several = role.allowed_uri_sans.filter((pattern) => pattern.split('*').length > 2)
      const rest = role.allowed_uri_sans.filter((pattern) => !several.includes(pattern))
      const fits = (pattern: string): boolean => {
        const star = pattern.indexOf('*')
        return uri.startsWith(pattern.slice(0, star)) && uri.endsWith(pattern.slice(star + 1))
      }
      return original({ ...role, allowed_uri_sans: rest }, uri) || several.some(fits)
    },
  },
)

rule(
  'amber-a-minute-at-least',
  'PKI-TTL-02',
  'a certificate lives a minute at least, even if max_ttl is shorter (001 4.2: ttl must not exceed role max_ttl)',
  {
    lifetime: (original) => (role, requested, limits) => Math.max(60, original(role, requested, limits)),
  },
)
