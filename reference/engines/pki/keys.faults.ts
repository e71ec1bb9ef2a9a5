/** Faults of keys: types that one way of making certificates takes and another does not. */
import { ApiError, invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import { requestOf } from './requests.ts'
import type { Handle } from './wrappers.ts'

const { route } = faultsOf(pkiEngine)

const isRsa = (key: { asymmetricKeyType?: string } | undefined): boolean => key?.asymmetricKeyType === 'rsa'

const underRsaFails =
  (original: Handle): Handle =>
  (call) => {
    if (isRsa(call.state.authority?.key)) throw new ApiError(500, 'internal error')
    return original(call)
  }

route('rsa-authority-issues-nothing', 'PKI-ISSUE-07', 'under a CA with an RSA key issuing fails', 'pki.issue', underRsaFails)
route('rsa-authority-signs-nothing', 'PKI-SIGN-12', 'under a CA with an RSA key signing fails', 'pki.sign', underRsaFails)
route('rsa-authority-has-nothing-below', 'PKI-INTER-19', 'a CA with an RSA key signs no CA', 'pki.signIntermediate', underRsaFails)
route(
  'rsa-request-has-no-ca',
  'PKI-INTER-01',
  'a certificate request with an RSA key makes no CA',
  'pki.signIntermediate',
  (original) => (call) => {
    if (isRsa(requestOf(call).publicKey)) throw invalid('the key of the certificate request must be EC')
    return original(call)
  },
)
