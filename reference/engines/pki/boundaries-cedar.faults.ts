/** Faults of the certificate authority: at limits, with none, one or several of a thing, with zero and with the default. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { MAKING_CAS } from './cedar-help.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'
import { listOf } from './role.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')

rule(
  'cedar-ttl-at-the-maximum-refused',
  'PKI-REQTTL-01',
  'a `ttl` of exactly the `max_ttl` of the role is refused (document 001, 4.2: it must not exceed the role `max_ttl`)',
  {
    lifetime: (original) => (role, requested, limits) => {
      if (role.max_ttl > 0 && requested >= role.max_ttl) throw invalid('ttl is not below max_ttl')
      return original(role, requested, limits)
    },
  },
)

rule(
  'cedar-limit-of-one-gives-no-limit',
  'PKI-INTER-08',
  'under a signer of path length 1 a CA that asks for none gets no limit instead of 0 (document 001, 4.2, `max_path_length`: one less than that of the signing certificate)',
  { pathLength: (original) => (requested, signer) => (signer === 1 && requested < 0 ? -1 : original(requested, signer)) },
)

rule(
  'cedar-path-length-just-below-refused',
  'PKI-INTER-08',
  'asking for exactly one less than the path length of the signer is refused (document 001, 4.2, `max_path_length`: one less than that is what a CA may have)',
  {
    pathLength: (original) => (requested, signer) => {
      if (signer > 0 && requested === signer - 1) throw invalid('max_path_length exceeds what the CA allows')
      return original(requested, signer)
    },
  },
)

rule(
  'cedar-only-first-uri-judged',
  'PKI-URISANS-04',
  'of several `uri_sans` only the first must be allowed (document 001, 4.2, `alt_names` and `allowed_uri_sans`: any name that does not match the policy denies the whole request)',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(rules, role, commonName, { ...names, uri: names.uri.slice(0, 1) }, request),
  },
)

rule(
  'cedar-only-first-pattern-counts',
  'PKI-GLOB-02',
  'of several glob patterns in `allowed_domains` only the first allows names (document 001, 4.2, `allow_glob_domains`: glob patterns in `allowed_domains`)',
  {
    globAllowed: (original) => (role, name, pattern) =>
      original(role, name, pattern) && role.allowed_domains.find((listed) => listed.includes('*')) === pattern,
  },
)

rule(
  'cedar-no-flag-means-server',
  'PKI-EXTOIDS-02',
  'certificates of a role without any usage flag or extended usage are for servers (document 001, 4.2: `server_flag` false leaves that usage out)',
  {
    flagUsages: (original) => (role) => {
      const flags = original(role)
      return flags.length === 0 && role.ext_key_usage.length === 0 ? ['serverauth'] : flags
    },
  },
)

rule(
  'cedar-not-before-zero-is-default',
  'PKI-NOTBEFORE-02',
  'a `not_before_duration` of 0 counts as 30 seconds (document 001, 4.2 and 8: 30 s is the default of what is left out)',
  { validFrom: (original) => (role, now) => original({ ...role, not_before_duration: role.not_before_duration || 30 }, now) },
)

route(
  'cedar-only-first-unit',
  'PKI-SUBJECT-09',
  'of several `ou` of a root or an intermediate only the first gets into the subject (document 001, 4.2: subject fields are comma-separated or a JSON array)',
  MAKING_CAS,
  requestBody((body) => ({ ...body, ou: listOf(body, 'ou').slice(0, 1) })),
)

rule(
  'cedar-second-extra-ca-lost',
  'PKI-CHAIN-03',
  'of several CA certificates appended to a supplied one only the first is kept for the chain (document 001, 4.2, `config/ca` and `set-signed`: extra CA certificates may be appended; `ca_chain`: the chain)',
  { keepsAbove: (original) => (certificates) => original(certificates).slice(0, 1) },
)

rule(
  'cedar-bundle-without-key-lacks-issuer',
  'PKI-INTER-23',
  'a `pem_bundle` without private key lacks the issuing CA (document 001, 4.2, `format`: holds the key where present, and the issuing CA if not a self-signed root)',
  { bundleParts: (original) => (key, certificate, issuer) => original(key, certificate, key === undefined ? undefined : issuer) },
)

route(
  'cedar-sign-always-needs-common-name',
  'PKI-REQUIRECN-03',
  'signing a request without common name is refused although the role has `require_cn` false (document 001, 4.2: `require_cn`)',
  'pki.sign',
  withRules((rules) => ({ commonNameMissing: (role, commonName) => rules.commonNameMissing({ ...role, require_cn: true }, commonName) })),
)

route(
  'cedar-self-issued-cut-to-the-ca',
  'PKI-SELF-03',
  'a self-issued certificate that lives longer than the CA is signed with the end of the CA (document 001, 4.2: signed as-is, only authority key id, issuer DN and distribution points change)',
  'pki.signSelfIssued',
  withRules((rules, { state }) => ({
    asGiven: (content) => {
      const end = state.authority?.certificate.notAfter ?? content.notAfter
      return rules.asGiven({ ...content, notAfter: Math.min(content.notAfter, end) })
    },
  })),
)
