/** Faults at boundaries: empty, one, many, first, last, zero, long, large. */
import type { Services } from '../../core/engine.ts'
import { bare } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import { kindInPath, WRITES, withRules } from './frank-help.ts'

const { rule, route } = faultsOf(managedKeysEngine)

const LONGEST = 64
const cut = (name: string): string => name.slice(0, LONGEST)

rule(
  'frank-long-names-cut',
  'MANAGED-KEYS-NAME-06',
  'names that agree in their first 64 characters mean one key (000 2.6: identified by a unique name)',
  {
    storedName: (original) => (name) => cut(original(name)),
    named: (original) => (keys, name) => original(keys, cut(name)),
  },
)

rule('frank-slot-zero-is-none', 'MANAGED-KEYS-PKCS-05', 'slot "0" counts as no slot (000 4.2: slot, decimal slot number as string)', {
  valueIn: (original) => (kind, body, field, fallback) => {
    const value = original(kind, body, field, fallback)
    return field === 'slot' && Number(value) === 0 ? '' : value
  },
})

route(
  'frank-key-bits-zero-is-given',
  'MANAGED-KEYS-BVAULT-05',
  'key_bits 0 sent with allow_generate_key counts as given (000 4.2: key_bits, required if allow_generate_key is true)',
  ['managedKeys.writePkcs11', 'managedKeys.writeCloudbkeyvault'],
  (original) => (call) => {
    const { neededFor } = call.rules
    if (String(call.body.key_bits) !== '0') return original(call)
    return original(withRules(call, { neededFor: (kind, values) => neededFor(kind, values).filter((field) => field !== 'key_bits') }))
  },
)

route(
  'frank-first-usage-checked',
  'MANAGED-KEYS-USAGE-02',
  'only the first of several usages has to be one (000 4.2: usages, values from a set)',
  WRITES,
  requestBody((body) => (typeof body.usages === 'string' ? { ...body, usages: body.usages.split(',')[0] ?? '' } : body)),
)

rule(
  'frank-curve-p512',
  'MANAGED-KEYS-AKMS-09',
  'curve P521 is refused, for the set holds P512 (000 4.2: cloudakms curve, P256, P384, P521)',
  {
    statedOf: (original) => (kind) => {
      const sets = original(kind)
      return kind === 'cloudakms' ? { ...sets, curve: ['P256', 'P384', 'P512'] } : sets
    },
  },
)

rule(
  'frank-large-mechanism-negative',
  'MANAGED-KEYS-PKCS-09',
  'a mechanism from 0x80000000 on is read as a negative number (000 4.2: mechanism, int)',
  {
    shownField: (original) => (key, field) => {
      const value = original(key, field)
      return field === 'mechanism' ? Number(value) | 0 : value
    },
  },
)

rule(
  'frank-first-listed-hinders',
  'MANAGED-KEYS-DELETE-05',
  'only the first name in a mount’s allowed_managed_keys hinders deletion (000 4.2: provided no mount lists it)',
  {
    hinders: (original) => (key, names) => original(key, names.slice(0, 1)),
  },
)

route(
  'frank-first-mount-hinders',
  'MANAGED-KEYS-DELETE-05',
  'only the first mount that lists any keys is asked before a deletion (000 4.2: provided no mount lists it)',
  'managedKeys.delete',
  (original) => (call) => {
    const { allowedManagedKeys } = call.services
    const first: Services['allowedManagedKeys'] = (namespace) =>
      allowedManagedKeys(namespace)
        .filter(({ keys }) => keys.length > 0)
        .slice(0, 1)
    return original({ ...call, services: { ...call.services, allowedManagedKeys: first } })
  },
)

const listedOnce = remembered(() => new Set<string>())

route(
  'frank-emptied-listing',
  'CORE-LIST-04',
  'the listing of a kind whose last key is deleted is an empty array (000 1.5: an empty listing returns 404)',
  'managedKeys.list',
  (original) => async (call) => {
    const place = `${call.mount.namespace} ${kindInPath(call)}`
    const once = listedOnce(call.state)
    try {
      const reply = await original(call)
      once.add(place)
      return reply
    } catch (cause) {
      if (!(cause instanceof ApiError) || cause.status !== 404 || !once.has(place)) throw cause
      return bare({ keys: [] })
    }
  },
)

rule(
  'frank-one-is-unlimited',
  'MANAGED-KEYS-SIGN-23',
  'max_parallel 1, the default, sets no limit (000 4.2: max_parallel, concurrent in-flight requests)',
  {
    parallelOf: (original) => (key) => (original(key) > 1 ? original(key) : Number.POSITIVE_INFINITY),
  },
)

rule(
  'frank-long-label-cut',
  'MANAGED-KEYS-SIGN-01',
  'a key is looked for and made under the first 32 characters of its label (000 4.2: key_label)',
  {
    request: (original) => (request) => {
      const asked = original(request)
      return { ...asked, keyLabel: asked.keyLabel.slice(0, 32) }
    },
  },
)

rule(
  'frank-first-version-only',
  'MANAGED-KEYS-WRITE-05',
  'version 1 of a key signs, whatever crypto_key_version says (000 4.2: crypto_key_version)',
  {
    versionOf: () => () => '1',
  },
)
