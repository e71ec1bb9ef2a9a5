/** Routes of the root: making and deleting it, and signing other CAs. */

import type { Route } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { type ApiError, invalid } from '../../core/errors.ts'
import { flagOf, integerOf, textOf } from '../../core/fields.ts'
import type { Reply } from '../../core/reply.ts'
import { checkFormats, made } from './answers.ts'
import { pointers } from './issue.ts'
import { excludesCommonName, type PkiCall, reading, requestedNames, requestedSubject, requestOf, signer } from './requests.ts'
import { publishCrl } from './revocation.ts'
import { listOf, secondsOf } from './role.ts'
import type { PkiRules } from './rules.ts'
import type { PkiState } from './state.ts'
import { selfSign, serialText, signCertificate } from './x509/certificate.ts'
import { parse } from './x509/der.ts'
import * as extension from './x509/extensions.ts'
import { generateKey, type KeyType, keyIdentifier, publicKeyInfo, validBits } from './x509/key-forms.ts'
import { type AlternativeNames, isEmpty, writeSubject } from './x509/names.ts'
import { readPem } from './x509/pem.ts'
import type { CertificateRequest } from './x509/request.ts'

const CERT_SIGN = 5
const CRL_SIGN = 6

/** Type and size of the key to make. Throws 400 for what does not exist. */
export const keyWanted = (call: PkiCall): { type: KeyType; bits: number } => {
  const type = call.rules.rootKeyType(textOf(call.body, 'key_type'))
  const bits = call.rules.rootKeyBits(type, call.body.key_bits === undefined ? undefined : integerOf(call.body, 'key_bits', 0))
  if (type !== 'rsa' && type !== 'ec') throw invalid('key_type must be rsa or ec')
  if (!validBits(type, bits)) throw invalid(`key_bits ${bits} is not valid for ${type}`)
  return { type, bits }
}

/** Path length that a body asks for; negative means no limit. */
const pathLengthOf = (call: PkiCall): number => {
  const length = integerOf(call.body, 'max_path_length', -1)
  if (length < -1) throw invalid('max_path_length must be -1 or more')
  return length
}

const authorityExtensions = (call: PkiCall, pathLength: number, names: AlternativeNames): extension.Extension[] => {
  const permitted = call.rules.permittedDomains(listOf(call.body, 'permitted_dns_domains'))
  return [
    extension.basicConstraints(true, pathLength),
    ...(isEmpty(names) ? [] : [extension.alternativeNames(names)]),
    ...(permitted.length > 0 ? [extension.permittedDomains(permitted)] : []),
  ]
}

const kept = (): ApiError => invalid('this mount has a CA; delete it first')

const generate = async (call: PkiCall): Promise<Reply> => {
  const { rules, body, mount, state } = call
  const type = call.params.type!
  if (!rules.generationTypeKnown(type)) throw invalid('the type must be exported or internal')
  if (!rules.mayGenerate(state)) throw kept()
  checkFormats(call)
  const subject = requestedSubject(rules, body)
  if (!subject.common_name) throw invalid('common_name is required')
  const names = rules.withCommonName(requestedNames(rules, body), subject.common_name, excludesCommonName(body))
  const own = authorityExtensions(call, rules.rootPathLength(pathLengthOf(call)), names)
  const wanted = keyWanted(call)
  const lifetime = rules.authorityLifetime(secondsOf(body, 'ttl'), { default: mount.defaultLeaseTtl, max: mount.maxLeaseTtl })
  const key = await generateKey(wanted.type, wanted.bits)
  // Another request may have made the CA while this one waited for its key.
  if (!rules.stillMayGenerate(state)) throw kept()
  const now = Math.floor(call.now())
  const name = writeSubject(subject)
  const serial = rules.serialNumber()
  const id = keyIdentifier(publicKeyInfo(key))
  const extensions = [extension.keyUsage([CERT_SIGN, CRL_SIGN]), ...own, extension.subjectKey(id), extension.authorityKey(id)]
  const der = selfSign({ serial, issuer: name, subject: name, notBefore: now - 30, notAfter: now + lifetime, extensions }, key)
  const certificate = rules.readAuthority(der)
  state.authority = { certificate, key, above: [] }
  state.certificates.set(serialText(serial), { serial, der, notAfter: certificate.notAfter })
  publishCrl(call)
  const shown = rules.returnsKey(type) ? { key } : {}
  return secret(made(call, { der, serial, issuer: state.authority, selfSigned: true, ...shown }))
}

