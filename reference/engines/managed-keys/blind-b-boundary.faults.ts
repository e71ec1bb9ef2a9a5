/** Faults at the edges: first, last, second elements, zero, the largest, other spellings. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { reply, requestBody } from '../../mutations/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'

const { rule, route } = faultsOf(managedKeysEngine)

const WRITES = ['managedKeys.writePkcs11', 'managedKeys.writeCloudakms', 'managedKeys.writeCloudbkeyvault', 'managedKeys.writeCloudckms']

route(
  'boundary-first-usage',
  [],
  'of several usages only the first is looked at',
  WRITES,
  requestBody<KeyCall>((body) => (typeof body.usages === 'string' ? { ...body, usages: body.usages.split(',')[0] ?? '' } : body)),
)

rule('boundary-first-listed-name', [], 'of the keys that a mount lists only the first is kept from deletion', {
  hinders: (original) => (key, names) => original(key, names.slice(0, 1)),
})

route(
  'boundary-slot-zero',
  [],
  'slot 0 counts as no slot',
  'managedKeys.writePkcs11',
  requestBody<KeyCall>(({ slot, ...body }) => (slot === undefined || Number(slot) === 0 ? body : { ...body, slot })),
)

rule('boundary-key-type-mixed', [], 'a key type is known in upper and in lower case, but not in mixed case', {
  inSet: (original) => (value, set, field) =>
    original(value, set, field) && (field !== 'key_type' || [value.toUpperCase(), value.toLowerCase()].includes(value)),
})

rule('boundary-last-algorithm', [], 'the last of the algorithms of cloudckms is missing from the set', {
  statedOf: (original) => (kind) =>
    Object.fromEntries(Object.entries(original(kind)).map(([field, set]) => [field, field === 'algorithm' ? set.slice(0, -1) : set])),
})

rule('boundary-mechanism-signed', [], 'a mechanism from 0x80000000 on is kept as a negative number', {
  mechanismOf: (original) => (text) => original(text) | 0,
})

route(
  'boundary-list-of-ten',
  [],
  'a listing ends after ten names',
  'managedKeys.list',
  reply<KeyCall>((given) => {
    const { keys } = given.body as { keys: string[] }
    return { ...given, body: { ...(given.body as JsonObject), keys: keys.slice(0, 10) } }
  }),
)
