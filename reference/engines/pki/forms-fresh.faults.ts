/** Faults of the forms in which the PKI engine takes and shows the same thing. */
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'
import { defaults } from './role.ts'
import type { PkiCall } from './wrappers.ts'
import { EXTENSION } from './x509/extensions.ts'
import { isEmpty } from './x509/names.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')

route(
  'fresh-sign-stores-always',
  ['PKI-NOSTORE-02'],
  'no_store counts for issue only, what sign makes is listed and revocable (001 4.2: cannot be listed or revoked)',
  'pki.sign',
  withRules(() => ({ stored: () => true })),
)

route(
  'fresh-root-bundle-without-key',
  ['PKI-ROOT-20'],
  'the pem_bundle of an exported root lacks the private key (001 4.2: also holds private key where present)',
  'pki.generateRoot',
  withRules((rules) => ({ bundleParts: (_key, certificate, issuer) => rules.bundleParts(undefined, certificate, issuer) })),
)

route(
  'fresh-pkcs8-in-pem-only',
  ['PKI-KEYFORMAT-04'],
  'with format der the private key comes in its traditional form, though pkcs8 is asked for (001 4.2: private_key_format)',
  ['pki.issue', 'pki.generateRoot'],
  withRules((rules, call) => ({
    keyForm: (format) => {
      const form = rules.keyForm(format)
      return call.body.format === 'der' ? 'der' : form
    },
  })),
)

rule('fresh-other-sans-utf8-hyphen', ['PKI-OTHERSANS-08'], 'allowed_other_sans of type UTF-8 allow nothing (001 4.2: type UTF8 or UTF-8)', {
  otherNameAllowed: (original) => (role, name) =>
    original({ ...role, allowed_other_sans: role.allowed_other_sans.filter((entry) => !/;UTF-8:/i.test(entry)) }, name),
})

const USAGES = ['DigitalSignature', 'ContentCommitment', 'KeyEncipherment', 'DataEncipherment', 'KeyAgreement', 'CertSign', 'CRLSign']
rule(
  'fresh-usage-case-of-first-letter',
  ['PKI-USAGE-03'],
  'key usages in small or capital letters throughout are left out (001 4.2: case-insensitive)',
  {
    keyUsages: (original) => (role, request) => {
      const known = role.key_usage.filter((name) => USAGES.includes(name.charAt(0).toUpperCase() + name.slice(1)))
      return original({ ...role, key_usage: known }, request)
    },
  },
)

route(
  'fresh-exclude-text-ignored',
  ['PKI-INTER-18'],
  'sign-intermediate ignores exclude_cn_from_sans as text (001 4.2: sign-intermediate declares it as string)',
  'pki.signIntermediate',
  requestBody<PkiCall>((body) => (typeof body.exclude_cn_from_sans === 'string' ? { ...body, exclude_cn_from_sans: false } : body)),
)

route(
  'fresh-permitted-text-unsplit',
  ['PKI-INTER-10'],
  'comma-separated permitted_dns_domains make one domain of an intermediate (001 4.2: comma-separated string or array)',
  'pki.signIntermediate',
  requestBody<PkiCall>((body) => {
    const given = body.permitted_dns_domains
    return typeof given === 'string' && !given.startsWith('[') ? { ...body, permitted_dns_domains: [given] } : body
  }),
)

const DURATIONS = ['ttl', 'max_ttl', 'not_before_duration']
route(
  'fresh-role-duration-first-unit',
  ['PKI-TTL-02'],
  'of a duration such as 1h30m a role takes the first part only (001 4.2: ttl and max_ttl are string durations)',
  'pki.writeRole',
  requestBody<PkiCall>((body) => {
    const first = (value: string): string => /^\d+[a-z]+/.exec(value)?.[0] ?? value
    return Object.fromEntries(
      Object.entries(body).map(([field, value]) => [field, DURATIONS.includes(field) && typeof value === 'string' ? first(value) : value]),
    )
  }),
)

rule(
  'fresh-request-names-half-judged',
  ['PKI-URISANS-01'],
  'addresses, URIs and other names of a CSR pass any role policy (001 4.2: ip_sans, uri_sans)',
  {
    refusal: (original) => (rules, role, commonName, names, request) => {
      const ofRequest = request !== undefined && role.use_csr_sans && !isEmpty(request.names)
      return original(rules, role, commonName, ofRequest ? { ...names, ip: [], uri: [], other: [] } : names, request)
    },
  },
)

rule(
  'fresh-verbatim-uncritical-authority',
  ['PKI-VERBATIM-02'],
  'a CSR that asks for a CA uncritically is signed verbatim (001 4.2: it refuses that)',
  {
    verbatimRefuses: (original) => (extensions) =>
      original(extensions.filter(({ oid, critical }) => oid !== EXTENSION.basicConstraints || critical)),
  },
)

rule(
  'fresh-emptied-usage-reads-default',
  ['PKI-ROLE-01'],
  'an emptied key_usage reads back as the default (001 4.2: empty list for no constraint)',
  {
    showRole: (original) => (role) => original(role.key_usage.length > 0 ? role : { ...role, key_usage: defaults().key_usage }),
  },
)
