/** Faults of named keys and roles: what is kept, listed and deleted, and which role counts. */

import { empty, secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { bySeenRole, emptiedListing } from '../../faults/remembering.ts'
import { insteadOfHandling, insteadOfRefusal, isNested, replyData, replyStatus, requestBody } from '../../faults/wrappers.ts'
import { sshEngine } from './engine.ts'
import type { SshRules } from './rules.ts'
import type { KeyType, Role, SshState } from './state.ts'
import { type Handle, nameOf } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(sshEngine)

change('list-100', 'SSH-ROLE-05', 'a listing of roles ends after 100 names', {
  routes: { 'ssh.listRoles': replyData((data) => ({ ...data, keys: (data.keys as string[]).slice(0, 100) })) },
})
change('key-info-of-first', 'SSH-ROLE-06', 'key_info says of all roles what it says of the first', {
  routes: {
    'ssh.listRoles': replyData((data) => {
      const info = data.key_info as JsonObject
      const [first] = Object.values(info)
      return { ...data, key_info: Object.fromEntries(Object.keys(info).map((name) => [name, first ?? null])) }
    }),
  },
})
/** By the role as it was when this route used it last. */
const byLastRole = bySeenRole<SshState, SshRules>((seen, current) => current && (seen ?? current))
change('sign-after-update', 'SSH-ROLE-02', 'the first signature after an update of the role still follows the old role', {
  routes: { 'ssh.signKey': byLastRole },
})
change('creds-after-update', 'SSH-ROLE-02', 'the first credential after an update of the role still follows the old role', {
  routes: { 'ssh.createCredential': byLastRole },
})
change('list-emptied', 'SSH-ROLE-07', 'a listing that had names once is an empty 200 when the last is deleted', {
  routes: { 'ssh.listRoles': emptiedListing(() => secret({ keys: [], key_info: {} })) },
})
change('delete-twice', 'SSH-ROLE-08', 'a second deletion of a role is answered with 500', {
  routes: {
    'ssh.deleteRole': (original) => {
      const gone = new WeakMap<SshState, Set<string>>()
      return (call) => {
        const names = gone.get(call.state) ?? new Set<string>()
        gone.set(call.state, names)
        if (names.has(nameOf(call)) && !call.state.roles.has(nameOf(call))) throw new ApiError(500, 'no such entry')
        names.add(nameOf(call))
        return original(call)
      }
    },
  },
})
rule('key-of-same-text', 'SSH-KEY-05', 'the deletion of a named key takes other names of the same key along', {
  deleteKey: (original) => (keys, name) => {
    const text = keys.get(name)
    for (const [other, held] of [...keys]) if (other !== name && held === text) keys.delete(other)
    return original(keys, name)
  },
})
route('key-accepted-later', 'SSH-KEY-01', 'a key is answered with 202', 'ssh.writeKey', replyStatus(202))
change('key-optional', 'SSH-KEY-02', 'a key may be missing', {
  routes: { 'ssh.writeKey': insteadOfHandling(empty, ({ body }) => (body.key ?? '') === '') },
})
change('key-object', 'SSH-KEY-03', 'an object is taken for a key', {
  routes: { 'ssh.writeKey': insteadOfHandling(empty, ({ body }) => isNested(body.key)) },
})
rule('key-any-text', 'SSH-KEY-04', 'any text is registered as a key', { checkNamedKey: () => () => undefined })
rule('key-by-its-frame', 'SSH-KEY-04', 'a key is judged by its first line', {
  checkNamedKey: (original) => (text) => {
    if (!text.startsWith('-----BEGIN')) original(text)
  },
})
change('key-shown', 'SSH-KEY-07', 'the read of a role shows the registered key', {
  routes: { 'ssh.readRole': replyData((data, { state }) => ({ ...data, private_key: state.keys.get(String(data.key)) ?? '' })) },
})
route('role-dropped', 'SSH-ROLE-01', 'a new role is acknowledged and not kept', 'ssh.writeRole', (original) => async (call) => {
  const isNew = !call.state.roles.has(nameOf(call))
  const reply = await original(call)
  if (isNew) call.state.roles.delete(nameOf(call))
  return reply
})
change('role-unknown-empty', 'SSH-ROLE-04', 'an unknown role reads as an empty one', {
  routes: { 'ssh.readRole': insteadOfRefusal(() => secret({})) },
})
change('roles-empty-200', 'SSH-ROLE-07', 'an empty listing is answered with 200', {
  routes: { 'ssh.listRoles': insteadOfRefusal(() => secret({ keys: [], key_info: {} })) },
})
/** Remembers roles beyond their deletion. */
const remembering = (original: Handle): Handle => {
  const remembered = new WeakMap<object, SshState['roles']>()
  return (call) => {
    const roles = new Map([...(remembered.get(call.state.roles) ?? []), ...call.state.roles])
    remembered.set(call.state.roles, roles)
    return original({ ...call, state: { ...call.state, roles } })
  }
}
route('role-issues-on', 'SSH-ROLE-09', 'a deleted role issues on', 'ssh.createCredential', remembering)
route('role-signs-on', 'SSH-ROLE-10', 'a deleted role signs on', 'ssh.signKey', remembering)
const oneStateFor = (): ((original: Handle) => Handle) => {
  const states = new WeakMap<object, SshState>()
  return (original) => (call) => {
    const state = states.get(call.services) ?? call.state
    states.set(call.services, state)
    return original({ ...call, state })
  }
}
const shared = oneStateFor()
route('roles-shared', 'SSH-ROLE-12', 'all mounts share their roles', ['ssh.writeRole', 'ssh.readRole'], shared)
route('role-long-name-fails', 'SSH-ROLE-14', 'a long name is an internal error', 'ssh.writeRole', (original) => (call) => {
  if (nameOf(call).length > 255) throw new Error('name too long for the storage')
  return original(call)
})
change('key-type-otp', 'SSH-KEYTYPE-01', 'a role without kind is an otp role', {
  routes: { 'ssh.writeRole': requestBody((body) => ({ key_type: 'otp', ...body })) },
})
change('key-type-lenient', 'SSH-KEYTYPE-02', 'a role of another kind is an otp role', {
  routes: {
    'ssh.writeRole': requestBody((body, { rules }) =>
      typeof body.key_type === 'string' && !rules.keyTypeKnown(body.key_type) ? { ...body, key_type: 'otp' } : body,
    ),
  },
})
change('key-type-of-capitals', 'SSH-KEYTYPE-04', 'a key_type that begins with a capital is taken for ca', {
  routes: { 'ssh.writeRole': requestBody((body) => (/^[A-Z]/.test(String(body.key_type)) ? { ...body, key_type: 'ca' } : body)) },
})
/** Requires a field too few of one kind of role. */
const optional = (kind: KeyType, field: keyof Role) => ({
  requiredFields: (original: SshRules['requiredFields']) => (of: KeyType) =>
    of === kind ? original(of).filter((name) => name !== field) : original(of),
  unknownKeyAllowed: (original: SshRules['unknownKeyAllowed']) => () => field === 'key' || original(),
})
rule('otp-user-optional', 'SSH-DEFUSER-01', 'an otp role needs no default user', optional('otp', 'default_user'))
rule('dynamic-user-optional', 'SSH-DEFUSER-02', 'a dynamic role needs no default user', optional('dynamic', 'default_user'))
rule('dynamic-key-optional', 'SSH-KEYNAME-01', 'a dynamic role needs no key', optional('dynamic', 'key'))
rule('dynamic-admin-optional', 'SSH-ADMIN-01', 'a dynamic role needs no administrator', optional('dynamic', 'admin_user'))
rule('key-bits-any', 'SSH-BITS-03', 'any length from 1024 bits on is taken', { keyBitsAllowed: () => (bits) => bits >= 1024 })
rule('key-bits-512', 'SSH-BITS-03', 'short keys are taken', { keyBitsAllowed: () => (bits) => bits <= 2048 })
rule('port-any', 'SSH-PORT-07', 'any number is a port', { portAllowed: () => () => true })
change('get-list-without-info', 'SSH-ROLE-06', 'a listing by GET with list=true has no key_info', {
  routes: { 'ssh.listRoles': replyData((data, call) => (call.query.get('list') === 'true' ? { keys: data.keys ?? [] } : data)) },
})
const ROLE_ROUTES = ['ssh.writeRole', 'ssh.readRole', 'ssh.deleteRole', 'ssh.createCredential', 'ssh.signKey']
const renamed =
  (change: (name: string) => string) =>
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, params: { ...call.params, name: change(call.params.name ?? '') } })
route(
  'name-extension',
  'SSH-ROLE-03',
  'what follows a period in a role name is dropped, so that two roles are one',
  ROLE_ROUTES,
  renamed((name) => name.replace(/\.[^.]+$/, '')),
)
rule('key-keeps-first', 'SSH-KEY-09', 'a name that is registered again keeps its first key', {
  registerKey: (original) => (keys, name, text) => {
    if (!keys.has(name)) original(keys, name, text)
  },
})

export const faults = declared
