/** Faults of a mount's CA: supplied, signed above, shown, and deleted. */
import { empty, secret, text } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfRefusal, replyData, requestBody } from '../../faults/wrappers.ts'
import { pkiEngine } from './engine.ts'
import type { PkiState } from './state.ts'
import { type Handle, type PkiCall, withRules } from './wrappers.ts'
import { exportKey, readPrivateKey } from './x509/key-forms.ts'
import { readPem, writePem } from './x509/pem.ts'

const { rule, route, change, declared } = faultsOf(pkiEngine)

route('config-ignored', 'PKI-CONFIG-01', 'a supplied CA is acknowledged and forgotten', 'pki.writeCa', () => () => empty())
route(
  'config-first',
  'PKI-CONFIG-02',
  'a supplied CA does not replace the one there is',
  'pki.writeCa',
  (original) => (call) => (call.state.authority ? empty() : original(call)),
)
route('config-not-replaced', 'PKI-CONFIG-02', 'while there is a CA a supplied one is refused', 'pki.writeCa', (original) => (call) => {
  if (call.state.authority) throw new ApiError(400, 'there is a CA already')
  return original(call)
})
route('config-single', 'PKI-CONFIG-03', 'a bundle with further certificates is refused', 'pki.writeCa', (original) => (call) => {
  if (String(call.body.pem_bundle).split('BEGIN CERTIFICATE').length > 2) throw new ApiError(400, 'one certificate only')
  return original(call)
})
rule('config-any-key', 'PKI-CONFIG-06', 'any key goes with any certificate', { keyBelongs: () => () => true })
route(
  'config-no-key',
  'PKI-CONFIG-07',
  'a bundle without a key is acknowledged',
  'pki.writeCa',
  insteadOfRefusal(empty, ({ body }) => !String(body.pem_bundle).includes('PRIVATE KEY')),
)
route('config-key-alone', 'PKI-CONFIG-07', 'a bundle of a key alone replaces the key of the CA', 'pki.writeCa', (original) => (call) => {
  const [key, ...more] = readPem(String(call.body.pem_bundle ?? ''))
  if (call.state.authority === undefined || !key?.label.endsWith('PRIVATE KEY') || more.length > 0) return original(call)
  call.state.authority.key = readPrivateKey(key.label, key.bytes)
  return empty()
})
rule('config-leaf', 'PKI-CONFIG-08', 'a certificate of an end entity is taken', { mustBeAuthority: () => () => true })
route('config-echo', 'PKI-CONFIG-10', 'the answer repeats the bundle', 'pki.writeCa', (original) => async (call) => ({
  ...(await original(call)),
  ...secret({ imported: call.body.pem_bundle ?? '' }),
}))
route('signed-ignored', 'PKI-SIGNED-01', 'a signed intermediate is acknowledged and forgotten', 'pki.setSigned', () => () => empty())
route(
  'signed-broken',
  'PKI-SIGNED-04',
  'a signed certificate that is not PEM is accepted',
  'pki.setSigned',
  insteadOfRefusal(empty, ({ body }) => typeof body.certificate === 'string'),
)
rule('signed-any-key', 'PKI-SIGNED-05', 'a certificate for any key is taken', { signedKeyBelongs: () => () => true })
rule('chain-forgotten', ['PKI-CHAIN-03', 'PKI-SIGNED-02'], 'appended CA certificates are dropped', { keepsAbove: () => () => [] })
rule('one-above', 'PKI-CHAIN-03', 'of several CA certificates that come along only the first is kept', {
  keepsAbove: (original) => (certificates) => original(certificates).slice(0, 1),
})
/** Shows something else of the CA. */
const shows = (operation: string, id: string, clause: string, title: string, of: (state: PkiState) => Reply): void =>
  route(id, clause, title, operation, () => (call) => of(call.state))
