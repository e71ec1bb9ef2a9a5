/** CAs that are made, replaced, deleted and signed in the wrong way. */
import { coreEngine } from '../../core/core-engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, replyData, replyDataWithout, requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { byRules, withBadSignature } from './wrappers.ts'
import { readPrivateKey } from './x509/key-forms.ts'
import { readPem } from './x509/pem.ts'

const pki = faultsOf(pkiEngine)
const core = faultsOf(coreEngine, 'pki')

pki.route('config-ignored', 'PKI-CONFIG-01', 'a supplied CA is acknowledged and forgotten', 'pki.writeCa', () => () => empty())
pki.route(
  'config-first',
  'PKI-CONFIG-02',
  'a supplied CA does not replace the one there is',
  'pki.writeCa',
  (original) => (call) => (call.state.authority ? empty() : original(call)),
)
pki.route('config-not-replaced', 'PKI-CONFIG-02', 'while there is a CA a supplied one is refused', 'pki.writeCa', (original) => (call) => {
  if (call.state.authority) throw new ApiError(400, 'there is a CA already')
  return original(call)
})
pki.route('config-single', 'PKI-CONFIG-03', 'a bundle with further certificates is refused', 'pki.writeCa', (original) => (call) => {
  if (String(call.body.pem_bundle).split('BEGIN CERTIFICATE').length > 2) throw new ApiError(400, 'one certificate only')
  return original(call)
})
pki.route('config-broken-clears', 'PKI-CONFIG-05', 'a refused bundle removes the CA', 'pki.writeCa', (original) => (call) => {
  try {
    return original(call)
  } catch (cause) {
    call.state.authority = undefined
    throw cause
  }
})
pki.rule('config-any-key', 'PKI-CONFIG-06', 'any key goes with any certificate', { keyBelongs: () => () => true })
pki.route(
  'config-no-key',
  'PKI-CONFIG-07',
  'a bundle without a key is acknowledged',
  'pki.writeCa',
  insteadOfRefusal(empty, ({ body }) => !String(body.pem_bundle).includes('PRIVATE KEY')),
)
pki.route(
  'config-key-alone',
  'PKI-CONFIG-07',
  'a bundle of a key alone replaces the key of the CA',
  'pki.writeCa',
  (original) => (call) => {
    const [key, ...more] = readPem(String(call.body.pem_bundle ?? ''))
    if (call.state.authority === undefined || !key?.label.endsWith('PRIVATE KEY') || more.length > 0) return original(call)
    call.state.authority.key = readPrivateKey(key.label, key.bytes)
    return empty()
  },
)
pki.rule('config-leaf', 'PKI-CONFIG-08', 'a certificate that is no CA is taken', { mustBeAuthority: () => () => true })
pki.route('config-echo', 'PKI-CONFIG-10', 'the answer repeats the bundle', 'pki.writeCa', (original) => async (call) => ({
  ...(await original(call)),
  ...secret({ imported: call.body.pem_bundle ?? '' }),
}))
pki.route('signed-ignored', 'PKI-SIGNED-01', 'a signed intermediate is acknowledged and forgotten', 'pki.setSigned', () => () => empty())
pki.route(
  'signed-broken',
  'PKI-SIGNED-04',
  'a signed certificate that is no PEM is accepted',
  'pki.setSigned',
  insteadOfRefusal(empty, ({ body }) => typeof body.certificate === 'string'),
)
pki.rule('signed-any-key', 'PKI-SIGNED-05', 'a certificate for any key is taken', { signedKeyBelongs: () => () => true })

