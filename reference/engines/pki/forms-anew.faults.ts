/** Faults that show when the same thing is said in another form or asked by another way. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyDataWithout, requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import type { Role } from './role.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')

const SUBJECT = ['ou', 'organization', 'country', 'locality', 'province', 'street_address', 'postal_code']

route(
  'anew-intermediate-subject-text-whole',
  ['PKI-SUBJECT-09'],
  'comma-separated subject fields of an intermediate are one value with a comma (001 4.2 subject fields: comma-separated or JSON array)',
  'pki.signIntermediate',
  requestBody<PkiCall>((body) =>
    Object.fromEntries(
      Object.entries(body).map(([field, value]) => {
        const whole = SUBJECT.includes(field) && typeof value === 'string' && !value.startsWith('[')
        return [field, whole ? [value] : value]
      }),
    ),
  ),
)

rule(
  'anew-first-hyphen-only',
  ['PKI-REVOKE-03'],
  'only the first hyphen of a serial number is read as a separator (001 4.2 revoke: hyphen- or colon-separated)',
  {
    serialKey: () => (text) => text.trim().toLowerCase().replace('-', ':'),
  },
)

route(
  'anew-intermediate-der-as-pem',
  ['PKI-INTER-17'],
  'the format der is overlooked where an intermediate is signed (001 4.2 format: der (base64), a shared parameter)',
  'pki.signIntermediate',
  requestBody<PkiCall>((body) => (body.format === 'der' ? { ...body, format: 'pem' } : body)),
)

route(
  'anew-ec-key-never-pkcs8',
  ['PKI-KEYFORMAT-02'],
  'EC keys are issued in their own form where pkcs8 is asked for (001 4.2 private_key_format: der or pkcs8)',
  'pki.issue',
  requestBody<PkiCall>((body, { state, params }) => {
    const ec = state.roles.get(params.name ?? '')?.key_type === 'ec'
    return ec && body.private_key_format === 'pkcs8' ? { ...body, private_key_format: 'der' } : body
  }),
)

route(
  'anew-empty-format-refused',
  ['PKI-ISSUE-20'],
  'format "" is refused where certificates are issued (001 4.2 format: issue: "" meaning pem)',
  'pki.issue',
  (original) => (call) => {
    if (call.body.format === '') throw invalid('format must be pem, der or pem_bundle')
    return original(call)
  },
)

route(
  'anew-not-before-unit-ignored',
  ['PKI-NOTBEFORE-03'],
  'of a not_before_duration such as 2m only the number counts, as seconds (001 4.2 roles: not_before_duration: duration)',
  'pki.writeRole',
  requestBody<PkiCall>((body) => {
    const seconds = typeof body.not_before_duration === 'string' ? Number.parseInt(body.not_before_duration, 10) : Number.NaN
    return Number.isNaN(seconds) || seconds < 0 ? body : { ...body, not_before_duration: seconds }
  }),
)

rule(
  'anew-utf-8-with-hyphen-unknown',
  ['PKI-OTHERSANS-08'],
  'allowed other names of the type UTF-8 allow nothing, those of UTF8 do (001 4.2 allowed_other_sans: type UTF8 or UTF-8)',
  {
    otherNameAllowed: (original) => (role, name) =>
      original({ ...role, allowed_other_sans: role.allowed_other_sans.filter((entry) => !/;UTF-8:/i.test(entry)) }, name),
  },
)

rule(
  'anew-addresses-of-request-unjudged',
  ['PKI-SIGN-08'],
  'IP names of a certificate request are not held against the role (001 4.2 ip_sans: valid only if role allows IP SANs)',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(rules, role, commonName, request === undefined ? names : { ...names, ip: [] }, request),
  },
)

const misread = (values: string[]): string[] => values.map((value) => Buffer.from(value, 'utf8').toString('latin1'))
const misreadSubject = (role: Role): Role => ({
  ...role,
  organization: misread(role.organization),
  ou: misread(role.ou),
  locality: misread(role.locality),
})

rule(
  'anew-subject-encoded-twice',
  ['PKI-ORG-02'],
  'letters beyond ASCII in the subject of a role are encoded twice (001 4.2 roles: organization, ou, locality)',
  {
    subject: (original) => (role, commonName) => original(misreadSubject(role), commonName),
  },
)

rule('anew-no-ipv6-names', ['PKI-IPSANS-02'], 'IPv6 addresses are refused as alternative names (001 4.2 ip_sans)', {
  isAddress: (original) => (text) => original(text) && !text.includes(':'),
})

route(
  'anew-internal-key-in-bundle',
  ['PKI-ROOT-05'],
  'the bundle of an internal root holds its private key (001 4.2 root/generate: internal (never returned))',
  'pki.generateRoot',
  (original) => (call) => {
    if (call.params.type !== 'internal' || call.body.format !== 'pem_bundle') return original(call)
    const bundled = withRules(() => ({ returnsKey: () => true }))(original)
    return replyDataWithout<PkiCall>('private_key', 'private_key_type')(bundled)(call)
  },
)
