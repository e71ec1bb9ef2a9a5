/** Faults of the same thing in another form or by another route: spellings, types, lists and texts, body and CSR. */
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyDataWithout, requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { roleIn } from './later-help.ts'
import { withRules } from './overlays.ts'
import type { PkiCall } from './wrappers.ts'
import { isEmpty } from './x509/names.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')

route(
  'later-empty-format-refused',
  ['PKI-ISSUE-20'],
  'issue with format "" is refused (001 4.2: format, issue: "" meaning pem)',
  'pki.issue',
  (original) => (call) => {
    if (call.body.format === '') throw invalid('format must be pem, der or pem_bundle')
    return original(call)
  },
)

route(
  'later-pkcs8-for-rsa-only',
  ['PKI-KEYFORMAT-02'],
  'private_key_format pkcs8 has no effect on EC keys (001 4.2: private_key_format der or pkcs8)',
  'pki.issue',
  (original) => (call) => {
    if (roleIn(call)?.key_type !== 'ec') return original(call)
    const sec1 = withRules((rules) => ({ keyForm: (format) => (format === 'pkcs8' ? 'der' : rules.keyForm(format)) }))
    return sec1(original)(call)
  },
)

route(
  'later-exclude-text-ignored',
  ['PKI-INTER-18'],
  'sign-intermediate takes the text "true" of exclude_cn_from_sans for false (001 4.2: sign-intermediate declares it as string)',
  'pki.signIntermediate',
  requestBody<PkiCall>((body) => (typeof body.exclude_cn_from_sans === 'string' ? { ...body, exclude_cn_from_sans: false } : body)),
)

rule(
  'later-utf-8-never-allowed',
  ['PKI-OTHERSANS-08'],
  'allowed_other_sans with the type UTF-8 allows nothing (001 4.2: type UTF8 or UTF-8)',
  {
    otherNameAllowed: (original) => (role, name) =>
      original({ ...role, allowed_other_sans: role.allowed_other_sans.filter((entry) => !/;UTF-8:/i.test(entry)) }, name),
  },
)

rule(
  'later-key-usage-by-capitals',
  ['PKI-USAGE-03'],
  'usages that a role names in small letters are missing in its certificates (001 4.2: key_usage, case-insensitive)',
  {
    keyUsages: (original) => (role, request) =>
      original({ ...role, key_usage: role.key_usage.filter((name) => name !== name.toLowerCase()) }, request),
  },
)

const SUBJECT = ['ou', 'organization', 'country', 'locality', 'province', 'street_address', 'postal_code']

route(
  'later-subject-text-unsplit',
  ['PKI-SUBJECT-09'],
  'several values in one text are one value in the subject of a root (001 4.2: subject fields are comma-separated or JSON array)',
  'pki.generateRoot',
  requestBody<PkiCall>((body) =>
    Object.fromEntries(
      Object.entries(body).map(([field, value]) => [
        field,
        SUBJECT.includes(field) && typeof value === 'string' && !value.trimStart().startsWith('[') ? [value] : value,
      ]),
    ),
  ),
)

rule('later-no-ipv6', ['PKI-IPSANS-02'], 'IPv6 addresses in ip_sans are refused (001 4.2: ip_sans, valid if role allows IP SANs)', {
  isAddress: (original) => (text) => original(text) && !text.includes(':'),
})

rule(
  'later-emails-among-hosts',
  ['PKI-INTER-12'],
  'email addresses of alt_names are DNS names in the certificate (001 4.2: alt_names, host names or emails)',
  {
    withCommonName: (original) => (names, commonName, exclude) =>
      original({ ...names, dns: [...names.dns, ...names.email], email: [] }, commonName, exclude),
  },
)

route(
  'later-signed-stored-anyway',
  ['PKI-NOSTORE-02'],
  'certificates from CSRs are stored and listed where the role says no_store (001 4.2: no_store, certificates cannot be listed or revoked)',
  'pki.sign',
  withRules(() => ({ stored: () => true })),
)

rule(
  'later-no-constraints-for-csr',
  ['PKI-BASIC-02'],
  'certificates from CSRs lack basic constraints where the role wants them (001 4.2: basic_constraints_valid_for_non_ca)',
  { basicConstraints: (original) => (role, request) => (request === undefined ? original(role, request) : []) },
)

rule(
  'later-body-names-before-csr-names',
  ['PKI-INTER-12'],
  'with use_csr_values alt_names of the body take the place of those of the CSR (001 4.2: true keeps alternate names from the CSR)',
  {
    intermediateNames: (original) => (requested, request, useRequest) => original(requested, request, useRequest && isEmpty(requested)),
  },
)

route(
  'later-internal-key-in-bundle',
  ['PKI-ROOT-05'],
  'the pem_bundle of an internal root holds its private key (001 4.2: internal, never returned)',
  'pki.generateRoot',
  (original) => (call) => {
    if (call.params.type !== 'internal' || textOf(call.body, 'format') !== 'pem_bundle') return original(call)
    const leaking = withRules(() => ({ returnsKey: () => true }))(original)
    return replyDataWithout<PkiCall>('private_key', 'private_key_type')(leaking)(call)
  },
)
