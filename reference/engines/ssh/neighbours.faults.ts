/** Faults in which a request reaches further than the object that it names. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import type { CaPair, Otp, SshState } from './state.ts'
import { type Handle, nameOf } from './wrappers.ts'

const { rule, route, change } = faultsOf(sshEngine)

rule(
  'neighbour-role-prefix',
  ['SSH-ROLE-08'],
  'deleting a role deletes every role whose name begins with its name (000 4.4, DELETE roles)',
  {
    deleteRole: (original) => (roles, name) => {
      for (const other of [...roles.keys()]) if (other !== name && other.startsWith(name)) roles.delete(other)
      return original(roles, name)
    },
  },
)

route(
  'neighbour-key-takes-roles',
  ['SSH-APART-01'],
  'deleting a named key deletes the roles that use it (000 4.4, DELETE keys)',
  'ssh.deleteKey',
  (original) => (call) => {
    for (const [name, role] of [...call.state.roles]) if (role.key === nameOf(call)) call.state.roles.delete(name)
    return original(call)
  },
)

route(
  'neighbour-zero-takes-roles',
  ['SSH-APART-01'],
  'deleting the zero-address list deletes the roles on it (000 4.4, DELETE config/zeroaddress)',
  'ssh.deleteZeroAddress',
  (original) => (call) => {
    for (const name of call.state.zeroAddress ?? []) call.state.roles.delete(name)
    return original(call)
  },
)

route(
  'neighbour-zero-empties-blocks',
  ['SSH-APART-01'],
  'registering a role for all addresses empties its blocks instead of ignoring them (000 4.4, config/zeroaddress)',
  'ssh.writeZeroAddress',
  (original) => async (call) => {
    const given = await original(call)
    for (const name of call.state.zeroAddress ?? [])
      Object.assign(call.state.roles.get(name) ?? {}, { cidr_list: '', exclude_cidr_list: '' })
    return given
  },
)

route(
  'neighbour-otp-same-host',
  ['SSH-APART-01'],
  'a new password for a user and an address ends the earlier one that was not used (000 2.7, credential otp)',
  'ssh.createCredential',
  (original) => async (call) => {
    const before = new Map(call.state.otps)
    const given = await original(call)
    const [latest] = [...call.state.otps].filter(([password]) => !before.has(password))
    for (const [password, otp] of before)
      if (latest && otp.ip === latest[1].ip && otp.username === latest[1].username) call.state.otps.delete(password)
    return given
  },
)

rule('neighbour-verify-spends-role', ['SSH-APART-01'], 'verifying a password spends all passwords of its role (000 4.4, verify)', {
  consumeOtp: (original) => async (otps, password) => {
    const otp = await original(otps, password)
    if (otp) for (const [other, { role }] of [...otps]) if (role === otp.role) otps.delete(other)
    return otp
  },
})

let lastWritten: CaPair | undefined

rule(
  'neighbour-ca-of-last-mount',
  ['SSH-APART-01'],
  'a mount with a CA signs with the CA that any mount was given last (000 intro and 4.4, config/ca)',
  {
    replaceCa: (original) => (existing, pair) => {
      lastWritten = original(existing, pair)
      return lastWritten
    },
    signingPair: (original) => (state) => (original(state) ? (lastWritten ?? original(state)) : undefined),
  },
)

const sharedExtensions: Record<string, string> = {}

change(
  'neighbour-default-extensions',
  ['SSH-DEFEXT-04'],
  'default extensions of one role are added to those of all roles made later without any (000 4.4, default_extensions)',
  {
    rules: { defaults: (original) => () => ({ ...original(), default_extensions: { ...sharedExtensions } }) },
    routes: {
      'ssh.writeRole': (original: Handle) => async (call) => {
        const given = await original(call)
        Object.assign(sharedExtensions, call.state.roles.get(nameOf(call))?.default_extensions)
        return given
      },
    },
  },
)

route(
  'neighbour-key-info-of-first',
  ['SSH-ROLE-06'],
  'key_info says of all roles what it says of the first (000 4.4, LIST roles)',
  'ssh.listRoles',
  replyData((data) => {
    const info = data.key_info as JsonObject
    const [first] = Object.values(info)
    return { ...data, key_info: Object.fromEntries(Object.keys(info).map((name) => [name, first ?? null])) }
  }),
)

const passwordsOfAll = new Set<Map<string, Otp>>()

change('neighbour-verify-any-mount', ['SSH-VERIFY-09'], 'a password of one mount is verified at another (000 intro, engines at any path)', {
  rules: {
    consumeOtp: (original) => (otps, password) => {
      const other = [...passwordsOfAll].find((candidate) => candidate.has(password))
      return original(other ?? otps, password)
    },
  },
  routes: {
    'ssh.createCredential': (original: Handle) => (call) => {
      passwordsOfAll.add(call.state.otps)
      return original(call)
    },
  },
})

route(
  'neighbour-role-ends-zero-list',
  ['SSH-APART-01'],
  'deleting one role of the zero-address list deletes the list (000 4.4, DELETE roles)',
  'ssh.deleteRole',
  (original) => (call) => {
    if (call.state.zeroAddress?.includes(nameOf(call))) call.state.zeroAddress = undefined
    return original(call)
  },
)

rule('neighbour-revoke-ends-all', ['SSH-APART-01'], 'the end of one lease ends the passwords of all leases (000 2.7, credential otp)', {
  revokeOtp: () => (otps) => otps.clear(),
})

const siblings = (state: SshState, name: string): string[] =>
  [...state.roles].filter(([other, role]) => other !== name && role.key_type === 'ca').map(([other]) => other)

route(
  'neighbour-role-update-spreads',
  ['SSH-APART-01'],
  'updating the allowed users of a ca role updates those of every role that had the same ones (000 4.4, roles)',
  'ssh.writeRole',
  (original) => async (call) => {
    const before = call.state.roles.get(nameOf(call))?.allowed_users
    const given = await original(call)
    const after = call.state.roles.get(nameOf(call))
    for (const name of siblings(call.state, nameOf(call))) {
      const role = call.state.roles.get(name)
      if (role && after && before !== undefined && before !== '' && role.allowed_users === before) role.allowed_users = after.allowed_users
    }
    return given
  },
)
