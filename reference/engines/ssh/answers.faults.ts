/** Roles and credentials that lack a member of their shape, or have it in another type. */

import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { sshEngine } from './engine.ts'
import type { KeyType } from './state.ts'

const { rule, declared } = faultsOf(sshEngine)

const readable: [kind: KeyType, field: string, clause: string][] = [
  ['dynamic', 'admin_user', 'SSH-DYNREAD-01'],
  ['dynamic', 'cidr_list', 'SSH-DYNREAD-02'],
  ['dynamic', 'default_user', 'SSH-DYNREAD-03'],
  ['dynamic', 'key', 'SSH-DYNREAD-04'],
  ['dynamic', 'key_type', 'SSH-DYNREAD-05'],
  ['dynamic', 'port', 'SSH-DYNREAD-06'],
  ['otp', 'cidr_list', 'SSH-OTPREAD-01'],
  ['otp', 'default_user', 'SSH-OTPREAD-02'],
  ['otp', 'key_type', 'SSH-OTPREAD-03'],
  ['otp', 'port', 'SSH-OTPREAD-04'],
  ['ca', 'allow_bare_domains', 'SSH-CAREAD-01'],
  ['ca', 'allow_host_certificates', 'SSH-CAREAD-02'],
  ['ca', 'allow_subdomains', 'SSH-CAREAD-03'],
  ['ca', 'allow_user_key_ids', 'SSH-CAREAD-04'],
  ['ca', 'allow_user_certificates', 'SSH-CAREAD-05'],
  ['ca', 'allowed_critical_options', 'SSH-CAREAD-06'],
  ['ca', 'allowed_extensions', 'SSH-CAREAD-07'],
  ['ca', 'default_critical_options', 'SSH-CAREAD-08'],
  ['ca', 'default_extensions', 'SSH-CAREAD-09'],
  ['ca', 'max_ttl', 'SSH-CAREAD-10'],
  ['ca', 'ttl', 'SSH-CAREAD-11'],
]
const LISTS = ['cidr_list', 'allowed_critical_options', 'allowed_extensions']
const boxed = (data: JsonObject, field: string): JsonObject => ({ ...data, [field]: { value: data[field] ?? null } })
/** The value in a type that the member does not have. */
const mistyped = (value: Json | undefined): Json => {
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (typeof value === 'string') return value.split(',')
  return Object.keys((value ?? {}) as JsonObject)
}
const retyped = (data: JsonObject, field: string): JsonObject => ({ ...data, [field]: mistyped(data[field]) })
const words = (field: string): string => field.replaceAll('_', '-')
for (const [kind, field, clause] of readable) {
  // Text or a list of its entries: either form is right.
  const change = LISTS.includes(field) ? boxed : retyped
  rule(`read-${kind}-${words(field)}`, clause, `${field} of ${kind} roles has another type`, {
    readRole: (original) => (role) => (role.key_type === kind ? change(original(role), field) : original(role)),
  })
}
const ofPassword: [field: string, clause: string][] = [
  ['ip', 'SSH-CREDS-02'],
  ['key', 'SSH-CREDS-03'],
  ['key_type', 'SSH-CREDS-04'],
  ['port', 'SSH-CREDS-05'],
  ['username', 'SSH-CREDS-06'],
]
for (const [field, clause] of ofPassword)
  rule(`password-${words(field)}`, clause, `${field} of a password has another type`, {
    otpCredential: (original) => (role, otp, password) => retyped(original(role, otp, password), field),
  })
const ofKey: [field: string, clause: string][] = [
  ['admin_user', 'SSH-DYNCRED-01'],
  ['allowed_users', 'SSH-DYNCRED-02'],
  ['cidr_list', 'SSH-DYNCRED-03'],
  ['default_user', 'SSH-DYNCRED-04'],
  ['exclude_cidr_list', 'SSH-DYNCRED-05'],
  ['install_script', 'SSH-DYNCRED-06'],
  ['key', 'SSH-DYNCRED-07'],
  ['key_bits', 'SSH-DYNCRED-08'],
  ['key_option_specs', 'SSH-DYNCRED-09'],
  ['key_type', 'SSH-DYNCRED-10'],
  ['port', 'SSH-DYNCRED-11'],
]
for (const [field, clause] of ofKey)
  rule(`dynamic-${words(field)}`, clause, `${field} of a dynamic credential has another type`, {
    dynamicCredential: (original) => (role, privateKey) => boxed(original(role, privateKey), field),
  })

export const faults = declared
