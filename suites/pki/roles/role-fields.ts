/** The fields of a role: their clauses, their defaults, and values to tell them by. */
import { type Json, type JsonObject, secondsOf } from '../../../harness/checks/index.ts'

export interface RoleField {
  name: string
  kind: 'boolean' | 'list' | 'string' | 'duration' | 'integer'
  /** Clause of the default. */
  clause: string
  default: Json
  /** Another value than the default, where the text gives one. */
  other: Json
}

const boolean = (name: string, topic: string, value: boolean): RoleField => ({
  name,
  kind: 'boolean',
  clause: `PKI-${topic}-01`,
  default: value,
  other: !value,
})
const text = (name: string, topic: string, other: string): RoleField => ({
  name,
  kind: 'string',
  clause: `PKI-${topic}-01`,
  default: '',
  other,
})
const list = (name: string, topic: string, value: string[], other: string[]): RoleField => ({
  name,
  kind: 'list',
  clause: `PKI-${topic}-01`,
  default: value,
  other,
})

export const roleFields: RoleField[] = [
  { name: 'ttl', kind: 'duration', clause: 'PKI-TTL-01', default: '', other: '45m' },
  { name: 'max_ttl', kind: 'duration', clause: 'PKI-MAXTTL-01', default: '', other: '90m' },
  { name: 'not_before_duration', kind: 'duration', clause: 'PKI-NOTBEFORE-01', default: '30s', other: '2m' },
  boolean('allow_localhost', 'LOCALHOST', true),
  list('allowed_domains', 'DOMAINS', [], ['one.example', 'two.example']),
  boolean('allow_bare_domains', 'BARE', false),
  boolean('allow_subdomains', 'SUB', false),
  boolean('allow_glob_domains', 'GLOB', false),
  boolean('allow_any_name', 'ANY', false),
  boolean('enforce_hostnames', 'HOSTNAMES', true),
  boolean('allow_ip_sans', 'IPSANS', true),
  text('allowed_uri_sans', 'URISANS', 'spiffe://one.example/*'),
  text('allowed_other_sans', 'OTHERSANS', '1.3.6.1.4.1.311.20.2.3;UTF8:*'),
  boolean('server_flag', 'SERVER', true),
  boolean('client_flag', 'CLIENT', true),
  boolean('code_signing_flag', 'CODE', false),
  boolean('email_protection_flag', 'EMAIL', false),
  { name: 'key_type', kind: 'string', clause: 'PKI-KEYTYPE-01', default: 'rsa', other: 'ec' },
  { name: 'key_bits', kind: 'integer', clause: 'PKI-KEYBITS-01', default: 2048, other: 384 },
  list('key_usage', 'USAGE', ['DigitalSignature', 'KeyAgreement', 'KeyEncipherment'], ['KeyAgreement']),
  // The text gives no name of an extended usage that every server would have to take.
  list('ext_key_usage', 'EXTUSAGE', [], []),
  text('ext_key_usage_oids', 'EXTOIDS', '1.3.6.1.4.1.99999.1'),
  boolean('use_csr_common_name', 'CSRCN', true),
  boolean('use_csr_sans', 'CSRSANS', true),
  text('ou', 'OU', 'Unit'),
  text('organization', 'ORG', 'Example'),
  text('country', 'COUNTRY', 'CH'),
  text('locality', 'LOCALITY', 'Bern'),
  text('province', 'PROVINCE', 'Bern-Mittelland'),
  text('street_address', 'STREET', 'Some Street 1'),
  text('postal_code', 'POSTAL', '3000'),
  text('serial_number', 'SERIAL', 'SN-1'),
  boolean('generate_lease', 'LEASE', false),
  boolean('no_store', 'NOSTORE', false),
  boolean('require_cn', 'REQUIRECN', true),
  list('policy_identifiers', 'POLICIES', [], ['1.3.6.1.4.1.99999.7']),
  boolean('basic_constraints_valid_for_non_ca', 'BASIC', false),
]

const items = (value: Json | undefined): string[] =>
  (Array.isArray(value) ? value.map(String) : String(value ?? '').split(','))
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .sort()

/** Bodies of whole roles, each time with other values: of one element and of several, at the ends of units of time, off and on, empty. */
export const roleBodies = (): JsonObject[] => {
  const of = (value: (field: RoleField) => Json): JsonObject => Object.fromEntries(roleFields.map((field) => [field.name, value(field)]))
  // A role without storage has no leases: those two are not written together.
  const others = { ...of(({ other }) => other), generate_lease: false }
  const defaults = of((field) => field.default)
  return [
    others,
    {
      ...defaults,
      ...{ ttl: '90s', max_ttl: '3661s', not_before_duration: '61s' },
      ...{
        allowed_domains: ['a.one.example', 'two.example', '*.three.example'],
        policy_identifiers: ['1.3.6.1.4.1.99999.7', '2.5.29.32.0'],
      },
      ...{ key_type: 'rsa', key_bits: 4096, key_usage: ['DigitalSignature', 'KeyEncipherment'] },
      ...{ ou: 'One,Second Unit', organization: 'Exämple & Søhne', country: 'NL', locality: 'Genève', serial_number: 'SN-00-1f' },
      ...{ allowed_uri_sans: 'spiffe://one.example/*,https://two.example/a', ext_key_usage_oids: '1.3.6.1.4.1.99999.2' },
      generate_lease: true,
    },
    {
      ...others,
      ttl: '3599s',
      max_ttl: '86399s',
      not_before_duration: '3601s',
      key_bits: 521,
      key_usage: [],
      no_store: false,
      generate_lease: true,
    },
    {
      ...defaults,
      ttl: '30h',
      max_ttl: '1801m',
      not_before_duration: '0s',
      key_type: 'any',
      policy_identifiers: ['1.2.3.4'],
      key_usage: ['KeyEncipherment'],
    },
    { ...defaults, ttl: '90m', max_ttl: '5400s', key_type: 'ec', key_bits: 384 },
    defaults,
  ]
}

/** Bodies in whose switches no two are alike: of any two, one body at least has the one on and the other off. */
export const switchBodies = (): JsonObject[] => {
  // A role without storage has no leases: those two, which have two digits of their own, are never on together.
  const apart = ['no_store', 'generate_lease']
  const switches = roleFields.filter(({ kind }) => kind === 'boolean').map(({ name }) => name)
  const named = [...apart, ...switches.filter((name) => !apart.includes(name))]
  const codes = [1, 2, ...Array.from({ length: named.length }, (_, at) => at + 3)]
  return [1, 2, 4, 8, 16].map((digit) => Object.fromEntries(named.map((name, at) => [name, (codes[at]! & digit) !== 0])))
}

/** Whether two roles may be taken for one where only the case of letters in a field differs. */
const ANY_CASE = ['allowed_domains', 'key_usage', 'ext_key_usage']

/** A field's value in a form that is equal for all spellings of it. */
export const comparable = (field: RoleField, value: Json | undefined): unknown => {
  if (field.kind === 'duration') return secondsOf(value)
  if (field.kind === 'boolean' || field.kind === 'integer') return value
  // A text of several values may read back as an array, of the whole text or of its parts.
  if (field.kind === 'string' && Array.isArray(value)) return items(value.map(String).join(','))
  return ANY_CASE.includes(field.name) ? items(value).map((item) => item.toLowerCase()) : items(value)
}
