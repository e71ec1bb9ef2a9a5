/** Faults of form: the same thing as text or list, in another format, spelling or case, or by another route. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { reply, replyData, requestBody } from '../../mutations/wrappers.ts'
import { BY_ROLE } from './brief-help.ts'
import { pkiEngine } from './engine.ts'
import { noting, withRules } from './overlays.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')

route(
  'brief-listed-names-escaped',
  'PKI-ROLE-04',
  'the listing shows role names percent-encoded (001 4.2: LIST /pki/roles, data.keys)',
  'pki.listRoles',
  replyData((data) => ({ ...data, keys: (data.keys as string[]).map(encodeURIComponent) })),
)

route(
  'brief-pkcs8-only-in-pem',
  'PKI-KEYFORMAT-04',
  'private_key_format pkcs8 is passed over with format der (001 4.2: private_key_format, der or pkcs8)',
  ['pki.issue', 'pki.generateRoot'],
  withRules((rules, call) => ({
    keyForm: (form) => {
      const wanted = rules.keyForm(form)
      return call.body.format === 'der' ? 'der' : wanted
    },
  })),
)

rule(
  'brief-first-hyphen-only',
  'PKI-REVOKE-03',
  'of a serial number with hyphens only the first one is understood (001 4.2: revoke, hyphen- or colon-separated)',
  { serialKey: () => (text) => text.trim().toLowerCase().replace('-', ':') },
)

const SUBJECT_LISTS = ['ou', 'organization', 'country', 'locality', 'province', 'street_address', 'postal_code']

const unsplit = (body: JsonObject): JsonObject => {
  const texts = SUBJECT_LISTS.filter((field) => typeof body[field] === 'string' && body[field] !== '')
  return { ...body, ...Object.fromEntries(texts.map((field) => [field, [body[field] ?? '']])) }
}

route(
  'brief-subject-text-not-split',
  'PKI-SUBJECT-09',
  'subject fields given as comma-separated text become one value (001 4.2: subject fields, comma-separated or JSON array)',
  ['pki.generateRoot', 'pki.signIntermediate'],
  requestBody(unsplit),
)

rule(
  'brief-utf-8-entries-never-match',
  'PKI-OTHERSANS-08',
  'an entry of allowed_other_sans whose type is UTF-8 allows nothing (001 4.2: allowed_other_sans, type UTF8 or UTF-8)',
  {
    otherNameAllowed: (original) => (role, name) =>
      original({ ...role, allowed_other_sans: role.allowed_other_sans.filter((entry) => !/;\s*UTF-8:/i.test(entry)) }, name),
  },
)

route(
  'brief-exclusion-as-text-ignored',
  'PKI-INTER-18',
  'sign-intermediate does not understand exclude_cn_from_sans as text (001 4.2: sign-intermediate declares it as string)',
  'pki.signIntermediate',
  requestBody((body) => (typeof body.exclude_cn_from_sans === 'string' ? { ...body, exclude_cn_from_sans: false } : body)),
)

rule(
  'brief-usages-by-their-capitals',
  'PKI-USAGE-03',
  'key usages that are not written in mixed case are taken and then left out (001 4.2: key_usage, case-insensitive)',
  {
    keyUsages: (original) => (role, request) =>
      original({ ...role, key_usage: role.key_usage.filter((name) => /^[A-Z]+[a-z]/.test(name)) }, request),
  },
)

rule(
  'brief-wildcard-not-among-names',
  'PKI-SUB-03',
  'a wildcard common name is not among the DNS names of the certificate (001 4.2: exclude_cn_from_sans false)',
  {
    withCommonName: (original) => (names, commonName, exclude) =>
      !exclude && commonName.startsWith('*.') ? names : original(names, commonName, exclude),
  },
)

route(
  'brief-lease-as-long-as-role-says',
  'PKI-LEASE-02',
  'lease_duration is the ttl of the role where the request asked for another (000 2.3: lease_duration; 001 4.2: leased)',
  BY_ROLE,
  reply((given, call) => {
    const body = given.body as JsonObject
    const ttl = call.state.roles.get(call.params.name ?? '')?.ttl || call.mount.defaultLeaseTtl
    return body.lease_id === '' ? given : { ...given, body: { ...body, lease_duration: ttl } }
  }),
)

const answeredAs = noting((call) => String(call.body.format ?? ''))

change(
  'brief-read-in-format-of-issue',
  'PKI-CERT-01',
  'a certificate that was issued in format der is read back as base64, not as PEM (001 4.2: GET /pki/cert/:serial, data.certificate PEM)',
  {
    routes: {
      'pki.issue': answeredAs.noted,
      'pki.sign': answeredAs.noted,
      'pki.readCertificate': replyData((data, call) => {
        const serial = call.rules.serialKey(call.params.serial ?? '')
        const der = call.state.certificates.get(serial)?.der
        return der !== undefined && answeredAs.notes(call.state).get(serial) === 'der'
          ? { ...data, certificate: der.toString('base64') }
          : data
      }),
    },
  },
)

rule(
  'brief-common-name-of-request-fills-in',
  'PKI-CSRCN-03',
  'the CN of the CSR is taken where the body has none, even with use_csr_common_name false (001 4.2: use_csr_common_name)',
  { commonName: (original) => (role, requested, request) => original(role, requested, request) || (request?.commonName ?? '') },
)
