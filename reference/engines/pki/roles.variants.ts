/** Legal alternatives of roles. */
import { secret } from '../../core/envelope.ts'
import { invalid, notFound } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { variantsOf } from '../../faults/declare.ts'
import { replyInsteadOf204 } from '../../faults/wrappers.ts'
import { pkiEngine } from './engine.ts'
import type { PkiCall } from './wrappers.ts'
import { isOid } from './x509/der.ts'

const { rule, route, declared } = variantsOf(pkiEngine)

const SUBJECT_FIELDS = ['ou', 'organization', 'locality', 'province', 'street_address', 'postal_code']

const answered200 = replyInsteadOf204<PkiCall>(() => secret({}, undefined, { warnings: ['done'] }))

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
    max_ttl: role.max_ttl === 0 ? '0s' : `${Math.floor(role.max_ttl / 60)}m${role.max_ttl % 60}s`,
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
rule('odd-names-issued', 'what makes a valid host name is not said', 'any text passes for a host name', {
  shapeAllowed: () => () => true,
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
  'plain-role-names',
  'which letters a name may have is not said',
  'a role whose name has a capital letter, an underscore or a period is refused',
  'pki.writeRole',
  (original) => (call) => {
    if (!/^[a-z0-9-]+$/.test(call.params.name!)) throw invalid('a name has small letters, digits and hyphens')
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
  answered200,
)

export const variants = declared
