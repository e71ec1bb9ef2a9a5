/** Certificates that say something else than the role: lifetimes, usages, subjects, keys, leases. */

import type { Fault } from '../../core/mutation.ts'
import type { Role } from '../../engines/pki/role.ts'
import { isOid } from '../../engines/pki/x509/der.ts'
import { basicConstraints, bitsOf, caLimits, EXTENSION } from '../../engines/pki/x509/extensions.ts'
import { generateKey } from '../../engines/pki/x509/keys.ts'
import { lenient, pkiFault } from './shared.ts'

const lifetimes: Fault[] = [
  pkiFault('role-ttl-ignored', "the role's ttl is ignored", 'PKI-TTL-02', {
    rules: { lifetime: (original) => (role, requested, limits) => original({ ...role, ttl: 0 }, requested, limits) },
  }),
  pkiFault('default-uncapped', 'the default lifetime may exceed max_ttl', 'PKI-TTL-03', {
    rules: {
      lifetime: (original) => (role, requested, limits) => (requested || role.ttl ? original(role, requested, limits) : limits.default),
    },
  }),
  pkiFault('requested-uncapped', 'a requested ttl may exceed max_ttl', ['PKI-MAXTTL-02', 'PKI-REQTTL-02'], {
    rules: { lifetime: (original) => (role, requested, limits) => original({ ...role, max_ttl: 0 }, requested, limits) },
  }),
  pkiFault('mount-uncapped', 'without max_ttl nothing bounds the lifetime', 'PKI-MAXTTL-03', {
    rules: {
      lifetime: (original) => (role, requested, limits) => original(role, requested, { ...limits, max: Number.MAX_SAFE_INTEGER }),
      endWithinAuthority: () => (end) => end,
    },
  }),
  pkiFault('role-ttl-lenient', 'a ttl of a role that is no duration is ignored', 'PKI-TTL-04', {
    routes: { 'pki.writeRole': lenient('ttl') },
  }),
  pkiFault('max-ttl-lenient', 'a max_ttl that is no duration is ignored', 'PKI-MAXTTL-04', {
    routes: { 'pki.writeRole': lenient('max_ttl') },
  }),
  pkiFault('not-before-lenient', 'a not_before_duration that is no duration is ignored', 'PKI-NOTBEFORE-03', {
    routes: { 'pki.writeRole': lenient('not_before_duration') },
  }),
  pkiFault('not-before-fixed', 'validity always begins 30 seconds before', 'PKI-NOTBEFORE-02', {
    rules: { validFrom: () => (_role, now) => now - 30 },
  }),
  pkiFault('outlives-ca', 'certificates outlive their CA', 'PKI-LIFE-01', { rules: { endWithinAuthority: () => (end) => end } }),
  pkiFault('requested-ttl-ignored', 'the requested ttl is ignored', 'PKI-REQTTL-01', {
    rules: { lifetime: (original) => (role, _requested, limits) => original(role, 0, limits) },
  }),
  pkiFault('requested-ttl-lenient', 'a requested ttl that is no duration is ignored', 'PKI-REQTTL-03', {
    routes: { 'pki.issue': lenient('ttl') },
  }),
]

const flags: Fault[] = (
  [
    ['server', 'PKI-SERVER-02', 'serverauth'],
    ['client', 'PKI-CLIENT-02', 'clientauth'],
    ['code-signing', 'PKI-CODE-02', 'codesigning'],
    ['email-protection', 'PKI-EMAIL-02', 'emailprotection'],
  ] as const
).map(([name, clause, usage]) =>
  pkiFault(`${name}-flag-ignored`, `the ${name} flag adds nothing`, clause, {
    rules: { flagUsages: (original) => (role) => original(role).filter((item) => item !== usage) },
  }),
)

