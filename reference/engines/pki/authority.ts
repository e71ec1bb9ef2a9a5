/** Routes of the mount's CA: reading it, supplying it, and the key of an intermediate. */
import type { KeyObject } from 'node:crypto'
import type { Route } from '../../core/engine.ts'
import { empty, secret, text } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { Json } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { certificatePem } from './answers.ts'
import { type PkiCall, reading, requestedNames, requestedSubject } from './requests.ts'
import { publishCrl } from './revocation.ts'
import { listOf } from './role.ts'
import { keyWanted } from './root.ts'
import type { PkiRules } from './rules.ts'
import type { PkiState } from './state.ts'
import { type Certificate, serialText } from './x509/certificate.ts'
import { alternativeNames } from './x509/extensions.ts'
import { exportKey, generateKey, readPrivateKey } from './x509/key-forms.ts'
import { isEmpty, writeSubject } from './x509/names.ts'
import { type PemBlock, readPem, writePem } from './x509/pem.ts'
import { makeRequest } from './x509/request.ts'

/** Certificates among PEM blocks, read. Throws 400 where one is malformed. */
const certificatesIn = (call: PkiCall, blocks: PemBlock[]): Certificate[] =>
  reading('certificate', () => blocks.filter(({ label }) => label === 'CERTIFICATE').map(({ bytes }) => call.rules.readAuthority(bytes)))

const install = (call: PkiCall, certificate: Certificate, key: KeyObject, above: Certificate[]): void => {
  const { state, rules } = call
  state.authority = { certificate, key, above: rules.keepsAbove(above.map(({ der }) => der)) }
  state.certificates.set(serialText(certificate.serial), {
    serial: certificate.serial,
    der: certificate.der,
    notAfter: certificate.notAfter,
  })
  publishCrl(call)
}

const writeCa = (call: PkiCall): Reply => {
  const bundle = textOf(call.body, 'pem_bundle')
  if (bundle === '') throw invalid('pem_bundle is required')
  const blocks = readPem(bundle)
  const keys = blocks.filter(({ label }) => label.endsWith('PRIVATE KEY'))
  const [certificate, ...above] = certificatesIn(call, blocks)
  if (certificate === undefined || keys.length !== 1) throw invalid('pem_bundle must hold one private key and its certificate')
  const key = reading('private key', () => readPrivateKey(keys[0]!.label, keys[0]!.bytes))
  if (!call.rules.keyBelongs(key, certificate)) throw invalid('the private key does not belong to the certificate')
  if (!call.rules.mustBeAuthority(certificate)) throw invalid('the certificate is not that of a CA')
  install(call, certificate, key, above)
  return empty()
}

const setSigned = (call: PkiCall): Reply => {
  const pem = textOf(call.body, 'certificate')
  if (pem === '') throw invalid('certificate is required')
  const [certificate, ...above] = certificatesIn(call, readPem(pem))
  if (certificate === undefined) throw invalid('no certificate in the text')
  const key = [call.state.pendingKey, call.state.authority?.key].find(
    (held) => held !== undefined && call.rules.signedKeyBelongs(held, certificate),
  )
  if (key === undefined) throw invalid('the certificate is for a key that this mount does not hold')
  if (!call.rules.mustBeAuthority(certificate)) throw invalid('the certificate is not that of a CA')
  install(call, certificate, key, above)
  call.state.pendingKey = undefined
  return empty()
}

const generateIntermediate = async (call: PkiCall): Promise<Reply> => {
  const { rules, body } = call
  const type = call.params.type!
  if (!rules.generationTypeKnown(type)) throw invalid('the type must be exported or internal')
  const subject = requestedSubject(rules, body)
  if (!subject.common_name) throw invalid('common_name is required')
  const wanted = keyWanted(call)
  const names = requestedNames(rules, body)
  const key = await generateKey(wanted.type, wanted.bits)
  call.state.pendingKey = key
  const csr = writePem('CERTIFICATE REQUEST', makeRequest(key, writeSubject(subject), isEmpty(names) ? [] : [alternativeNames(names)]))
  if (!rules.returnsKey(type)) return secret({ csr })
  const { label, bytes } = exportKey(key, rules.keyForm(textOf(body, 'private_key_format')))
  return secret({ csr, private_key: writePem(label, bytes), private_key_type: key.asymmetricKeyType ?? '' })
}

const shown = (call: PkiCall, write: (authority: NonNullable<PkiState['authority']>) => Reply): Reply =>
  call.state.authority === undefined ? empty() : write(call.state.authority)

const writeUrls = (call: PkiCall): Reply => {
  for (const field of ['issuing_certificates', 'crl_distribution_points', 'ocsp_servers'] as const) {
    if (call.body[field] === undefined) continue
    const urls = listOf(call.body, field)
    if (urls.some((url) => !call.rules.isUri(url))) throw invalid(`${field} holds a value that is not a URL`)
    call.state.urls[field] = urls
  }
  return empty()
}

export const authorityRoutes: Route<PkiState, PkiRules>[] = [
  {
    id: 'pki.readCa',
    method: 'GET',
    path: 'ca',
    unauthenticated: true,
    handle: (call) => shown(call, ({ certificate }) => text('application/pkix-cert', certificate.der)),
  },
  {
    id: 'pki.readCaPem',
    method: 'GET',
    path: 'ca/pem',
    unauthenticated: true,
    handle: (call) => shown(call, ({ certificate }) => text('application/pem-certificate-chain', certificatePem(certificate.der))),
  },
  {
    id: 'pki.readCaChain',
    method: 'GET',
    path: 'ca_chain',
    unauthenticated: true,
    handle: (call) =>
      shown(call, (authority) => text('application/pem-certificate-chain', call.rules.chain(authority).map(certificatePem).join('\n'))),
  },
  { id: 'pki.writeCa', method: 'POST', path: 'config/ca', handle: writeCa },
  { id: 'pki.setSigned', method: 'POST', path: 'intermediate/set-signed', handle: setSigned },
  { id: 'pki.generateIntermediate', method: 'POST', path: 'intermediate/generate/:type', handle: generateIntermediate },
  { id: 'pki.readUrls', method: 'GET', path: 'config/urls', handle: (call) => secret(call.state.urls as { [field: string]: Json }) },
  { id: 'pki.writeUrls', method: 'POST', path: 'config/urls', handle: writeUrls },
]
