/** Faults of revocation and of the list of what was revoked. */
import { secret } from '../../core/envelope.ts'
import { notFound } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, replyData } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'

const { rule, route } = faultsOf(pkiEngine)

route(
  'revoke-time-text',
  'PKI-REVOKE-01',
  'the time of a revocation is text',
  'pki.revoke',
  replyData((data) => ({ revocation_time: String(data.revocation_time) })),
)
rule('revoke-colons', 'PKI-REVOKE-02', 'serial numbers with colons are unknown', {
  serialKey: (original) => (serial) => (serial.includes(':') ? '' : original(serial)),
})
rule('revoke-hyphens', 'PKI-REVOKE-03', 'serial numbers with hyphens are unknown', {
  serialKey: () => (serial) => serial.toLowerCase(),
})
route(
  'revoke-hyphens-acknowledged',
  'PKI-REVOKE-03',
  'revocation by hyphens is acknowledged and revokes nothing',
  'pki.revoke',
  (original) => (call) => {
    const given = call.body.serial_number
    if (typeof given !== 'string' || !given.includes('-') || !call.state.certificates.has(call.rules.serialKey(given)))
      return original(call)
    return secret({ revocation_time: Math.floor(call.now()) })
  },
)
rule('revoke-milliseconds', 'PKI-REVOKE-04', 'the time of a revocation is in milliseconds', {
  revocationTime: () => (earlier, now) => earlier ?? Math.floor(now * 1000),
})
route(
  'revoke-unknown',
  'PKI-REVOKE-06',
  'an unknown serial number is revoked',
  'pki.revoke',
  insteadOfRefusal(
    () => secret({ revocation_time: 1 }),
    ({ body }) => typeof body.serial_number === 'string',
  ),
)
rule('crl-stale', ['PKI-REVOKE-08', 'PKI-REVOKE-10'], 'a revocation does not touch the CRL', { afterRevocation: () => () => undefined })
rule('crl-last', 'PKI-REVOKE-09', 'the CRL has the last revocation only', {
  revokedSerials: (original) => (state) => original(state).slice(-1),
})
route('revoked-forgotten', 'PKI-REVOKE-11', 'a revoked certificate is no longer readable', 'pki.readCertificate', (original) => (call) => {
  if (call.state.revoked.includes(call.rules.serialKey(call.params.serial!))) throw notFound()
  return original(call)
})
