/** Legal alternatives of the certificate authority: one per branch that the document or its readings leave open. */

import { secret } from '../../core/envelope.ts'
import { invalid, notFound } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { variantsOf } from '../../mutations/declare.ts'
import { refusal, refusalStatus, reply, replyInsteadOf204 } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { dataOf, type Handle, type PkiCall } from './wrappers.ts'
import { isOid } from './x509/der.ts'
import { caLimits } from './x509/extensions.ts'

const { rule, route, change } = variantsOf(pkiEngine)

const SUBJECT_FIELDS = ['ou', 'organization', 'locality', 'province', 'street_address', 'postal_code']

const withBody = replyInsteadOf204<PkiCall>(() => secret({}, undefined, { warnings: ['done'] }))

const unknownIs404 = refusalStatus<PkiCall>(404, ({ message }) => message === 'unknown role')

rule('partial-updates', 'whether an update resets them is open', 'a write keeps the fields it leaves out', {
  writeRole: () => (previous, given, base) => ({ ...(previous ?? base), ...given }),
})
rule('lists-as-arrays', 'a comma string for a list and the reverse: open', 'all lists of a role read as arrays', {
  showRole: () => (role) => ({ ...role }) as unknown as JsonObject,
})
rule('durations-as-text', 'durations are compared as durations, never as text', 'durations of a role read as text', {
  showRole: (original) => (role) => ({
    ...original(role),
    ttl: role.ttl === 0 ? '' : `${role.ttl}s`,
    max_ttl: role.max_ttl === 0 ? '0s' : `${role.max_ttl / 60}m0s`,
    not_before_duration: `${role.not_before_duration}s`,
  }),
})
rule('ttl-above-max', 'a role whose ttl exceeds its max_ttl: open', 'a role whose ttl exceeds its max_ttl is stored', {
  lifetimesAgree: () => () => true,
})
rule('unknown-usages', 'what becomes of a usage that does not exist: open', 'usages that do not exist are ignored', {
  usageKnown: () => () => true,
  keyUsages: (original) => (role, request) => original(role, request).filter((bit) => bit !== undefined),
})
rule('no-ca-usages', 'usages that a certificate of no CA may have', 'no role has the usage of a CA', {
  usageKnown: (original) => (name) => name.toLowerCase() !== 'certsign' && original(name),
})
route(
  'subjects-whole',
  'a comma separates values in other operations',
  'a subject text of a role is one value',
  'pki.writeRole',
  (original) => (call) =>
    original({
      ...call,
      body: Object.fromEntries(
        Object.entries(call.body).map(([field, value]) => [
          field,
          SUBJECT_FIELDS.includes(field) && typeof value === 'string' && value !== '' ? [value] : value,
        ]),
      ),
    }),
)
rule('short-serials', 'how many bits are random is not said', 'serial numbers have 64 bits', {
  serialNumber: (original) => () => original().subarray(0, 8),
})
rule('late-oids', 'refused at the latest when a certificate is issued', 'malformed OIDs are refused when a certificate is issued', {
  oidValid: () => () => true,
  policies: (original) => (role) => {
    if (![...role.policy_identifiers, ...role.ext_key_usage_oids].every(isOid)) throw invalid('malformed OID')
    return original(role)
  },
  usageOids: (original) => (role) => original(role).filter(isOid),
})
rule('late-key-bits', 'refused at role write or at issue', 'invalid sizes are refused when a certificate is issued', {
  keyBitsValid: () => () => true,
  keyToIssue: (original) => (role) => {
    if (role.key_type === 'ec' && ![224, 256, 384, 521].includes(role.key_bits)) throw invalid('key_bits is not valid for ec')
    return original(role)
  },
})
route(
  'no-store-with-lease',
  'a role with both may be refused',
  'a role with no_store and generate_lease is refused',
  'pki.writeRole',
  (original) => (call) => {
    if (call.body.no_store === true && call.body.generate_lease === true) throw invalid('no_store excludes generate_lease')
    return original(call)
  },
)
route(
  'delete-absent-role',
  'deleting what is absent: 204, 200 or 404',
  'deleting an unknown role gives 404',
  'pki.deleteRole',
  (original) => (call) => {
    if (!call.state.roles.has(call.params.name!)) throw notFound()
    return original(call)
  },
)
route(
  'writes-with-body',
  'success of a write without a stated status: 200 or 204',
  'writes answer 200 with a body',
  ['pki.writeRole', 'pki.deleteRole', 'pki.writeCa', 'pki.setSigned', 'pki.deleteRoot'],
  withBody,
)

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
rule('states-no-ca', 'the default of the switch says nothing of other ways', 'every certificate says that it is no CA', {
  basicConstraints: (original) => (role, request) => original({ ...role, basic_constraints_valid_for_non_ca: true }, request),
})

