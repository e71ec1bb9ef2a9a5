/** Legal alternatives of the certificate authority: one per branch that the document or its readings leave open. */
import type { JsonObject } from '../core/engine.ts'
import { secret } from '../core/envelope.ts'
import { invalid, notFound } from '../core/errors.ts'
import type { Variant } from '../core/mutation.ts'
import { isOid } from '../engines/pki/x509/der.ts'
import { caLimits } from '../engines/pki/x509/extensions.ts'
import { dataOf, type Handle, onRefusal, onReply, pkiVariant } from './pki-shared.ts'
import { silences } from './pki-silences.ts'

const SUBJECT_FIELDS = ['ou', 'organization', 'locality', 'province', 'street_address', 'postal_code']

const withBody = onReply((reply) => (reply.status === 204 ? secret({}, undefined, { warnings: ['done'] }) : reply))
const unknownIs404 = onRefusal((cause) => (cause.message === 'unknown role' ? notFound('unknown role') : cause))

const roles: Variant[] = [
  pkiVariant('partial-updates', 'a write keeps the fields it leaves out', 'whether an update resets them is open', {
    rules: { writeRole: () => (previous, given, base) => ({ ...(previous ?? base), ...given }) },
  }),
  pkiVariant('lists-as-arrays', 'all lists of a role read as arrays', 'a comma string for a list and the reverse: open', {
    rules: { showRole: () => (role) => ({ ...role }) as unknown as JsonObject },
  }),
  pkiVariant('durations-as-text', 'durations of a role read as text', 'durations are compared as durations, never as text', {
    rules: {
      showRole: (original) => (role) => ({
        ...original(role),
        ttl: role.ttl === 0 ? '' : `${role.ttl}s`,
        max_ttl: role.max_ttl === 0 ? '0s' : `${role.max_ttl / 60}m0s`,
        not_before_duration: `${role.not_before_duration}s`,
      }),
    },
  }),
  pkiVariant('ttl-above-max', 'a role whose ttl exceeds its max_ttl is stored', 'a role whose ttl exceeds its max_ttl: open', {
    rules: { lifetimesAgree: () => () => true },
  }),
  pkiVariant('unknown-usages', 'usages that do not exist are ignored', 'what becomes of a usage that does not exist: open', {
    rules: {
      usageKnown: () => () => true,
      keyUsages: (original) => (role, request) => original(role, request).filter((bit) => bit !== undefined),
    },
  }),
  pkiVariant('no-ca-usages', 'no role has the usage of a CA', 'usages that a certificate of no CA may have', {
    rules: { usageKnown: (original) => (name) => name.toLowerCase() !== 'certsign' && original(name) },
  }),
  pkiVariant('subjects-whole', 'a subject text of a role is one value', 'a comma separates values in other operations', {
    routes: {
      'pki.writeRole': (original) => (call) =>
        original({
          ...call,
          body: Object.fromEntries(
            Object.entries(call.body).map(([field, value]) => [
              field,
              SUBJECT_FIELDS.includes(field) && typeof value === 'string' && value !== '' ? [value] : value,
            ]),
          ),
        }),
    },
  }),
  pkiVariant('short-serials', 'serial numbers have 64 bits', 'how many bits are random is not said', {
    rules: { serialNumber: (original) => () => original().subarray(0, 8) },
  }),
  pkiVariant('late-oids', 'malformed OIDs are refused when a certificate is issued', 'refused at the latest when a certificate is issued', {
    rules: {
      oidValid: () => () => true,
      policies: (original) => (role) => {
        if (![...role.policy_identifiers, ...role.ext_key_usage_oids].every(isOid)) throw invalid('malformed OID')
        return original(role)
      },
      usageOids: (original) => (role) => original(role).filter(isOid),
    },
  }),
  pkiVariant('late-key-bits', 'invalid sizes are refused when a certificate is issued', 'refused at role write or at issue', {
    rules: {
      keyBitsValid: () => () => true,
      keyToIssue: (original) => (role) => {
        if (role.key_type === 'ec' && ![224, 256, 384, 521].includes(role.key_bits)) throw invalid('key_bits is not valid for ec')
        return original(role)
      },
    },
  }),
  pkiVariant('no-store-with-lease', 'a role with no_store and generate_lease is refused', 'a role with both may be refused', {
    routes: {
      'pki.writeRole': (original) => (call) => {
        if (call.body.no_store === true && call.body.generate_lease === true) throw invalid('no_store excludes generate_lease')
        return original(call)
      },
    },
  }),
  pkiVariant('delete-absent-role', 'deleting an unknown role gives 404', 'deleting what is absent: 204, 200 or 404', {
    routes: {
      'pki.deleteRole': (original) => (call) => {
        if (!call.state.roles.has(call.params.name!)) throw notFound()
        return original(call)
      },
    },
  }),
  pkiVariant('writes-with-body', 'writes answer 200 with a body', 'success of a write without a stated status: 200 or 204', {
    routes: {
      'pki.writeRole': withBody,
      'pki.deleteRole': withBody,
      'pki.writeCa': withBody,
      'pki.setSigned': withBody,
      'pki.deleteRoot': withBody,
    },
  }),
]

