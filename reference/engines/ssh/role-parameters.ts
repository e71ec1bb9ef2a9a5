/** From a request body to a role: every field read, coerced where that is harmless, and refused otherwise. */

import type { Call } from '../../core/engine.ts'
import { invalid } from '../../core/errors.ts'
import { flagOf, integerOf, textMapOf, textOf } from '../../core/fields.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { entriesOf } from './networks.ts'
import type { SshRules } from './rules.ts'
import type { KeyType, Role, SshState } from './state.ts'

type Base = Omit<Role, 'key_type'>

/** A comma-separated text; a list of texts is joined. */
const listText = (body: JsonObject, field: string, fallback: string): string => {
  const value = body[field]
  if (!Array.isArray(value)) return textOf(body, field, fallback)
  if (value.some((item) => item === null || typeof item === 'object')) throw invalid(`${field} must be a list of strings`)
  return value.join(',')
}

const given = (value: Json | undefined): boolean => value !== undefined && value !== null

const mapOf = (body: JsonObject, field: string, fallback: Record<string, string>): Record<string, string> =>
  given(body[field]) ? textMapOf(body, field) : fallback

const sizesOf = (body: JsonObject, field: string, fallback: Record<string, number>): Record<string, number> => {
  if (!given(body[field])) return fallback
  return Object.fromEntries(Object.entries(textMapOf(body, field)).map(([name, text]) => [name, integerOf({ [field]: text }, field, 0)]))
}

const read = (body: JsonObject, base: Base, kind: KeyType, rules: SshRules): Role => {
  const seconds = (field: 'ttl' | 'max_ttl') => (given(body[field]) ? rules.duration(body[field], field) : base[field])
  const text = (field: 'key' | 'admin_user' | 'default_user' | 'install_script' | 'key_option_specs' | 'key_id_format') =>
    textOf(body, field, base[field])
  const flag = (field: 'allow_user_certificates' | 'allow_host_certificates' | 'allow_bare_domains' | 'allow_subdomains') =>
    flagOf(body, field, base[field])
  return {
    key_type: kind,
    key: text('key'),
    admin_user: text('admin_user'),
    default_user: text('default_user'),
    cidr_list: listText(body, 'cidr_list', base.cidr_list),
    exclude_cidr_list: listText(body, 'exclude_cidr_list', base.exclude_cidr_list),
    port: integerOf(body, 'port', base.port),
    key_bits: integerOf(body, 'key_bits', base.key_bits),
    install_script: text('install_script'),
    allowed_users: listText(body, 'allowed_users', base.allowed_users),
    allowed_users_template: flagOf(body, 'allowed_users_template', base.allowed_users_template),
    allowed_domains: listText(body, 'allowed_domains', base.allowed_domains),
    key_option_specs: text('key_option_specs'),
    ttl: seconds('ttl'),
    max_ttl: seconds('max_ttl'),
    allowed_critical_options: listText(body, 'allowed_critical_options', base.allowed_critical_options),
    allowed_extensions: listText(body, 'allowed_extensions', base.allowed_extensions),
    default_critical_options: mapOf(body, 'default_critical_options', base.default_critical_options),
    default_extensions: mapOf(body, 'default_extensions', base.default_extensions),
    allow_user_certificates: flag('allow_user_certificates'),
    allow_host_certificates: flag('allow_host_certificates'),
    allow_bare_domains: flag('allow_bare_domains'),
    allow_subdomains: flag('allow_subdomains'),
    allow_user_key_ids: flagOf(body, 'allow_user_key_ids', base.allow_user_key_ids),
    key_id_format: text('key_id_format'),
    allowed_user_key_lengths: sizesOf(body, 'allowed_user_key_lengths', base.allowed_user_key_lengths),
    algorithm_signer: textOf(body, 'algorithm_signer', base.algorithm_signer),
  }
}

const checkBlocks = (role: Role, field: 'cidr_list' | 'exclude_cidr_list', rules: SshRules): void => {
  const bad = entriesOf(role[field]).find((block) => !rules.parseBlock(block))
  if (bad !== undefined) throw invalid(`${field} holds something that is not a CIDR block`)
}

const check = (role: Role, state: SshState, rules: SshRules): void => {
  const missing = rules.requiredFields(role.key_type).filter((field) => role[field] === '')
  if (missing.length > 0) throw invalid(`missing ${missing.join(', ')}`)
  checkBlocks(role, 'cidr_list', rules)
  checkBlocks(role, 'exclude_cidr_list', rules)
  if (rules.needsBlocksAtWrite(role) && role.cidr_list === '') throw invalid('missing cidr_list')
  if (!rules.portAllowed(role.port)) throw invalid('port is out of range')
  if (!rules.keyBitsAllowed(role.key_bits)) throw invalid('key_bits must be 1024 or 2048')
  if (!rules.algorithmKnown(role.algorithm_signer)) throw invalid('algorithm_signer is unknown')
  if (!rules.ttlsAgree(role.ttl, role.max_ttl)) throw invalid('ttl is above max_ttl')
  if (role.key_type === 'dynamic' && !rules.unknownKeyAllowed() && !state.keys.has(role.key)) throw invalid('key is not registered')
}

/** The role that a write asks for, on top of what is there. Throws 400 where anything about it is wrong. */
export const roleOf = (call: Call<SshState, SshRules>, name: string): Role => {
  const { body, state, rules } = call
  const existing = state.roles.get(name)
  const kind = textOf(body, 'key_type', existing?.key_type ?? '')
  if (!rules.keyTypeKnown(kind)) throw invalid('key_type must be otp, dynamic or ca')
  if (existing && existing.key_type !== kind && !rules.keyTypeMayChange()) throw invalid('key_type cannot change')
  const role = read(body, rules.base(existing, rules.defaults()), kind as KeyType, rules)
  check(role, state, rules)
  return role
}
