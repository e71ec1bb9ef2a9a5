/** Faults of forms: formats of certificates and keys, texts against lists, case, spellings, the same thing by another route. */
import { text } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { certificatePem } from './answers.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')

rule(
  'north-bundle-without-intermediate',
  'PKI-FORMAT-06',
  'a pem_bundle does not hold the issuing CA where that is an intermediate (001 4.2: pem_bundle, also the issuing CA if not a self-signed root)',
  { bundlesIssuer: (original) => (issuer) => original(issuer) && issuer.certificate.selfIssued },
)

route(
  'north-pkcs8-in-text-only',
  'PKI-KEYFORMAT-04',
  'with format der the key comes in its own form, though pkcs8 was asked for (001 4.2: private_key_format, der or pkcs8)',
  ['pki.issue', 'pki.generateRoot'],
  withRules((rules, call) => ({
    keyForm: (format) => {
      const form = rules.keyForm(format)
      return call.body.format === 'der' ? 'der' : form
    },
  })),
)

rule(
  'north-first-hyphen-only',
  'PKI-REVOKE-03',
  'of a hyphenated serial number only the first hyphen is understood (001 4.2: POST /pki/revoke, serial_number hyphen- or colon-separated)',
  { serialKey: (original) => (given) => (given.includes('-') ? given.trim().toLowerCase().replace('-', ':') : original(given)) },
)

rule(
  'north-revocation-time-with-fraction',
  'PKI-REVOKE-01',
  'revocation_time has fractions of a second (001 2.2: revocation_time, int, epoch seconds)',
  { revocationTime: () => (earlier, now) => earlier ?? now },
)

rule(
  'north-email-as-host-name',
  'PKI-ALT-01',
  'email addresses among alt_names become host names in the certificate (001 4.2: alt_names, host names or emails)',
  {
    alternativeNames: (original) => (role, requested, request) => {
      const names = original(role, requested, request)
      return names.email.length > 0 && request === undefined ? { ...names, dns: [...names.dns, ...names.email], email: [] } : names
    },
  },
)

rule(
  'north-lower-case-usage-lost',
  'PKI-USAGE-03',
  'key usages written in lower case are accepted, but not in certificates (001 4.2: key_usage, case-insensitive)',
  {
    keyUsages: (original) => (role, request) =>
      original({ ...role, key_usage: role.key_usage.filter((name) => /^[A-Z]/.test(name)) }, request),
  },
)

rule(
  'north-email-common-name-not-excluded',
  'PKI-EXCLUDE-02',
  'exclude_cn_from_sans leaves a common name that is an email address in (001 4.2: exclude_cn_from_sans, omit CN from DNS/email SANs)',
  {
    withCommonName: (original) => (names, commonName, exclude) => original(names, commonName, exclude && !commonName.includes('@')),
  },
)

route(
  'north-empty-format-refused',
  'PKI-ISSUE-20',
  'issue refuses an empty format (001 4.2: format, issue: "" meaning pem)',
  'pki.issue',
  withRules((rules, call) => ({ formatKnown: (format) => rules.formatKnown(format) && (format !== '' || call.body.format !== '') })),
)

route(
  'north-pem-of-whole-chain',
  'PKI-SIGNED-01',
  'ca/pem shows the CAs above, too, and the topmost first (001 4.2: GET /pki/ca/pem, CA certificate)',
  'pki.readCaPem',
  (original) => (call) => {
    const { authority } = call.state
    if (authority === undefined || authority.above.length === 0) return original(call)
    const chain = call.rules.chain(authority).map(certificatePem).reverse()
    return text('application/pem-certificate-chain', chain.join('\n'))
  },
)

rule(
  'north-addresses-of-request-lost',
  'PKI-CSRSANS-02',
  'IP addresses among the names of a CSR do not get into the certificate (001 4.2 role parameters: use_csr_sans, default true)',
  {
    alternativeNames: (original) => (role, requested, request) => {
      const names = original(role, requested, request)
      return names === request?.names ? { ...names, ip: [] } : names
    },
  },
)
