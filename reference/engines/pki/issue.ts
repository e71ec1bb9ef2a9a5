/** Routes that make certificates by a role: issue and sign, and signing as requested. */
import type { KeyObject } from 'node:crypto'
import type { Route } from '../../core/engine.ts'
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { Reply } from '../../core/reply.ts'
import { checkFormats, made } from './answers.ts'
import { excludesCommonName, type PkiCall, reading, requestedNames, requestOf, signer } from './requests.ts'
import { revoke } from './revocation.ts'
import { type Role, secondsOf } from './role.ts'
import { roleOf } from './roles.ts'
import type { PkiRules } from './rules.ts'
import type { PkiState } from './state.ts'
import { serialText, signCertificate } from './x509/certificate.ts'
import * as extension from './x509/extensions.ts'
import { describeKey, keyIdentifier, publicKeyInfo } from './x509/key-forms.ts'
import { isEmpty, writeSubject } from './x509/names.ts'
import type { CertificateRequest } from './x509/request.ts'

type Signer = ReturnType<typeof signer>

/** URLs that certificates of this mount carry. */
export const pointers = (state: PkiState): extension.Extension[] => {
  const { issuing_certificates: issuers, crl_distribution_points: crls, ocsp_servers: ocsp } = state.urls
  return [
    ...(crls.length > 0 ? [extension.distributionPoints(crls)] : []),
    ...(issuers.length + ocsp.length > 0 ? [extension.authorityAccess(issuers, ocsp)] : []),
  ]
}

const roleExtensions = (rules: PkiRules, role: Role, request?: CertificateRequest): extension.Extension[] => {
  const bits = rules.keyUsages(role, request)
  const named = [...rules.flagUsages(role), ...rules.namedUsages(role)].map((name) => extension.EXTENDED_USAGES[name]!)
  const usages = [...new Set([...named, ...rules.usageOids(role)])]
  const policies = rules.policies(role)
  return [
    ...(bits.length > 0 ? [extension.keyUsage(bits)] : []),
    ...(usages.length > 0 ? [extension.extendedUsage(usages)] : []),
    ...(policies.length > 0 ? [extension.policies(policies)] : []),
    ...rules.basicConstraints(role, request),
  ]
}

interface Allowed {
  commonName: string
  names: ReturnType<PkiRules['alternativeNames']>
  /** Seconds. */
  lifetime: number
}

/** What the caller may have of what was asked; throws 400 where policy refuses any part of it. */
const allowed = (call: PkiCall, role: Role, request?: CertificateRequest): Allowed => {
  const { rules, body, mount } = call
  const asked = textOf(body, 'common_name')
  const commonName = rules.commonName(role, asked, request)
  if (rules.commonNameMissing(role, commonName)) throw invalid('common_name is required')
  const wanted = rules.alternativeNames(role, requestedNames(rules, body), request)
  const refusal = rules.refusal(rules, role, commonName, wanted, request)
  if (refusal !== undefined) throw invalid(refusal)
  const names = rules.withCommonName(wanted, commonName, excludesCommonName(body))
  const lifetime = rules.lifetime(role, secondsOf(body, 'ttl'), { default: mount.defaultLeaseTtl, max: mount.maxLeaseTtl })
  return { commonName, names, lifetime }
}

const complete = (
  call: PkiCall,
  role: Role,
  ca: Signer,
  what: Allowed,
  info: Buffer,
  key?: KeyObject,
  request?: CertificateRequest,
): Reply => {
  const { rules, state } = call
  const now = Math.floor(call.now())
  const serial = rules.serialNumber()
  const notAfter = rules.endWithinAuthority(now + what.lifetime, ca.certificate.notAfter)
  const der = signCertificate(
    {
      serial,
      issuer: ca.certificate.subject,
      subject: writeSubject(rules.subject(role, what.commonName)),
      notBefore: rules.validFrom(role, now),
      notAfter,
      publicKeyInfo: info,
      extensions: [
        ...roleExtensions(rules, role, request),
        extension.subjectKey(keyIdentifier(info)),
        extension.authorityKey(keyIdentifier(ca.certificate.publicKeyInfo)),
        ...(isEmpty(what.names) ? [] : [extension.alternativeNames(what.names)]),
        ...pointers(state),
      ],
    },
    ca.key,
  )
  if (rules.stored(role)) state.certificates.set(serialText(serial), { serial, der, notAfter })
  const data = made(call, { der, serial, issuer: ca, ...(key === undefined ? {} : { key }) })
  if (!rules.leased(role)) return secret(data)
  const undo = async (): Promise<void> => {
    revoke(call, serialText(serial))
  }
  return secret(data, call.services.leases.issue(call, { ttl: notAfter - now, renewable: false, revoke: undo }))
}

const issue = async (call: PkiCall): Promise<Reply> => {
  const role = { ...roleOf(call) }
  checkFormats(call)
  signer(call)
  if (!call.rules.issuesKeys(role)) throw invalid('a role of key_type any signs requests only')
  const what = allowed(call, role)
  const { type, bits } = call.rules.keyToIssue(role)
  const key = await call.rules.newKey(type, bits)
  return complete(call, role, signer(call), what, publicKeyInfo(key), key)
}

const sign = (call: PkiCall): Reply => {
  const role = { ...roleOf(call) }
  checkFormats(call)
  const request = requestOf(call)
  const key = reading('the key of the certificate request', () => describeKey(request.publicKey))
  if (!call.rules.requestKeyAllowed(role, key)) throw invalid('the key of the certificate request is not one that the role signs')
  return complete(call, role, signer(call), allowed(call, role, request), request.publicKeyInfo, undefined, request)
}

/** Extensions that a certificate gets from its issuer only. */
const OWN: string[] = [extension.EXTENSION.subjectKey, extension.EXTENSION.authorityKey]

const signVerbatim = (call: PkiCall): Reply => {
  const request = requestOf(call)
  checkFormats(call)
  if (call.rules.verbatimRefuses(request.extensions)) throw invalid('a CA certificate is not signed verbatim')
  const ca = signer(call)
  const now = Math.floor(call.now())
  const serial = call.rules.serialNumber()
  const ttl = Math.min(secondsOf(call.body, 'ttl') || call.mount.defaultLeaseTtl, call.mount.maxLeaseTtl)
  const notAfter = Math.min(now + ttl, ca.certificate.notAfter)
  const der = signCertificate(
    {
      serial,
      issuer: ca.certificate.subject,
      subject: request.subject,
      notBefore: now - 30,
      notAfter,
      publicKeyInfo: request.publicKeyInfo,
      extensions: [
        ...call.rules.verbatimExtensions(request.extensions).filter((item) => !OWN.includes(item.oid)),
        extension.subjectKey(keyIdentifier(request.publicKeyInfo)),
        extension.authorityKey(keyIdentifier(ca.certificate.publicKeyInfo)),
      ],
    },
    ca.key,
  )
  call.state.certificates.set(serialText(serial), { serial, der, notAfter })
  return secret(made(call, { der, serial, issuer: ca }))
}

export const issueRoutes: Route<PkiState, PkiRules>[] = [
  { id: 'pki.issue', method: 'POST', path: 'issue/:name', handle: issue },
  { id: 'pki.sign', method: 'POST', path: 'sign/:name', handle: sign },
  { id: 'pki.signVerbatim', method: 'POST', path: 'sign-verbatim', handle: signVerbatim },
]
