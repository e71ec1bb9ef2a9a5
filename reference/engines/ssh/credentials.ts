/** Routes of zero-address roles, credentials, lookups and verification. */

import type { Call, Route } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { ApiError, invalid, notFound } from '../../core/errors.ts'
import { listOf, textOf } from '../../core/fields.ts'
import type { Reply } from '../../core/reply.ts'
import { dynamicCredential } from './dynamic.ts'
import { roleNamed } from './roles.ts'
import type { SshRules } from './rules.ts'
import type { Role, SshState } from './state.ts'

type SshCall = Call<SshState, SshRules>

/** The body's `ip`. Throws 400 where it is missing or no address. */
const addressOf = (call: SshCall): string => {
  const ip = textOf(call.body, 'ip')
  if (ip === '') throw invalid('missing ip')
  if (!call.rules.isAddress(ip)) throw invalid('ip is not an IP address')
  return ip
}

/** How an address lies to a role's blocks and to the zero-address list. */
const placed = (
  call: SshCall,
  name: string,
  role: Role,
  ip: string,
): [isZeroAddress: boolean, isIncluded: boolean, isExcluded: boolean] => {
  const { rules } = call
  const inside = (texts: string[]): boolean =>
    texts.some((text) => {
      const block = rules.parseBlock(text)
      return block !== undefined && rules.blockContains(block, ip)
    })
  return [rules.isZeroAddress(call.state.zeroAddress, name), inside(rules.includedBlocks(role)), inside(rules.excludedBlocks(role))]
}

const otpCredential = (call: SshCall, role: Role, ip: string, username: string): Reply => {
  const { rules, state, services } = call
  const password = rules.newPassword(services.random)
  const otp = { ip, username, role: call.params.name ?? '' }
  state.otps.set(password, otp)
  const ttl = role.ttl || call.mount.defaultLeaseTtl
  const lease = services.leases.issue(call, { ttl, renewable: false, revoke: async () => rules.revokeOtp(state.otps, password) })
  return secret(rules.otpCredential(role, otp, password), lease)
}

const namesIn = (call: SshCall): string[] => {
  const { roles } = call.body
  if (roles === undefined || roles === null || roles === '') throw invalid('missing roles')
  const names = call.rules.zeroAddressNames(listOf(call.body, 'roles').join(','))
  const unknown = names.find((name) => !call.state.roles.has(name))
  if (unknown !== undefined && !call.rules.zeroAddressMayNameUnknown()) throw invalid('roles names an unknown role')
  return names
}

export const credentialRoutes: Route<SshState, SshRules>[] = [
  {
    id: 'ssh.writeZeroAddress',
    method: 'POST',
    path: 'config/zeroaddress',
    handle(call) {
      call.state.zeroAddress = call.rules.nextZeroAddress(call.state.zeroAddress, namesIn(call))
      return empty()
    },
  },
  {
    id: 'ssh.readZeroAddress',
    method: 'GET',
    path: 'config/zeroaddress',
    handle(call) {
      const roles = call.state.zeroAddress ?? call.rules.unsetZeroAddress()
      if (!roles) throw notFound()
      return secret({ roles })
    },
  },
  {
    id: 'ssh.deleteZeroAddress',
    method: 'DELETE',
    path: 'config/zeroaddress',
    handle(call) {
      call.state.zeroAddress = call.rules.deleteZeroAddress(call.state.zeroAddress)
      return empty()
    },
  },
  {
    id: 'ssh.createCredential',
    method: 'POST',
    path: 'creds/:name',
    async handle(call) {
      const { rules } = call
      const name = call.params.name ?? ''
      const role = roleNamed(call, 400)
      const ip = addressOf(call)
      const username = rules.credentialUser(role, textOf(call.body, 'username'))
      if (role.key_type === 'ca') throw invalid('a ca role issues no credentials')
      if (!rules.userAllowed(role, username, rules.allowedUsers(role, call.token))) throw invalid('the user is not allowed by the role')
      if (!rules.addressAllowed(...placed(call, name, role, ip))) throw invalid('the address is not allowed by the role')
      return role.key_type === 'otp' ? otpCredential(call, role, ip, username) : await dynamicCredential(call, role, ip, username)
    },
  },
  {
    id: 'ssh.lookupRoles',
    method: 'POST',
    path: 'lookup',
    handle(call) {
      const ip = addressOf(call)
      const names = [...call.state.roles]
        .filter(([name, role]) => role.key_type !== 'ca' && call.rules.associated(...placed(call, name, role, ip)))
        .map(([name]) => name)
      return secret({ roles: names.length === 0 ? (call.rules.noRolesShown() ?? null) : names.sort() })
    },
  },
  {
    id: 'ssh.verifyOtp',
    method: 'POST',
    path: 'verify',
    unauthenticated: true,
    async handle(call) {
      const password = textOf(call.body, 'otp')
      if (password === '') throw invalid('missing otp')
      const otp = await call.rules.consumeOtp(call.state.otps, password)
      if (!otp || (!call.rules.otpOutlivesRole() && !call.state.roles.has(otp.role))) throw new ApiError(400, 'the password is not valid')
      return secret(call.rules.verified(otp))
    },
  },
]