const usages: Fault[] = [
  pkiFault('flags-exclude', 'of several usage flags one counts', 'PKI-FLAGS-01', {
    rules: { flagUsages: (original) => (role) => original(role).slice(-1) },
  }),
  pkiFault('agreement-enciphers', 'KeyAgreement sets the bit of KeyEncipherment too', 'PKI-USAGE-02', {
    rules: { keyUsages: (original) => (role, request) => original(role, request).flatMap((bit) => (bit === 4 ? [2, 4] : [bit])) },
  }),
  pkiFault('decipher-only', 'DecipherOnly sets the bit of EncipherOnly', 'PKI-USAGE-06', {
    rules: { keyUsages: (original) => (role, request) => original(role, request).map((bit) => (bit === 8 ? 7 : bit)) },
  }),
  pkiFault('usage-case', 'usages in lower case are dropped', 'PKI-USAGE-03', {
    rules: {
      keyUsages: (original) => (role, request) =>
        original({ ...role, key_usage: role.key_usage.filter((name) => /[A-Z][a-z]/.test(name)) }, request),
    },
  }),
  pkiFault('usage-empty', 'an empty list of usages gives the default ones', 'PKI-USAGE-04', {
    rules: { keyUsages: (original) => (role, request) => (role.key_usage.length > 0 ? original(role, request) : [0, 2, 4]) },
  }),
  pkiFault('extended-usages-ignored', 'named extended usages are ignored', 'PKI-EXTUSAGE-02', { rules: { namedUsages: () => () => [] } }),
  pkiFault('usage-oids-ignored', 'extended usages by OID are ignored', 'PKI-EXTOIDS-02', { rules: { usageOids: () => () => [] } }),
  pkiFault('usage-oids-lenient', 'malformed OIDs of usages are dropped', 'PKI-EXTOIDS-03', {
    rules: { oidValid: () => () => true, usageOids: (original) => (role) => original(role).filter(isOid) },
  }),
  pkiFault('policies-ignored', 'policies are ignored', 'PKI-POLICIES-02', { rules: { policies: () => () => [] } }),
  pkiFault('policies-lenient', 'malformed OIDs of policies are dropped', 'PKI-POLICIES-03', {
    rules: { oidValid: () => () => true, policies: (original) => (role) => original(role).filter(isOid) },
  }),
  pkiFault('basic-constraints-ignored', 'basic constraints are never written', 'PKI-BASIC-02', {
    rules: { basicConstraints: () => () => [] },
  }),
  pkiFault('leaf-is-ca', "a role's certificates are CA certificates", 'PKI-ISSUE-13', {
    rules: { basicConstraints: () => () => [basicConstraints(true)] },
  }),
  pkiFault('csr-makes-ca', 'basic constraints of a certificate request are copied', 'PKI-SIGN-09', {
    rules: {
      basicConstraints: (original) => (role, request) =>
        request && caLimits(request.extensions).ca ? [basicConstraints(true)] : original(role, request),
    },
  }),
  pkiFault('csr-usages', 'key usages of a certificate request are granted', 'PKI-SIGN-13', {
    rules: {
      keyUsages: (original) => (role, request) => {
        const wanted = request?.extensions.find(({ oid }) => oid === EXTENSION.keyUsage)
        return wanted ? [...original(role, request), ...bitsOf(wanted.value)] : original(role, request)
      },
    },
  }),
]

const subjects: Fault[] = (
  [
    ['ou', 'PKI-OU-02'],
    ['organization', 'PKI-ORG-02'],
    ['locality', 'PKI-LOCALITY-02'],
    ['province', 'PKI-PROVINCE-02'],
    ['street_address', 'PKI-STREET-02'],
    ['postal_code', 'PKI-POSTAL-02'],
  ] as const
).map(([field, clause]) =>
  pkiFault(`subject-${field.replaceAll('_', '-')}-first`, `of several values of ${field} the first is taken`, clause, {
    rules: {
      subject: (original) => (role, commonName) => {
        const subject = original(role, commonName)
        return { ...subject, [field]: subject[field]?.slice(0, 1) ?? [] }
      },
    },
  }),
)

/** A subject has one country: nothing is said of several. */
const country = pkiFault('subject-country-dropped', 'the country of a role is left out', 'PKI-COUNTRY-02', {
  rules: { subject: (original) => (role, commonName) => ({ ...original(role, commonName), country: [] }) },
})

