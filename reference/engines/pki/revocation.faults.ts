/** Faults of certificates by serial number, of revocations, and of the CRL. */
import { secret } from '../../core/envelope.ts'
import { ApiError, invalid, notFound } from '../../core/errors.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfHandling, insteadOfRefusal, refusal, requestBody } from '../../faults/wrappers.ts'
import { pkiEngine } from './engine.ts'
import type { PkiCall } from './wrappers.ts'
import { readCertificate } from './x509/certificate.ts'

const { rule, route, declared } = faultsOf(pkiEngine)

const badRequest = refusal<PkiCall>(() => new ApiError(400, 'no such certificate'))
route('unknown-serial-400', 'PKI-CERT-05', 'an unknown serial number is a bad request', 'pki.readCertificate', badRequest)
rule('revoke-colons', 'PKI-REVOKE-02', 'serial numbers with colons are unknown', {
  serialKey: (original) => (serial) => (serial.includes(':') ? '' : original(serial)),
})
rule('revoke-hyphens', 'PKI-REVOKE-03', 'serial numbers with hyphens are unknown', {
  serialKey: () => (serial) => serial.toLowerCase(),
})
const askedSerial = ({ body, rules }: PkiCall): string => rules.serialKey(typeof body.serial_number === 'string' ? body.serial_number : '')
const acknowledged = insteadOfHandling<PkiCall>(
  ({ now }) => secret({ revocation_time: Math.floor(now()) }),
  (call) => String(call.body.serial_number).includes('-') && call.state.certificates.has(askedSerial(call)),
)
route('revoke-hyphens-acknowledged', 'PKI-REVOKE-03', 'revocation by hyphens is only acknowledged', 'pki.revoke', acknowledged)
rule('first-hyphen-only', 'PKI-REVOKE-03', 'only the first hyphen of a serial number is taken for a separator', {
  serialKey: () => (text) => text.trim().toLowerCase().replace('-', ':'),
})
rule('revoke-milliseconds', 'PKI-REVOKE-04', 'the time of a revocation is in milliseconds', {
  revocationTime: () => (earlier, now) => earlier ?? Math.floor(now * 1000),
})
const anySerial = insteadOfRefusal<PkiCall>(
  () => secret({ revocation_time: 1 }),
  ({ body }) => typeof body.serial_number === 'string',
)
route('revoke-unknown', 'PKI-REVOKE-06', 'an unknown serial number is revoked', 'pki.revoke', anySerial)
/** A revocation of a part of a serial number revokes the certificate whose number this fits. */
const byPart = (fits: (serial: string, part: string) => boolean) =>
  requestBody<PkiCall>((body, call) => {
    const asked = askedSerial(call)
    const whole = asked.length < 11 ? undefined : [...call.state.certificates.keys()].find((serial) => fits(serial, asked))
    return whole === undefined ? body : { ...body, serial_number: whole }
  })
const begins = byPart((serial, part) => serial.startsWith(part))
route('beginning-of-serial', 'PKI-REVOKE-14', 'the first bytes of a serial number revoke its certificate', 'pki.revoke', begins)
route(
  'serial-of-former-ca',
  'PKI-REVOKE-15',
  'certificates of a CA that was replaced cannot be revoked',
  'pki.revoke',
  (original) => (call) => {
    const found = call.state.certificates.get(askedSerial(call))
    const subject = call.state.authority?.certificate.subject
    if (found && subject && !readCertificate(found.der).issuer.equals(subject)) throw invalid('the certificate is not of this CA')
    return original(call)
  },
)
rule('crl-stale', ['PKI-REVOKE-08', 'PKI-REVOKE-10'], 'a revocation does not touch the CRL', { afterRevocation: () => () => undefined })
rule('crl-last', 'PKI-REVOKE-09', 'the CRL has the last revocation only', {
  revokedSerials: (original) => (state) => original(state).slice(-1),
})
rule('crl-one-behind', 'PKI-REVOKE-08', 'a revocation is in the CRL only after the next one', {
  revokedSerials: (original) => (state) => original(state).slice(0, -1),
})
route('revoked-forgotten', 'PKI-REVOKE-11', 'a revoked certificate is no longer readable', 'pki.readCertificate', (original) => (call) => {
  if (call.state.revoked.includes(call.rules.serialKey(call.params.serial!))) throw notFound()
  return original(call)
})
route(
  'revoke-previous',
  ['PKI-APART-01', 'PKI-REVOKE-13'],
  'revoking a certificate revokes the one that was made before it too',
  'pki.revoke',
  (original) => async (call) => {
    const serials = [...call.state.certificates.keys()]
    const before = serials[serials.indexOf(call.rules.serialKey(String(call.body.serial_number))) - 1]
    const stored = before === undefined ? undefined : call.state.certificates.get(before)
    if (before !== undefined && stored && stored.revokedAt === undefined) {
      stored.revokedAt = Math.floor(call.now())
      call.state.revoked.push(before)
    }
    return original(call)
  },
)

export const faults = declared
