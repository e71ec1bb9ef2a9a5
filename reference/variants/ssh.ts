/** Legal alternatives of the SSH engine. */
import { invalid } from '../core/errors.ts'
import type { Variant } from '../core/mutation.ts'
import type { SshRules } from '../engines/ssh/rules.ts'
import { withBody } from './replies.ts'
import { certificateVariants } from './ssh-certificates.ts'
import { credentialVariants } from './ssh-credentials.ts'
import { nameOf, routeVariant, ruleVariant } from './ssh-shared.ts'

const orNull = (map: Record<string, string>): Record<string, string> | null => (Object.keys(map).length === 0 ? null : map)

const roles: Variant[] = [
  routeVariant(
    'writes-200',
    'writes answer 200 with an empty envelope',
    'success of a write without a stated status',
    ['writeKey', 'deleteKey', 'writeRole', 'deleteRole', 'writeZeroAddress', 'deleteZeroAddress', 'deleteCa'],
    withBody,
  ),
  routeVariant(
    'blocks-at-write',
    'a role without blocks is refused when written',
    'refused at write or at creds',
    ['writeRole'],
    (original) => (call) => {
      const isFree = call.rules.isZeroAddress(call.state.zeroAddress, nameOf(call))
      const needsBlocksAtWrite: SshRules['needsBlocksAtWrite'] = (role) => role.key_type !== 'ca' && !isFree
      return original({ ...call, rules: { ...call.rules, needsBlocksAtWrite } })
    },
  ),
  ruleVariant('key-later', 'a role may be written before its key', 'refused at write or at creds', { unknownKeyAllowed: () => () => true }),
  ruleVariant('no-days', 'days are no unit of durations', 'whether 1d is a duration', {
    duration: (original) => (value, field) => {
      if (typeof value === 'string' && value.includes('d')) throw invalid(`${field} is not a duration`)
      return original(value, field)
    },
  }),
  ruleVariant('ttl-seconds', 'a read shows durations in seconds', 'text or seconds', {
    readRole: (original) => (role) => ({
      ...original(role),
      ...(role.key_type === 'ca' ? { ttl: role.ttl, max_ttl: role.max_ttl } : {}),
    }),
  }),
  ruleVariant('maps-null', 'a read shows unset maps as null', 'the default is none; the type of the read is not stated', {
    readRole: (original) => (role) => ({
      ...original(role),
      ...(role.key_type === 'ca'
        ? { default_critical_options: orNull(role.default_critical_options), default_extensions: orNull(role.default_extensions) }
        : {}),
    }),
  }),
  ruleVariant('ca-read-without-kind', 'a read of a ca role does not show its kind', 'the row does not name it', {
    readRole: (original) => (role) => {
      const { key_type, ...others } = original(role)
      return role.key_type === 'ca' ? others : { key_type: key_type ?? '', ...others }
    },
  }),
  ruleVariant('role-whole', 'a read shows every field of a role', 'fields beyond those of the row may appear', {
    readRole: (original) => (role) => ({ ...role, ...original(role) }),
  }),
  ruleVariant('update-replaces', 'an update resets what it leaves out', 'whether an update keeps values', {
    base: () => (_existing, defaults) => defaults,
  }),
  ruleVariant('kind-fixed', 'a role keeps its kind', 'whether a role may change its kind', { keyTypeMayChange: () => () => false }),
  ruleVariant('delete-absent-404', 'deleting an unknown name gives 404', 'what the deletion of an unknown name answers', {
    deleteAbsentStatus: () => () => 404,
  }),
  ruleVariant('long-names', 'long names are taken', 'accepted or refused', { longestName: () => () => 100_000 }),
  ruleVariant('names-not-trimmed', 'white space around a listed name counts', 'whether white space counts', {
    allowedUsers: (original) => (role, token) =>
      role.allowed_users_template ? original(role, token) : role.allowed_users.split(',').filter(Boolean),
  }),
  ruleVariant('port-any', 'any number is a port', 'advised', { portAllowed: () => () => true }),
]

export const sshVariants: Variant[] = [...certificateVariants, ...roles, ...credentialVariants]
