/** Faults in which a request reaches further than what it names, or goes by something else. */
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { pkiEngine } from './engine.ts'
import type { Authority, PkiState } from './state.ts'
import { type Handle, onState } from './wrappers.ts'

const { route, change, declared } = faultsOf(pkiEngine)
const states = new Set<PkiState>()
change('certificate-of-any-mount', ['PKI-APART-01', 'PKI-CERT-05'], 'a certificate of one mount is read at another', {
  routes: {
    'pki.issue': (original: Handle) => (call) => {
      states.add(call.state)
      return original(call)
    },
    'pki.readCertificate': (original: Handle) => (call) => {
      const serial = call.rules.serialKey(call.params.serial ?? '')
      const holder = [...states].find(({ certificates }) => certificates.has(serial))
      return original(holder && !call.state.certificates.has(serial) ? { ...call, state: holder } : call)
    },
  },
})
const bySubject = () => {
  const signers = remembered(() => new Map<string, Authority>())
  return (original: Handle): Handle =>
    (call) => {
      const { authority } = call.state
      if (authority?.key === undefined) return original(call)
      const id = authority.certificate.subject.toString('hex')
      const known = signers(call.services).get(id) ?? authority
      signers(call.services).set(id, known)
      return original(onState(call, { authority: known }))
    }
}
route('sign-by-subject', ['PKI-SIGN-02', 'PKI-SIGN-12'], 'sign keeps CAs by their subject', 'pki.sign', bySubject())
route(
  'self-issued-by-subject',
  ['PKI-SELF-01', 'PKI-SELF-02'],
  'sign-self-issued keeps CAs by their subject',
  'pki.signSelfIssued',
  bySubject(),
)

export const faults = declared
