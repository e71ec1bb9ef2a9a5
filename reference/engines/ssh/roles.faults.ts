/** Faults of named keys and roles: what is kept and what is required. */
import { empty, secret } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfHandling, insteadOfRefusal, isNested, replyData, replyStatus, requestBody } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import type { SshRules } from './rules.ts'
import type { KeyType, Role, SshState } from './state.ts'
import { type Handle, nameOf } from './wrappers.ts'

const { rule, route } = faultsOf(sshEngine)

route('key-accepted-later', 'SSH-KEY-01', 'a key is answered with 202', 'ssh.writeKey', replyStatus(202))
route(
  'key-optional',
  'SSH-KEY-02',
  'a key may be missing',
  'ssh.writeKey',
  insteadOfHandling(empty, ({ body }) => (body.key ?? '') === ''),
)
route(
  'key-object',
  'SSH-KEY-03',
  'an object is taken for a key',
  'ssh.writeKey',
  insteadOfHandling(empty, ({ body }) => isNested(body.key)),
)
rule('key-any-text', 'SSH-KEY-04', 'any text is registered as a key', { checkNamedKey: () => () => undefined })
rule('key-by-its-frame', 'SSH-KEY-04', 'a key is judged by its first line', {
  checkNamedKey: (original) => (text) => {
    if (!text.startsWith('-----BEGIN')) original(text)
  },
})
route(
  'key-shown',
  'SSH-KEY-07',
  'the read of a role shows the registered key',
  'ssh.readRole',
  replyData((data, { state }) => ({ ...data, private_key: state.keys.get(String(data.key)) ?? '' })),
)

const oneStateFor = (): ((original: Handle) => Handle) => {
  const states = new WeakMap<object, SshState>()
  return (original) => (call) => {
    const state = states.get(call.services) ?? call.state
    states.set(call.services, state)
    return original({ ...call, state })
  }
}

const shared = oneStateFor()

/** Remembers roles beyond their deletion. */
const remembering = (original: Handle): Handle => {
  const remembered = new WeakMap<object, SshState['roles']>()
  return (call) => {
    const roles = new Map([...(remembered.get(call.state.roles) ?? []), ...call.state.roles])
    remembered.set(call.state.roles, roles)
    return original({ ...call, state: { ...call.state, roles } })
  }
}

route('role-dropped', 'SSH-ROLE-01', 'a new role is acknowledged and not kept', 'ssh.writeRole', (original) => async (call) => {
  const isNew = !call.state.roles.has(nameOf(call))
  const reply = await original(call)
  if (isNew) call.state.roles.delete(nameOf(call))
  return reply
})
route(
  'role-update-lost',
  'SSH-ROLE-02',
  'writing a role again changes nothing',
  'ssh.writeRole',
  insteadOfHandling(empty, ({ state, params }) => state.roles.has(params.name ?? '')),
)
route('role-read-201', 'SSH-ROLE-03', 'a read answers 201', 'ssh.readRole', replyStatus(201))
route(
  'role-unknown-empty',
  'SSH-ROLE-04',
  'an unknown role reads as an empty one',
  'ssh.readRole',
  insteadOfRefusal(() => secret({})),
)
route(
  'roles-unlisted',
  'SSH-ROLE-05',
  'the listing misses the newest role',
  'ssh.listRoles',
  replyData((data) => ({ ...data, keys: Array.isArray(data.keys) ? data.keys.slice(0, -1) : null })),
)
rule('roles-all-otp', 'SSH-ROLE-06', 'the listing calls every role an otp role', { keyInfo: () => () => ({ key_type: 'otp' }) })
route(
  'roles-empty-200',
  'SSH-ROLE-07',
  'an empty listing is answered with 200',
  'ssh.listRoles',
  insteadOfRefusal(() => secret({ keys: [], key_info: {} })),
)
rule('role-kept', 'SSH-ROLE-08', 'a deleted role stays', { deleteRole: () => () => true })
route('role-issues-on', 'SSH-ROLE-09', 'a deleted role issues on', 'ssh.createCredential', remembering)
route('role-signs-on', 'SSH-ROLE-10', 'a deleted role signs on', 'ssh.signKey', remembering)
route('roles-shared', 'SSH-ROLE-12', 'all mounts share their roles', ['ssh.writeRole', 'ssh.readRole'], shared)
route('role-long-name-fails', 'SSH-ROLE-14', 'a long name is an internal error', 'ssh.writeRole', (original) => (call) => {
  if (nameOf(call).length > 255) throw new Error('name too long for the storage')
  return original(call)
})

/** Requires a field too few of one kind of role. */
const optional = (kind: KeyType, field: keyof Role) => ({
  requiredFields: (original: SshRules['requiredFields']) => (of: KeyType) =>
    of === kind ? original(of).filter((name) => name !== field) : original(of),
  unknownKeyAllowed: (original: SshRules['unknownKeyAllowed']) => () => field === 'key' || original(),
})

route(
  'key-type-otp',
  'SSH-KEYTYPE-01',
  'a role without kind is an otp role',
  'ssh.writeRole',
  requestBody((body) => ({ key_type: 'otp', ...body })),
)
route(
  'key-type-lenient',
  'SSH-KEYTYPE-02',
  'a role of another kind is an otp role',
  'ssh.writeRole',
  requestBody((body, { rules }) =>
    typeof body.key_type === 'string' && !rules.keyTypeKnown(body.key_type) ? { ...body, key_type: 'otp' } : body,
  ),
)
route(
  'key-type-of-capitals',
  'SSH-KEYTYPE-04',
  'a key_type that begins with a capital is taken for ca',
  'ssh.writeRole',
  requestBody((body) => (/^[A-Z]/.test(String(body.key_type)) ? { ...body, key_type: 'ca' } : body)),
)
rule('otp-user-optional', 'SSH-DEFUSER-01', 'an otp role needs no default user', optional('otp', 'default_user'))
rule('dynamic-user-optional', 'SSH-DEFUSER-02', 'a dynamic role needs no default user', optional('dynamic', 'default_user'))
rule('dynamic-key-optional', 'SSH-KEYNAME-01', 'a dynamic role needs no key', optional('dynamic', 'key'))
rule('dynamic-admin-optional', 'SSH-ADMIN-01', 'a dynamic role needs no administrator', optional('dynamic', 'admin_user'))
rule('key-bits-any', 'SSH-BITS-03', 'any length from 1024 bits on is taken', { keyBitsAllowed: () => (bits) => bits >= 1024 })
rule('key-bits-512', 'SSH-BITS-03', 'short keys are taken', { keyBitsAllowed: () => (bits) => bits <= 2048 })
rule('port-any', 'SSH-PORT-07', 'any number is a port', { portAllowed: () => () => true })
