/** Faults at the edges of what a request may ask: empty, one, several, exactly at the limit, zero, none. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { BY_ROLE } from './brief-help.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')

rule(
  'brief-last-name-not-judged',
  'PKI-ALT-03',
  'of several host names the last one is not held against the policy (001 4.2: alt_names, any name not matching denies the whole request)',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(rules, role, commonName, { ...names, dns: names.dns.length > 1 ? names.dns.slice(0, -1) : names.dns }, request),
  },
)

rule(
  'brief-root-path-length-zero-is-none',
  'PKI-INTER-09',
  'max_path_length 0 of a generated root means no limit (001 4.2: max_path_length, 0 is a literal zero)',
  { rootPathLength: (original) => (requested) => original(requested) || -1 },
)

rule(
  'brief-path-length-of-signer-inherited',
  'PKI-INTER-08',
  'an intermediate that asks for no path length gets the one of its signer (001 4.2: max_path_length, one less than that)',
  { pathLength: (original) => (requested, signer) => (requested < 0 && signer > 0 ? signer : original(requested, signer)) },
)

rule('brief-ttl-at-maximum-refused', 'PKI-REQTTL-01', 'a ttl of exactly max_ttl is refused (001 4.2: ttl, must not exceed role max_ttl)', {
  lifetime: (original) => (role, requested, limits) => {
    if (role.max_ttl > 0 && requested >= role.max_ttl) throw invalid('ttl exceeds the maximum of the role')
    return original(role, requested, limits)
  },
})

route(
  'brief-not-before-within-ca',
  'PKI-NOTBEFORE-02',
  'a certificate is never valid from before its CA is, whatever the role says (001 4.2: not_before_duration)',
  BY_ROLE,
  withRules((rules, call) => ({
    validFrom: (role, now) => Math.max(rules.validFrom(role, now), call.state.authority?.certificate.notBefore ?? 0),
  })),
)

rule(
  'brief-empty-key-usage-is-default',
  'PKI-USAGE-04',
  'an empty key_usage gives the default usages (001 4.2: key_usage, empty list for no constraint)',
  {
    keyUsages: (original) => (role, request) =>
      original(role.key_usage.length > 0 ? role : { ...role, key_usage: ['DigitalSignature', 'KeyAgreement', 'KeyEncipherment'] }, request),
  },
)

rule(
  'brief-one-extra-certificate-kept',
  'PKI-CHAIN-03',
  'of several appended CA certificates only the first is in the chain (001 4.2: optional extra CA certificates; GET /pki/ca_chain)',
  { keepsAbove: (original) => (certificates) => original(certificates.slice(0, 1)) },
)

/** The system's own maximum. */
const SYSTEM_MAX = 2_764_800

route(
  'brief-authority-outlives-engine-maximum',
  'PKI-ROOT-17',
  'a root or intermediate is held to the maximum of the system, not to the lower one of its mount (001 4.2: ttl, the engine max)',
  ['pki.generateRoot', 'pki.signIntermediate'],
  (original) => (call) => original({ ...call, mount: { ...call.mount, maxLeaseTtl: Math.max(call.mount.maxLeaseTtl, SYSTEM_MAX) } }),
)

rule(
  'brief-default-beyond-maximum',
  'PKI-TTL-03',
  'without any ttl a certificate lives for the default although max_ttl is shorter (001 4.2: ttl, whichever is shorter)',
  {
    lifetime: (original) => (role, requested, limits) => (requested || role.ttl ? original(role, requested, limits) : limits.default),
    // The CA may well end before the default does.
    endWithinAuthority: () => Math.min,
  },
)

rule(
  'brief-leased-is-stored',
  'PKI-NOSTORE-02',
  'with generate_lease a role of no_store stores its certificates all the same (001 4.2: no_store, cannot be listed or revoked)',
  { stored: (original) => (role) => original(role) || role.generate_lease },
)

rule(
  'brief-subdomains-of-one-level',
  'PKI-SUB-02',
  'allow_subdomains admits one label before the domain only (001 4.2: allow_subdomains)',
  {
    subdomainAllowed: (original) => (role, name, domain) =>
      original(role, name, domain) && (name.wildcard || !name.domain.slice(0, -domain.length - 1).includes('.')),
  },
)

route(
  'brief-self-issued-ends-with-ca',
  'PKI-SELF-03',
  'a self-issued certificate that outlives the CA is cut to the end of the CA (001 4.2: sign-self-issued, signed as-is)',
  'pki.signSelfIssued',
  withRules((rules, call) => ({
    asGiven: (content) => {
      const end = call.state.authority?.certificate.notAfter ?? content.notAfter
      return { ...rules.asGiven(content), notAfter: Math.min(content.notAfter, end) }
    },
  })),
)
