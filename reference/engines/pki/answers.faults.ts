/** Faults of what issue and sign answer: members, chains, serial numbers, formats, and refusals. */
import { ApiError, invalid } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { insteadOfRefusal, replyData, requestWithout } from '../../faults/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { defaults } from './role.ts'
import { failing, type Handle, hollow, type PkiCall, taken, withBadSignature, withRules } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(pkiEngine)

const BOTH = ['pki.issue', 'pki.sign']

/** Another value of one member of an answer. */
const member = (name: string, otherwise: (value: Json | undefined, call: PkiCall) => Json) =>
  replyData<PkiCall>((data, call) => ({ ...data, [name]: otherwise(data[name], call) }))
const chain = (otherwise: (entries: string[]) => Json) => member('ca_chain', (value) => otherwise(value as string[]))
const badlySigned = member('certificate', withBadSignature)

route(
  'chain-other-order',
  'PKI-ISSUE-15',
  'ca_chain has the root right after the issuing CA, whatever is between them',
  BOTH,
  chain(([first = '', ...above]) => [first, ...above.reverse()]),
)
const noCertificates = chain(([first = '', ...above]) => [first, ...above.map((entry) => entry.slice(0, 400))])
route('chain-of-halves', ['PKI-ISSUE-03', 'PKI-SIGN-03'], 'what stands above the issuing CA in ca_chain is cut off', BOTH, noCertificates)
route(
  'sign-chain-alone',
  'PKI-SIGNED-02',
  'sign answers a chain of the issuer alone',
  'pki.sign',
  chain((entries) => entries.slice(0, 1)),
)
const plain = member('serial_number', (serial) => String(serial).replaceAll(':', ''))
route('serial-plain', ['PKI-ISSUE-06', 'PKI-SIGN-04'], 'serial_number has no colons', BOTH, plain)
route('issue-signature', 'PKI-ISSUE-07', 'the signature of a certificate is wrong', 'pki.issue', badlySigned)
route('sign-signature', 'PKI-SIGN-12', 'the signature of a signed request is wrong', 'pki.sign', badlySigned)

/** A request of some kind ends in an error. */
const broken =
  (when: (call: PkiCall) => boolean) =>
  (original: Handle): Handle =>
  (call) => {
    if (when(call)) throw new ApiError(500, 'internal error')
    return original(call)
  }
const underRsa = broken(({ state }) => state.authority?.key?.asymmetricKeyType === 'rsa')
route('rsa-authority-issues-nothing', 'PKI-ISSUE-07', 'under a CA with an RSA key issuing fails', 'pki.issue', underRsa)
route('rsa-authority-signs-nothing', 'PKI-SIGN-12', 'under a CA with an RSA key signing fails', 'pki.sign', underRsa)
route('rsa-authority-has-nothing-below', 'PKI-INTER-19', 'a CA with an RSA key signs no CA', 'pki.signIntermediate', underRsa)
const isBig = ({ body }: PkiCall): boolean => String(body.alt_names ?? '').length > 500_000
route('many-names-fail', 'PKI-ALT-04', 'a megabyte of names is an internal error', 'pki.issue', broken(isBig))
const isEmptyMount = ({ state, params }: PkiCall): boolean => state.authority === undefined && state.roles.has(params.name ?? '')
route('no-ca-fails', 'PKI-ISSUE-21', 'without a CA issuing and signing are internal errors', BOTH, failing(isEmptyMount))
route('issue-without-ca', 'PKI-ISSUE-12', 'without a CA issuing looks like success', 'pki.issue', insteadOfRefusal(hollow, isEmptyMount))

const keys = remembered(() => new Map<string, Json>())
change('issue-key-kept', 'PKI-ISSUE-09', 'the private key is readable with the certificate', {
  routes: {
    'pki.issue': replyData((data, call) => {
      keys(call.state).set(String(data.serial_number), data.private_key ?? null)
      return data
    }),
    'pki.readCertificate': member(
      'private_key',
      (_none, { params, state }) => keys(state).get(params.serial?.replaceAll('-', ':') ?? '') ?? null,
    ),
  },
})
rule('serials-short', ['PKI-ISSUE-10', 'PKI-SUBJECT-11'], 'serial numbers are one random byte', {
  serialNumber: (original) => () => original().subarray(0, 1),
})
rule('serial-by-second', 'PKI-ISSUE-10', 'serial numbers are the second of the certificate', {
  serialNumber: () => () =>
    Buffer.from(
      `4${Math.floor(Date.now() / 1000)
        .toString(16)
        .padStart(39, '0')}`,
      'hex',
    ),
})
const open = { ...defaults(), allow_any_name: true, key_type: 'ec', key_bits: 256, ttl: 3600 }
route(
  'unknown-role-open',
  ['PKI-ISSUE-11', 'PKI-SIGN-10'],
  'an unknown role issues and signs like an open one',
  BOTH,
  (original) => (call) => {
    if (!call.state.roles.has(call.params.name!)) call.state.roles.set(call.params.name!, { ...open })
    return original(call)
  },
)
route(
  'signed-key',
  'PKI-SIGN-11',
  'sign answers a private key',
  'pki.sign',
  member('private_key', () => '-----BEGIN PRIVATE KEY-----'),
)