change('hyphens', 'the forms of the serial are not shown: at least one works', 'serial numbers are listed and read with hyphens', {
  rules: { listedSerials: (original) => (state) => original(state).map((serial) => serial.replaceAll(':', '-')) },
  routes: {
    'pki.readCertificate': (original) => (call) => {
      if (call.params.serial?.includes(':')) throw notFound()
      return original(call)
    },
  },
})
route(
  'colons',
  'the forms of the serial are not shown: at least one works',
  'serial numbers are read with colons only',
  'pki.readCertificate',
  (original) => (call) => {
    if (call.params.serial?.includes('-')) throw notFound()
    return original(call)
  },
)
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

const absent =
  (original: Handle): Handle =>
  (call) => {
    if (call.state.authority === undefined) throw notFound()
    return original(call)
  }

route(
  'no-ca-404',
  'the answer of a mount that has no CA: open',
  'the CA routes of a mount without a CA give 404',
  ['pki.readCa', 'pki.readCaPem', 'pki.readCaChain'],
  absent,
)
route(
  'kept-with-warning',
  'not 2xx, or a 2xx without certificate and key',
  'a second root is answered by a warning',
  'pki.generateRoot',
  refusal((cause) => (cause.message.startsWith('this mount has a CA') ? secret(null, undefined, { warnings: [cause.message] }) : cause)),
)
rule('deleted-by-serial', 'readable at one of the routes that served it before', 'a deleted CA is readable by its serial number only', {
  afterDeletion: () => () => undefined,
})
rule('path-length-cut', 'a child has at most one less', 'a path length that the signer does not allow is cut', {
  pathLength: (original) => (requested, signer) => original(signer > 0 && requested >= signer ? signer - 1 : requested, signer),
})
rule('refuses-long-root', 'beyond the maximum: refused or capped', 'a root beyond the maximum is refused', {
  authorityLifetime: (original) => (requested, limits) => {
    if (requested > limits.max) throw invalid('ttl exceeds the maximum')
    return original(requested, limits)
  },
})
route(
  'lone-certificates',
  'servers that keep several issuers import lone certificates',
  'a bundle without a key is taken for a known issuer',
  'pki.writeCa',
  (original) => (call) =>
    typeof call.body.pem_bundle === 'string' &&
    /-----END CERTIFICATE-----/.test(call.body.pem_bundle) &&
    !call.body.pem_bundle.includes('PRIVATE KEY')
      ? secret({ imported_issuers: [] })
      : original(call),
)
route(
  'no-intermediate-keys',
  'the generation of the key is not shown',
  'intermediate keys are not made at the known path',
  'pki.generateIntermediate',
  () => () => {
    throw notFound()
  },
)
change('extra-fields', 'response schemas allow additional members', 'answers carry further fields', {
  routes: {
    'pki.issue': reply((reply) => ({
      ...reply,
      body: { ...(reply.body as JsonObject), data: { ...dataOf(reply), expiration: 1, issuer_id: 'x' } },
    })),
    'pki.readRole': reply((reply) => ({
      ...reply,
      body: { ...(reply.body as JsonObject), data: { ...dataOf(reply), issuer_ref: 'default' } },
    })),
  },
})