pki.route(
  'root-no-certificate',
  'PKI-ROOT-01',
  'a root is answered without its certificate',
  'pki.generateRoot',
  replyDataWithout('certificate'),
)
pki.route('root-no-issuer', 'PKI-ROOT-02', 'a root is answered without its issuer', 'pki.generateRoot', replyDataWithout('issuing_ca'))
pki.route(
  'root-other-serial',
  'PKI-ROOT-03',
  'a root is answered with another serial number',
  'pki.generateRoot',
  replyData((data) => ({ ...data, serial_number: String(data.serial_number).split(':').reverse().join(':') })),
)
pki.rule('root-key-withheld', 'PKI-ROOT-04', 'an exported root comes without its key', { returnsKey: () => () => false })
pki.rule('root-key-leaked', 'PKI-ROOT-05', 'an internal root comes with its key', { returnsKey: () => () => true })
pki.rule('root-overwritten', 'PKI-ROOT-06', 'a second root replaces the first', {
  mayGenerate: () => () => true,
  stillMayGenerate: () => () => true,
})
pki.rule('root-any-type', 'PKI-ROOT-07', 'every type but exported is internal', { generationTypeKnown: () => () => true })
pki.rule('root-default-ec', 'PKI-ROOT-08', 'roots are EC by default', { rootKeyType: () => (type) => type || 'ec' })
pki.rule('root-always-rsa', 'PKI-ROOT-09', 'roots are always RSA', { rootKeyType: () => () => 'rsa', rootKeyBits: () => () => 2048 })
pki.rule('root-default-bits', 'PKI-ROOT-10', 'RSA roots have 3072 bits by default', {
  rootKeyBits: (original) => (type, bits) => (type === 'rsa' && !bits ? 3072 : original(type, bits)),
})
pki.rule('root-bits-ignored', 'PKI-ROOT-11', 'EC roots are always P-256', {
  rootKeyBits: (original) => (type, bits) => (type === 'ec' ? 256 : original(type, bits)),
})
pki.rule('root-rsa-bits-ignored', 'PKI-ROOT-11', 'RSA roots always have 2048 bits', {
  rootKeyBits: (original) => (type, bits) => (type === 'rsa' ? 2048 : original(type, bits)),
})
pki.rule('root-type-lenient', 'PKI-ROOT-12', 'unknown key types give RSA', {
  rootKeyType: (original) => (type) => (type === 'ec' ? 'ec' : original('')),
})
pki.rule('root-bits-lenient', 'PKI-ROOT-13', 'invalid sizes give the common curve', {
  rootKeyBits: (original) => (type, bits) => (type === 'ec' && ![224, 256, 384, 521].includes(bits ?? 0) ? 256 : original(type, bits)),
})
pki.rule('root-limited', 'PKI-ROOT-14', 'roots have a path length of one by default', {
  rootPathLength: () => (requested) => (requested < 0 ? 1 : requested),
})
pki.rule('root-zero-lost', 'PKI-ROOT-15', 'a path length of zero means no limit', { rootPathLength: () => (requested) => requested || -1 })
pki.route(
  'permitted-domains-array',
  ['PKI-ROOT-16', 'PKI-INTER-10'],
  'an array of permitted domains is refused',
  ['pki.generateRoot', 'pki.signIntermediate'],
  requestBody((body) => {
    if (Array.isArray(body.permitted_dns_domains)) throw new ApiError(400, 'permitted_dns_domains must be a string')
    return body
  }),
)
pki.route(
  'root-serial-fixed',
  'PKI-SUBJECT-10',
  'every root has the same serial number',
  'pki.generateRoot',
  byRules(() => ({ serialNumber: () => Buffer.from('4711471147114711471147', 'hex') })),
)
pki.rule('root-race', 'PKI-ROOT-23', 'the CA is not looked at again once the key is made', { stillMayGenerate: () => () => true })

pki.rule('delete-keeps-key', 'PKI-DELETE-01', 'deleting the root keeps its key', { afterDeletion: () => (authority) => authority })
pki.route('delete-all', 'PKI-DELETE-02', 'deleting the root removes its certificate', 'pki.deleteRoot', (original) => (call) => {
  call.state.certificates.clear()
  const reply = original(call)
  call.state.authority = undefined
  return reply
})
core.rule('delete-without-sudo', 'PKI-DELETE-03', 'deleting the root needs no sudo', {
  needsSudo: (original) => (route) => route.id !== 'pki.deleteRoot' && original(route),
})
pki.rule('delete-blocks', 'PKI-DELETE-04', 'no root can follow a deleted one', {
  mayGenerate: () => (state) => state.authority === undefined,
})

