/** Faults at the edges: first, last, second elements, zero, the largest, other spellings. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { reply, requestBody } from '../../faults/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'

const { rule, route, declared } = faultsOf(managedKeysEngine)

const WRITES = ['managedKeys.writePkcs11', 'managedKeys.writeCloudakms', 'managedKeys.writeCloudbkeyvault', 'managedKeys.writeCloudckms']

route(
  'boundary-first-usage',
  'MANAGED-KEYS-USAGE-02',
  'of several usages only the first is looked at',
  WRITES,
  requestBody<KeyCall>((body) => (typeof body.usages === 'string' ? { ...body, usages: body.usages.split(',')[0] ?? '' } : body)),
)

route(
  'boundary-slot-zero',
  'MANAGED-KEYS-PKCS-05',
  'slot 0 counts as no slot',
  'managedKeys.writePkcs11',
  requestBody<KeyCall>(({ slot, ...body }) => (slot === undefined || Number(slot) === 0 ? body : { ...body, slot })),
)

rule('boundary-key-type-mixed', 'MANAGED-KEYS-AKMS-05', 'a key type is known in upper and in lower case, but not in mixed case', {
  inSet: (original) => (value, set, field) =>
    original(value, set, field) && (field !== 'key_type' || [value.toUpperCase(), value.toLowerCase()].includes(value)),
})

rule('boundary-mechanism-signed', 'MANAGED-KEYS-PKCS-09', 'a mechanism from 0x80000000 on is shown as a negative number', {
  shownField: (original) => (key, field) => (field === 'mechanism' ? Number(original(key, field)) | 0 : original(key, field)),
})

route(
  'boundary-list-of-ten',
  'MANAGED-KEYS-LIST-01',
  'a listing ends after ten names',
  'managedKeys.list',
  reply<KeyCall>((given) => {
    const { keys } = given.body as { keys: string[] }
    return { ...given, body: { ...(given.body as JsonObject), keys: keys.slice(0, 10) } }
  }),
)

export const faults = declared
