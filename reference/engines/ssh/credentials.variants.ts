/** Legal alternatives of networks and credentials. */
import { invalid, notFound } from '../../core/errors.ts'
import { variantsOf } from '../../faults/declare.ts'
import { refusalStatus } from '../../faults/wrappers.ts'
import { sshEngine } from './engine.ts'
import { scriptForOtherFiles, scriptWithoutSudo } from './install-script.ts'
import type { Role } from './state.ts'
import { type Handle, nameOf, type SshCall } from './wrappers.ts'

const { rule, route, change, declared } = variantsOf(sshEngine)

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

rule('address-as-block', 'whether a list takes plain addresses is not said', 'a plain address is the block of that address', {
  parseBlock: (original) => (text) => original(text) ?? original(`${text}/${text.includes(':') ? 128 : 32}`),
})
rule('ipv4-only', 'IPv6 is never mentioned', 'addresses and blocks are IPv4', {
  isAddress: (original) => (text) => !text.includes(':') && original(text),
  parseBlock: (original) => (text) => (text.includes(':') ? undefined : original(text)),
})

route('unknown-role-404', '400 or 404', 'an unknown role gives 404', ['ssh.createCredential', 'ssh.signKey'], (original) => (call) => {
  if (!call.state.roles.has(nameOf(call))) throw notFound('unknown role')
  return original(call)
})
route('ca-role-404', 'creds on a ca role', 'a ca role is unknown to creds', 'ssh.createCredential', (original) => (call) => {
  if (call.state.roles.get(nameOf(call))?.key_type === 'ca') throw notFound('unknown role')
  return original(call)
})
rule('lookup-null', 'an empty array or null', 'a lookup without match gives null', { noRolesShown: () => () => null })
rule('lookup-zero-address', 'whether they are associated with every address', 'a lookup names the zero-address roles', {
  associated: () => (isZeroAddress, isIncluded, isExcluded) => isZeroAddress || (isIncluded && !isExcluded),
})
rule('zero-address-unset', 'what is read where no list was set', 'an unset list reads as an empty one', {
  unsetZeroAddress: () => () => [],
})
rule('zero-address-unknown', 'whether a list may name an unknown role', 'the list may name unknown roles', {
  zeroAddressMayNameUnknown: () => () => true,
})
rule('zero-address-adds-up', 'advised', 'lists add up', {
  nextZeroAddress: () => (existing, names) => [...new Set([...(existing ?? []), ...names])],
})
rule('otp-digits', 'the form of a password is not shown', 'passwords are made of digits', {
  newPassword: (original) => (random) => BigInt(`0x${original(random).replaceAll('-', '')}`).toString(),
})
rule('otp-ends-with-role', 'whether a password outlives its role', 'a password ends with its role', {
  otpOutlivesRole: () => () => false,
})
change('otp-ends-with-change', 'whether a password outlives a change of its role', 'a password ends when its role changes', {
  routes: {
    'ssh.writeRole': endingFor((call) => [nameOf(call)]),
    'ssh.writeZeroAddress': endingFor(({ state }) => state.zeroAddress ?? []),
    'ssh.deleteZeroAddress': endingFor(({ state }) => state.zeroAddress ?? []),
  },
})
rule('users-of-any-case', 'whether the case of a listed name counts', 'the case of a name does not count for passwords', {
  userAllowed: (original) => (role, user, allowed) => original(lowerUser(role), user.toLowerCase(), allowed.map(lower)),
})
route('key-names-once', 'advised', 'a name of a key is given once', 'ssh.writeKey', (original) => (call) => {
  if (call.state.keys.has(nameOf(call))) throw invalid('the name is taken')
  return original(call)
})
route(
  'principals-as-listed',
  'a request in another case may be signed for the listed name',
  'a user listed in another case is signed for as listed',
  'ssh.signKey',
  (original) => (call) => {
    const listed = (call.state.roles.get(nameOf(call))?.allowed_users ?? '').split(',')
    const asked = call.body.valid_principals
    const named = typeof asked === 'string' ? listed.find((name) => lower(name) === lower(asked)) : undefined
    return original(named === undefined ? call : { ...call, body: { ...call.body, valid_principals: named } })
  },
)
rule('credential-lists', 'the names of the members are all that is said', 'a dynamic credential shows lists as arrays', {
  dynamicCredential: (original) => (role, privateKey) => {
    const data = original(role, privateKey)
    const lists = ['allowed_users', 'cidr_list', 'exclude_cidr_list', 'key_option_specs']
    return { ...data, ...Object.fromEntries(lists.map((name) => [name, String(data[name]).split(',').reverse()])) }
  },
})
for (const [name, title, script] of [
  ['script-without-sudo', 'the built-in script needs no sudo', scriptWithoutSudo],
  ['script-for-other-files', 'the built-in script installs keys in a folder of the system', scriptForOtherFiles],
] as const)
  rule(name, 'what the built-in script does, and in which file, is not said', title, {
    installScript: () => (role) => role.install_script || script,
  })
rule('credential-of-nothing', 'advised', 'a dynamic credential leaves out what the role says of users', {
  dynamicCredential: (original) => (role, privateKey) => original({ ...role, allowed_users: '', default_user: '' }, privateKey),
})
rule('otp-outlives-lease', 'advised', 'a password outlives its lease', { revokeOtp: () => () => undefined })
route(
  'host-failure-500',
  '4xx, 500 or 502',
  'a host that cannot be entered is an internal error',
  'ssh.createCredential',
  refusalStatus(500, ({ status }) => status === 502),
)
route(
  'host-failure-400',
  '4xx, 500 or 502',
  'a host that cannot be entered refuses the request',
  'ssh.createCredential',
  refusalStatus(400, ({ status }) => status === 502),
)

export const variants = declared
