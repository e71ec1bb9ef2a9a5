/** Faults of keys, roles, addresses and passwords that a hurried change would leave behind. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { blockContains, entriesOf, parseBlock } from './networks.ts'
import type { KeyType, Role } from './state.ts'
import { nameOf, type SshCall } from './wrappers.ts'

const { rule, route, change } = faultsOf(sshEngine)

// Neighbours.
rule('overlooked-key-of-same-text', ['SSH-KEY-05'], 'the deletion of a named key takes other names of the same key along', {
  deleteKey: (original) => (keys, name) => {
    const text = keys.get(name)
    for (const [other, held] of [...keys]) if (other !== name && held === text) keys.delete(other)
    return original(keys, name)
  },
})
route(
  'overlooked-zero-list-with-role',
  ['SSH-ROLE-08'],
  'the deletion of one zero-address role ends the whole list',
  'ssh.deleteRole',
  (original) => (call) => {
    if (call.state.zeroAddress?.includes(nameOf(call))) call.state.zeroAddress = undefined
    return original(call)
  },
)
route(
  'overlooked-password-of-other-role',
  ['SSH-VERIFY-01'],
  'a password ends when another role issues one for the same address',
  'ssh.createCredential',
  (original) => async (call) => {
    const given = await original(call)
    const { data } = given.body as { data: JsonObject }
    for (const [password, otp] of [...call.state.otps])
      if (data.key_type === 'otp' && otp.ip === data.ip && otp.role !== nameOf(call)) call.state.otps.delete(password)
    return given
  },
)

// Boundaries.
/** Whether an excluded block covers one of the role's own blocks whole. */
const coversOwn = (role: Role, text: string): boolean => {
  const excluded = parseBlock(text)
  return entriesOf(role.cidr_list).some((entry) => {
    const own = parseBlock(entry)
    return own !== undefined && excluded !== undefined && own.prefix >= excluded.prefix && blockContains(excluded, own.address)
  })
}
rule('overlooked-exclusion-not-narrower', ['SSH-EXCL-07'], 'an excluded block as large as a block of the role or larger does not count', {
  excludedBlocks: (original) => (role) => original(role).filter((text) => !coversOwn(role, text)),
})
route(
  'overlooked-lookup-of-same-blocks',
  ['SSH-LOOKUP-01'],
  'a lookup names only the last of the roles with the same list of blocks',
  'ssh.lookupRoles',
  replyData<SshCall>((data, { state }) => {
    const names = (data.roles ?? []) as string[]
    const byBlocks = new Map(names.map((name) => [state.roles.get(name)?.cidr_list, name]))
    return { ...data, roles: names.filter((name) => byBlocks.get(state.roles.get(name)?.cidr_list) === name) }
  }),
)

// Time and order.
route(
  'overlooked-port-back-to-default',
  ['SSH-ROLE-02'],
  'an update that sets the port to 22 again leaves it as it was',
  'ssh.writeRole',
  requestBody<SshCall>((body, call) =>
    call.state.roles.has(nameOf(call)) && Number(body.port) === 22
      ? Object.fromEntries(Object.entries(body).filter(([field]) => field !== 'port'))
      : body,
  ),
)
const deletedLists = remembered<{ names: string[] }>(() => ({ names: [] }))
change('overlooked-zero-list-revived', ['SSH-ZERO-11'], 'the first zero-address list after a deletion holds the deleted names, too', {
  routes: {
    'ssh.deleteZeroAddress': (original) => (call) => {
      deletedLists(call.state).names = call.state.zeroAddress ?? []
      return original(call)
    },
    'ssh.writeZeroAddress': (original) => async (call) => {
      const given = await original(call)
      const kept = deletedLists(call.state).names.filter((name) => call.state.roles.has(name))
      call.state.zeroAddress = [...new Set([...kept, ...(call.state.zeroAddress ?? [])])]
      deletedLists(call.state).names = []
      return given
    },
  },
})
const firstKinds = remembered(() => new Map<string, KeyType>())
change('overlooked-kind-of-first-write', ['SSH-ROLE-06'], 'a listing shows the kind that a role of this name was first written with', {
  routes: {
    'ssh.writeRole': (original) => async (call) => {
      const given = await original(call)
      const role = call.state.roles.get(nameOf(call))
      const kinds = firstKinds(call.state)
      if (role !== undefined && !kinds.has(nameOf(call))) kinds.set(nameOf(call), role.key_type)
      return given
    },
    'ssh.listRoles': replyData<SshCall>((data, { state }) => {
      const info = Object.entries(data.key_info as JsonObject).map(([name, shown]) => {
        const kind = firstKinds(state).get(name)
        return [name, kind === undefined ? shown : { key_type: kind }]
      })
      return { ...data, key_info: Object.fromEntries(info) as JsonObject }
    }),
  },
})

// Identity and access.
rule('overlooked-own-name-allowed', ['SSH-USERS-04'], 'a caller may always ask for a password of the user with his own display name', {
  allowedUsers: (original) => (role, token) => {
    const names = original(role, token)
    return role.key_type === 'otp' && names.length > 0 && token ? [...names, token.displayName] : names
  },
})
