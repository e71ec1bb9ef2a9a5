/** Faults at the edges: exactly at a limit, zero, empty lists, and the elements after the first or before the last. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'

const { rule } = faultsOf(pkiEngine)

const withoutLast = <T>(list: T[]): T[] => (list.length > 1 ? list.slice(0, -1) : list)

rule('swift-ttl-at-max', ['PKI-REQTTL-01'], 'a `ttl` that equals the `max_ttl` of the role is refused (4.2, `ttl`: "must not exceed")', {
  lifetime: (original) => (role, requested, limits) => {
    if (role.max_ttl > 0 && requested >= role.max_ttl) throw invalid('ttl exceeds the max_ttl of the role')
    return original(role, requested, limits)
  },
})

rule(
  'swift-role-ttl-at-max',
  ['PKI-ROLE-01', 'PKI-TTL-02'],
  'a role whose `ttl` equals its `max_ttl` is refused (4.2, role: `ttl`, `max_ttl`)',
  {
    lifetimesAgree: () => (role) => role.max_ttl === 0 || role.ttl < role.max_ttl,
  },
)

rule(
  'swift-first-alt-name',
  ['PKI-ALT-03'],
  'only the first host name of `alt_names` is held against the policy (4.2: "any name ... denies the whole request")',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(rules, role, commonName, { ...names, dns: names.dns.slice(0, 1) }, request),
  },
)

rule(
  'swift-one-address',
  ['PKI-CSRSANS-03'],
  'a certificate gets the first of several addresses only (4.2, `ip_sans`: "comma-delimited")',
  {
    alternativeNames: (original) => (role, requested, request) => {
      const names = original(role, requested, request)
      return { ...names, ip: names.ip.slice(0, 1) }
    },
  },
)

rule('swift-last-domain', ['PKI-DOMAINS-04'], 'the last of several `allowed_domains` allows nothing (4.2, role: `allowed_domains` list)', {
  refusal: (original) => (rules, role, commonName, names, request) =>
    original(rules, { ...role, allowed_domains: withoutLast(role.allowed_domains) }, commonName, names, request),
})

rule('swift-root-path-zero', ['PKI-INTER-09'], 'a root asked for with `max_path_length` 0 has no limit (4.2: "0 is a literal zero")', {
  rootPathLength: () => (requested) => requested || -1,
})

rule(
  'swift-intermediate-not-less',
  ['PKI-INTER-08'],
  'a CA below a limited one gets the same path length (4.2, `max_path_length`: "one less than that")',
  {
    pathLength: (original) => (requested, signer) => (signer > 0 && requested < 0 ? signer : original(requested, signer)),
  },
)

rule('swift-ec-521', ['PKI-ROOT-11'], 'a root with an EC key of 521 bits gets one of 384 (4.2, `key_bits`: "e.g. 224 or 521")', {
  rootKeyBits: (original) => (type, requested) => Math.min(original(type, requested), type === 'ec' ? 384 : Number.MAX_SAFE_INTEGER),
})

rule(
  'swift-rsa-1024',
  ['PKI-KEYTYPE-07'],
  'a role of `key_type` any signs a request with an RSA key of exactly 1024 bits (8: "more than 1024 bits")',
  {
    requestKeyAllowed: (original) => (role, key) =>
      original(role, key) || (role.key_type === 'any' && key.type === 'rsa' && key.bits >= 1024),
  },
)

rule('swift-no-usage', ['PKI-USAGE-04'], 'an empty `key_usage` counts as left out (4.2, role: "empty list for no constraint")', {
  writeRole: (original) => (previous, given, base) =>
    original(previous, given.key_usage?.length === 0 ? { ...given, key_usage: base.key_usage } : given, base),
})

rule(
  'swift-not-before-zero',
  ['PKI-NOTBEFORE-02'],
  'a role with `not_before_duration` 0 dates certificates back by 30 s all the same (4.2, role)',
  {
    validFrom: (original) => (role, now) => original({ ...role, not_before_duration: role.not_before_duration || 30 }, now),
  },
)

rule('swift-one-policy', ['PKI-POLICIES-02'], 'a certificate bears the first of several `policy_identifiers` only (4.2, role: list)', {
  policies: (original) => (role) => original(role).slice(0, 1),
})
