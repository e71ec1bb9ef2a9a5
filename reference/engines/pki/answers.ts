/** How certificates and keys are written into answers. */
import type { KeyObject } from 'node:crypto'
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { PkiCall } from './requests.ts'
import type { Authority } from './state.ts'
import { serialText } from './x509/certificate.ts'
import { exportKey } from './x509/key-forms.ts'
import { writePem } from './x509/pem.ts'

export const certificatePem = (der: Uint8Array): string => writePem('CERTIFICATE', der)

export interface Made {
  der: Buffer
  serial: Buffer
  /** Present where the answer returns it. */
  key?: KeyObject
  /** The CA that signed; for a root its own certificate. */
  issuer: Authority
  selfSigned?: boolean
}

/** Refuses formats that do not exist, before anything is made. */
export const checkFormats = (call: PkiCall): void => {
  if (!call.rules.formatKnown(textOf(call.body, 'format'))) throw invalid('format must be pem, der or pem_bundle')
  call.rules.keyForm(textOf(call.body, 'private_key_format'))
}

/** Certificate, issuer, chain, serial number and, where there is one, the key, in the requested format. */
export const made = (call: PkiCall, { der, serial, key, issuer, selfSigned }: Made): JsonObject => {
  const format = textOf(call.body, 'format')
  const write = (label: string, bytes: Buffer): string => (format === 'der' ? bytes.toString('base64') : writePem(label, bytes))
  const exported = key === undefined ? undefined : exportKey(key, call.rules.keyForm(textOf(call.body, 'private_key_format')))
  const beside = call.rules.formatsCertificateAlone() ? writePem : write
  const keyText = exported === undefined ? undefined : beside(exported.label, exported.bytes)
  const issuerText = beside('CERTIFICATE', issuer.certificate.der)
  const certificate = write('CERTIFICATE', der)
  const above = selfSigned || !call.rules.bundlesIssuer(issuer) ? undefined : issuerText
  return {
    certificate: format === 'pem_bundle' ? call.rules.bundleParts(keyText, certificate, above).join('\n') : certificate,
    issuing_ca: issuerText,
    ca_chain: call.rules.chain(issuer).map(certificatePem),
    serial_number: serialText(serial),
    ...(keyText === undefined ? {} : { private_key: keyText, private_key_type: key?.asymmetricKeyType ?? '' }),
  }
}
