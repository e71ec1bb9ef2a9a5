/** Faults of forms: one thing shown by two routes, texts and lists, encodings, what is absent. */
import { coreEngine } from '../../core/core-engine.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { isPkiPath } from './frank-help.ts'
import { type Handler, noting, withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')
const core = faultsOf(coreEngine, 'pki')

route(
  'frank-der-key-is-never-pkcs8',
  'PKI-KEYFORMAT-04',
  'with format der the private key has its traditional form, whatever private_key_format says (001 4.2: private_key_format der or pkcs8)',
  ['pki.issue', 'pki.generateRoot'],
  withRules((rules, call) => ({
    keyForm: (format) => {
      const form = rules.keyForm(format)
      return textOf(call.body, 'format') === 'der' ? 'der' : form
    },
  })),
)

rule(
  'frank-bundle-without-intermediate',
  'PKI-INTER-23',
  'a pem_bundle lacks its issuer where that is an intermediate CA (001 4.2: format pem_bundle holds the issuing CA if not a self-signed root)',
  { bundlesIssuer: (original) => (issuer) => original(issuer) && issuer.certificate.selfIssued },
)

const domainsWhole: (original: Handler) => Handler = requestBody((body) =>
  typeof body.permitted_dns_domains === 'string' && !body.permitted_dns_domains.startsWith('[')
    ? { ...body, permitted_dns_domains: [body.permitted_dns_domains] }
    : body,
)

route(
  'frank-permitted-domains-as-one',
  'PKI-INTER-10',
  'several permitted_dns_domains in one text become one domain with commas (001 4.2: permitted_dns_domains, comma-separated string or array)',
  ['pki.generateRoot', 'pki.signIntermediate'],
  domainsWhole,
)

rule(
  'frank-email-name-as-host',
  'PKI-EXCLUDE-02',
  'a common name that is an email address becomes a DNS name (001 4.2: exclude_cn_from_sans, the CN is in DNS/email SANs)',
  {
    withCommonName: (original) => (names, commonName, exclude) =>
      exclude || !commonName.includes('@') || names.email.includes(commonName)
        ? original(names, commonName, exclude)
        : { ...names, dns: [commonName, ...names.dns] },
  },
)

rule(
  'frank-other-name-type-with-hyphen',
  'PKI-OTHERSANS-08',
  'entries of allowed_other_sans that write the type UTF-8 allow nothing (001 4.2: allowed_other_sans, type UTF8 or UTF-8)',
  {
    otherNameAllowed: (original) => (role, name) =>
      original({ ...role, allowed_other_sans: role.allowed_other_sans.filter((entry) => !/;utf-8:/i.test(entry)) }, name),
  },
)

rule(
  'frank-not-before-in-nanoseconds',
  'PKI-NOTBEFORE-01',
  'a role read shows not_before_duration in nanoseconds (001 4.2: GET role, role fields; not_before_duration, duration, 30s)',
  { showRole: (original) => (role) => ({ ...original(role), not_before_duration: role.not_before_duration * 1_000_000_000 }) },
)

rule(
  'frank-false-fields-left-out',
  'PKI-BARE-01',
  'a role read leaves out the truth values that are false (001 4.2: GET role, role fields)',
  {
    showRole: (original) => (role) => Object.fromEntries(Object.entries(original(role)).filter(([, value]) => value !== false)),
  },
)

const formats = noting((call) => textOf(call.body, 'format'))

/** The text between the lines of a PEM block. */
const unarmoured = (pem: string): string =>
  pem
    .split('\n')
    .filter((line) => !line.startsWith('-----'))
    .join('')

const readAsIssued: (original: Handler) => Handler = replyData((data, call: PkiCall) =>
  formats.notes(call.state).get(call.rules.serialKey(call.params.serial ?? '')) === 'der'
    ? { ...data, certificate: unarmoured(String(data.certificate)) }
    : data,
)

change(
  'frank-read-in-format-of-issue',
  'PKI-CERT-01',
  'a certificate that was issued with format der is read as base64 without PEM lines (001 4.2: GET cert/:serial, data.certificate PEM)',
  { routes: { 'pki.issue': formats.noted, 'pki.sign': formats.noted, 'pki.readCertificate': readAsIssued } },
)

const exclusionOfBooleansOnly: (original: Handler) => Handler = requestBody((body) =>
  typeof body.exclude_cn_from_sans === 'string' ? { ...body, exclude_cn_from_sans: false } : body,
)

route(
  'frank-exclusion-as-text-ignored',
  'PKI-INTER-18',
  'sign-intermediate does not heed the text "true" (001 4.2: exclude_cn_from_sans, sign-intermediate declares it as string)',
  'pki.signIntermediate',
  exclusionOfBooleansOnly,
)

rule(
  'frank-organization-in-latin1',
  'PKI-ORG-02',
  'letters beyond ASCII in a role’s organization are garbled in certificates (001 4.2: role parameter organization, string)',
  {
    subject: (original) => (role, commonName) => {
      const subject = original(role, commonName)
      return { ...subject, organization: role.organization.map((value) => Buffer.from(value, 'utf8').toString('latin1')) }
    },
  },
)

core.rule(
  'frank-help-paths-from-the-top',
  'CORE-HELP-03',
  'the paths of openapi are whole paths, not those below the path asked (000 1.7: its paths are relative to the queried path)',
  {
    helpPath: (original) => (relative, queried) => {
      const path = original(relative, queried)
      return isPkiPath({ path: queried }) ? `/${queried.replace(/\/$/, '')}${path === '/' ? '' : path}` : path
    },
  },
)
