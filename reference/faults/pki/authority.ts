/** CAs that are made, replaced, deleted and signed in the wrong way. */
import { empty, secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { Fault } from '../../core/mutation.ts'
import { forgiving, guardFault, onData, pkiFault, spoiled } from './shared.ts'

const dropping = (field: string) => onData((data) => Object.fromEntries(Object.entries(data).filter(([name]) => name !== field)))

const supplied: Fault[] = [
  pkiFault('config-ignored', 'a supplied CA is acknowledged and forgotten', 'PKI-CONFIG-01', {
    routes: { 'pki.writeCa': () => () => empty() },
  }),
  pkiFault('config-first', 'a supplied CA does not replace the one there is', 'PKI-CONFIG-02', {
    routes: { 'pki.writeCa': (original) => (call) => (call.state.authority ? empty() : original(call)) },
  }),
  pkiFault('config-single', 'a bundle with further certificates is refused', 'PKI-CONFIG-03', {
    routes: {
      'pki.writeCa': (original) => (call) => {
        if (String(call.body.pem_bundle).split('BEGIN CERTIFICATE').length > 2) throw new ApiError(400, 'one certificate only')
        return original(call)
      },
    },
  }),
  pkiFault('config-broken-clears', 'a refused bundle removes the CA', 'PKI-CONFIG-05', {
    routes: {
      'pki.writeCa': (original) => (call) => {
        try {
          return original(call)
        } catch (cause) {
          call.state.authority = undefined
          throw cause
        }
      },
    },
  }),
  pkiFault('config-any-key', 'any key goes with any certificate', 'PKI-CONFIG-06', { rules: { keyBelongs: () => () => true } }),
  pkiFault('config-no-key', 'a bundle without a key is acknowledged', 'PKI-CONFIG-07', {
    routes: { 'pki.writeCa': forgiving(empty, ({ body }) => !String(body.pem_bundle).includes('PRIVATE KEY')) },
  }),
  pkiFault('config-leaf', 'a certificate that is no CA is taken', 'PKI-CONFIG-08', { rules: { mustBeAuthority: () => () => true } }),
  pkiFault('config-echo', 'the answer repeats the bundle', 'PKI-CONFIG-10', {
    routes: {
      'pki.writeCa': (original) => async (call) => ({ ...(await original(call)), ...secret({ imported: call.body.pem_bundle ?? '' }) }),
    },
  }),
  pkiFault('signed-ignored', 'a signed intermediate is acknowledged and forgotten', 'PKI-SIGNED-01', {
    routes: { 'pki.setSigned': () => () => empty() },
  }),
  pkiFault('signed-broken', 'a signed certificate that is no PEM is accepted', 'PKI-SIGNED-04', {
    routes: { 'pki.setSigned': forgiving(empty, ({ body }) => typeof body.certificate === 'string') },
  }),
  pkiFault('signed-any-key', 'a certificate for any key is taken', 'PKI-SIGNED-05', { rules: { signedKeyBelongs: () => () => true } }),
]

const roots: Fault[] = [
  pkiFault('root-no-certificate', 'a root is answered without its certificate', 'PKI-ROOT-01', {
    routes: { 'pki.generateRoot': dropping('certificate') },
  }),
  pkiFault('root-no-issuer', 'a root is answered without its issuer', 'PKI-ROOT-02', {
    routes: { 'pki.generateRoot': dropping('issuing_ca') },
  }),
  pkiFault('root-other-serial', 'a root is answered with another serial number', 'PKI-ROOT-03', {
    routes: {
      'pki.generateRoot': onData((data) => ({ ...data, serial_number: String(data.serial_number).split(':').reverse().join(':') })),
    },
  }),
  pkiFault('root-key-withheld', 'an exported root comes without its key', 'PKI-ROOT-04', { rules: { returnsKey: () => () => false } }),
  pkiFault('root-key-leaked', 'an internal root comes with its key', 'PKI-ROOT-05', { rules: { returnsKey: () => () => true } }),
  pkiFault('root-overwritten', 'a second root replaces the first', 'PKI-ROOT-06', {
    rules: { mayGenerate: () => () => true, stillMayGenerate: () => () => true },
  }),
  pkiFault('root-any-type', 'every type but exported is internal', 'PKI-ROOT-07', { rules: { generationTypeKnown: () => () => true } }),
  pkiFault('root-default-ec', 'roots are EC by default', 'PKI-ROOT-08', { rules: { rootKeyType: () => (type) => type || 'ec' } }),
  pkiFault('root-always-rsa', 'roots are always RSA', 'PKI-ROOT-09', {
    rules: { rootKeyType: () => () => 'rsa', rootKeyBits: () => () => 2048 },
  }),
  pkiFault('root-default-bits', 'RSA roots have 3072 bits by default', 'PKI-ROOT-10', {
    rules: { rootKeyBits: (original) => (type, bits) => (type === 'rsa' && !bits ? 3072 : original(type, bits)) },
  }),
  pkiFault('root-bits-ignored', 'EC roots are always P-256', 'PKI-ROOT-11', {
    rules: { rootKeyBits: (original) => (type, bits) => (type === 'ec' ? 256 : original(type, bits)) },
  }),
  pkiFault('root-rsa-bits-ignored', 'RSA roots always have 2048 bits', 'PKI-ROOT-11', {
    rules: { rootKeyBits: (original) => (type, bits) => (type === 'rsa' ? 2048 : original(type, bits)) },
  }),
  pkiFault('root-type-lenient', 'unknown key types give RSA', 'PKI-ROOT-12', {
    rules: { rootKeyType: (original) => (type) => (type === 'ec' ? 'ec' : original('')) },
  }),
  pkiFault('root-bits-lenient', 'invalid sizes give the common curve', 'PKI-ROOT-13', {
    rules: {
      rootKeyBits: (original) => (type, bits) => (type === 'ec' && ![224, 256, 384, 521].includes(bits ?? 0) ? 256 : original(type, bits)),
    },
  }),
  pkiFault('root-limited', 'roots have a path length of one by default', 'PKI-ROOT-14', {
    rules: { rootPathLength: () => (requested) => (requested < 0 ? 1 : requested) },
  }),
  pkiFault('root-zero-lost', 'a path length of zero means no limit', 'PKI-ROOT-15', {
    rules: { rootPathLength: () => (requested) => requested || -1 },
  }),
  pkiFault('root-race', 'the CA is not looked at again once the key is made', 'PKI-ROOT-23', {
    rules: { stillMayGenerate: () => () => true },
  }),
]

const deletion: Fault[] = [
  pkiFault('delete-keeps-key', 'deleting the root keeps its key', 'PKI-DELETE-01', {
    rules: { afterDeletion: () => (authority) => authority },
  }),
  pkiFault('delete-all', 'deleting the root removes its certificate', 'PKI-DELETE-02', {
    routes: {
      'pki.deleteRoot': (original) => (call) => {
        call.state.certificates.clear()
        const reply = original(call)
        call.state.authority = undefined
        return reply
      },
    },
  }),
  guardFault('delete-without-sudo', 'deleting the root needs no sudo', 'PKI-DELETE-03', {
    needsSudo: (original) => (route) => route.id !== 'pki.deleteRoot' && original(route),
  }),
  pkiFault('delete-blocks', 'no root can follow a deleted one', 'PKI-DELETE-04', {
    rules: { mayGenerate: () => (state) => state.authority === undefined },
  }),
]

const intermediates: Fault[] = [
  pkiFault('intermediate-no-certificate', 'an intermediate is answered without its certificate', 'PKI-INTER-01', {
    routes: { 'pki.signIntermediate': dropping('certificate') },
  }),
  pkiFault('intermediate-subject', 'the subject of the request is always used', 'PKI-INTER-05', {
    rules: { intermediateSubject: () => (_subject, request) => request.subject },
  }),
  pkiFault('intermediate-limited', 'intermediates have a path length of zero by default', 'PKI-INTER-06', {
    rules: { pathLength: (original) => (requested, signer) => original(requested < 0 && signer < 0 ? 0 : requested, signer) },
  }),
  pkiFault('intermediate-zero-lost', 'a path length of zero means no limit', 'PKI-INTER-07', {
    rules: { pathLength: (original) => (requested, signer) => original(requested || -1, signer) },
  }),
  pkiFault('intermediate-same-limit', "an intermediate has its signer's path length", 'PKI-INTER-08', {
    rules: { pathLength: (original) => (requested, signer) => (signer > 0 && requested < 0 ? signer : original(requested, signer)) },
  }),
  pkiFault('intermediate-below-zero', 'a CA with path length zero signs CAs', 'PKI-INTER-09', {
    rules: { pathLength: (original) => (requested, signer) => (signer === 0 ? 0 : original(requested, signer)) },
  }),
  pkiFault('intermediate-names-always', 'alternative names of the request are always used', 'PKI-INTER-11', {
    rules: { intermediateNames: (original) => (names, request) => original(names, request, true) },
  }),
  pkiFault('intermediate-names-never', 'alternative names of the request are never used', 'PKI-INTER-12', {
    rules: { intermediateNames: (original) => (names, request) => original(names, request, false) },
  }),
  pkiFault('intermediate-usages', 'key usages of the request are not added', 'PKI-INTER-13', {
    rules: { requestedUsages: () => () => [] },
  }),
  pkiFault('intermediate-extensions', 'extensions of the request are not copied', 'PKI-INTER-14', {
    rules: { requestedExtensions: () => () => [] },
  }),
  pkiFault('intermediate-signature', 'the signature of an intermediate is wrong', 'PKI-INTER-19', {
    routes: { 'pki.signIntermediate': onData((data) => ({ ...data, certificate: spoiled(data.certificate) })) },
  }),
]

const crossSigned: Fault[] = [
  pkiFault('self-issued-no-certificate', 'a cross-signed certificate is not answered', 'PKI-SELF-01', {
    routes: { 'pki.signSelfIssued': dropping('certificate') },
  }),
  pkiFault('self-issued-no-issuer', 'the issuer of a cross-signed certificate is not answered', 'PKI-SELF-02', {
    routes: { 'pki.signSelfIssued': dropping('issuing_ca') },
  }),
  pkiFault('self-issued-new-serial', 'a cross-signed certificate gets a new serial number', 'PKI-SELF-03', {
    rules: { asGiven: () => (content) => ({ ...content, serial: Buffer.from('4a5b6c7d8e9f', 'hex') }) },
  }),
  pkiFault('self-issued-own-issuer', 'a cross-signed certificate is answered as it came', 'PKI-SELF-04', {
    routes: {
      'pki.signSelfIssued': (original) => (call) =>
        onData((data) => ({ ...data, certificate: call.body.certificate ?? '' }))(original)(call),
    },
  }),
  guardFault('self-issued-without-sudo', 'signing self-issued certificates needs no sudo', 'PKI-SELF-05', {
    needsSudo: (original) => (route) => route.id !== 'pki.signSelfIssued' && original(route),
  }),
  pkiFault('self-issued-any', 'any certificate counts as self-issued', 'PKI-SELF-08', { rules: { isSelfIssued: () => () => true } }),
  pkiFault('verbatim-ca', 'signing verbatim makes a CA of who asks for one', 'PKI-VERBATIM-02', {
    rules: { verbatimRefuses: () => () => false },
  }),
  pkiFault('verbatim-loses-names', 'signing verbatim drops alternative names', 'PKI-VERBATIM-01', {
    rules: { verbatimExtensions: () => () => [] },
  }),
]

export const authorityFaults: Fault[] = [...supplied, ...roots, ...deletion, ...intermediates, ...crossSigned]