const certificates: Variant[] = [
  pkiVariant('refuses-long-ttl', 'a ttl above max_ttl is refused', 'refused or capped, either', {
    rules: {
      lifetime: (original) => (role, requested, limits) => {
        const max = role.max_ttl > 0 ? Math.min(role.max_ttl, limits.max) : limits.max
        if (requested > max) throw invalid('ttl exceeds the maximum')
        return original(role, requested, limits)
      },
    },
  }),
  pkiVariant('cut-at-ca', 'a certificate that would outlive its CA is cut short', 'refused or cut short, either', {
    rules: { endWithinAuthority: () => (end, authorityEnd) => Math.min(end, authorityEnd) },
  }),
  pkiVariant('unknown-role-404', 'an unknown role in an action gives 404', '400 or 404', {
    routes: { 'pki.issue': unknownIs404, 'pki.sign': unknownIs404 },
  }),
  pkiVariant('any-issues', 'a role of type any issues EC keys', 'issuing by a role of type any: open', {
    rules: {
      issuesKeys: () => () => true,
      keyToIssue: (original) => (role) => (role.key_type === 'any' ? { type: 'ec', bits: 256 } : original(role)),
    },
  }),
  pkiVariant('leases-always', 'certificates are leased unless they are not stored', 'with generate_lease false: open', {
    rules: { leased: () => (role) => !role.no_store },
  }),
  pkiVariant('body-names-too', 'names of the body are added to those of the request', 'use_csr_sans: the text names the request only', {
    rules: {
      alternativeNames: (original) => (role, requested, request) => {
        const names = original(role, requested, request)
        return names === requested ? names : { ...names, dns: [...new Set([...names.dns, ...requested.dns])] }
      },
    },
  }),
  pkiVariant('csr-ca-refused', 'a role refuses requests that ask for a CA', 'refused, or the certificate is none', {
    rules: {
      basicConstraints: (original) => (role, request) => {
        if (request && caLimits(request.extensions).ca) throw invalid('the request asks for a CA')
        return original(role, request)
      },
    },
  }),
  pkiVariant('states-no-ca', 'every certificate says that it is no CA', 'the default of the switch says nothing of other ways', {
    rules: { basicConstraints: (original) => (role, request) => original({ ...role, basic_constraints_valid_for_non_ca: true }, request) },
  }),
]

