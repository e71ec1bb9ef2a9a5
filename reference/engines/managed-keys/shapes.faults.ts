/** Faults in how things are written down and shown. */
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { reply } from '../../faults/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'

const { rule, route, declared } = faultsOf(managedKeysEngine)

rule('shape-slot-unset', 'MANAGED-KEYS-READ-08', 'a slot that was not given is shown as an empty text', {
  shownField: (original) => (key, field) => (field === 'slot' && (key.parameters.slot ?? '') === '' ? '' : original(key, field)),
})

rule('shape-label-lower', 'MANAGED-KEYS-PKCS-07', 'key_label is kept in lower case', {
  valueIn: (original) => (kind, body, field, fallback) => {
    const value = original(kind, body, field, fallback)
    return field === 'key_label' ? String(value).toLowerCase() : value
  },
})

rule('shape-cloud-without-uuid', 'MANAGED-KEYS-READ-04', 'a read of a cloud key has no UUID', {
  shownKey: (original) => (key, fields) => {
    const { UUID: _, ...shown } = original(key, fields)
    return key.kind === 'pkcs11' ? original(key, fields) : shown
  },
})

rule('shape-session-flag-of-another', 'MANAGED-KEYS-PKCS-13', 'force_rw_session is shown as what allow_store_key is', {
  shownField: (original) => (key, field) => original(key, field === 'force_rw_session' ? 'allow_store_key' : field),
})

route(
  'shape-listed-with-kind',
  'MANAGED-KEYS-LIST-01',
  'a listing names the keys by kind and name',
  'managedKeys.list',
  reply<KeyCall>((given, { params }) => {
    const { keys } = given.body as { keys: string[] }
    return { ...given, body: { ...(given.body as JsonObject), keys: keys.map((name) => `${params.type}/${name}`) } }
  }),
)

rule('shape-curve-null', ['MANAGED-KEYS-PKCS-14', 'MANAGED-KEYS-READ-01'], 'a curve that was not given is shown as null', {
  shownField: (original) => (key, field) => (field === 'curve' ? original(key, field) || null : original(key, field)),
})

const dashed = (name: string): string => name.replaceAll('_', '-')

rule('shape-underscore', 'MANAGED-KEYS-NAME-06', 'an underscore in a name is the same as a dash', {
  storedName: (original) => (name) => dashed(original(name)),
  named: (original) => (keys, name) => original(keys, dashed(name)),
})

rule('shape-key-bits-text', 'MANAGED-KEYS-BVAULT-07', 'key_bits of a cloudbkeyvault key is taken as a number only, not as text', {
  valueIn: (original) => (kind, body, field, fallback) => {
    if (kind === 'cloudbkeyvault' && field === 'key_bits' && typeof body.key_bits === 'string') throw invalid('key_bits must be a number')
    return original(kind, body, field, fallback)
  },
})

export const faults = declared