route('format-pem-bundled', 'PKI-FORMAT-02', 'pem gives a bundle', 'pki.issue', taken('format', 'pem', 'pem_bundle'))
route('sign-pem-der', 'PKI-FORMAT-02', 'signing gives DER for pem', 'pki.sign', taken('format', 'pem', 'der'))
route('empty-format-der', 'PKI-ISSUE-20', 'an empty format is der', 'pki.issue', taken('format', '', 'der'))
route('empty-format-bundled', 'PKI-ISSUE-20', 'an empty format is pem_bundle', 'pki.issue', taken('format', '', 'pem_bundle'))
route('empty-format-refused', 'PKI-ISSUE-20', 'an empty format is refused', 'pki.issue', (original) => (call) => {
  if (call.body.format === '') throw invalid('format must be pem, der or pem_bundle')
  return original(call)
})
const sentExclusion = taken('exclude_cn_from_sans', false, true)
route('sent-exclusion-counts', 'PKI-ISSUE-19', 'exclude_cn_from_sans excludes where it is sent as false', BOTH, sentExclusion)
rule('bundle-no-key', 'PKI-FORMAT-04', 'a bundle lacks the key', {
  bundleParts: (original) => (_key, certificate, issuer) => original(undefined, certificate, issuer),
})
rule('bundle-no-issuer', ['PKI-FORMAT-06', 'PKI-INTER-23'], 'a bundle lacks the issuer', {
  bundleParts: (original) => (key, certificate) => original(key, certificate, undefined),
})
const withoutIssuer = withRules(() => ({ bundlesIssuer: () => false }))
route('sign-bundle-no-issuer', 'PKI-FORMAT-06', 'a bundle of signing lacks the issuer', 'pki.sign', withoutIssuer)
route(
  'intermediate-bundle-no-issuer',
  'PKI-INTER-23',
  'a bundle of an intermediate lacks the issuer',
  'pki.signIntermediate',
  withoutIssuer,
)
const anyFormat = withRules(() => ({ formatKnown: () => true }))
route('issue-format-lenient', 'PKI-FORMAT-05', 'issuing takes unknown formats for PEM', 'pki.issue', anyFormat)
route('sign-format-lenient', 'PKI-FORMAT-05', 'signing takes unknown formats for PEM', 'pki.sign', anyFormat)
route(
  'der-in-url-alphabet',
  ['PKI-FORMAT-02', 'PKI-FORMAT-03'],
  'a certificate in format der has the alphabet of URLs',
  BOTH,
  member('certificate', (text, { body }) => (body.format === 'der' ? Buffer.from(String(text), 'base64').toString('base64url') : text!)),
)
rule('key-form-lenient', 'PKI-KEYFORMAT-03', 'unknown key formats give the default', {
  keyForm: () => (form) => (form === 'pkcs8' ? 'pkcs8' : 'der'),
})
/** Requests of some kind are handled without their private_key_format. */
const formIgnored =
  (when: (call: PkiCall) => boolean) =>
  (original: Handle): Handle => {
    const without = requestWithout<PkiCall>('private_key_format')(original)
    return (call) => (when(call) && call.body.private_key_format === 'pkcs8' ? without(call) : original(call))
  }
const byEc = formIgnored(({ state, params }) => state.roles.get(params.name ?? '')?.key_type === 'ec')
route('ec-never-pkcs8', 'PKI-KEYFORMAT-02', 'elliptic keys are never PKCS #8', 'pki.issue', byEc)
const bundled = formIgnored(({ body }) => body.format === 'pem_bundle')
route('bundle-key-not-pkcs8', 'PKI-KEYFORMAT-04', 'the key of a bundle is never PKCS #8', 'pki.issue', bundled)
const inDer = formIgnored(({ body }) => body.format === 'der')
route('der-key-not-pkcs8', 'PKI-KEYFORMAT-04', 'keys in DER are never PKCS #8', ['pki.issue', 'pki.generateRoot'], inDer)

export const faults = declared
