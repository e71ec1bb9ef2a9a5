/** Faults of named keys and roles: what is kept and what is required. */
import { empty, secret } from '../../core/envelope.ts'
import type { Fault } from '../../core/mutation.ts'
import type { SshRules } from '../../engines/ssh/rules.ts'
import type { KeyType, Role, SshState } from '../../engines/ssh/state.ts'
import { forgiving, type Handle, idle, isNested, nameOf, routeFault, ruleFault, sshFault, withBody, withData } from './shared.ts'

const keys: Fault[] = [
  routeFault('key-accepted-later', 'SSH-KEY-01', 'a key is answered with 202', 'writeKey', (original) => async (call) => ({
    ...(await original(call)),
    status: 202,
  })),
  routeFault(
    'key-optional',
    'SSH-KEY-02',
    'a key may be missing',
    'writeKey',
    idle(({ body }) => (body.key ?? '') === '', empty),
  ),
  routeFault(
    'key-object',
    'SSH-KEY-03',
    'an object is taken for a key',
    'writeKey',
    idle(({ body }) => isNested(body.key), empty),
  ),
  ruleFault('key-any-text', 'SSH-KEY-04', 'any text is registered as a key', { checkNamedKey: () => () => undefined }),
  ruleFault('key-by-its-frame', 'SSH-KEY-04', 'a key is judged by its first line', {
    checkNamedKey: (original) => (text) => {
      if (!text.startsWith('-----BEGIN')) original(text)
    },
  }),
  routeFault(
    'key-shown',
    'SSH-KEY-07',
    'the read of a role shows the registered key',
    'readRole',
    withData((data, { state }) => ({ ...data, private_key: state.keys.get(String(data.key)) ?? '' })),
  ),
]

const oneStateFor = (): ((original: Handle) => Handle) => {
  const states = new WeakMap<object, SshState>()
  return (original) => (call) => {
    const state = states.get(call.server) ?? call.state
    states.set(call.server, state)
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

const lifecycle: Fault[] = [
  routeFault('role-dropped', 'SSH-ROLE-01', 'a new role is acknowledged and not kept', 'writeRole', (original) => async (call) => {
    const isNew = !call.state.roles.has(nameOf(call))
    const reply = await original(call)
    if (isNew) call.state.roles.delete(nameOf(call))
    return reply
  }),
  routeFault(
    'role-update-lost',
    'SSH-ROLE-02',
    'writing a role again changes nothing',
    'writeRole',
    idle(({ state, params }) => state.roles.has(params.name ?? ''), empty),
  ),
  routeFault('role-read-201', 'SSH-ROLE-03', 'a read answers 201', 'readRole', (original) => async (call) => ({
    ...(await original(call)),
    status: 201,
  })),
  routeFault(
    'role-unknown-empty',
    'SSH-ROLE-04',
    'an unknown role reads as an empty one',
    'readRole',
    forgiving(() => secret({})),
  ),
  routeFault(
    'roles-unlisted',
    'SSH-ROLE-05',
    'the listing misses the newest role',
    'listRoles',
    withData((data) => ({ ...data, keys: Array.isArray(data.keys) ? data.keys.slice(0, -1) : null })),
  ),
  ruleFault('roles-all-otp', 'SSH-ROLE-06', 'the listing calls every role an otp role', { keyInfo: () => () => ({ key_type: 'otp' }) }),
  routeFault(
    'roles-empty-200',
    'SSH-ROLE-07',
    'an empty listing is answered with 200',
    'listRoles',
    forgiving(() => secret({ keys: [], key_info: {} })),
  ),
  ruleFault('role-kept', 'SSH-ROLE-08', 'a deleted role stays', { deleteRole: () => () => true }),
  routeFault('role-issues-on', 'SSH-ROLE-09', 'a deleted role issues on', 'createCredential', remembering),
  routeFault('role-signs-on', 'SSH-ROLE-10', 'a deleted role signs on', 'signKey', remembering),
  sshFault('roles-shared', 'SSH-ROLE-12', 'all mounts share their roles', { routes: { 'ssh.writeRole': shared, 'ssh.readRole': shared } }),
  routeFault('role-long-name-fails', 'SSH-ROLE-14', 'a long name is an internal error', 'writeRole', (original) => (call) => {
    if (nameOf(call).length > 255) throw new Error('name too long for the storage')
    return original(call)
  }),
]

/** Requires a field too few of one kind of role. */
const optional = (kind: KeyType, field: keyof Role) => ({
  requiredFields: (original: SshRules['requiredFields']) => (of: KeyType) =>
    of === kind ? original(of).filter((name) => name !== field) : original(of),
  unknownKeyAllowed: (original: SshRules['unknownKeyAllowed']) => () => field === 'key' || original(),
})

const required: Fault[] = [
  routeFault(
    'key-type-otp',
    'SSH-KEYTYPE-01',
    'a role without kind is an otp role',
    'writeRole',
    withBody((body) => ({ key_type: 'otp', ...body })),
  ),
  routeFault(
    'key-type-lenient',
    'SSH-KEYTYPE-02',
    'a role of another kind is an otp role',
    'writeRole',
    withBody((body, { rules }) =>
      typeof body.key_type === 'string' && !rules.keyTypeKnown(body.key_type) ? { ...body, key_type: 'otp' } : body,
    ),
  ),
  ruleFault('otp-user-optional', 'SSH-DEFUSER-01', 'an otp role needs no default user', optional('otp', 'default_user')),
  ruleFault('dynamic-user-optional', 'SSH-DEFUSER-02', 'a dynamic role needs no default user', optional('dynamic', 'default_user')),
  ruleFault('dynamic-key-optional', 'SSH-KEYNAME-01', 'a dynamic role needs no key', optional('dynamic', 'key')),
  ruleFault('dynamic-admin-optional', 'SSH-ADMIN-01', 'a dynamic role needs no administrator', optional('dynamic', 'admin_user')),
  ruleFault('key-bits-any', 'SSH-BITS-03', 'any length from 1024 bits on is taken', { keyBitsAllowed: () => (bits) => bits >= 1024 }),
  ruleFault('key-bits-512', 'SSH-BITS-03', 'short keys are taken', { keyBitsAllowed: () => (bits) => bits <= 2048 }),
  ruleFault('port-any', 'SSH-PORT-07', 'any number is a port', { portAllowed: () => () => true }),
]

export const roleFaults: Fault[] = [...keys, ...lifecycle, ...required]
