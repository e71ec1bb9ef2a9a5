/** Decisions about named keys and roles. */

import { durationOf, formatDuration } from '../../core/durations.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { parsePrivateKey } from './key-formats.ts'
import { type Block, parseBlock } from './networks.ts'
import type { KeyType, Role } from './state.ts'

/** Seconds as a role's read shows them. */
const shown = (seconds: number): string => (seconds === 0 ? '' : formatDuration(seconds))

export const roleRules = {
  /** Names longer than this are refused. */
  longestName(): number {
    return 255
  },

  /** Throws 400 where the text is not a private key. */
  checkNamedKey(text: string): void {
    parsePrivateKey(text, 'key')
  },

  registerKey(keys: Map<string, string>, name: string, text: string): void {
    keys.set(name, text)
  },

  defaults(): Omit<Role, 'key_type'> {
    return {
      key: '',
      admin_user: '',
      default_user: '',
      cidr_list: '',
      exclude_cidr_list: '',
      port: 22,
      key_bits: 1024,
      install_script: '',
      allowed_users: '',
      allowed_users_template: false,
      allowed_domains: '',
      key_option_specs: '',
      ttl: 0,
      max_ttl: 0,
      allowed_critical_options: '',
      allowed_extensions: '',
      default_critical_options: {},
      default_extensions: {},
      allow_user_certificates: false,
      allow_host_certificates: false,
      allow_bare_domains: false,
      allow_subdomains: false,
      allow_user_key_ids: false,
      key_id_format: '',
      allowed_user_key_lengths: {},
      algorithm_signer: '',
    }
  },

  /** What a field has that an update leaves out. */
  base(existing: Role | undefined, defaults: Omit<Role, 'key_type'>): Omit<Role, 'key_type'> {
    return existing ?? defaults
  },

  keyTypeKnown(text: string): boolean {
    return ['otp', 'dynamic', 'ca'].includes(text)
  },

  keyTypeMayChange(): boolean {
    return true
  },

  /** Fields without which a role of this kind means nothing. */
  requiredFields(kind: KeyType): (keyof Role)[] {
    return { otp: ['default_user'], dynamic: ['key', 'admin_user', 'default_user'], ca: [] }[kind] as (keyof Role)[]
  },

  /** A role may be written without blocks: whether it is a zero-address role shows when a credential is asked for. */
  needsBlocksAtWrite(_role: Role): boolean {
    return false
  },

  /** Whether a dynamic role may name a key that is not registered (yet). */
  unknownKeyAllowed(): boolean {
    return false
  },

  parseBlock(text: string): Block | undefined {
    return parseBlock(text)
  },

  portAllowed(port: number): boolean {
    return port >= 0 && port <= 65_535
  },

  keyBitsAllowed(bits: number): boolean {
    return bits === 1024 || bits === 2048
  },

  algorithmKnown(name: string): boolean {
    return ['', 'ssh-rsa', 'rsa-sha2-256', 'rsa-sha2-512'].includes(name)
  },

  /** Seconds, 0 where the field is empty. Throws 400 where it is not a duration, or negative. */
  duration(value: Json | undefined, field: string): number {
    return durationOf(value, field, 0)
  },

  /** A role's own maximum binds its default. */
  ttlsAgree(ttl: number, maxTtl: number): boolean {
    return maxTtl === 0 || ttl <= maxTtl
  },

  /** What a read shows of a role. */
  readRole(role: Role): JsonObject {
    const { key_type, default_user, cidr_list, port } = role
    if (key_type === 'otp') return { cidr_list, default_user, key_type, port }
    if (key_type === 'dynamic') return { admin_user: role.admin_user, cidr_list, default_user, key: role.key, key_type, port }
    return {
      allow_bare_domains: role.allow_bare_domains,
      allow_host_certificates: role.allow_host_certificates,
      allow_subdomains: role.allow_subdomains,
      allow_user_certificates: role.allow_user_certificates,
      allow_user_key_ids: role.allow_user_key_ids,
      allowed_critical_options: role.allowed_critical_options,
      allowed_extensions: role.allowed_extensions,
      default_critical_options: role.default_critical_options,
      default_extensions: role.default_extensions,
      key_type,
      max_ttl: shown(role.max_ttl),
      ttl: shown(role.ttl),
    }
  },

  keyInfo(role: Role): JsonObject {
    return { key_type: role.key_type }
  },

  /** Answer to the deletion of a name that does not exist. */
  deleteAbsentStatus(): number {
    return 204
  },

  deleteRole(roles: Map<string, Role>, name: string): boolean {
    return roles.delete(name)
  },

  deleteKey(keys: Map<string, string>, name: string): boolean {
    return keys.delete(name)
  },
}