const keys: Fault[] = [
  pkiFault('key-type-ignored', 'EC keys are issued whatever the role says', 'PKI-KEYTYPE-02', {
    rules: { keyToIssue: (original) => (role) => (role.key_type === 'rsa' ? { type: 'ec', bits: 256 } : original(role)) },
  }),
  pkiFault('key-type-any-rsa', 'type any means RSA', 'PKI-KEYTYPE-03', {
    rules: {
      requestKeyAllowed: (original) => (role, key) => original({ ...role, key_type: role.key_type === 'any' ? 'rsa' : role.key_type }, key),
    },
  }),
  pkiFault('key-type-mismatch', 'a request with a key of any type is signed', 'PKI-KEYTYPE-04', {
    rules: { requestKeyAllowed: (original) => (role, key) => original({ ...role, key_type: 'any' }, key) },
  }),
  pkiFault('key-type-unknown', 'unknown key types are stored', 'PKI-KEYTYPE-05', {
    rules: {
      keyTypeKnown: () => () => true,
      keyBitsValid: (original) => (type, bits) => !['rsa', 'ec'].includes(type) || original(type, bits),
    },
  }),
  pkiFault('short-rsa-any', 'type any signs RSA keys of 1024 bits', 'PKI-KEYTYPE-07', {
    rules: { requestKeyAllowed: (original) => (role, key) => original(role, key) || (role.key_type === 'any' && key.bits === 1024) },
  }),
  pkiFault('short-rsa', 'roles sign RSA keys of 1024 bits', 'PKI-KEYTYPE-08', {
    rules: { requestKeyAllowed: (original) => (role, key) => original(role, key) || (role.key_type === 'rsa' && key.bits === 1024) },
  }),
  pkiFault('key-bits-ignored', 'EC keys are always P-256', 'PKI-KEYBITS-02', {
    rules: { keyToIssue: (original) => (role) => (role.key_type === 'ec' ? { type: 'ec', bits: 256 } : original(role)) },
  }),
  pkiFault('rsa-bits-ignored', 'RSA keys always have 2048 bits', 'PKI-KEYBITS-02', {
    rules: { keyToIssue: (original) => (role) => (role.key_type === 'rsa' ? { type: 'rsa', bits: 2048 } : original(role)) },
  }),
  pkiFault('key-bits-lenient', 'invalid sizes become the common curve', 'PKI-KEYBITS-03', {
    rules: { keyBitsValid: () => () => true, keyToIssue: () => () => ({ type: 'ec', bits: 256 }) },
  }),
  pkiFault('keys-reused', 'the key of an earlier issue is given out again', 'PKI-ISSUE-14', {
    rules: {
      newKey: () => {
        const made = new Map<string, ReturnType<typeof generateKey>>()
        return (type, bits) => {
          const name = `${type}${bits}`
          const key = made.get(name) ?? generateKey(type, bits)
          made.set(name, key)
          return key
        }
      },
    },
  }),
]

const requests: Fault[] = [
  pkiFault('csr-cn-ignored', 'the common name of a certificate request is never used', 'PKI-CSRCN-02', {
    rules: { commonName: () => (_role, requested) => requested || 'fallback.example.com' },
  }),
  pkiFault('csr-cn-always', 'the common name of a certificate request always wins', 'PKI-CSRCN-03', {
    rules: { commonName: () => (_role, requested, request) => request?.commonName || requested },
  }),
  pkiFault('csr-sans-ignored', 'alternative names of a certificate request are never used', 'PKI-CSRSANS-02', {
    rules: { alternativeNames: () => (_role, requested) => requested },
  }),
  pkiFault('csr-sans-always', 'alternative names of a certificate request are always used', 'PKI-CSRSANS-03', {
    rules: { alternativeNames: (original) => (role, requested, request) => original({ ...role, use_csr_sans: true }, requested, request) },
  }),
  pkiFault('subject-serial-ignored', 'serial_number of a role is ignored', 'PKI-SERIAL-02', {
    rules: { subject: (original) => (role, commonName) => original({ ...role, serial_number: '' }, commonName) },
  }),
  pkiFault('cn-never-required', 'no common name is ever required', 'PKI-REQUIRECN-02', { rules: { commonNameMissing: () => () => false } }),
  pkiFault('cn-always-required', 'a common name is always required', 'PKI-REQUIRECN-03', {
    rules: { commonNameMissing: () => (_role, commonName) => commonName === '' },
  }),
]

const stores: Fault[] = [
  pkiFault('never-leased', 'certificates are never leased', ['PKI-LEASE-02', 'PKI-LEASE-03'], { rules: { leased: () => () => false } }),
  pkiFault('no-store-ignored', 'no_store is ignored', ['PKI-NOSTORE-02', 'PKI-NOSTORE-03'], { rules: { stored: () => () => true } }),
  pkiFault('no-store-leased', 'no_store does not switch leases off', 'PKI-NOSTORE-04', {
    rules: { leased: () => (role: Role) => role.generate_lease },
  }),
  pkiFault('nothing-stored', 'certificates are kept only where they are leased', 'PKI-NOSTORE-05', {
    rules: { stored: () => (role: Role) => role.generate_lease },
  }),
]

export const contentFaults: Fault[] = [...lifetimes, ...flags, ...usages, ...subjects, country, ...keys, ...requests, ...stores]
