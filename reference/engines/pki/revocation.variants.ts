/** Legal alternatives of serial numbers and revocation. */
import { secret } from '../../core/envelope.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { variantsOf } from '../../faults/declare.ts'
import { insteadOfRefusal, refusal } from '../../faults/wrappers.ts'
import { pkiEngine } from './engine.ts'

const { route, change, declared } = variantsOf(pkiEngine)

change('hyphens', 'the forms of the serial are not shown: at least one works', 'serial numbers are listed and read with hyphens', {
  rules: { listedSerials: (original) => (state) => original(state).map((serial) => serial.replaceAll(':', '-')) },
  routes: {
    'pki.readCertificate': (original) => (call) => {
      if (call.params.serial?.includes(':')) throw notFound()
      return original(call)
    },
  },
})
change('colons', 'the forms of the serial are not shown: at least one works', 'serial numbers are read with colons only', {
  // The rule that hyphens change: together the two would leave no form, which is not legal.
  rules: { listedSerials: (original) => original },
  routes: {
    'pki.readCertificate': (original) => (call) => {
      if (call.params.serial?.includes('-')) throw notFound()
      return original(call)
    },
  },
})
route(
  'revoke-unknown-404',
  'refused with 4xx; the status is open',
  'revoking an unknown serial number gives 404',
  'pki.revoke',
  refusal((cause) => (cause.message.startsWith('no certificate has') ? notFound(cause.message) : cause)),
)
route('revoke-once', 'the answer to a second revocation: open', 'a second revocation is refused', 'pki.revoke', (original) => (call) => {
  if (call.state.revoked.includes(call.rules.serialKey(String(call.body.serial_number)))) throw invalid('already revoked')
  return original(call)
})
route('no-crl', 'where crl or crl/pem answers', 'no CRL is served', ['pki.readCrl', 'pki.readCrlPem'], () => () => {
  throw notFound()
})
route(
  'revoke-unknown',
  'advised',
  'an unknown serial number is revoked',
  'pki.revoke',
  insteadOfRefusal(
    () => secret({ revocation_time: 1 }),
    ({ body }) => typeof body.serial_number === 'string' && body.serial_number !== '',
  ),
)
route(
  'expired-unread',
  '`expired-read`: open',
  'a certificate cannot be read once it has expired',
  'pki.readCertificate',
  (original) => (call) => {
    const found = call.state.certificates.get(call.rules.serialKey(call.params.serial ?? ''))
    if (found !== undefined && found.notAfter <= call.now()) throw notFound()
    return original(call)
  },
)

export const variants = declared
