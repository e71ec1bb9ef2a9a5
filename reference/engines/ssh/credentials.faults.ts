/** Faults of one-time passwords: for whom they are, and how they are used up. */
import { isIP } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, isNested, requestBody } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import type { SshState } from './state.ts'
import { type Handle, nameOf, type SshCall } from './wrappers.ts'

const { rule, route, change } = faultsOf(sshEngine)

const someAddress = (text: string): string => (isIP(text) === 0 ? '10.1.2.3' : text)

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
route(
  'address-optional',
  'SSH-CREDS-10',
  'a missing address is filled in',
  'ssh.createCredential',
  requestBody((body) => ({ ip: '10.1.2.3', ...body })),
)
route(
  'address-any-text',
  'SSH-CREDS-11',
  'text that is no address is replaced',
  'ssh.createCredential',
  requestBody((body) => (typeof body.ip === 'string' && body.ip !== '' ? { ...body, ip: someAddress(body.ip) } : body)),
)
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

/** Roles as they were first written, for an index that updates do not reach. */
const indexed = (): Record<string, (original: Handle) => Handle> => {
  const indexes = new WeakMap<object, SshState['roles']>()
  const indexOf = ({ state }: SshCall): SshState['roles'] => {
    const index = indexes.get(state.roles) ?? new Map()
    indexes.set(state.roles, index)
    return index
  }
  const reading =
    (original: Handle): Handle =>
    (call) =>
      original({ ...call, state: { ...call.state, roles: new Map([...call.state.roles, ...indexOf(call)]) } })
  return {
    'ssh.createCredential': reading,
    'ssh.lookupRoles': reading,
    'ssh.writeRole': (original) => async (call) => {
      const reply = await original(call)
      const role = call.state.roles.get(nameOf(call))
      if (role && !indexOf(call).has(nameOf(call))) indexOf(call).set(nameOf(call), role)
      return reply
    },
    'ssh.deleteRole': (original) => (call) => {
      indexOf(call).delete(nameOf(call))
      return original(call)
    },
  }
}

change('role-indexed', 'SSH-CREDS-17', 'updates of a role do not reach credentials and lookups', { routes: indexed() })
route('role-kept-late', 'SSH-CREDS-18', 'a role is kept a moment after its write was answered', 'ssh.writeRole', (original) => (call) => {
  const former = call.state.roles.get(nameOf(call))
  const reply = original(call)
  const latter = call.state.roles.get(nameOf(call))
  if (former && latter) {
    call.state.roles.set(nameOf(call), former)
    setTimeout(() => call.state.roles.set(nameOf(call), latter), 40)
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
route(
  'otp-unknown-empty',
  'SSH-VERIFY-05',
  'an unknown password gives an empty answer',
  'ssh.verifyOtp',
  insteadOfRefusal(
    () => secret({ ip: '', username: '' }),
    ({ body }) => typeof body.otp === 'string' && body.otp !== '',
  ),
)
route(
  'otp-optional',
  'SSH-VERIFY-06',
  'a missing password gives an empty answer',
  'ssh.verifyOtp',
  insteadOfRefusal(
    () => secret({ ip: '', username: '' }),
    ({ body }) => (body.otp ?? '') === '',
  ),
)
route(
  'otp-object',
  'SSH-VERIFY-07',
  'an object stands for the newest password',
  'ssh.verifyOtp',
  requestBody((body, { state }) => (isNested(body.otp) ? { otp: [...state.otps.keys()].at(-1) ?? '' } : body)),
)
rule('otp-raced', 'SSH-VERIFY-08', 'a password is removed a moment after its use', {
  consumeOtp: (original) => async (otps, password) => {
    const otp = otps.get(password)
    await delay(20)
    await original(otps, password)
    return otp
  },
})
route('otps-pooled', 'SSH-VERIFY-09', 'a password is valid at every mount', ['ssh.createCredential', 'ssh.verifyOtp'], pool)
rule('otp-outlives-lease', 'SSH-VERIFY-10', 'a revoked password stays valid', { revokeOtp: () => () => undefined })
route(
  'zero-address-otp-alone',
  ['SSH-ZERO-03', 'SSH-ZERO-04'],
  'the zero-address list frees otp roles and no dynamic ones',
  'ssh.createCredential',
  (original) => (call) =>
    original(
      call.state.roles.get(nameOf(call))?.key_type === 'dynamic' ? { ...call, rules: { ...call.rules, isZeroAddress: () => false } } : call,
    ),
)
rule('otp-gone-moments-later', 'SSH-VERIFY-08', 'a password that was used goes some milliseconds later', {
  consumeOtp: () => (otps, password) => {
    setTimeout(() => otps.delete(password), 12)
    return otps.get(password)
  },
})
