/** Legal alternatives of the SSH engine. */
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { variantsOf } from '../../faults/declare.ts'
import { replyInsteadOf204, requestBody } from '../../faults/wrappers.ts'
import { sshEngine } from './engine.ts'
import type { SshRules } from './rules.ts'
import { nameOf, type SshCall } from './wrappers.ts'

const { rule, route, declared } = variantsOf(sshEngine)

/** Members of a read that hold several entries. */
const LISTS = ['cidr_list', 'allowed_critical_options', 'allowed_extensions']

/** Fields that mean something for one kind of role alone. */
const ONE_KIND: Record<string, string> = {
  key: 'dynamic',
  admin_user: 'dynamic',
  key_bits: 'dynamic',
  install_script: 'dynamic',
  key_option_specs: 'dynamic',
  allowed_domains: 'ca',
  allowed_critical_options: 'ca',
  allowed_extensions: 'ca',
  default_critical_options: 'ca',
  default_extensions: 'ca',
  allow_user_certificates: 'ca',
  allow_host_certificates: 'ca',
  allow_bare_domains: 'ca',
  allow_subdomains: 'ca',
  allow_user_key_ids: 'ca',
  key_id_format: 'ca',
  allowed_user_key_lengths: 'ca',
  algorithm_signer: 'ca',
}

const withoutOtherKinds = (call: SshCall): JsonObject => {
  const kind = call.body.key_type ?? call.state.roles.get(nameOf(call))?.key_type
  return Object.fromEntries(Object.entries(call.body).filter(([field]) => (ONE_KIND[field] ?? kind) === kind))
}

const orNull = (map: Record<string, string>): Record<string, string> | null => (Object.keys(map).length === 0 ? null : map)

route(
  'writes-200',
  'success of a write without a stated status',
  'writes answer 200 with an empty envelope',
  ['ssh.writeKey', 'ssh.deleteKey', 'ssh.writeRole', 'ssh.deleteRole', 'ssh.writeZeroAddress', 'ssh.deleteZeroAddress', 'ssh.deleteCa'],
  replyInsteadOf204(),
)
route(
  'blocks-at-write',
  'refused at write or at creds',
  'a role without blocks is refused when written',
  'ssh.writeRole',
  (original) => (call) => {
    const isFree = call.rules.isZeroAddress(call.state.zeroAddress, nameOf(call))
    const needsBlocksAtWrite: SshRules['needsBlocksAtWrite'] = (role) => role.key_type !== 'ca' && !isFree
    return original({ ...call, rules: { ...call.rules, needsBlocksAtWrite } })
  },
)
rule('key-later', 'refused at write or at creds', 'a role may be written before its key', { unknownKeyAllowed: () => () => true })
rule('no-days', 'whether 1d is a duration', 'days are not a unit of durations', {
  part: 'units',
  duration: (original) => (value, field) => {
    if (typeof value === 'string' && value.includes('d')) throw invalid(`${field} is not a duration`)
    return original(value, field)
  },
})
rule('ttl-seconds', 'text or seconds', 'a read shows durations in seconds', {
  part: 'durations',
  readRole: (original) => (role) => ({
    ...original(role),
    ...(role.key_type === 'ca' ? { ttl: role.ttl, max_ttl: role.max_ttl } : {}),
  }),
})
rule('maps-null', 'the default is none; the type of the read is not stated', 'a read shows unset maps as null', {
  part: 'maps',
  readRole: (original) => (role) => ({
    ...original(role),
    ...(role.key_type === 'ca'
      ? { default_critical_options: orNull(role.default_critical_options), default_extensions: orNull(role.default_extensions) }
      : {}),
  }),
})
rule('ca-read-without-kind', 'the row does not name it', 'a read of a ca role does not show its kind', {
  part: 'kind',
  readRole: (original) => (role) => {
    const { key_type, ...others } = original(role)
    return role.key_type === 'ca' ? others : { key_type: key_type ?? '', ...others }
  },
})
rule('role-whole', 'fields beyond those of the row may appear', 'a read shows every field of a role', {
  part: 'kind',
  readRole: (original) => (role) => ({ ...role, ...original(role) }),
})
rule('update-replaces', 'whether an update keeps values', 'an update resets what it leaves out', {
  base: () => (_existing, defaults) => defaults,
})
rule('kind-fixed', 'whether a role may change its kind', 'a role keeps its kind', { keyTypeMayChange: () => () => false })
rule('delete-absent-404', 'what the deletion of an unknown name answers', 'deleting an unknown name gives 404', {
  deleteAbsentStatus: () => () => 404,
})
rule('long-names', 'accepted or refused', 'long names are taken', { longestName: () => () => 100_000 })
rule('names-not-trimmed', 'whether white space counts', 'white space around a listed name counts', {
  allowedUsers: (original) => (role, token) =>
    role.allowed_users_template ? original(role, token) : role.allowed_users.split(',').filter(Boolean),
})
rule('port-any', 'advised', 'any number is a port', { portAllowed: () => () => true })
rule('negative-durations', 'advised', 'a negative duration loses its sign', {
  part: 'sign',
  duration: (original) => (value, field) => original(typeof value === 'string' ? value.replace(/^-/, '') : value, field),
})
rule('blanks-in-durations', 'whether blanks within a duration count', 'blanks within a duration do not count', {
  part: 'blanks',
  duration: (original) => (value, field) => original(typeof value === 'string' ? value.replace(/(?<=\d) +(?=[hms])/g, '') : value, field),
})
rule('lists-as-lists', 'a comma list is read as text or as a list', 'a read shows lists as lists', {
  part: 'lists',
  readRole: (original) => (role) =>
    Object.fromEntries(
      Object.entries(original(role)).map(([field, value]) => [
        field,
        LISTS.includes(field) ? String(value).split(',').filter(Boolean) : value,
      ]),
    ),
})
route(
  'other-kinds-unread',
  'fields of another kind of role: open',
  'a role does not look at the fields of other kinds',
  'ssh.writeRole',
  (original) => (call) => original({ ...call, body: withoutOtherKinds(call) }),
)
route(
  'other-kinds-refused',
  'fields of another kind of role: open',
  'a role refuses the fields of other kinds',
  'ssh.writeRole',
  (original) => (call) => {
    if (Object.keys(withoutOtherKinds(call)).length < Object.keys(call.body).length)
      throw invalid('a field belongs to another kind of role')
    return original(call)
  },
)

const CASE = 'a stated word in another letter case is accepted or refused'
route(
  'key-type-any-case',
  CASE,
  'a key_type is taken in any letter case',
  'ssh.writeRole',
  requestBody((body) => (typeof body.key_type === 'string' ? { ...body, key_type: body.key_type.toLowerCase() } : body)),
)
rule('certificate-type-any-case', CASE, 'a cert_type is taken in any letter case', {
  certificateType: (original) => (text) => original(text.toLowerCase()),
})

export const variants = declared