const serials: Variant[] = [
  pkiVariant('hyphens', 'serial numbers are listed and read with hyphens', 'the forms of the serial are not shown: at least one works', {
    rules: { listedSerials: (original) => (state) => original(state).map((serial) => serial.replaceAll(':', '-')) },
    routes: {
      'pki.readCertificate': (original) => (call) => {
        if (call.params.serial?.includes(':')) throw notFound()
        return original(call)
      },
    },
  }),
  pkiVariant('colons', 'serial numbers are read with colons only', 'the forms of the serial are not shown: at least one works', {
    routes: {
      'pki.readCertificate': (original) => (call) => {
        if (call.params.serial?.includes('-')) throw notFound()
        return original(call)
      },
    },
  }),
  pkiVariant('revoke-unknown-404', 'revoking an unknown serial number gives 404', 'refused with 4xx; the status is open', {
    routes: { 'pki.revoke': onRefusal((cause) => (cause.message.startsWith('no certificate has') ? notFound(cause.message) : cause)) },
  }),
  pkiVariant('revoke-once', 'a second revocation is refused', 'the answer to a second revocation: open', {
    routes: {
      'pki.revoke': (original) => (call) => {
        if (call.state.revoked.includes(call.rules.serialKey(String(call.body.serial_number)))) throw invalid('already revoked')
        return original(call)
      },
    },
  }),
  pkiVariant('no-crl', 'no CRL is served', 'where crl or crl/pem answers', {
    routes: {
      'pki.readCrl': () => () => {
        throw notFound()
      },
      'pki.readCrlPem': () => () => {
        throw notFound()
      },
    },
  }),
]

const absent =
  (original: Handle): Handle =>
  (call) => {
    if (call.state.authority === undefined) throw notFound()
    return original(call)
  }

const authorities: Variant[] = [
  pkiVariant('no-ca-404', 'the CA routes of a mount without a CA give 404', 'the answer of a mount that has no CA: open', {
    routes: { 'pki.readCa': absent, 'pki.readCaPem': absent, 'pki.readCaChain': absent },
  }),
  pkiVariant('kept-with-warning', 'a second root is answered by a warning', 'not 2xx, or a 2xx without certificate and key', {
    routes: {
      'pki.generateRoot': onRefusal((cause) =>
        cause.message.startsWith('this mount has a CA') ? secret(null, undefined, { warnings: [cause.message] }) : cause,
      ),
    },
  }),
  pkiVariant(
    'deleted-by-serial',
    'a deleted CA is readable by its serial number only',
    'readable at one of the routes that served it before',
    {
      rules: { afterDeletion: () => () => undefined },
    },
  ),
  pkiVariant('path-length-cut', 'a path length that the signer does not allow is cut', 'a child has at most one less', {
    rules: {
      pathLength: (original) => (requested, signer) => original(signer > 0 && requested >= signer ? signer - 1 : requested, signer),
    },
  }),
  pkiVariant('refuses-long-root', 'a root beyond the maximum is refused', 'beyond the maximum: refused or capped', {
    rules: {
      authorityLifetime: (original) => (requested, limits) => {
        if (requested > limits.max) throw invalid('ttl exceeds the maximum')
        return original(requested, limits)
      },
    },
  }),
  pkiVariant(
    'lone-certificates',
    'a bundle without a key is taken for a known issuer',
    'servers that keep several issuers import lone certificates',
    {
      routes: {
        'pki.writeCa': (original) => (call) =>
          typeof call.body.pem_bundle === 'string' &&
          /-----END CERTIFICATE-----/.test(call.body.pem_bundle) &&
          !call.body.pem_bundle.includes('PRIVATE KEY')
            ? secret({ imported_issuers: [] })
            : original(call),
      },
    },
  ),
  pkiVariant('no-intermediate-keys', 'intermediate keys are not made at the known path', 'the generation of the key is not shown', {
    routes: {
      'pki.generateIntermediate': () => () => {
        throw notFound()
      },
    },
  }),
  pkiVariant('extra-fields', 'answers carry further fields', 'response schemas allow additional members', {
    routes: {
      'pki.issue': onReply((reply) => ({
        ...reply,
        body: { ...(reply.body as JsonObject), data: { ...dataOf(reply), expiration: 1, issuer_id: 'x' } },
      })),
      'pki.readRole': onReply((reply) => ({
        ...reply,
        body: { ...(reply.body as JsonObject), data: { ...dataOf(reply), issuer_ref: 'default' } },
      })),
    },
  }),
]

export const pkiVariants: Variant[] = [...roles, ...certificates, ...serials, ...authorities, ...silences]
