import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { roleOfCall } from './frank-help.ts'
import { entriesOf } from './networks.ts'
import type { SshState } from './state.ts'

const { rule, route } = faultsOf(sshEngine)

faultsOf(coreEngine, 'ssh').rule(
  'frank-keys-of-all-mounts',
  'SSH-APART-01',
  'mounts of the engine share their named keys: a key of one is replaced or deleted by another (000 1.2 and 4.4: engines are mounted at paths, /ssh/keys/:name)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const sibling = others.find((mount) => mount.engine.type === 'ssh' && mount.namespace === place.namespace)
      if (engine.type !== 'ssh' || !sibling) return state
      return { ...(state as SshState), keys: (sibling.state as SshState).keys }
    },
  },
)

rule(
  'frank-role-deleted-in-any-case',
  'SSH-ROLE-05',
  'deleting a role deletes the roles, too, whose names differ by case only (000 4.4: DELETE /ssh/roles/:name deletes the role)',
  {
    deleteRole: (original) => (roles, name) => {
      if (!roles.has(name)) return original(roles, name)
      for (const other of [...roles.keys()]) if (other.toLowerCase() === name.toLowerCase()) roles.delete(other)
      return true
    },
  },
)

route(
  'frank-key-takes-its-roles-along',
  'SSH-APART-01',
  'deleting a named key deletes the dynamic roles that name it (000 4.4: DELETE /ssh/keys/:name deletes the named key)',
  'ssh.deleteKey',
  (original) => (call) => {
    const { roles } = call.state
    for (const [name, role] of [...roles]) if (role.key_type === 'dynamic' && role.key === call.params.name) roles.delete(name)
    return original(call)
  },
)

rule(
  'frank-verify-spends-the-others',
  'SSH-APART-01',
  'verifying a one-time password spends all others of the same user and address (000 4.4: POST /ssh/verify returns ip and username of the otp)',
  {
    consumeOtp: () => (otps, password) => {
      const used = otps.get(password)
      for (const [other, { ip, username }] of [...otps]) if (ip === used?.ip && username === used.username) otps.delete(other)
      return used
    },
  },
)

route(
  'frank-name-cut-out-of-zero-address-text',
  'SSH-ROLE-08',
  'deleting a role cuts its name out of longer names on the zero-address list (000 4.4: GET /ssh/config/zeroaddress, data.roles)',
  'ssh.deleteRole',
  (original) => (call) => {
    const { zeroAddress } = call.state
    if (zeroAddress) call.state.zeroAddress = entriesOf(zeroAddress.join(',').replace(call.params.name ?? '', ''))
    return original(call)
  },
)

route(
  'frank-key-info-of-another-role',
  'SSH-ROLE-06',
  'key_info pairs sorted names with types in the order of writing (000 4.4: LIST /ssh/roles, key_info maps a name to its key_type)',
  'ssh.listRoles',
  replyData((data) => {
    const infos = Object.values(data.key_info as JsonObject)
    const names = data.keys as string[]
    return { ...data, key_info: Object.fromEntries(names.map((name, index) => [name, infos[index] ?? null])) }
  }),
)

route(
  'frank-ca-deleted-with-all-config',
  'SSH-APART-01',
  'deleting the CA pair empties the zero-address configuration, too (000 4.4: DELETE /ssh/config/ca deletes the CA pair)',
  'ssh.deleteCa',
  (original) => (call) => {
    call.state.zeroAddress = undefined
    return original(call)
  },
)

const latestExtensions = new WeakMap<SshState, Record<string, string>>()

route(
  'frank-default-extensions-leak',
  'SSH-DEFEXT-04',
  'a new role without default_extensions gets those of the role written before (000 4.4: default_extensions, default none)',
  'ssh.writeRole',
  (original) => async (call) => {
    const { state, body } = call
    const isGiven = body.default_extensions !== undefined && body.default_extensions !== null
    const leaked = roleOfCall(call) || isGiven ? undefined : latestExtensions.get(state)
    const given = await original(leaked ? { ...call, body: { ...body, default_extensions: leaked } } : call)
    const written = roleOfCall(call)
    if (written && isGiven) latestExtensions.set(state, written.default_extensions)
    return given
  },
)

rule(
  'frank-subdomain-without-its-dot',
  'SSH-SUBDOM-04',
  'with allow_subdomains a host of another domain that merely ends alike gets a certificate (000 4.4: allow_subdomains, subdomains of listed domains)',
  {
    hostAllowed: (original) => (role, host) =>
      original(role, host) ||
      (role.allow_subdomains && entriesOf(role.allowed_domains).some((domain) => host !== domain && host.endsWith(domain))),
  },
)

rule(
  'frank-user-within-the-text',
  'SSH-USERS-10',
  'a user whose name is a part of a listed name gets credentials (000 4.4: allowed_users, otherwise only default_user and listed names)',
  {
    userAllowed: (original) => (role, user, allowed) => original(role, user, allowed) || (user !== '' && role.allowed_users.includes(user)),
  },
)

rule(
  'frank-length-of-another-kind',
  'SSH-KEYLEN-02',
  'a key is signed where its length is listed for another kind of key (000 4.4: allowed_user_key_lengths, key types and sizes)',
  {
    keyLengthAllowed: (original) => (lengths, key) => original(lengths, key) || Object.values(lengths).includes(key.bits),
  },
)

rule(
  'frank-extension-of-the-other-list',
  'SSH-EXT-02',
  'an extension is allowed where allowed_critical_options names it (000 4.4: allowed_extensions)',
  {
    forbiddenExtensions: (original) => (role, requested) => {
      if (role.allowed_extensions === '') return original(role, requested)
      const listed = entriesOf(role.allowed_critical_options)
      return original(role, requested).filter((name) => !listed.includes(name))
    },
  },
)
