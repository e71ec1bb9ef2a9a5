/** Certificates by serial number, their revocation, and the CRL. */

import type { Route } from '../../core/engine.ts'
import { empty, secret, text } from '../../core/envelope.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { certificatePem } from './answers.ts'
import type { PkiCall } from './requests.ts'
import { secondsOf } from './role.ts'
import type { PkiRules } from './rules.ts'
import type { PkiState } from './state.ts'
import { serialText } from './x509/certificate.ts'
import { CRL_LABEL, makeCrl } from './x509/crl.ts'
import { keyIdentifier } from './x509/key-forms.ts'
import { writePem } from './x509/pem.ts'

/** Publishes a new CRL; without a CA key the last one stays. */
export const publishCrl = (call: Pick<PkiCall, 'state' | 'rules' | 'now'>): void => {
  const { state, rules } = call
  if (state.authority?.key === undefined) return
  const { certificate, key } = state.authority
  const issuedAt = Math.floor(call.now())
  const entries = rules.revokedSerials(state).flatMap((serial) => {
    const found = state.certificates.get(serial)
    return found?.revokedAt === undefined ? [] : [{ serial: found.serial, at: found.revokedAt }]
  })
  state.crlNumber += 1
  state.crl = makeCrl(
    { subject: certificate.subject, key, keyId: keyIdentifier(certificate.publicKeyInfo) },
    { number: state.crlNumber, issuedAt, nextUpdate: issuedAt + secondsOf(state.crlConfig, 'expiry', 259_200), entries },
  )
}

/** Revokes a stored certificate; answers the time in seconds since the epoch, undefined for an unknown serial number. */
export const revoke = (call: Pick<PkiCall, 'state' | 'rules' | 'now'>, serial: string): number | undefined => {
  const found = call.state.certificates.get(serial)
  if (found === undefined) return undefined
  const first = found.revokedAt === undefined
  found.revokedAt = call.rules.revocationTime(found.revokedAt, call.now())
  if (first) call.state.revoked.push(serial)
  call.rules.afterRevocation(() => publishCrl(call))
  return found.revokedAt
}

const revokeRoute = (call: PkiCall): Reply => {
  const given = textOf(call.body, 'serial_number')
  if (given === '') throw invalid('serial_number is required')
  const serial = call.rules.serialKey(given)
  const { authority } = call.state
  if (authority !== undefined && serial === serialText(authority.certificate.serial)) throw invalid('the CA cannot revoke itself')
  const time = revoke(call, serial)
  if (time === undefined) throw invalid('no certificate has this serial number')
  return secret({ revocation_time: time })
}

const read = (call: PkiCall): Reply => {
  const name = call.params.serial!
  const { authority, crl, certificates } = call.state
  if (name === 'ca' && authority !== undefined) return secret({ certificate: certificatePem(authority.certificate.der) })
  if (name === 'ca_chain' && authority !== undefined)
    return secret({ certificate: call.rules.chain(authority).map(certificatePem).join('\n') })
  if (name === 'crl' && crl !== undefined) return secret({ certificate: writePem(CRL_LABEL, crl) })
  const found = certificates.get(call.rules.serialKey(name))
  if (found === undefined) throw notFound()
  return secret({ certificate: certificatePem(found.der), revocation_time: found.revokedAt ?? 0 })
}

const writeCrlConfig = (call: PkiCall): Reply => {
  secondsOf(call.body, 'expiry', 259_200)
  const known = Object.entries(call.body).filter(([field]) => field === 'expiry' || field === 'disable')
  Object.assign(call.state.crlConfig, Object.fromEntries(known))
  return empty()
}

const tidy = (call: PkiCall): Reply => {
  const now = call.now()
  for (const [serial, found] of call.state.certificates) if (found.notAfter < now) call.state.certificates.delete(serial)
  call.state.revoked = call.state.revoked.filter((serial) => call.state.certificates.has(serial))
  return secret(null, undefined, { status: 202, warnings: ['expired certificates were removed'] })
}

const crlReply = (call: PkiCall, write: (crl: Buffer) => Reply): Reply => (call.state.crl === undefined ? empty() : write(call.state.crl))

export const revocationRoutes: Route<PkiState, PkiRules>[] = [
  { id: 'pki.readCertificate', method: 'GET', path: 'cert/:serial', unauthenticated: true, handle: read },
  {
    id: 'pki.listCertificates',
    method: 'LIST',
    path: 'certs',
    handle: (call) => call.services.listing(call.rules.listedSerials(call.state)),
  },
  { id: 'pki.revoke', method: 'POST', path: 'revoke', handle: revokeRoute },
  {
    id: 'pki.readCrl',
    method: 'GET',
    path: 'crl',
    unauthenticated: true,
    handle: (call) => crlReply(call, (crl) => text('application/pkix-crl', crl)),
  },
  {
    id: 'pki.readCrlPem',
    method: 'GET',
    path: 'crl/pem',
    unauthenticated: true,
    handle: (call) => crlReply(call, (crl) => text('application/x-pem-file', writePem(CRL_LABEL, crl))),
  },
  { id: 'pki.readCrlConfig', method: 'GET', path: 'config/crl', handle: (call) => secret(call.state.crlConfig as JsonObject) },
  { id: 'pki.writeCrlConfig', method: 'POST', path: 'config/crl', handle: writeCrlConfig },
  {
    id: 'pki.rotateCrl',
    method: 'GET',
    path: 'crl/rotate',
    handle(call) {
      publishCrl(call)
      return secret({ success: true })
    },
  },
  { id: 'pki.tidy', method: 'POST', path: 'tidy', handle: tidy },
]
