/** Faults at the limits of the PKI engine: second elements, exact bounds, zero and many. */
import { invalid } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import type { PkiCall } from './wrappers.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')

rule(
  'fresh-glob-single-star',
  ['PKI-GLOB-02'],
  'only the first * of an allowed domain is a glob, a second one stands for itself (001 4.2: globs)',
  {
    globAllowed: () => (role, name, pattern) => {
      const star = pattern.indexOf('*')
      if (!role.allow_glob_domains || star < 0) return false
      const [head, tail, text] = [pattern.slice(0, star), pattern.slice(star + 1), name.full].map((part) => part.toLowerCase())
      return text!.length >= pattern.length - 1 && text!.startsWith(head!) && text!.endsWith(tail!)
    },
  },
)

rule(
  'fresh-first-uri-judged',
  ['PKI-URISANS-04'],
  'only the first of several uri_sans is held against allowed_uri_sans (001 4.2: uri_sans)',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(rules, role, commonName, { ...names, uri: names.uri.slice(0, 1) }, request),
  },
)

rule(
  'fresh-hundred-names',
  ['PKI-ALT-01'],
  'alternative host names beyond the hundredth are left out without a word (001 4.2: alt_names)',
  {
    alternativeNames: (original) => (role, requested, request) => {
      const names = original(role, requested, request)
      return { ...names, dns: names.dns.slice(0, 100) }
    },
  },
)

rule(
  'fresh-ttl-at-maximum',
  ['PKI-REQTTL-01'],
  "a ttl of exactly max_ttl is taken as none, the role's ttl counts (001 4.2: must not exceed max_ttl)",
  {
    lifetime: (original) => (role, requested, limits) => {
      const max = role.max_ttl > 0 ? Math.min(role.max_ttl, limits.max) : limits.max
      return original(role, requested < max ? requested : 0, limits)
    },
  },
)

route(
  'fresh-certs-hundred',
  ['PKI-LIST-03'],
  'the listing of certificates ends after a hundred serial numbers (001 4.2: LIST /pki/certs)',
  'pki.listCertificates',
  replyData((data) => ({ ...data, keys: (data.keys as Json[]).slice(0, 100) })),
)

rule('fresh-rsa-3072-rounded', ['PKI-KEYBITS-02'], 'a role of 3072 RSA bits issues keys of 2048 (001 4.2: key_bits)', {
  keyToIssue: (original) => (role) => {
    const { type, bits } = original(role)
    return { type, bits: type === 'rsa' && bits < 4096 ? 2048 : bits }
  },
})

rule(
  'fresh-path-length-equal',
  ['PKI-INTER-08'],
  'a child may have the same path length as its limited signer (001 4.2: one less than that)',
  {
    pathLength: (original) => (requested, signer) => (signer > 0 && requested === signer ? requested : original(requested, signer)),
  },
)

rule(
  'fresh-path-length-always-zero',
  ['PKI-INTER-08'],
  'below any limited signer the default path length is 0 (001 4.2: one less than the signer)',
  {
    pathLength: (original) => (requested, signer) => (signer > 0 && requested < 0 ? 0 : original(requested, signer)),
  },
)

rule(
  'fresh-one-policy',
  ['PKI-POLICIES-02'],
  'only the first of several policy_identifiers goes into certificates (001 4.2: policy_identifiers, a list)',
  {
    policies: (original) => (role) => original(role).slice(0, 1),
  },
)

rule(
  'fresh-not-before-zero',
  ['PKI-NOTBEFORE-02'],
  'a not_before_duration of 0 backdates by the default of 30 seconds (001 4.2: not_before_duration)',
  {
    validFrom: (original) => (role, now) => original({ ...role, not_before_duration: role.not_before_duration || 30 }, now),
  },
)

const SUBJECT = ['ou', 'organization', 'country', 'locality', 'province', 'street_address', 'postal_code']
const firstOf = (value: Json): Json => {
  if (Array.isArray(value)) return value.slice(0, 1)
  return typeof value === 'string' && !value.startsWith('[') ? value.split(',').slice(0, 1) : value
}
route(
  'fresh-intermediate-one-unit',
  ['PKI-SUBJECT-09'],
  'sign-intermediate keeps only the first of several values of a subject field (001 4.2: comma-separated or JSON array)',
  'pki.signIntermediate',
  requestBody<PkiCall>((body) =>
    Object.fromEntries(Object.entries(body).map(([field, value]) => [field, SUBJECT.includes(field) ? firstOf(value) : value])),
  ),
)

route(
  'fresh-bundle-one-extra',
  ['PKI-CONFIG-03'],
  'config/ca refuses a bundle with more than one extra CA certificate (001 4.2: extra CA certificates appended)',
  'pki.writeCa',
  (original) => (call) => {
    const certificates = String(call.body.pem_bundle ?? '').match(/-----BEGIN CERTIFICATE-----/g) ?? []
    if (certificates.length > 2) throw invalid('pem_bundle holds too many certificates')
    return original(call)
  },
)
