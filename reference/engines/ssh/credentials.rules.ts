/** Decisions about zero-address roles, one-time passwords, dynamic keys, lookups and verification. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { JsonObject } from '../../core/json.ts'
import { builtInScript } from './install-script.ts'
import { type Block, blockContains, entriesOf, isAddress } from './networks.ts'
import type { Otp, Role } from './state.ts'

/** How to enter a remote host. */
export interface Entrance {
  host: string
  port: number
  user: string
  /** The registered private key. */
  key: string
}

export const credentialRules = {
  zeroAddressNames(text: string): string[] {
    return entriesOf(text)
  },

  /** The list after a write. */
  nextZeroAddress(_existing: string[] | undefined, names: string[]): string[] {
    return names
  },

  zeroAddressMayNameUnknown(): boolean {
    return false
  },

  /** What is read where no list was set: undefined gives 404. */
  unsetZeroAddress(): string[] | undefined {
    return undefined
  },

  deleteZeroAddress(_existing: string[] | undefined): string[] | undefined {
    return undefined
  },

  isZeroAddress(names: string[] | undefined, role: string): boolean {
    return names?.includes(role) ?? false
  },

  isAddress(text: string): boolean {
    return isAddress(text)
  },

  includedBlocks(role: Role): string[] {
    return entriesOf(role.cidr_list)
  },

  excludedBlocks(role: Role): string[] {
    return entriesOf(role.exclude_cidr_list)
  },

  blockContains(block: Block, address: string): boolean {
    return blockContains(block, address)
  },

  /** @param isZeroAddress whether the role is on the zero-address list */
  addressAllowed(isZeroAddress: boolean, isIncluded: boolean, isExcluded: boolean): boolean {
    return isZeroAddress || (isIncluded && !isExcluded)
  },

  /** Whether `lookup` names a role: by its blocks alone. */
  associated(_isZeroAddress: boolean, isIncluded: boolean, isExcluded: boolean): boolean {
    return isIncluded && !isExcluded
  },

  noRolesShown(): JsonObject['roles'] {
    return []
  },

  /** The user that a credential is for. */
  credentialUser(role: Role, requested: string): string {
    return requested === '' ? role.default_user : requested
  },

  /** `allowed` are the entries of `allowed_users`, templates expanded. */
  userAllowed(role: Role, user: string, allowed: string[]): boolean {
    return allowed.length === 0 || allowed.includes('*') || user === role.default_user || allowed.includes(user)
  },

  newPassword(random: { uuid(): string }): string {
    return random.uuid()
  },

  otpCredential(role: Role, otp: Otp, password: string): JsonObject {
    return { ip: otp.ip, key: password, key_type: 'otp', port: role.port, username: otp.username }
  },

  /** What a password stands for, and its end; undefined for one that is unknown or used. */
  consumeOtp(otps: Map<string, Otp>, password: string): Otp | undefined | Promise<Otp | undefined> {
    const otp = otps.get(password)
    otps.delete(password)
    return otp
  },

  verified(otp: Otp): JsonObject {
    return { ip: otp.ip, username: otp.username }
  },

  otpOutlivesRole(): boolean {
    return true
  },

  /** Undoes a password whose lease ended. */
  revokeOtp(otps: Map<string, Otp>, password: string): void {
    otps.delete(password)
  },

  newDynamicKey(role: Role): { publicKey: KeyObject; privateKey: KeyObject } {
    return generateKeyPairSync('rsa', { modulusLength: role.key_bits })
  },

  entrance(role: Role, ip: string, key: string): Entrance {
    return { host: ip, port: role.port, user: role.admin_user, key }
  },

  installScript(role: Role): string {
    return role.install_script === '' ? builtInScript : role.install_script
  },

  /** The line for the authorized-keys file. */
  authorizedLine(role: Role, publicKey: string): string {
    return role.key_option_specs === '' ? publicKey : `${role.key_option_specs} ${publicKey}`
  },

  /** Whether the end of a dynamic credential takes the key off the host. */
  uninstalls(_role: Role): boolean {
    return true
  },

  dynamicCredential(role: Role, privateKey: string): JsonObject {
    return {
      admin_user: role.admin_user,
      allowed_users: role.allowed_users,
      cidr_list: role.cidr_list,
      default_user: role.default_user,
      exclude_cidr_list: role.exclude_cidr_list,
      install_script: role.install_script,
      key: privateKey,
      key_bits: role.key_bits,
      key_option_specs: role.key_option_specs,
      key_type: 'dynamic',
      port: role.port,
    }
  },
}
