/** Faults in how things are written: case, blanks, escapes, types, what is absent, and one verb or kind that differs from the others. */
import { ApiError } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isNested, refusalStatus } from '../../mutations/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import { byRules } from './loose-words.ts'

const { rule, route } = faultsOf(managedKeysEngine)

rule(
  'slot-empty-text',
  ['MANAGED-KEYS-READ-08'],
  'the read of a key without slot shows an empty text instead of an int (000 4.2, GET: slot (int))',
  {
    shownField: (original) => (key, field) => (field === 'slot' && key.parameters.slot === '' ? '' : original(key, field)),
  },
)

rule(
  'any-mount-for-modules-only',
  ['MANAGED-KEYS-FLAG-04'],
  'the read of a key of kind cloudbkeyvault lacks any_mount (000 4.2, GET: any_mount; generic parameters)',
  {
    shownFields: (original) => (kind) => original(kind).filter((field) => field !== 'any_mount' || kind !== 'cloudbkeyvault'),
  },
)

const storing = (change: (field: string, value: Json) => Json) => ({
  valueIn:
    (original: (typeof managedKeysEngine.rules)['valueIn']): (typeof managedKeysEngine.rules)['valueIn'] =>
    (kind, body, field, fallback) =>
      change(field, original(kind, body, field, fallback)),
})

rule(
  'labels-trimmed',
  ['MANAGED-KEYS-PKCS-07', 'MANAGED-KEYS-PKCS-08'],
  'blanks at the ends of key_label and token_label are dropped (000 4.2, key_label: label of key)',
  storing((field, value) => (/^(key|token)_label$/.test(field) && typeof value === 'string' ? value.trim() : value)),
)

rule(
  'object-as-text',
  ['MANAGED-KEYS-BVAULT-09'],
  'an object for key_label or key_name is stored as a text (000 4.2, string; 7, 400 invalid data)',
  {
    valueIn: (original) => (kind, body, field, fallback) =>
      /^key_(label|name)$/.test(field) && isNested(body[field]) ? JSON.stringify(body[field]) : original(kind, body, field, fallback),
  },
)

const hyphened = (name: string): string => name.replaceAll('_', '-')

rule(
  'underscore-as-hyphen',
  ['MANAGED-KEYS-WRITE-06', 'MANAGED-KEYS-LIST-01'],
  'names that differ by an underscore and a hyphen are one key (000 2.6, identified by a unique name)',
  {
    storedName: (original) => (name) => original(hyphened(name)),
    named: (original) => (keys, name) => original(keys, hyphened(name)),
  },
)

route(
  'list-query-of-all-kinds',
  ['MANAGED-KEYS-LIST-02'],
  'GET with list=true lists the keys of all kinds, the verb LIST those of one (000 1.5, either form; 4.2, LIST :type)',
  'managedKeys.list',
  byRules(({ rules, query }) => ({ listed: (key, kind) => query.get('list') === 'true' || rules.listed(key, kind) })),
)

rule(
  'mechanism-four-digits',
  'MANAGED-KEYS-PKCS-09',
  'mechanism with more than four digits is refused, even 0x00001041 (000 4.2, mechanism: hex string)',
  {
    mechanismOf: (original) => (text) => {
      if (text.length > 6) throw new ApiError(400, 'mechanism is too long')
      return original(text)
    },
  },
)

rule(
  'small-letters-need-no-curve',
  ['MANAGED-KEYS-AKMS-03'],
  'a key of key_type ecdsa that may be made needs no curve, one of ECDSA does (000 4.2, case-insensitive)',
  {
    neededFor: (original) => (kind, values) =>
      kind === 'cloudakms' && !/^(RSA|ECDSA)$/.test(String(values.key_type)) ? [] : original(kind, values),
  },
)

route(
  'unknown-hash-500',
  ['MANAGED-KEYS-SIGN-18'],
  'an unknown hash_algorithm is an internal error (000 7, 400 invalid request)',
  'managedKeys.testSign',
  refusalStatus(500, ({ message }) => message.startsWith('hash_algorithm')),
)

route(
  'pss-not-in-vaults',
  ['MANAGED-KEYS-SIGN-40'],
  'a vault signs without PSS even where use_pss is true (000 4.2, use_pss)',
  'managedKeys.testSign',
  byRules(({ rules, params }) => ({ pssOf: (body) => rules.pssOf(body) && params.type !== 'cloudbkeyvault' })),
)

rule(
  'resource-for-login-only',
  ['MANAGED-KEYS-SIGN-38'],
  'resource counts for the login, the vault is asked under the standard suffix (000 4.2, resource)',
  {
    vaultUrlOf: (original) => (values) => original(values, 'vault.azure.net'),
  },
)
