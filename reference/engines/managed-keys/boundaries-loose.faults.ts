/** Faults at the edges: the first and the last of a set, a list or a group, zero, one, the largest, and one more. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import { byLists, listing, WRITES } from './loose-words.ts'

const { rule, route } = faultsOf(managedKeysEngine)

const LONGEST = 40
const PAGE = 100

route(
  'delete-asks-first-mount',
  ['MANAGED-KEYS-DELETE-05'],
  'a deletion looks at the first mount only that lists any key (000 4.2, DELETE: provided no mount lists it)',
  'managedKeys.delete',
  byLists(({ mount }, lists) =>
    lists(mount.namespace)
      .filter(({ keys }) => keys.length > 0)
      .slice(0, 1),
  ),
)

rule(
  'delete-asks-first-name',
  ['MANAGED-KEYS-DELETE-05'],
  "a deletion looks at the first name of a mount's list only (000 4.2, DELETE: provided no mount lists it)",
  {
    hinders: (original) => (key, names) => original(key, names.slice(0, 1)),
  },
)

route(
  'usages-first-only',
  [],
  'only the first of several usages is checked (000 4.2, usages: values from)',
  WRITES,
  requestBody((body) => (typeof body.usages === 'string' ? { ...body, usages: body.usages.split(',')[0] ?? '' } : body)),
)

rule('usages-last-unknown', ['MANAGED-KEYS-USAGE-01'], 'the usage random is refused (000 4.2, usages: values from)', {
  usages: (original) => () => original().slice(0, -1),
})

rule('largest-vault-key', [], 'key_bits 4096 is refused for cloudbkeyvault (000 4.2, key_bits: 2048, 3072, 4096)', {
  statedOf: (original) => (kind) => {
    const sets = original(kind)
    return kind === 'cloudbkeyvault' ? { ...sets, key_bits: (sets.key_bits ?? []).slice(0, -1) } : sets
  },
})

rule(
  'bits-in-between',
  ['MANAGED-KEYS-PKCS-20', 'MANAGED-KEYS-AKMS-08', 'MANAGED-KEYS-BVAULT-08'],
  'key_bits may be any number from 2048 to 4096 (000 4.2, key_bits: 2048, 3072, 4096)',
  {
    inSet: (original) => (value, set, field) =>
      field === 'key_bits' ? Number(value) >= 2048 && Number(value) <= 4096 : original(value, set, field),
  },
)

rule('last-curve-unknown', [], 'the curve P521 is refused for cloudakms (000 4.2, curve: P256, P384, P521)', {
  statedOf: (original) => (kind) => {
    const sets = original(kind)
    return kind === 'cloudakms' ? { ...sets, curve: (sets.curve ?? []).slice(0, -1) } : sets
  },
})

rule('last-algorithm-unknown', ['MANAGED-KEYS-CKMS-04'], 'RSA_SIGN_PKCS1_4096_SHA512 is refused (000 4.2, algorithm)', {
  statedOf: (original) => (kind) => {
    const sets = original(kind)
    return kind === 'cloudckms' ? { ...sets, algorithm: (sets.algorithm ?? []).slice(0, -1) } : sets
  },
})

rule('algorithm-composed', [], 'SHA512 is accepted with keys of 2048 and 3072 bits (000 4.2, algorithm: one of)', {
  inSet: (original) => (value, set, field) =>
    original(value, set, field) || (field === 'algorithm' && /^RSA_SIGN_(PSS|PKCS1)_(2048|3072|4096)_SHA(256|512)$/.test(value)),
})

rule('last-hash-unknown', 'MANAGED-KEYS-SIGN-09', 'hash_algorithm sha3-512 is refused (000 4.2, hash_algorithm: allowed values)', {
  hashOf: (original) => (body) => {
    const hash = original(body)
    if (hash === 'sha3-512') throw invalid('hash_algorithm is not supported')
    return hash
  },
})

rule('slot-zero-refused', [], 'slot 0 is refused (000 4.2, slot: decimal slot number)', {
  slotAllowed: (original) => (text) => original(text) && Number(text) > 0,
})

rule(
  'slot-read-signed',
  ['MANAGED-KEYS-PKCS-10'],
  'a slot from 2147483648 on is read as another number (000 4.2, slot: decimal slot number, int on read)',
  {
    shownField: (original) => (key, field) => {
      const value = original(key, field)
      return field === 'slot' ? Number(value) | 0 : value
    },
  },
)

rule('parallel-one-more', [], 'one request more than max_parallel is in the module at once (000 4.2, max_parallel)', {
  parallelOf: (original) => (key) => original(key) + 1,
})

rule('name-cut', 'MANAGED-KEYS-NAME-06', 'of a name the first 40 characters count (000 2.6, unique name)', {
  storedName: (original) => (name) => original(name).slice(0, LONGEST),
  named: (original) => (keys, name) => original(keys, name.slice(0, LONGEST)),
})

route(
  'list-first-hundred',
  [],
  'a list has a hundred names at most (000 4.2, LIST: array of names)',
  'managedKeys.list',
  listing((names) => names.slice(0, PAGE)),
)

route(
  'list-single-text',
  ['MANAGED-KEYS-LIST-01'],
  'a list of one name is a text instead of an array (000 4.2, LIST: array of names)',
  'managedKeys.list',
  listing((names) => (names.length === 1 ? (names[0] ?? '') : names)),
)

rule('key-id-not-enough', [], 'key_id without key_label is refused (000 4.2, one of key_label or key_id required)', {
  oneOfOf: (original) => (kind) => original(kind).map((group) => (group.includes('key_id') ? ['key_label'] : group)),
})

rule(
  'second-group-skipped',
  ['MANAGED-KEYS-PKCS-05'],
  'a key without slot and token_label is accepted (000 4.2, one of slot or token_label required)',
  {
    oneOfOf: (original) => (kind) => original(kind).slice(0, 1),
  },
)

rule('last-required-skipped', [], 'a key of kind cloudbkeyvault without key_type is accepted (000 4.2, key_type: required)', {
  requiredOf: (original) => (kind) => (kind === 'cloudbkeyvault' ? original(kind).slice(0, -1) : original(kind)),
})

rule(
  'curve-not-needed',
  ['MANAGED-KEYS-PKCS-21'],
  'pkcs11: a key that may be made for CKM_ECDSA needs no curve (000 4.2, curve: required if allow_generate_key is true)',
  {
    neededFor: (original) => (kind, values) => original(kind, values).filter((field) => !(kind === 'pkcs11' && field === 'curve')),
  },
)

rule(
  'rsa-bits-for-making-only',
  [],
  'cloudakms: key_bits may be missing unless a key may be made (000 4.2, required when key_type is RSA)',
  {
    neededFor: (original) => (kind, values) => (kind === 'cloudakms' && values.allow_generate_key !== true ? [] : original(kind, values)),
  },
)
