/** Roles: their fields, defaults, and how request bodies become them and they become answers. */
import { durationOf } from '../../core/durations.ts'
import { invalid } from '../../core/errors.ts'
import { flagOf, integerOf, textOf } from '../../core/fields.ts'
import type { Json, JsonObject } from '../../core/json.ts'

/** Parameters of a role; durations in seconds, 0 where unset. */
export interface Role {
  ttl: number
  max_ttl: number
  allow_localhost: boolean
  allowed_domains: string[]
  allow_bare_domains: boolean
  allow_subdomains: boolean
  allow_glob_domains: boolean
  allow_any_name: boolean
  enforce_hostnames: boolean
  allow_ip_sans: boolean
  allowed_uri_sans: string[]
  allowed_other_sans: string[]
  server_flag: boolean
  client_flag: boolean
  code_signing_flag: boolean
  email_protection_flag: boolean
  key_type: string
  key_bits: number
  key_usage: string[]
  ext_key_usage: string[]
  ext_key_usage_oids: string[]
  use_csr_common_name: boolean
  use_csr_sans: boolean
  ou: string[]
  organization: string[]
  country: string[]
  locality: string[]
  province: string[]
  street_address: string[]
  postal_code: string[]
  serial_number: string
  generate_lease: boolean
  no_store: boolean
  require_cn: boolean
  policy_identifiers: string[]
  basic_constraints_valid_for_non_ca: boolean
  not_before_duration: number
}

export const defaults = (): Role => ({
  ttl: 0,
  max_ttl: 0,
  allow_localhost: true,
  allowed_domains: [],
  allow_bare_domains: false,
  allow_subdomains: false,
  allow_glob_domains: false,
  allow_any_name: false,
  enforce_hostnames: true,
  allow_ip_sans: true,
  allowed_uri_sans: [],
  allowed_other_sans: [],
  server_flag: true,
  client_flag: true,
  code_signing_flag: false,
  email_protection_flag: false,
  key_type: 'rsa',
  key_bits: 2048,
  key_usage: ['DigitalSignature', 'KeyAgreement', 'KeyEncipherment'],
  ext_key_usage: [],
  ext_key_usage_oids: [],
  use_csr_common_name: true,
  use_csr_sans: true,
  ou: [],
  organization: [],
  country: [],
  locality: [],
  province: [],
  street_address: [],
  postal_code: [],
  serial_number: '',
  generate_lease: false,
  no_store: false,
  require_cn: true,
  policy_identifiers: [],
  basic_constraints_valid_for_non_ca: false,
  not_before_duration: 30,
})

const DURATIONS = new Set(['ttl', 'max_ttl', 'not_before_duration'])
/** Lists that the contract types as strings: they read back as comma-separated text. */
const TEXT_LISTS: ReadonlySet<string> = new Set([
  'allowed_uri_sans',
  'allowed_other_sans',
  'ext_key_usage_oids',
  'ou',
  'organization',
  'country',
  'locality',
  'province',
  'street_address',
  'postal_code',
])

const split = (text: string): string[] => {
  if (!text.trimStart().startsWith('[')) return text.split(',')
  try {
    return (JSON.parse(text) as Json[]).map(String)
  } catch {
    throw invalid('a list is not valid JSON')
  }
}

/** List of a body's field: an array of texts, comma-separated text, or the text of a JSON array. Throws 400 for anything else. */
export const listOf = (body: JsonObject, field: string): string[] => {
  const value = body[field]
  if (value === undefined || value === null) return []
  const items: Json[] = Array.isArray(value) ? value : split(textOf(body, field))
  return items
    .map((item) => {
      if (typeof item !== 'string' && typeof item !== 'number') throw invalid(`${field} must be a list of strings`)
      return String(item).trim()
    })
    .filter((item) => item !== '')
}

/** Whole seconds of a body's duration field. Throws 400 where it is none or negative. */
export const secondsOf = (body: JsonObject, field: string, fallback = 0): number => Math.floor(durationOf(body[field], field, fallback))

/** The fields that a body gives, typed; the rest is absent. */
export const givenFields = (body: JsonObject): Partial<Role> => {
  const given: JsonObject = {}
  for (const [field, value] of Object.entries(defaults())) {
    if (body[field] === undefined || body[field] === null) continue
    if (DURATIONS.has(field)) given[field] = secondsOf(body, field)
    else if (typeof value === 'boolean') given[field] = flagOf(body, field, value)
    else if (typeof value === 'number') given[field] = integerOf(body, field, value)
    else given[field] = Array.isArray(value) ? listOf(body, field) : textOf(body, field)
  }
  return given as Partial<Role>
}

/** A role as its read shows it. */
export const showRole = (role: Role): JsonObject =>
  Object.fromEntries(
    Object.entries(role).map(([field, value]) => [field, TEXT_LISTS.has(field) ? (value as string[]).join(',') : (value as Json)]),
  )
