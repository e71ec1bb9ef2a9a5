/** Faults at the edges: first, last, one, zero, long and large values. */
import { faultsOf } from '../../mutations/declare.ts'
import { type Handler, withRules, writes } from './dusk-help.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'

const { rule, route, change } = faultsOf(managedKeysEngine, 'managed-keys')

rule(
  'dusk-slot-of-32-bits',
  'MANAGED-KEYS-PKCS-10',
  'a slot from 2147483648 on is read as a negative number (000 4.2: slot, decimal slot number; GET slot int)',
  {
    shownField: (original) => (key, field) => {
      const value = original(key, field)
      return field === 'slot' ? Number(value) | 0 : value
    },
  },
)

rule(
  'dusk-mechanism-whole-bytes',
  'MANAGED-KEYS-PKCS-09',
  'the last digit of a mechanism with an odd number of digits is lost (000 4.2: mechanism, hex string; GET int)',
  {
    valueIn: (original) => (kind, body, field, fallback) => {
      const value = original(kind, body, field, fallback)
      if (field !== 'mechanism' || typeof value !== 'string' || !/^0x[0-9a-f]+$/i.test(value)) return value
      return `0x${Buffer.from(value.slice(2), 'hex').toString('hex') || '0'}`
    },
  },
)

rule(
  'dusk-first-usage-checked',
  'MANAGED-KEYS-USAGE-02',
  'of several usages only the first is looked at, so that unknown ones pass behind it (000 4.2: usages, values from)',
  {
    valueIn: (original) => (kind, body, field, fallback) => {
      const value = original(kind, body, field, fallback)
      return field === 'usages' ? (String(value).split(',')[0] ?? '') : value
    },
  },
)

rule('dusk-last-usage-missing', 'MANAGED-KEYS-USAGE-01', 'the usage random is refused (000 4.2: usages, values from)', {
  usages: (original) => () => original().slice(0, -1),
})

rule(
  'dusk-bits-as-range',
  'MANAGED-KEYS-BVAULT-08',
  'key_bits between 2048 and 4096 are accepted, 2560 for one (000 4.2: key_bits 2048, 3072, 4096)',
  {
    inSet: (original) => (value, set, field) =>
      original(value, set, field) || (field === 'key_bits' && Number(value) >= 2048 && Number(value) <= 4096),
  },
)

change(
  'dusk-zero-bits-given',
  'MANAGED-KEYS-BVAULT-05',
  'key_bits of 0 counts as given where a key may have to be made (000 4.2: key_bits required if allow_generate_key is true)',
  {
    routes: writes(() => (original) => (call) => {
      const isZero = call.body.key_bits === 0 || call.body.key_bits === '0'
      const needed: KeyCall['rules']['neededFor'] = (kind, values) =>
        call.rules.neededFor(kind, values).filter((field) => !(isZero && field === 'key_bits'))
      return original(withRules(call, { neededFor: needed }))
    }),
  },
)

rule(
  'dusk-one-more-in-flight',
  'MANAGED-KEYS-SIGN-23',
  'one request more than max_parallel is in the module at once (000 4.2: max_parallel)',
  {
    parallelOf: (original) => (key) => original(key) + 1,
  },
)

rule(
  'dusk-long-name-cut',
  'MANAGED-KEYS-WRITE-06',
  'a name is cut after 64 characters when it is stored, and not found in full (000 4.2: POST creates, GET :name)',
  {
    storedName: (original) => (name) => original(name).slice(0, 64),
  },
)

route(
  'dusk-list-of-one-unwrapped',
  'MANAGED-KEYS-LIST-01',
  'a list with one name has it as text (000 4.2: LIST returns keys, array of names)',
  'managedKeys.list',
  (original): Handler =>
    async (call) => {
      const given = await original(call)
      const { keys } = given.body as { keys: string[] }
      return keys.length === 1 ? { ...given, body: { keys: keys[0] ?? '' } } : given
    },
)

rule('dusk-slot-zero-absent', 'MANAGED-KEYS-PKCS-05', 'slot 0 counts as not given (000 4.2: one of slot or token_label required)', {
  valueIn: (original) => (kind, body, field, fallback) => {
    const value = original(kind, body, field, fallback)
    return field === 'slot' && Number(value) === 0 ? '' : value
  },
})

rule(
  'dusk-algorithm-by-parts',
  'MANAGED-KEYS-CKMS-05',
  'size and hash of an algorithm are checked each for itself: RSA_SIGN_PSS_2048_SHA512 passes (000 4.2: algorithm, one of)',
  {
    inSet: (original) => (value, set, field) =>
      original(value, set, field) || (field === 'algorithm' && /^RSA_SIGN_(PSS|PKCS1)_(2048|3072|4096)_SHA(256|512)$/.test(value)),
  },
)

rule(
  'dusk-absent-id-made',
  'MANAGED-KEYS-SIGN-15',
  'a key that is named by key_id alone and not there is made where generation is allowed (000 4.2: key_id, error if key does not exist)',
  {
    generates: () => (key) => key.parameters.allow_generate_key === true,
    request: (original) => (request) =>
      original(request.generate && request.keyLabel === '' ? { ...request, keyLabel: request.keyId, keyId: '' } : request),
  },
)
