/** Faults of the routes that show the CA, its chain and certificates. */
import { coreEngine } from '../../core/core-engine.ts'
import { secret, text } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { writePem } from './x509/pem.ts'

const pki = faultsOf(pkiEngine)

const core = faultsOf(coreEngine, 'pki')

const tokenFor = (operation: string, name: string, clause: string): void =>
  core.rule(`${name}-needs-token`, clause, 'a public route asks for a token', {
    needsToken: (original) => (route) => route?.id === operation || original(route),
  })

pki.route(
  'ca-der-is-pem',
  'PKI-CA-01',
  'the DER route answers PEM',
  'pki.readCa',
  () =>
    ({ state }) =>
      text('application/pkix-cert', writePem('CERTIFICATE', state.authority?.certificate.der ?? Buffer.alloc(0))),
)
pki.route(
  'ca-pem-enveloped',
  'PKI-CA-02',
  'the PEM route answers an envelope',
  'pki.readCaPem',
  () =>
    ({ state }) =>
      secret({ certificate: writePem('CERTIFICATE', state.authority?.certificate.der ?? Buffer.alloc(0)) }),
)
tokenFor('pki.readCa', 'ca', 'PKI-CA-03')
tokenFor('pki.readCaPem', 'ca-pem', 'PKI-CA-04')
tokenFor('pki.readCaChain', 'ca-chain', 'PKI-CHAIN-02')
tokenFor('pki.readCertificate', 'certificate', 'PKI-CERT-02')
pki.route(
  'ca-der-stale',
  'PKI-CA-05',
  'the DER route shows the last certificate issued',
  'pki.readCa',
  () =>
    ({ state }) =>
      text('application/pkix-cert', [...state.certificates.values()].at(-1)?.der ?? Buffer.alloc(0)),
)
pki.route(
  'chain-without-ca',
  'PKI-CHAIN-01',
  'the chain lacks the CA itself',
  'pki.readCaChain',
  () =>
    ({ state }) =>
      text('text/plain', (state.authority?.above ?? []).map((der) => writePem('CERTIFICATE', der)).join('\n')),
)
pki.rule('chain-forgotten', ['PKI-CHAIN-03', 'PKI-SIGNED-02'], 'appended CA certificates are dropped', { keepsAbove: () => () => [] })
pki.route(
  'chain-alone',
  'PKI-CHAIN-03',
  'the chain is the CA alone',
  'pki.readCaChain',
  () =>
    ({ state }) =>
      text('text/plain', writePem('CERTIFICATE', state.authority?.certificate.der ?? Buffer.alloc(0))),
)
pki.route(
  'certificate-renamed',
  'PKI-CERT-01',
  'a certificate is answered under another name',
  'pki.readCertificate',
  replyData(({ certificate }) => ({ pem: certificate ?? '' })),
)
pki.route(
  'certificate-of-another',
  'PKI-CERT-03',
  'a serial number reads the CA certificate',
  'pki.readCertificate',
  replyData((data, { state }) => ({
    ...data,
    certificate: writePem('CERTIFICATE', state.authority?.certificate.der ?? Buffer.alloc(0)),
  })),
)
pki.route('unknown-serial-400', 'PKI-CERT-05', 'an unknown serial number is a bad request', 'pki.readCertificate', (original) => (call) => {
  try {
    return original(call)
  } catch {
    throw new ApiError(400, 'no such certificate')
  }
})
pki.route(
  'list-object',
  'PKI-LIST-01',
  'serial numbers are listed as members of an object',
  'pki.listCertificates',
  replyData(({ keys }) => ({ keys: Object.fromEntries((keys as string[]).map((key) => [key, {}])) })),
)
pki.rule('list-late', ['PKI-LIST-02', 'PKI-LIST-03'], 'the newest certificates are not listed', {
  listedSerials: (original) => (state) => original(state).slice(0, 1),
})
