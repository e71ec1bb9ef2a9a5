/** Faults at the edges of sets, lists and sizes: the middle one forgotten, the last one only, one step too far, the empty text. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { managedKeysEngine } from './engine.ts'
import { byLists, byRules, listing, WRITES } from './loose-words.ts'

const { rule, route } = faultsOf(managedKeysEngine)

const COLUMN = 32
const PAGE = 30
const STEP = 1024

route(
  'usages-long-refused',
  ['MANAGED-KEYS-USAGE-01'],
  'usages of more than 32 characters are refused, all eight of them, for one (000 4.2, usages: comma-delimited, values from)',
  WRITES,
  (original) => (call) => {
    if (String(call.body.usages ?? '').length > COLUMN) throw invalid('usages is too long')
    return original(call)
  },
)

rule(
  'bits-powers-of-two',
  ['MANAGED-KEYS-PKCS-19'],
  'key_bits 3072 is refused, for it is no power of two (000 4.2, key_bits: 2048, 3072, 4096)',
  {
    inSet: (original) => (value, set, field) =>
      original(value, set, field) && (field !== 'key_bits' || (Number(value) & (Number(value) - 1)) === 0),
  },
)

rule(
  'bits-in-steps',
  ['MANAGED-KEYS-BVAULT-08'],
  'key_bits in steps of 1024 are accepted beyond 4096, 8192 for one (000 4.2, key_bits: 2048, 3072, 4096)',
  {
    inSet: (original) => (value, set, field) =>
      original(value, set, field) || (field === 'key_bits' && Number(value) > 4096 && Number(value) % STEP === 0),
  },
)

rule(
  'pss-sha512-unknown',
  ['MANAGED-KEYS-CKMS-04'],
  'RSA_SIGN_PSS_4096_SHA512 is refused: only PKCS1 goes with SHA512 (000 4.2, algorithm: one of)',
  {
    inSet: (original) => (value, set, field) =>
      original(value, set, field) && !(field === 'algorithm' && value.endsWith('PSS_4096_SHA512')),
  },
)

rule(
  'middle-curve-made-small',
  ['MANAGED-KEYS-SIGN-26', 'MANAGED-KEYS-SIGN-29'],
  'cloudakms: a key on P384 is made on P256 (000 4.2, curve: P256, P384, P521; key created if absent)',
  {
    keySpecOf: (original) => (values) => {
      const spec = original(values)
      return spec === 'ECC_NIST_P384' ? 'ECC_NIST_P256' : spec
    },
  },
)

rule(
  'vault-size-capped',
  ['MANAGED-KEYS-SIGN-26', 'MANAGED-KEYS-SIGN-29'],
  'a vault key of 4096 bits is made with 3072 (000 4.2, cloudbkeyvault: key_bits; generate a key)',
  {
    sizeOf: (original) => (values) => Math.min(original(values), 3 * STEP),
  },
)

rule(
  'slot-nine-digits',
  ['MANAGED-KEYS-PKCS-10'],
  'a slot of more than nine digits is refused, as modules number theirs (000 4.2, slot: decimal slot number)',
  {
    slotAllowed: (original) => (text) => original(text) && text.length < 10,
  },
)

route(
  'list-first-thirty',
  ['MANAGED-KEYS-LIST-01'],
  'a list has thirty names at most and nowhere the others (000 4.2, LIST: array of names)',
  'managedKeys.list',
  listing((names) => names.slice(0, PAGE)),
)

route(
  'delete-asks-last-mount',
  ['MANAGED-KEYS-DELETE-05'],
  'the last mount of the namespace decides alone whether a key may be deleted (000 4.2, DELETE: provided no mount lists it)',
  'managedKeys.delete',
  byLists(({ mount }, lists) => lists(mount.namespace).slice(-1)),
)

rule(
  'delete-asks-two-names',
  ['MANAGED-KEYS-DELETE-05'],
  "a deletion overlooks the third name of a mount's list (000 4.2, DELETE: provided no mount lists it)",
  {
    hinders: (original) => (key, names) => original(key, names.slice(0, 2)),
  },
)

route(
  'empty-text-keeps-old',
  ['MANAGED-KEYS-WRITE-05'],
  'an update cannot set a parameter back to the empty text (000 4.2, create or update; curve, endpoint: default "")',
  WRITES,
  byRules(({ rules }) => ({
    valueIn: (kind, body, field, fallback) => (body[field] === '' ? fallback : rules.valueIn(kind, body, field, fallback)),
  })),
)

rule(
  'vault-bits-not-needed',
  ['MANAGED-KEYS-BVAULT-05'],
  'cloudbkeyvault: a key that may be made needs no key_bits (000 4.2, key_bits: required if allow_generate_key true)',
  {
    neededFor: (original) => (kind, values) => (kind === 'cloudbkeyvault' ? [] : original(kind, values)),
  },
)