/** Extensions of a request that `use_csr_values` copies; what ties a certificate to its issuer is the issuer's. */
const copied = (request: CertificateRequest): extension.Extension[] => {
  const own: string[] = [
    extension.EXTENSION.basicConstraints,
    extension.EXTENSION.keyUsage,
    extension.EXTENSION.subjectKey,
    extension.EXTENSION.authorityKey,
    extension.EXTENSION.alternativeNames,
    extension.EXTENSION.nameConstraints,
  ]
  return request.extensions.filter((item) => !own.includes(item.oid))
}

const usagesOf = (request: CertificateRequest): number[] => {
  const found = request.extensions.find((item) => item.oid === extension.EXTENSION.keyUsage)
  return found === undefined ? [] : extension.bitsOf(found.value)
}

const signIntermediate = (call: PkiCall): Reply => {
  const { rules, body, mount, state } = call
  const request = requestOf(call)
  checkFormats(call)
  const ca = signer(call)
  const verbatim = flagOf(body, 'use_csr_values', false)
  const requested = requestedSubject(rules, body)
  if (!verbatim && !requested.common_name) throw invalid('common_name is required')
  const subject = rules.intermediateSubject(writeSubject(requested), request, verbatim)
  const wanted = rules.intermediateNames(requestedNames(rules, body), request, verbatim)
  const names = rules.withCommonName(wanted, verbatim ? request.commonName : (requested.common_name ?? ''), excludesCommonName(body))
  const usages = [...new Set([CERT_SIGN, CRL_SIGN, ...(verbatim ? rules.requestedUsages(usagesOf(request)) : [])])]
  const extras = verbatim ? rules.requestedExtensions(copied(request)) : []
  const lifetime = rules.authorityLifetime(secondsOf(body, 'ttl'), {
    default: mount.defaultLeaseTtl,
    max: Math.min(mount.maxLeaseTtl, ca.certificate.notAfter - Math.floor(call.now())),
  })
  const now = Math.floor(call.now())
  const serial = rules.serialNumber()
  const der = signCertificate(
    {
      serial,
      issuer: ca.certificate.subject,
      subject,
      notBefore: now - 30,
      notAfter: now + lifetime,
      publicKeyInfo: request.publicKeyInfo,
      extensions: [
        extension.keyUsage(usages),
        ...authorityExtensions(call, rules.pathLength(pathLengthOf(call), ca.certificate.pathLength), names),
        extension.subjectKey(keyIdentifier(request.publicKeyInfo)),
        extension.authorityKey(keyIdentifier(ca.certificate.publicKeyInfo)),
        ...extras,
        ...pointers(state),
      ],
    },
    ca.key,
  )
  state.certificates.set(serialText(serial), { serial, der, notAfter: now + lifetime })
  return secret(made(call, { der, serial, issuer: ca }))
}

const signSelfIssued = (call: PkiCall): Reply => {
  const pem = textOf(call.body, 'certificate')
  if (pem === '') throw invalid('certificate is required')
  const ca = signer(call)
  const given = reading('certificate', () => {
    const block = readPem(pem).find(({ label }) => label === 'CERTIFICATE')
    if (block === undefined) throw new Error('no certificate in the text')
    parse(block.bytes)
    return call.rules.readAuthority(block.bytes)
  })
  if (!call.rules.isSelfIssued(given)) throw invalid('the certificate is not self-issued')
  const changed = call.rules.replacedExtensions()
  const content = call.rules.asGiven({
    ...given,
    extensions: [
      ...given.extensions.filter((item) => !changed.includes(item.oid)),
      extension.authorityKey(keyIdentifier(ca.certificate.publicKeyInfo)),
      ...pointers(call.state),
    ],
  })
  const der = signCertificate({ ...content, issuer: ca.certificate.subject }, ca.key)
  const { certificate, issuing_ca } = made(call, { der, serial: given.serial, issuer: ca })
  return secret({ certificate: certificate!, issuing_ca: issuing_ca! })
}

const remove = (call: PkiCall): Reply => {
  const { state, rules } = call
  if (state.authority !== undefined) state.authority = rules.afterDeletion(state.authority)
  return empty()
}

export const rootRoutes: Route<PkiState, PkiRules>[] = [
  { id: 'pki.generateRoot', method: 'POST', path: 'root/generate/:type', handle: generate },
  { id: 'pki.deleteRoot', method: 'DELETE', path: 'root', sudo: true, handle: remove },
  { id: 'pki.signIntermediate', method: 'POST', path: 'root/sign-intermediate', handle: signIntermediate },
  { id: 'pki.signSelfIssued', method: 'POST', path: 'root/sign-self-issued', sudo: true, handle: signSelfIssued },
]
