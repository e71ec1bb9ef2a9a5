/** Certificates that say something else than the role: lifetimes, usages, subjects, keys, leases. */

import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import type { Role } from './role.ts'
import { lenient } from './wrappers.ts'
import { isOid } from './x509/der.ts'
import { basicConstraints, bitsOf, caLimits, EXTENSION } from './x509/extensions.ts'
import { generateKey } from './x509/key-forms.ts'

const { rule, route } = faultsOf(pkiEngine)

rule('role-ttl-ignored', 'PKI-TTL-02', "the role's ttl is ignored", {
  lifetime: (original) => (role, requested, limits) => original({ ...role, ttl: 0 }, requested, limits),
})
rule('default-uncapped', 'PKI-TTL-03', 'the default lifetime may exceed max_ttl', {
  lifetime: (original) => (role, requested, limits) => (requested || role.ttl ? original(role, requested, limits) : limits.default),
})
rule('requested-uncapped', ['PKI-MAXTTL-02', 'PKI-REQTTL-02'], 'a requested ttl may exceed max_ttl', {
  lifetime: (original) => (role, requested, limits) => original({ ...role, max_ttl: 0 }, requested, limits),
})
rule('mount-uncapped', 'PKI-MAXTTL-03', 'without max_ttl nothing bounds the lifetime', {
  lifetime: (original) => (role, requested, limits) => original(role, requested, { ...limits, max: Number.MAX_SAFE_INTEGER }),
  endWithinAuthority: () => (end) => end,
})
route('role-ttl-lenient', 'PKI-TTL-04', 'a ttl of a role that is no duration is ignored', 'pki.writeRole', lenient('ttl'))
route('max-ttl-lenient', 'PKI-MAXTTL-04', 'a max_ttl that is no duration is ignored', 'pki.writeRole', lenient('max_ttl'))
route(
  'not-before-lenient',
  'PKI-NOTBEFORE-03',
  'a not_before_duration that is no duration is ignored',
  'pki.writeRole',
  lenient('not_before_duration'),
)
rule('not-before-fixed', 'PKI-NOTBEFORE-02', 'validity always begins 30 seconds before', { validFrom: () => (_role, now) => now - 30 })
rule('outlives-ca', 'PKI-LIFE-01', 'certificates outlive their CA', { endWithinAuthority: () => (end) => end })
rule('requested-ttl-ignored', 'PKI-REQTTL-01', 'the requested ttl is ignored', {
  lifetime: (original) => (role, _requested, limits) => original(role, 0, limits),
})
route('requested-ttl-lenient', 'PKI-REQTTL-03', 'a requested ttl that is no duration is ignored', 'pki.issue', lenient('ttl'))

for (const [name, clause, usage] of [
  ['server', 'PKI-SERVER-02', 'serverauth'],
  ['client', 'PKI-CLIENT-02', 'clientauth'],
  ['code-signing', 'PKI-CODE-02', 'codesigning'],
  ['email-protection', 'PKI-EMAIL-02', 'emailprotection'],
] as const)
  rule(`${name}-flag-ignored`, clause, `the ${name} flag adds nothing`, {
    flagUsages: (original) => (role) => original(role).filter((item) => item !== usage),
  })

rule('flags-exclude', 'PKI-FLAGS-01', 'of several usage flags one counts', { flagUsages: (original) => (role) => original(role).slice(-1) })
rule('agreement-enciphers', 'PKI-USAGE-02', 'KeyAgreement sets the bit of KeyEncipherment too', {
  keyUsages: (original) => (role, request) => original(role, request).flatMap((bit) => (bit === 4 ? [2, 4] : [bit])),
})
rule('decipher-only', 'PKI-USAGE-06', 'DecipherOnly sets the bit of EncipherOnly', {
  keyUsages: (original) => (role, request) => original(role, request).map((bit) => (bit === 8 ? 7 : bit)),
})
rule('usage-case', 'PKI-USAGE-03', 'usages in lower case are dropped', {
  keyUsages: (original) => (role, request) =>
    original({ ...role, key_usage: role.key_usage.filter((name) => /[A-Z][a-z]/.test(name)) }, request),
})
rule('usage-empty', 'PKI-USAGE-04', 'an empty list of usages gives the default ones', {
  keyUsages: (original) => (role, request) => (role.key_usage.length > 0 ? original(role, request) : [0, 2, 4]),
})
rule('extended-usages-ignored', 'PKI-EXTUSAGE-02', 'named extended usages are ignored', { namedUsages: () => () => [] })
rule('usage-oids-ignored', 'PKI-EXTOIDS-02', 'extended usages by OID are ignored', { usageOids: () => () => [] })
rule('usage-oids-lenient', 'PKI-EXTOIDS-03', 'malformed OIDs of usages are dropped', {
  oidValid: () => () => true,
  usageOids: (original) => (role) => original(role).filter(isOid),
})
rule('policies-ignored', 'PKI-POLICIES-02', 'policies are ignored', { policies: () => () => [] })
rule('policies-lenient', 'PKI-POLICIES-03', 'malformed OIDs of policies are dropped', {
  oidValid: () => () => true,
  policies: (original) => (role) => original(role).filter(isOid),
})
rule('basic-constraints-ignored', 'PKI-BASIC-02', 'basic constraints are never written', { basicConstraints: () => () => [] })
rule('leaf-is-ca', 'PKI-ISSUE-13', "a role's certificates are CA certificates", { basicConstraints: () => () => [basicConstraints(true)] })
rule('csr-makes-ca', 'PKI-SIGN-09', 'basic constraints of a certificate request are copied', {
  basicConstraints: (original) => (role, request) =>
    request && caLimits(request.extensions).ca ? [basicConstraints(true)] : original(role, request),
})
rule('csr-usages', 'PKI-SIGN-13', 'key usages of a certificate request are granted', {
  keyUsages: (original) => (role, request) => {
    const wanted = request?.extensions.find(({ oid }) => oid === EXTENSION.keyUsage)
    return wanted ? [...original(role, request), ...bitsOf(wanted.value)] : original(role, request)
  },
})

