/** Legal alternatives of networks and credentials. */
import { ApiError, notFound } from '../core/errors.ts'
import type { Variant } from '../core/mutation.ts'
import type { Role } from '../engines/ssh/state.ts'
import { type Handle, nameOf, routeVariant, ruleVariant, type SshCall, sshVariant } from './ssh-shared.ts'

/** Fails with another status. */
const failingWith =
  (status: number, former: number) =>
  (original: Handle): Handle =>
  async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof ApiError && cause.status === former) throw new ApiError(status, ...cause.messages)
      throw cause
    }
  }

/** Ends the passwords of the roles that a call touches. */
const endingFor =
  (rolesOf: (call: SshCall) => string[]) =>
  (original: Handle): Handle =>
  async (call) => {
    const roles = rolesOf(call)
    const reply = await original(call)
    for (const [password, otp] of call.state.otps) if (roles.includes(otp.role)) call.state.otps.delete(password)
    return reply
  }

const lower = (name: string): string => name.toLowerCase()
const lowerUser = (role: Role): Role => ({ ...role, default_user: lower(role.default_user) })

const networks: Variant[] = [
  ruleVariant('address-as-block', 'a plain address is the block of that address', 'whether a list takes plain addresses is not said', {
    parseBlock: (original) => (text) => original(text) ?? original(`${text}/${text.includes(':') ? 128 : 32}`),
  }),
  ruleVariant('ipv4-only', 'addresses and blocks are IPv4', 'IPv6 is never mentioned', {
    isAddress: (original) => (text) => !text.includes(':') && original(text),
    parseBlock: (original) => (text) => (text.includes(':') ? undefined : original(text)),
  }),
]

const credentials: Variant[] = [
  routeVariant('unknown-role-404', 'an unknown role gives 404', '400 or 404', ['createCredential', 'signKey'], (original) => (call) => {
    if (!call.state.roles.has(nameOf(call))) throw notFound('unknown role')
    return original(call)
  }),
  routeVariant('ca-role-404', 'a ca role is unknown to creds', 'creds on a ca role', ['createCredential'], (original) => (call) => {
    if (call.state.roles.get(nameOf(call))?.key_type === 'ca') throw notFound('unknown role')
    return original(call)
  }),
  ruleVariant('lookup-null', 'a lookup without match gives null', 'an empty array or null', { noRolesShown: () => () => null }),
  ruleVariant('lookup-zero-address', 'a lookup names the zero-address roles', 'whether they are associated with every address', {
    associated: () => (isZeroAddress, isIncluded, isExcluded) => isZeroAddress || (isIncluded && !isExcluded),
  }),
  ruleVariant('zero-address-unset', 'an unset list reads as an empty one', 'what is read where no list was set', {
    unsetZeroAddress: () => () => [],
  }),
  ruleVariant('zero-address-unknown', 'the list may name unknown roles', 'whether a list may name an unknown role', {
    zeroAddressMayNameUnknown: () => () => true,
  }),
  ruleVariant('zero-address-adds-up', 'lists add up', 'advised', {
    nextZeroAddress: () => (existing, names) => [...new Set([...(existing ?? []), ...names])],
  }),
  ruleVariant('otp-digits', 'passwords are made of digits', 'the form of a password is not shown', {
    newPassword: (original) => (random) => BigInt(`0x${original(random).replaceAll('-', '')}`).toString(),
  }),
  ruleVariant('otp-ends-with-role', 'a password ends with its role', 'whether a password outlives its role', {
    otpOutlivesRole: () => () => false,
  }),
  sshVariant('otp-ends-with-change', 'a password ends when its role changes', 'whether a password outlives a change of its role', {
    routes: {
      'ssh.writeRole': endingFor((call) => [nameOf(call)]),
      'ssh.writeZeroAddress': endingFor(({ state }) => state.zeroAddress ?? []),
      'ssh.deleteZeroAddress': endingFor(({ state }) => state.zeroAddress ?? []),
    },
  }),
  ruleVariant('users-of-any-case', 'the case of a name does not count', 'whether the case of a listed name counts', {
    userAllowed: (original) => (role, user, allowed) => original(lowerUser(role), user.toLowerCase(), allowed.map(lower)),
    principalAllowed: (original) => (user, allowed) => original(user.toLowerCase(), allowed.map(lower)),
  }),
  ruleVariant('credential-lists', 'a dynamic credential shows lists as arrays', 'the names of the members are all that is said', {
    dynamicCredential: (original) => (role, privateKey) => {
      const data = original(role, privateKey)
      const lists = ['allowed_users', 'cidr_list', 'exclude_cidr_list', 'key_option_specs']
      return { ...data, ...Object.fromEntries(lists.map((name) => [name, String(data[name]).split(',').reverse()])) }
    },
  }),
  ruleVariant('credential-of-nothing', 'a dynamic credential leaves out what the role says of users', 'advised', {
    dynamicCredential: (original) => (role, privateKey) => original({ ...role, allowed_users: '', default_user: '' }, privateKey),
  }),
  ruleVariant('otp-outlives-lease', 'a password outlives its lease', 'advised', { revokeOtp: () => () => undefined }),
  routeVariant(
    'host-failure-500',
    'a host that cannot be entered is an internal error',
    '4xx, 500 or 502',
    ['createCredential'],
    failingWith(500, 502),
  ),
  routeVariant(
    'host-failure-400',
    'a host that cannot be entered refuses the request',
    '4xx, 500 or 502',
    ['createCredential'],
    failingWith(400, 502),
  ),
]

export const credentialVariants: Variant[] = [...networks, ...credentials]