pki.route(
  'intermediate-no-certificate',
  'PKI-INTER-01',
  'an intermediate is answered without its certificate',
  'pki.signIntermediate',
  replyDataWithout('certificate'),
)
pki.rule('intermediate-subject', 'PKI-INTER-05', 'the subject of the request is always used', {
  intermediateSubject: () => (_subject, request) => request.subject,
})
pki.rule('intermediate-limited', 'PKI-INTER-06', 'intermediates have a path length of zero by default', {
  pathLength: (original) => (requested, signer) => original(requested < 0 && signer < 0 ? 0 : requested, signer),
})
pki.rule('intermediate-zero-lost', 'PKI-INTER-07', 'a path length of zero means no limit', {
  pathLength: (original) => (requested, signer) => original(requested || -1, signer),
})
pki.rule('intermediate-same-limit', 'PKI-INTER-08', "an intermediate has its signer's path length", {
  pathLength: (original) => (requested, signer) => (signer > 0 && requested < 0 ? signer : original(requested, signer)),
})
pki.rule('intermediate-below-zero', 'PKI-INTER-09', 'a CA with path length zero signs CAs', {
  pathLength: (original) => (requested, signer) => (signer === 0 ? 0 : original(requested, signer)),
})
pki.rule('intermediate-names-always', 'PKI-INTER-11', 'alternative names of the request are always used', {
  intermediateNames: (original) => (names, request) => original(names, request, true),
})
pki.rule('intermediate-names-never', 'PKI-INTER-12', 'alternative names of the request are never used', {
  intermediateNames: (original) => (names, request) => original(names, request, false),
})
pki.rule('intermediate-usages', 'PKI-INTER-13', 'key usages of the request are not added', { requestedUsages: () => () => [] })
pki.rule('intermediate-extensions', 'PKI-INTER-14', 'extensions of the request are not copied', { requestedExtensions: () => () => [] })
pki.route(
  'intermediate-signature',
  'PKI-INTER-19',
  'the signature of an intermediate is wrong',
  'pki.signIntermediate',
  replyData((data) => ({ ...data, certificate: withBadSignature(data.certificate) })),
)

pki.route(
  'self-issued-no-certificate',
  'PKI-SELF-01',
  'a cross-signed certificate is not answered',
  'pki.signSelfIssued',
  replyDataWithout('certificate'),
)
pki.route(
  'self-issued-no-issuer',
  'PKI-SELF-02',
  'the issuer of a cross-signed certificate is not answered',
  'pki.signSelfIssued',
  replyDataWithout('issuing_ca'),
)
pki.rule('self-issued-new-serial', 'PKI-SELF-03', 'a cross-signed certificate gets a new serial number', {
  asGiven: () => (content) => ({ ...content, serial: Buffer.from('4a5b6c7d8e9f', 'hex') }),
})
pki.route(
  'self-issued-own-issuer',
  'PKI-SELF-04',
  'a cross-signed certificate is answered as it came',
  'pki.signSelfIssued',
  replyData((data, { body }) => ({ ...data, certificate: body.certificate ?? '' })),
)
pki.rule('self-issued-two-authority-keys', 'PKI-SELF-04', 'a cross-signed certificate keeps the authority key id that it had, too', {
  replacedExtensions: (original) => () => original().slice(1),
})
core.rule('self-issued-without-sudo', 'PKI-SELF-05', 'signing self-issued certificates needs no sudo', {
  needsSudo: (original) => (route) => route.id !== 'pki.signSelfIssued' && original(route),
})
pki.rule('self-issued-any', 'PKI-SELF-08', 'any certificate counts as self-issued', { isSelfIssued: () => () => true })
pki.rule('verbatim-ca', 'PKI-VERBATIM-02', 'signing verbatim makes a CA of who asks for one', { verbatimRefuses: () => () => false })
pki.rule('verbatim-loses-names', 'PKI-VERBATIM-01', 'signing verbatim drops alternative names', { verbatimExtensions: () => () => [] })