for (const [field, clause] of [
  ['ou', 'PKI-OU-02'],
  ['organization', 'PKI-ORG-02'],
  ['locality', 'PKI-LOCALITY-02'],
  ['province', 'PKI-PROVINCE-02'],
  ['street_address', 'PKI-STREET-02'],
  ['postal_code', 'PKI-POSTAL-02'],
] as const)
  rule(`subject-${field.replaceAll('_', '-')}-first`, clause, `of several values of ${field} the first is taken`, {
    subject: (original) => (role, commonName) => {
      const subject = original(role, commonName)
      return { ...subject, [field]: subject[field]?.slice(0, 1) ?? [] }
    },
  })

/** A subject has one country: nothing is said of several. */
rule('subject-country-dropped', 'PKI-COUNTRY-02', 'the country of a role is left out', {
  subject: (original) => (role, commonName) => ({ ...original(role, commonName), country: [] }),
})

rule('key-type-ignored', 'PKI-KEYTYPE-02', 'EC keys are issued whatever the role says', {
  keyToIssue: (original) => (role) => (role.key_type === 'rsa' ? { type: 'ec', bits: 256 } : original(role)),
})
rule('key-type-any-rsa', 'PKI-KEYTYPE-03', 'type any means RSA', {
  requestKeyAllowed: (original) => (role, key) => original({ ...role, key_type: role.key_type === 'any' ? 'rsa' : role.key_type }, key),
})
rule('key-type-mismatch', 'PKI-KEYTYPE-04', 'a request with a key of any type is signed', {
  requestKeyAllowed: (original) => (role, key) => original({ ...role, key_type: 'any' }, key),
})
rule('key-type-unknown', 'PKI-KEYTYPE-05', 'unknown key types are stored', {
  keyTypeKnown: () => () => true,
  keyBitsValid: (original) => (type, bits) => !['rsa', 'ec'].includes(type) || original(type, bits),
})
rule('short-rsa-any', 'PKI-KEYTYPE-07', 'type any signs RSA keys of 1024 bits', {
  requestKeyAllowed: (original) => (role, key) => original(role, key) || (role.key_type === 'any' && key.bits === 1024),
})
rule('short-rsa', 'PKI-KEYTYPE-08', 'roles sign RSA keys of 1024 bits', {
  requestKeyAllowed: (original) => (role, key) => original(role, key) || (role.key_type === 'rsa' && key.bits === 1024),
})
rule('key-bits-ignored', 'PKI-KEYBITS-02', 'EC keys are always P-256', {
  keyToIssue: (original) => (role) => (role.key_type === 'ec' ? { type: 'ec', bits: 256 } : original(role)),
})
rule('rsa-bits-ignored', 'PKI-KEYBITS-02', 'RSA keys always have 2048 bits', {
  keyToIssue: (original) => (role) => (role.key_type === 'rsa' ? { type: 'rsa', bits: 2048 } : original(role)),
})
rule('key-bits-lenient', 'PKI-KEYBITS-03', 'invalid sizes become the common curve', {
  keyBitsValid: () => () => true,
  keyToIssue: () => () => ({ type: 'ec', bits: 256 }),
})
rule('keys-reused', 'PKI-ISSUE-14', 'the key of an earlier issue is given out again', {
  newKey: () => {
    const made = new Map<string, ReturnType<typeof generateKey>>()
    return (type, bits) => {
      const name = `${type}${bits}`
      const key = made.get(name) ?? generateKey(type, bits)
      made.set(name, key)
      return key
    }
  },
})

rule('csr-cn-ignored', 'PKI-CSRCN-02', 'the common name of a certificate request is never used', {
  commonName: () => (_role, requested) => requested || 'fallback.example.com',
})
rule('csr-cn-always', 'PKI-CSRCN-03', 'the common name of a certificate request always wins', {
  commonName: () => (_role, requested, request) => request?.commonName || requested,
})
rule('csr-sans-ignored', 'PKI-CSRSANS-02', 'alternative names of a certificate request are never used', {
  alternativeNames: () => (_role, requested) => requested,
})
rule('csr-sans-always', 'PKI-CSRSANS-03', 'alternative names of a certificate request are always used', {
  alternativeNames: (original) => (role, requested, request) => original({ ...role, use_csr_sans: true }, requested, request),
})
rule('subject-serial-ignored', 'PKI-SERIAL-02', 'serial_number of a role is ignored', {
  subject: (original) => (role, commonName) => original({ ...role, serial_number: '' }, commonName),
})
rule('cn-never-required', 'PKI-REQUIRECN-02', 'no common name is ever required', { commonNameMissing: () => () => false })
rule('cn-always-required', 'PKI-REQUIRECN-03', 'a common name is always required', {
  commonNameMissing: () => (_role, commonName) => commonName === '',
})

rule('never-leased', ['PKI-LEASE-02', 'PKI-LEASE-03'], 'certificates are never leased', { leased: () => () => false })
rule('no-store-ignored', ['PKI-NOSTORE-02', 'PKI-NOSTORE-03'], 'no_store is ignored', { stored: () => () => true })
rule('no-store-leased', 'PKI-NOSTORE-04', 'no_store does not switch leases off', { leased: () => (role: Role) => role.generate_lease })
rule('nothing-stored', 'PKI-NOSTORE-05', 'certificates are kept only where they are leased', {
  stored: () => (role: Role) => role.generate_lease,
})
