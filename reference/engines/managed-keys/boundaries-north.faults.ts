/** Faults at boundaries: none, one, several, the first, the last, zero, long, large, just beyond a set. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { managedKeysEngine } from './engine.ts'
import { isManagedPath, saying, seeingMounts, WRITES } from './north-help.ts'

const { rule, route } = faultsOf(managedKeysEngine)
const core = faultsOf(coreEngine, 'managed-keys')

const SMALLEST = 2048
const LARGEST = 4096
const LARGEST_SLOT = 0xffffn
const BODY_BYTES = 1024 * 1024

rule(
  'north-only-first-listed-key-protected',
  'MANAGED-KEYS-DELETE-05',
  'of the keys that a mount lists only the first cannot be deleted (000 4.2: deletes the key provided no mount lists it)',
  {
    hinders: (original) => (key, names) => original(key, names.slice(0, 1)),
  },
)

route(
  'north-only-first-listing-mount-asked',
  'MANAGED-KEYS-DELETE-05',
  'of several mounts that list keys only the first hinders a deletion (000 4.2: provided no mount lists it)',
  'managedKeys.delete',
  (original) => (call) => original(seeingMounts(call, (lists) => lists.filter(({ keys }) => keys.length > 0).slice(0, 1))),
)

route(
  'north-slot-zero-is-none',
  'MANAGED-KEYS-PKCS-05',
  'slot 0 counts as not given (000 4.2: one of slot or token_label required; slot, decimal slot number as string)',
  'managedKeys.writePkcs11',
  (original) => (call) => original(Number(call.body.slot ?? 1) === 0 ? saying(call, { slot: '' }) : call),
)

rule(
  'north-slot-of-sixteen-bits',
  'MANAGED-KEYS-PKCS-10',
  'a slot beyond 65535 is refused (000 4.2: slot, decimal slot number as string)',
  {
    slotAllowed: (original) => (text) => original(text) && BigInt(text) <= LARGEST_SLOT,
  },
)

rule('north-sizes-between', 'MANAGED-KEYS-BVAULT-08', 'any key_bits from 2048 to 4096 is accepted (000 4.2: key_bits 2048, 3072, 4096)', {
  inSet: (original) => (value, set, field) =>
    field === 'key_bits' ? Number(value) >= SMALLEST && Number(value) <= LARGEST : original(value, set, field),
})

rule(
  'north-one-more-in-parallel',
  'MANAGED-KEYS-SIGN-23',
  'with a max_parallel above one, one request more is in the module (000 4.2: max_parallel, concurrent in-flight requests to the module)',
  {
    parallelOf: (original) => (key) => {
      const limit = original(key)
      return limit > 1 ? limit + 1 : limit
    },
  },
)

route(
  'north-last-of-several-not-listed',
  'MANAGED-KEYS-LIST-01',
  'a listing of more than two keys lacks the last (000 4.2: LIST, keys, array of names)',
  'managedKeys.list',
  (original) => async (call) =>
    withBody(await original(call), (body) => {
      const keys = body.keys as string[]
      return { ...body, keys: keys.length > 2 ? keys.slice(0, -1) : keys }
    }),
)

route(
  'north-only-first-usage-looked-at',
  'MANAGED-KEYS-USAGE-02',
  'usages after the first are not looked at, so that any word passes (000 4.2: usages, values from encrypt to random)',
  WRITES,
  (original) => (call) => {
    const { usages } = call.body
    return original(typeof usages === 'string' ? saying(call, { usages: usages.replace(/,.*$/s, '') }) : call)
  },
)

rule(
  'north-last-usage-forgotten',
  'MANAGED-KEYS-USAGE-01',
  'usage random, the last of the list, is refused (000 4.2: usages, values from encrypt to random)',
  {
    usages: (original) => () => original().slice(0, -1),
  },
)

rule(
  'north-every-size-with-sha512',
  'MANAGED-KEYS-CKMS-05',
  'algorithms with SHA512 are accepted for sizes below 4096 (000 4.2: algorithm, one of; SHA512 with 4096 only)',
  {
    inSet: (original) => (value, set, field) =>
      original(field === 'algorithm' ? value.replace(/^(RSA_SIGN_(?:PSS|PKCS1)_\d+)_SHA512$/, '$1_SHA256') : value, set, field),
  },
)

rule(
  'north-largest-curve-misspelled',
  'MANAGED-KEYS-AKMS-05',
  'keys on the largest curve are made with a size of 512 (000 4.2: curve P521; curve P256 corresponds to spec ECC_NIST_P256)',
  {
    keySpecOf: (original) => (values) => original(values).replace(/P521$/, 'P512'),
  },
)

core.rule('north-bodies-up-to-one-megabyte', 'CORE-LIMIT-01', 'bodies above 1 MB are refused (000 8: maximum request size 32 MB)', {
  parseBody: (original) => (bytes, request) => {
    if (isManagedPath(request.path) && bytes.length > BODY_BYTES) throw invalid('the body is too large')
    return original(bytes, request)
  },
})
