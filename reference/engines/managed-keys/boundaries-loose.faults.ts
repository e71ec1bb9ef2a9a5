/** Faults at the edges: the first and the last of a set, a list or a group, zero, one, the largest, and one more. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { managedKeysEngine } from './engine.ts'
import { byLists, listing } from './loose-words.ts'

const { rule, route } = faultsOf(managedKeysEngine)

const LONGEST = 40

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

rule('usages-last-unknown', ['MANAGED-KEYS-USAGE-01'], 'the usage random is refused (000 4.2, usages: values from)', {
  usages: (original) => () => original().slice(0, -1),
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

rule('last-algorithm-unknown', ['MANAGED-KEYS-CKMS-04'], 'RSA_SIGN_PKCS1_4096_SHA512 is refused (000 4.2, algorithm)', {
  statedOf: (original) => (kind) => {
    const sets = original(kind)
    return kind === 'cloudckms' ? { ...sets, algorithm: (sets.algorithm ?? []).slice(0, -1) } : sets
  },
})

rule('last-hash-unknown', 'MANAGED-KEYS-SIGN-09', 'hash_algorithm sha3-512 is refused (000 4.2, hash_algorithm: allowed values)', {
  hashOf: (original) => (body) => {
    const hash = original(body)
    if (hash === 'sha3-512') throw invalid('hash_algorithm is not supported')
    return hash
  },
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

rule('name-cut', 'MANAGED-KEYS-NAME-06', 'of a name the first 40 characters count (000 2.6, unique name)', {
  storedName: (original) => (name) => original(name).slice(0, LONGEST),
  named: (original) => (keys, name) => original(keys, name.slice(0, LONGEST)),
})

route(
  'list-single-text',
  ['MANAGED-KEYS-LIST-01'],
  'a list of one name is a text instead of an array (000 4.2, LIST: array of names)',
  'managedKeys.list',
  listing((names) => (names.length === 1 ? (names[0] ?? '') : names)),
)

rule(
  'second-group-skipped',
  ['MANAGED-KEYS-PKCS-05'],
  'a key without slot and token_label is accepted (000 4.2, one of slot or token_label required)',
  {
    oneOfOf: (original) => (kind) => original(kind).slice(0, 1),
  },
)

rule(
  'curve-not-needed',
  ['MANAGED-KEYS-PKCS-21'],
  'pkcs11: a key that may be made for CKM_ECDSA needs no curve (000 4.2, curve: required if allow_generate_key is true)',
  {
    neededFor: (original) => (kind, values) => original(kind, values).filter((field) => !(kind === 'pkcs11' && field === 'curve')),
  },
)
