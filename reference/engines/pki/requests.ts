/** What the bodies of certificate requests share: names, lifetimes, and material in PEM. */

import type { Call } from '../../core/engine.ts'
import { invalid } from '../../core/errors.ts'
import { flagOf, textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import { listOf } from './role.ts'
import type { PkiRules } from './rules.ts'
import type { Authority, PkiState } from './state.ts'
import { type AlternativeNames, type OtherName, parseOtherName, type Subject } from './x509/names.ts'
import { type CertificateRequest, readRequest } from './x509/request.ts'

export type PkiCall = Call<PkiState, PkiRules>

/** The CA with its key. Throws 400 where the mount has none. */
export const signer = (call: PkiCall): Required<Authority> & { key: NonNullable<Authority['key']> } => {
  const { authority } = call.state
  if (authority?.key === undefined) throw invalid('no CA is configured on this mount')
  return { ...authority, key: authority.key }
}

/** Runs a reader over a caller's material; whatever it throws becomes a refusal. */
export const reading = <T>(what: string, read: () => T): T => {
  try {
    return read()
  } catch (cause) {
    throw invalid(`${what} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

const PRINTABLE_ASCII = /^[\x21-\x7e]+$/

/** Alternative names of a body by kind. Throws 400 for a name that is not of its kind. */
export const requestedNames = (rules: PkiRules, body: JsonObject): AlternativeNames => {
  const hosts = listOf(body, 'alt_names')
  if (hosts.some((name) => !PRINTABLE_ASCII.test(name))) throw invalid('alt_names holds characters that a name cannot have')
  const ip = listOf(body, 'ip_sans')
  const address = ip.find((text) => !rules.isAddress(text))
  if (address !== undefined) throw invalid(`ip_sans: ${address.slice(0, 100)} is not an IP address`)
  const uri = listOf(body, 'uri_sans')
  const wrong = uri.find((text) => !rules.isUri(text))
  if (wrong !== undefined) throw invalid(`uri_sans: ${wrong.slice(0, 100)} is not a URI`)
  const other = listOf(body, 'other_sans').map((text): OtherName => {
    const name = parseOtherName(text)
    if (name === undefined) throw invalid(`other_sans: ${text.slice(0, 100)} is not <oid>;UTF8:<value>`)
    return name
  })
  return { dns: hosts.filter((name) => !name.includes('@')), email: hosts.filter((name) => name.includes('@')), ip, uri, other }
}

/** The certificate request of a body. Throws 400 where it is missing, malformed, or not signed by its own key. */
export const requestOf = (call: PkiCall): CertificateRequest => {
  const pem = textOf(call.body, 'csr')
  if (pem === '') throw invalid('csr is required')
  const request = reading('csr', () => readRequest(pem))
  if (!call.rules.requestProven(request)) throw invalid('the signature of the certificate request is not that of its key')
  return request
}

/** Subject fields of a body. */
export const requestedSubject = (rules: PkiRules, body: JsonObject): Subject => ({
  country: listOf(body, 'country'),
  organization: listOf(body, 'organization'),
  ou: listOf(body, 'ou'),
  locality: listOf(body, 'locality'),
  province: listOf(body, 'province'),
  street_address: listOf(body, 'street_address'),
  postal_code: listOf(body, 'postal_code'),
  serial_number: rules.subjectSerial(textOf(body, 'serial_number')),
  common_name: textOf(body, 'common_name'),
})

export const excludesCommonName = (body: JsonObject): boolean => flagOf(body, 'exclude_cn_from_sans', false)
