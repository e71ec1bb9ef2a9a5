/** Faults whose effect falls on a neighbour: another role, password, certificate, mount or namespace than the one that a request names. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import type { CaPair, SshState } from './state.ts'

const { rule, route, change } = faultsOf(sshEngine)

const latestPair = remembered<{ pair: CaPair | undefined }>(() => ({ pair: undefined }))
change(
  'swift-ca-of-latest-mount',
  ['SSH-APART-01'],
  'certificates are signed by the pair written last at any mount (000 4.4, POST config/ca: replaces an existing CA pair)',
  {
    routes: {
      'ssh.writeCa': (original) => async (call) => {
        const reply = await original(call)
        latestPair(call.services).pair = call.state.ca
        return reply
      },
      'ssh.signKey': (original) => (call) => {
        const signingPair = (state: SshState) => state.ca && (latestPair(call.services).pair ?? state.ca)
        return original({ ...call, rules: { ...call.rules, signingPair } })
      },
    },
  },
)

route(
  'swift-delete-role-thins-zero-list',
  ['SSH-ROLE-08'],
  'deleting a role strikes every role whose name begins with its name from the zero-address list (000 4.4, GET config/zeroaddress)',
  'ssh.deleteRole',
  (original) => (call) => {
    const name = call.params.name ?? ''
    const { state } = call
    state.zeroAddress = state.zeroAddress?.filter((listed) => listed === name || !listed.startsWith(name))
    return original(call)
  },
)

route(
  'swift-delete-role-voids-passwords',
  ['SSH-APART-01'],
  'deleting a role voids the unused one-time passwords of all other roles (000 4.4, POST verify: returns data.ip, data.username)',
  'ssh.deleteRole',
  (original) => (call) => {
    const name = call.params.name ?? ''
    for (const [password, otp] of [...call.state.otps]) if (otp.role !== name) call.state.otps.delete(password)
    return original(call)
  },
)

route(
  'swift-otp-one-per-user',
  ['SSH-APART-01'],
  'a new one-time password for a user voids the same user’s passwords for other addresses (000 4.4, POST verify)',
  'ssh.createCredential',
  (original) => async (call) => {
    const before = new Set(call.state.otps.keys())
    const reply = await original(call)
    const { otps } = call.state
    const fresh = [...otps].find(([password]) => !before.has(password))?.[1]
    for (const [password, otp] of [...otps]) if (fresh && before.has(password) && otp.username === fresh.username) otps.delete(password)
    return reply
  },
)

rule(
  'swift-delete-key-takes-prefixes',
  ['SSH-KEY-05'],
  'deleting a named key deletes all keys whose names begin with it (000 4.4, DELETE keys: deletes the named key)',
  {
    deleteKey: (original) => (keys, name) => {
      for (const other of [...keys.keys()]) if (other !== name && other.startsWith(name)) keys.delete(other)
      return original(keys, name)
    },
  },
)

rule(
  'swift-delete-role-takes-prefixes',
  ['SSH-ROLE-05', 'SSH-ROLE-08'],
  'deleting a role deletes all roles whose names begin with its name and a hyphen (000 4.4, DELETE roles)',
  {
    deleteRole: (original) => (roles, name) => {
      for (const other of [...roles.keys()]) if (other.startsWith(`${name}-`)) roles.delete(other)
      return original(roles, name)
    },
  },
)

rule(
  'swift-verify-voids-address',
  ['SSH-APART-01'],
  'verifying one password voids all other passwords for the same address (000 4.4, POST verify)',
  {
    consumeOtp: (original) => async (otps, password) => {
      const used = await original(otps, password)
      for (const [other, otp] of [...otps]) if (used && otp.ip === used.ip) otps.delete(other)
      return used
    },
  },
)

route(
  'swift-lookup-excludes-for-all',
  ['SSH-LOOKUP-01'],
  'the excluded blocks of any role keep an address from all roles in a lookup (000 4.4, exclude_cidr_list: blocks rejected by the role)',
  'ssh.lookupRoles',
  (original) => (call) => {
    const exclude_cidr_list = [...call.state.roles.values()].map((role) => role.exclude_cidr_list).join(',')
    const roles = new Map([...call.state.roles].map(([name, role]) => [name, { ...role, exclude_cidr_list }]))
    return original({ ...call, state: Object.assign(Object.create(call.state) as SshState, { roles }) })
  },
)

rule(
  'swift-extensions-into-role',
  ['SSH-DEFEXT-01'],
  'extensions of one request stay in the role’s default_extensions (000 4.4, default_extensions: used when none are provided)',
  {
    extensions: (original) => (role, requested) => {
      const chosen = { ...original(role, requested) }
      Object.assign(role.default_extensions, requested)
      return chosen
    },
  },
)

change(
  'swift-options-of-previous-request',
  ['SSH-DEFCRIT-04'],
  'a certificate without critical options carries those of the role’s previous request (000 4.4, critical_options: default none)',
  {
    rules: {
      criticalOptions: (original) => {
        const previous = new WeakMap<object, Record<string, string>>()
        return (role, requested) => {
          const chosen = original(role, requested)
          if (Object.keys(chosen).length > 0) previous.set(role, chosen)
          return previous.get(role) ?? chosen
        }
      },
    },
  },
)

route(
  'swift-list-info-of-first',
  ['SSH-ROLE-06'],
  'key_info shows the key_type of the first role for every role (000 4.4, LIST roles: object name -> object with key_type)',
  'ssh.listRoles',
  replyData((data, call) => {
    const first = [...call.state.roles.values()][0]
    const names = Object.keys((data.key_info ?? {}) as object)
    return { ...data, key_info: Object.fromEntries(names.map((name) => [name, { key_type: first?.key_type ?? '' }])) }
  }),
)

rule(
  'swift-expiry-voids-role-passwords',
  ['SSH-APART-01'],
  'a password whose time is over takes the role’s newer passwords with it (000 4.4, ttl; POST verify)',
  {
    revokeOtp: (original) => (otps, password) => {
      const ended = otps.get(password)
      for (const [other, otp] of [...otps]) if (ended && otp.role === ended.role) otps.delete(other)
      original(otps, password)
    },
  },
)
