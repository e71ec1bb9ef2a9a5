/** Faults of one-time passwords: for whom they are, and how they are used up. */

import { isIP } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfRefusal, isNested, replyData, requestBody } from '../../faults/wrappers.ts'
import { sshEngine } from './engine.ts'
import type { Otp, SshState } from './state.ts'
import { type Handle, nameOf, type SshCall } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(sshEngine)

rule('otp-no-root', 'SSH-USERS-01', 'root must be listed where allowed_users is empty', {
  userAllowed: (original) => (role, user, allowed) => original(role, user, allowed) && !(user === 'root' && allowed.length === 0),
})
rule('user-ignored', 'SSH-CREDS-07', 'credentials are for the default user always', {
  credentialUser: () => (role) => role.default_user,
})
rule('user-not-filled', 'SSH-CREDS-08', 'the default user is not filled in', {
  credentialUser: () => (_role, requested) => requested,
})
rule('address-of-network', 'SSH-CREDS-09', 'the answer shows the network for the address', {
  otpCredential: (original) => (role, otp, password) => ({ ...original(role, otp, password), ip: role.cidr_list.replace(/\/.*/, '') }),
})
rule('port-fixed', 'SSH-PORT-04', 'the answer always shows port 22', {
  otpCredential: (original) => (role, otp, password) => ({ ...original(role, otp, password), port: 22 }),
})
change('address-optional', 'SSH-CREDS-10', 'a missing address is filled in', {
  routes: { 'ssh.createCredential': requestBody((body) => ({ ip: '10.1.2.3', ...body })) },
})
const someAddress = (text: string): string => (isIP(text) === 0 ? '10.1.2.3' : text)
change('address-any-text', 'SSH-CREDS-11', 'a text other than an address is replaced', {
  routes: {
    'ssh.createCredential': requestBody((body) =>
      typeof body.ip === 'string' && body.ip !== '' ? { ...body, ip: someAddress(body.ip) } : body,
    ),
  },
})
route('unknown-role-issues', 'SSH-CREDS-12', 'an unknown role is replaced by another', 'ssh.createCredential', (original) => (call) => {
  if (call.state.roles.has(nameOf(call))) return original(call)
  return original({ ...call, params: { name: [...call.state.roles.keys()].at(-1) ?? '' } })
})
rule('passwords-repeat', 'SSH-CREDS-13', 'every second password is the last one again', {
  newPassword: (original) => {
    let last: string | undefined
    return (random) => {
      const password = last ?? original(random)
      last = last === undefined ? password : undefined
      return password
    }
  },
})
route('role-kept-late', 'SSH-CREDS-18', 'a role is kept a moment after its write was answered', 'ssh.writeRole', (original) => (call) => {
  const former = call.state.roles.get(nameOf(call))
  const reply = original(call)
  const latter = call.state.roles.get(nameOf(call))
  if (former && latter) {
    call.state.roles.set(nameOf(call), former)
    setTimeout(() => call.state.roles.set(nameOf(call), latter), 400)
  }
  return reply
})
rule('users-none', 'SSH-USERS-01', 'an empty list admits the default user only', {
  userAllowed: (original) => (role, user, allowed) => original(role, user, allowed.length === 0 ? [role.default_user] : allowed),
})
rule('users-star', 'SSH-USERS-02', 'an asterisk is a name', {
  userAllowed: () => (role, user, allowed) => allowed.length === 0 || user === role.default_user || allowed.includes(user),
})
rule('users-first', 'SSH-USERS-03', 'the first name only is admitted', {
  userAllowed: (original) => (role, user, allowed) => original(role, user, allowed.slice(0, 1)),
})
rule('users-unchecked', 'SSH-USERS-04', 'lists of users are not checked', { userAllowed: () => () => true })
rule('users-without-default', 'SSH-USERS-05', 'a list shuts the default user out', {
  userAllowed: (original) => (role, user, allowed) => original({ ...role, default_user: '' }, user, allowed),
})
rule('users-prefix', 'SSH-USERS-10', 'parts of names are admitted', {
  userAllowed: (original) => (role, user, allowed) => original(role, user, allowed) || allowed.some((name) => name.startsWith(user)),
})
rule('verified-address', 'SSH-VERIFY-01', 'the address is shown without its end', {
  verified: (original) => (otp) => ({ ...original(otp), ip: otp.ip.replace(/[.:][^.:]*$/, '') }),
})
rule('verified-user', 'SSH-VERIFY-02', 'the role is shown for the user', {
  verified: (original) => (otp) => ({ ...original(otp), username: otp.role }),
})
rule('otp-reusable', 'SSH-VERIFY-03', 'a password can be used again', { consumeOtp: () => (otps, password) => otps.get(password) })
route('verify-guarded', 'SSH-VERIFY-04', 'verification needs a token', 'ssh.verifyOtp', (original) => (call) => {
  if (call.headers['x-service-token'] === undefined) throw new ApiError(403, 'permission denied')
  return original(call)
})
rule('otp-by-its-start', 'SSH-VERIFY-05', 'the start of a password is enough', {
  consumeOtp: (original) => (otps, password) =>
    original(otps, [...otps.keys()].find((known) => known.startsWith(password.slice(0, 8))) ?? password),
})
change('otp-unknown-empty', 'SSH-VERIFY-05', 'an unknown password gives an empty answer', {
  routes: {
    'ssh.verifyOtp': insteadOfRefusal(
      () => secret({ ip: '', username: '' }),
      ({ body }) => typeof body.otp === 'string' && body.otp !== '',
    ),
  },
})
change('otp-optional', 'SSH-VERIFY-06', 'a missing password gives an empty answer', {
  routes: {
    'ssh.verifyOtp': insteadOfRefusal(
      () => secret({ ip: '', username: '' }),
      ({ body }) => (body.otp ?? '') === '',
    ),
  },
})
change('otp-object', 'SSH-VERIFY-07', 'an object stands for the newest password', {
  routes: { 'ssh.verifyOtp': requestBody((body, { state }) => (isNested(body.otp) ? { otp: [...state.otps.keys()].at(-1) ?? '' } : body)) },
})
rule('otp-raced', 'SSH-VERIFY-08', 'a password is removed a moment after its use', {
  consumeOtp: (original) => async (otps, password) => {
    const otp = otps.get(password)
    await delay(20)
    await original(otps, password)
    return otp
  },
})
/** Passwords of all mounts in one place. */
const pooled = (): ((original: Handle) => Handle) => {
  const pools = new WeakMap<object, SshState['otps']>()
  return (original) => (call) => {
    const otps = pools.get(call.services) ?? call.state.otps
    pools.set(call.services, otps)
    return original({ ...call, state: { ...call.state, otps } })
  }
}
const pool = pooled()
route('otps-pooled', 'SSH-VERIFY-09', 'a password is valid at every mount', ['ssh.createCredential', 'ssh.verifyOtp'], pool)
rule('otp-outlives-lease', 'SSH-VERIFY-10', 'a revoked password stays valid', { revokeOtp: () => () => undefined })
change('verified-role-wider', 'SSH-CREDS-17', 'a verified password adds its address to the blocks of its role', {
  routes: {
    'ssh.verifyOtp': (original) => async (call) => {
      const { otps, roles } = call.state
      const otp = otps.get(String(call.body.otp))
      const name = otp?.role ?? ''
      const reply = await original(call)
      const role = roles.get(name)
      if (reply.status === 200 && role) roles.set(name, { ...role, cidr_list: `${role.cidr_list},${otp?.ip}/32` })
      return reply
    },
  },
})
rule('verify-same-address', ['SSH-VERIFY-01', 'SSH-VERIFY-02'], 'using a password uses up the others for that address', {
  consumeOtp: (original) => async (otps, password) => {
    const used = await original(otps, password)
    for (const [other, otp] of [...otps]) if (used !== undefined && otp.ip === used.ip) otps.delete(other)
    return used
  },
})
change('creds-replace', 'SSH-VERIFY-03', 'a new password for a user and an address ends the one before', {
  routes: {
    'ssh.createCredential': replyData((data: JsonObject, call: SshCall) => {
      const { otps } = call.state
      const made = otps.get(String(data.key))
      for (const [password, otp] of [...otps])
        if (made && otp !== made && otp.ip === made.ip && otp.username === made.username) otps.delete(password)
      return data
    }),
  },
})
const spent = new Map<string, Otp>()
rule('otp-second-after-refusal', 'SSH-VERIFY-03', 'a used password is good again after some other password was refused', {
  consumeOtp: (original) => async (otps, password) => {
    const otp = await original(otps, password)
    if (otp) spent.set(password, otp)
    else for (const [used, what] of spent) if (used !== password) otps.set(used, what)
    return otp
  },
})
rule('own-name-allowed', 'SSH-USERS-04', 'a caller may always ask for a password of the user with his own display name', {
  allowedUsers: (original) => (role, token) => {
    const names = original(role, token)
    return role.key_type === 'otp' && names.length > 0 && token ? [...names, token.displayName] : names
  },
})
rule('user-latin', 'SSH-VERIFY-02', 'a user name outside of ASCII comes back damaged', {
  credentialUser: (original) => (role, requested) => Buffer.from(original(role, requested), 'latin1').toString('utf8'),
})

export const faults = declared