const der = ({ authority }: PkiState): Buffer => authority?.certificate.der ?? Buffer.alloc(0)
const pem = (state: PkiState): string => writePem('CERTIFICATE', der(state))
const above = ({ authority }: PkiState): string => (authority?.above ?? []).map((one) => writePem('CERTIFICATE', one)).join('\n')
shows('pki.readCa', 'ca-der-is-pem', 'PKI-CA-01', 'the DER route answers PEM', (state) => text('application/pkix-cert', pem(state)))
shows('pki.readCaPem', 'ca-pem-enveloped', 'PKI-CA-02', 'the PEM route answers an envelope', (state) => secret({ certificate: pem(state) }))
shows('pki.readCa', 'ca-der-stale', 'PKI-CA-05', 'the DER route shows the last certificate issued', ({ certificates }) =>
  text('application/pkix-cert', [...certificates.values()].at(-1)?.der ?? Buffer.alloc(0)),
)
shows('pki.readCaChain', 'chain-without-ca', 'PKI-CHAIN-01', 'the chain lacks the CA itself', (state) => text('text/plain', above(state)))
shows('pki.readCaChain', 'chain-alone', 'PKI-CHAIN-03', 'the chain is the CA alone', (state) => text('text/plain', pem(state)))
/** Answers what was answered first, while there was a CA. */
const stale = (original: Handle): Handle => {
  const first = new WeakMap<PkiState, Reply>()
  return async (call) => {
    const given = first.get(call.state) ?? (await original(call))
    if (call.state.authority) first.set(call.state, given)
    return given
  }
}
route('chain-cached', 'PKI-CHAIN-01', 'ca_chain shows the chain that it showed first', 'pki.readCaChain', stale)
route('ca-der-cached', ['PKI-CA-05', 'PKI-CONFIG-02'], 'the DER route shows the CA that it showed first', 'pki.readCa', stale)
route('ca-pem-cached', ['PKI-CA-05', 'PKI-CONFIG-02'], 'the PEM route shows the CA that it showed first', 'pki.readCaPem', stale)
rule('delete-keeps-key', 'PKI-DELETE-01', 'deleting the root keeps its key', { afterDeletion: () => (authority) => authority })
route('delete-all', 'PKI-DELETE-02', 'deleting the root removes its certificate', 'pki.deleteRoot', (original) => (call) => {
  call.state.certificates.clear()
  const reply = original(call)
  call.state.authority = undefined
  return reply
})
rule('delete-blocks', 'PKI-DELETE-04', 'no root can follow a deleted one', {
  mayGenerate: () => (state) => state.authority === undefined,
})
const from = new WeakMap<PkiState, string>()
const coming =
  (how: string) =>
  (original: Handle): Handle =>
  async (call) => {
    const reply = await original(call)
    from.set(call.state, how)
    return reply
  }
change('supplied-key-stays', 'PKI-DELETE-01', 'the key of a supplied CA is not deleted', {
  routes: {
    'pki.writeCa': coming('supplied'),
    'pki.generateRoot': coming('generated'),
    'pki.deleteRoot': withRules((rules, call) => ({
      afterDeletion: (authority) => (from.get(call.state) === 'supplied' ? authority : rules.afterDeletion(authority)),
    })),
  },
})
change('no-root-after-supplied', 'PKI-DELETE-04', 'no root is generated once a supplied CA was deleted', {
  routes: {
    'pki.writeCa': coming('supplied'),
    'pki.generateRoot': withRules((rules) => ({ mayGenerate: (state) => from.get(state) !== 'supplied' && rules.mayGenerate(state) })),
  },
})
rule('root-key-leaked', 'PKI-ROOT-05', 'an internal root comes with its key', { returnsKey: () => () => true })
route(
  'internal-key-in-bundle',
  'PKI-ROOT-05',
  'a bundle holds the key of an internal root',
  'pki.generateRoot',
  replyData((data, call: PkiCall) => {
    const key = call.state.authority?.key
    if (call.params.type !== 'internal' || textOf(call.body, 'format') !== 'pem_bundle' || key === undefined) return data
    const { label, bytes } = exportKey(key, call.rules.keyForm(textOf(call.body, 'private_key_format')))
    return { ...data, certificate: `${writePem(label, bytes)}\n${String(data.certificate)}` }
  }),
)
rule('root-overwritten', 'PKI-ROOT-06', 'a second root replaces the first', {
  mayGenerate: () => () => true,
  stillMayGenerate: () => () => true,
})
rule('root-race', 'PKI-ROOT-23', 'the CA is not looked at again once the key is made', { stillMayGenerate: () => () => true })
rule('root-any-type', 'PKI-ROOT-07', 'every type but exported is internal', { generationTypeKnown: () => () => true })
rule('root-type-lenient', 'PKI-ROOT-12', 'unknown key types give RSA', {
  rootKeyType: (original) => (type) => (type === 'ec' ? 'ec' : original('')),
})
rule('root-bits-lenient', 'PKI-ROOT-13', 'invalid sizes give the common curve', {
  rootKeyBits: (original) => (type, bits) => (type === 'ec' && ![224, 256, 384, 521].includes(bits ?? 0) ? 256 : original(type, bits)),
})
rule('root-rsa-bits-ignored', 'PKI-ROOT-11', 'RSA roots always have 2048 bits', {
  rootKeyBits: (original) => (type, bits) => (type === 'rsa' ? 2048 : original(type, bits)),
})
rule('root-p521', 'PKI-ROOT-11', 'keys on the largest curve are refused', {
  keyBitsValid: (original) => (type, bits) => bits !== 521 && original(type, bits),
  rootKeyBits: (original) => (type, requested) => (type === 'ec' && requested === 521 ? 520 : original(type, requested)),
})
route(
  'permitted-domains-array',
  ['PKI-ROOT-16', 'PKI-INTER-10'],
  'an array of permitted domains is refused',
  ['pki.generateRoot', 'pki.signIntermediate'],
  requestBody((body) => {
    if (Array.isArray(body.permitted_dns_domains)) throw new ApiError(400, 'permitted_dns_domains must be a string')
    return body
  }),
)
route(
  'root-serial-fixed',
  'PKI-SUBJECT-10',
  'every root has the same serial number',
  'pki.generateRoot',
  withRules(() => ({ serialNumber: () => Buffer.from('4711471147114711471147', 'hex') })),
)

export const faults = declared
