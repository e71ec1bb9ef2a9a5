import { type Clauses, faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { pkiEngine } from './engine.ts'
import type { Role } from './role.ts'
import type { PkiRules } from './rules.ts'
import { type Handle, onState, withRules } from './wrappers.ts'
import { isOid } from './x509/der.ts'
import { basicConstraints, bitsOf, caLimits, EXTENSION } from './x509/extensions.ts'
import { generateKey } from './x509/key-forms.ts'

const { rule, route, change, declared } = faultsOf(pkiEngine)

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
rule('outlives-ca', 'PKI-LIFE-01', 'certificates outlive their CA', { endWithinAuthority: () => (end) => end })
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
rule('usage-case-refused', 'PKI-USAGE-03', 'key usages in lower or upper case are refused', {
  usageKnown: (original) => (name) => original(name) && name !== name.toLowerCase() && name !== name.toUpperCase(),
})
rule('usage-empty', 'PKI-USAGE-04', 'an empty list of usages gives the default ones', {
  keyUsages: (original) => (role, request) => (role.key_usage.length > 0 ? original(role, request) : [0, 2, 4]),
})
rule('oids-replace-usages', 'PKI-EXTOIDS-02', 'extended usages given by number replace those of flags', {
  flagUsages: (original) => (role) => (role.ext_key_usage_oids.length > 0 ? [] : original(role)),
})
rule('usage-oids-lenient', 'PKI-EXTOIDS-03', 'malformed OIDs of usages are dropped', {
  oidValid: () => () => true,
  usageOids: (original) => (role) => original(role).filter(isOid),
})
rule('first-policy', 'PKI-POLICIES-02', 'certificates carry the first policy identifier only', {
  policies: (original) => (role) => original(role).slice(0, 1),
})
rule('policies-lenient', 'PKI-POLICIES-03', 'malformed OIDs of policies are dropped', {
  oidValid: () => () => true,
  policies: (original) => (role) => original(role).filter(isOid),
})
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
rule('signed-without-policies', 'PKI-SIGN-14', 'what a role signs is without the constraints that what it issues has', {
  basicConstraints: (original) => (role, request) => (request === undefined ? original(role, request) : []),
})
rule('extended-usages-ignored', 'PKI-EXTUSAGE-02', 'named extended usages are ignored', { namedUsages: () => () => [] })
rule('key-type-ignored', 'PKI-KEYTYPE-02', 'EC keys are issued where the role says RSA', {
  keyToIssue: (original) => (role) => (role.key_type === 'rsa' ? { type: 'ec', bits: 256 } : original(role)),
})
rule('key-type-any-rsa', 'PKI-KEYTYPE-03', 'type any means RSA', {
  requestKeyAllowed: (original) => (role, key) => original({ ...role, key_type: role.key_type === 'any' ? 'rsa' : role.key_type }, key),
})
rule('key-type-any-refused', 'PKI-KEYTYPE-03', 'no role can be of type any', {
  keyTypeKnown: (original) => (type) => type !== 'any' && original(type),
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
rule('no-store-leased', 'PKI-NOSTORE-04', 'no_store does not switch leases off', { leased: () => (role: Role) => role.generate_lease })
rule('nothing-stored', 'PKI-NOSTORE-05', 'certificates are kept only where they are leased', {
  stored: () => (role: Role) => role.generate_lease,
})
let leases = 0
rule('second-without-lease', 'PKI-LEASE-02', 'every second certificate of a role with leases has none', {
  leased: (original) => (role) => {
    if (!original(role)) return false
    leases += 1
    return leases % 2 === 1
  },
})

type Decides = (rules: PkiRules) => Partial<PkiRules>
const lives =
  (otherwise: (lifetime: PkiRules['lifetime'], ...asked: Parameters<PkiRules['lifetime']>) => number): Decides =>
  ({ lifetime }) => ({ lifetime: (...asked) => otherwise(lifetime, ...asked), endWithinAuthority: (end) => end })
const withoutTtl = lives((lifetime, role, asked, limits) => lifetime({ ...role, ttl: 0 }, asked, limits))
const withoutMax = lives((lifetime, role, asked, limits) => lifetime({ ...role, max_ttl: 0 }, asked, limits))
const unlimited = lives((lifetime, role, asked, limits) => lifetime(role, asked, { ...limits, max: 2 ** 40 }))
/** Signing forgets what issuing keeps to. */
for (const [name, clauses, what, decides] of [
  ['role-ttl-ignored', 'PKI-TTL-02', "the role's ttl", withoutTtl],
  ['uncapped', ['PKI-MAXTTL-02', 'PKI-REQTTL-02'], 'max_ttl', withoutMax],
  ['mount-uncapped', 'PKI-MAXTTL-03', 'the maximum of the mount', unlimited],
  ['not-before-fixed', 'PKI-NOTBEFORE-02', 'not_before_duration', () => ({ validFrom: (_role, now) => now - 30 })],
  ['no-store-ignored', ['PKI-NOSTORE-02', 'PKI-NOSTORE-03'], 'no_store', () => ({ stored: () => true })],
  ['nothing-stored', 'PKI-NOSTORE-05', 'to keep what has no lease', () => ({ stored: (role) => role.generate_lease })],
  ['never-leased', 'PKI-LEASE-03', 'generate_lease', () => ({ leased: () => false })],
  ['no-store-leased', 'PKI-NOSTORE-04', 'that no_store has no lease', () => ({ leased: (role) => role.generate_lease })],
] as [name: string, clauses: Clauses, what: string, decides: Decides][])
  route(`sign-${name}`, clauses, `signing forgets ${what}`, 'pki.sign', withRules(decides))

for (const [field, clause] of [
  ['ou', 'PKI-OU-02'],
  ['organization', 'PKI-ORG-02'],
  ['locality', 'PKI-LOCALITY-02'],
  ['province', 'PKI-PROVINCE-02'],
  ['street_address', 'PKI-STREET-02'],
  ['postal_code', 'PKI-POSTAL-02'],
] as const)
  rule(`subject-${field.replaceAll('_', '-')}-first`, clause, `of several values of ${field} the first is taken`, {
    subject: (original) => (role, commonName) => original({ ...role, [field]: role[field].slice(0, 1) }, commonName),
  })

rule('no-flag-is-two', ['PKI-SERVER-02', 'PKI-CLIENT-02'], 'with all usage flags off a certificate is for servers and clients', {
  flagUsages: (original) => (role) => (original(role).length > 0 ? original(role) : ['serverauth', 'clientauth']),
})

/** A field that is left out reads as its default, and certificates are made by another value. */
for (const [field, clause, value] of [
  ['key_bits', 'PKI-KEYBITS-02', 3072],
  ['key_type', 'PKI-KEYTYPE-02', 'ec'],
  ['not_before_duration', 'PKI-NOTBEFORE-02', 0],
  ['server_flag', 'PKI-SERVER-02', false],
  ['client_flag', 'PKI-CLIENT-02', false],
  ['code_signing_flag', 'PKI-CODE-02', true],
  ['email_protection_flag', 'PKI-EMAIL-02', true],
  ['allow_ip_sans', 'PKI-IPSANS-02', false],
] as const) {
  const without = remembered(() => new Set<string>())
  const decided =
    (original: Handle): Handle =>
    (call) => {
      const name = call.params.name ?? ''
      const role = call.state.roles.get(name)
      if (role === undefined || !without(call.state).has(name)) return original(call)
      const other = { ...role, ...(field === 'key_type' ? { key_bits: 256 } : {}), [field]: value }
      return original(onState(call, { roles: new Map([[name, other]]) }))
    }
  change(`unused-default-of-${field.replaceAll('_', '-')}`, clause, `a role without ${field} reads as documented and issues otherwise`, {
    routes: {
      'pki.writeRole': (original) => (call) => {
        const names = without(call.state)
        if (call.body[field] === undefined) names.add(call.params.name!)
        else names.delete(call.params.name!)
        return original(call)
      },
      'pki.issue': decided,
      'pki.sign': decided,
    },
  })
}

export const faults = declared
