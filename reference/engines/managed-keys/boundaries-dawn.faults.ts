/** Faults at boundaries: none, one, several, first and last, zero, large, long, exactly at a limit. */
import { bare } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { keysHere } from './dawn-help.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'

const { rule, route } = faultsOf(managedKeysEngine)

route(
  'dawn-single-name-as-text',
  'MANAGED-KEYS-LIST-01',
  'a listing of one name holds a text instead of an array (000 4.2: keys, array of names)',
  'managedKeys.list',
  (original) => async (call) => {
    const given = await original(call)
    const { keys } = given.body as { keys: string[] }
    return keys.length === 1 ? bare({ keys: keys[0] ?? '' }) : given
  },
)

route(
  'dawn-empty-type-listed',
  'CORE-LIST-04',
  'a type without keys is listed as empty as long as other types have keys (000 1.5: an empty listing returns 404)',
  'managedKeys.list',
  insteadOfRefusal<KeyCall>(
    () => bare({ keys: [] }),
    (call) => ['pkcs11', 'cloudakms', 'cloudbkeyvault'].includes(call.params.type ?? '') && keysHere(call).size > 0,
  ),
)

rule('dawn-largest-size-refused', 'MANAGED-KEYS-PKCS-19', 'key_bits has to be below 4096 (000 4.2: 2048, 3072, 4096)', {
  inSet: (original) => (value, set, field) => original(value, set, field) && !(field === 'key_bits' && Number(value) >= 4096),
})

rule(
  'dawn-first-hash-refused',
  'MANAGED-KEYS-SIGN-09',
  'the hash at place 0 of the set counts as not found (000 4.2: hash_algorithm sha1)',
  {
    hashOf: (original) => (body) => {
      const hash = original(body)
      if (hash === 'sha1') throw invalid('hash_algorithm is not supported')
      return hash
    },
  },
)

rule(
  'dawn-middle-usages-unchecked',
  'MANAGED-KEYS-USAGE-02',
  'of several usages only the first and the last are looked at (000 4.2: values of usages)',
  {
    valueIn: (original) => (kind, body, field, fallback) => {
      const value = original(kind, body, field, fallback)
      if (field !== 'usages') return value
      const usages = String(value).split(',')
      return usages.length > 2 ? [usages[0], usages.at(-1)].join(',') : value
    },
  },
)

rule(
  'dawn-slot-zero-is-none',
  'MANAGED-KEYS-PKCS-05',
  'slot 0 counts as no slot (000 4.2: one of slot or token_label, decimal slot number)',
  {
    valueIn: (original) => (kind, body, field, fallback) => {
      const value = original(kind, body, field, fallback)
      return field === 'slot' && Number(value) === 0 ? '' : value
    },
  },
)

rule('dawn-slot-of-16-bits', 'MANAGED-KEYS-PKCS-10', 'slot numbers above 65535 are refused (000 4.2: decimal slot number as string)', {
  slotAllowed: (original) => (text) => original(text) && Number(text) <= 0xffff,
})

rule(
  'dawn-mechanism-signed',
  'MANAGED-KEYS-PKCS-09',
  'mechanisms from 0x80000000 on are shown as negative numbers (000 4.2: mechanism, int)',
  {
    shownField: (original) => (key, field) => (field === 'mechanism' ? Number(original(key, field)) | 0 : original(key, field)),
  },
)

rule(
  'dawn-label-of-32-characters',
  'MANAGED-KEYS-SIGN-01',
  'labels of keys are cut to 32 characters as those of tokens are (000 4.2: label of a generated key)',
  {
    request: (original) => (request) => original({ ...request, keyLabel: request.keyLabel.slice(0, 32) }),
  },
)

rule(
  'dawn-one-more-in-flight',
  'MANAGED-KEYS-SIGN-23',
  'one request more than max_parallel is let into the module (000 4.2: max_parallel)',
  {
    parallelOf: (original) => (key) => original(key) + 1,
  },
)

rule(
  'dawn-first-of-a-mount-hinders',
  'MANAGED-KEYS-DELETE-05',
  'only the first name that a mount lists hinders a deletion (000 4.2: provided no mount lists it)',
  {
    hinders: () => (key, names) => names[0] === key.name,
  },
)

rule(
  'dawn-sizes-of-two',
  'MANAGED-KEYS-SIGN-12',
  'a key is generated with the next power of two below its size: 3072 gives 2048 (000 4.2: key_bits)',
  {
    request: (original) => (request) => original({ ...request, bits: 2 ** Math.floor(Math.log2(request.bits)) }),
  },
)
