/** Legal alternatives of issuing and signing. */
import { ApiError, invalid } from '../../core/errors.ts'
import { variantsOf } from '../../faults/declare.ts'
import { refusalStatus, requestBody } from '../../faults/wrappers.ts'
import { pkiEngine } from './engine.ts'
import type { PkiCall } from './wrappers.ts'
import { caLimits } from './x509/extensions.ts'

const { rule, route, declared } = variantsOf(pkiEngine)

const unknownIs404 = refusalStatus<PkiCall>(404, ({ message }) => message === 'unknown role')

rule('refuses-long-ttl', 'refused or capped, either', 'a ttl above max_ttl is refused', {
  lifetime: (original) => (role, requested, limits) => {
    const max = role.max_ttl > 0 ? Math.min(role.max_ttl, limits.max) : limits.max
    if (requested > max) throw invalid('ttl exceeds the maximum')
    return original(role, requested, limits)
  },
})
rule('cut-at-ca', 'refused or cut short, either', 'a certificate that would outlive its CA is cut short', {
  endWithinAuthority: () => (end, authorityEnd) => Math.min(end, authorityEnd),
})
route('unknown-role-404', '400 or 404', 'an unknown role in an action gives 404', ['pki.issue', 'pki.sign'], unknownIs404)
route(
  'without-ca-500',
  'what is not there may be an internal error: 4xx rather than 500 is advised',
  'without a CA every issue fails with 500',
  ['pki.issue', 'pki.sign', 'pki.signIntermediate', 'pki.signSelfIssued'],
  refusalStatus<PkiCall>(500, ({ message }) => message.startsWith('no CA')),
)
route(
  'key-form-of-pem-alone',
  'pkcs8 in a bundle or in DER: advised',
  'pkcs8 counts where the format is pem',
  'pki.issue',
  requestBody((body) => (['der', 'pem_bundle'].includes(String(body.format)) ? { ...body, private_key_format: '' } : body)),
)
rule('der-of-certificate-alone', 'of which fields a format speaks is not said', 'issuer and key are PEM in every format', {
  formatsCertificateAlone: () => () => true,
})
rule('keys-always-pkcs8', 'which form `der` names is not said', 'private keys are PKCS#8 in every format', {
  keyForm: (original) => (format) => {
    original(format)
    return 'pkcs8'
  },
})
rule('role-serial-kept-only', 'serial_number of a role in the subject: advised', 'the serial number of a role is in no subject', {
  subject: (original) => (role, commonName) => original({ ...role, serial_number: '' }, commonName),
})
rule('any-issues', 'issuing by a role of type any: open', 'a role of type any issues EC keys', {
  issuesKeys: () => () => true,
  keyToIssue: (original) => (role) => (role.key_type === 'any' ? { type: 'ec', bits: 256 } : original(role)),
})
rule('leases-always', 'with generate_lease false: open', 'certificates are leased unless they are not stored', {
  leased: () => (role) => !role.no_store,
})
rule('body-names-too', 'use_csr_sans: the text names the request only', 'names of the body are added to those of the request', {
  alternativeNames: (original) => (role, requested, request) => {
    const names = original(role, requested, request)
    return names === requested ? names : { ...names, dns: [...new Set([...names.dns, ...requested.dns])] }
  },
})
rule('csr-ca-refused', 'refused, or the certificate is none', 'a role refuses requests that ask for a CA', {
  basicConstraints: (original) => (role, request) => {
    if (request && caLimits(request.extensions).ca) throw invalid('the request asks for a CA')
    return original(role, request)
  },
})
rule('states-no-ca', 'the default of the switch says nothing of other ways', 'every certificate says that it is not a CA', {
  basicConstraints: (original) => (role, request) => original({ ...role, basic_constraints_valid_for_non_ca: true }, request),
})
route('many-names-fail', 'advised: limits of names', 'a megabyte of names is an internal error', 'pki.issue', (original) => (call) => {
  if (String(call.body.alt_names ?? '').length > 500_000) throw new ApiError(500, 'internal error')
  return original(call)
})

export const variants = declared
