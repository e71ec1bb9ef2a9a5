/** Faults of keys as they are kept: of other names and namespaces, of an earlier key, and of how parameters are written. */
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'
import { KINDS, type Kind } from './state.ts'

const { rule, route, change } = faultsOf(managedKeysEngine)

const WRITES: Record<Kind, string> = {
  pkcs11: 'managedKeys.writePkcs11',
  cloudakms: 'managedKeys.writeCloudakms',
  cloudbkeyvault: 'managedKeys.writeCloudbkeyvault',
  cloudckms: 'managedKeys.writeCloudckms',
}

const nameOf = (call: KeyCall): string => call.params.name ?? ''

rule(
  'rushed-hindered-by-continued-name',
  ['MANAGED-KEYS-DELETE-06'],
  'a key cannot be deleted while a mount lists one whose name begins with its name',
  {
    hinders: () => (key, names) => names.some((name) => name.startsWith(key.name)),
  },
)

change('rushed-name-taken-elsewhere', ['MANAGED-KEYS-NAME-04'], 'a name is refused that a key of another kind has in another namespace', {
  routes: Object.fromEntries(
    KINDS.map((kind) => [
      WRITES[kind],
      (original: (call: KeyCall) => ReturnType<(typeof managedKeysEngine.routes)[number]['handle']>) => (call: KeyCall) => {
        for (const keys of call.state.namespaces.values()) {
          const known = keys.get(nameOf(call))
          if (known !== undefined && known.kind !== kind) throw invalid(`a key of another kind is called ${nameOf(call)}`)
        }
        return original(call)
      },
    ]),
  ),
})

rule('rushed-first-listed-only', ['MANAGED-KEYS-DELETE-05'], 'of the keys that a mount lists only the first is kept from deletion', {
  hinders: () => (key, names) => names[0] === key.name,
})

rule('rushed-slot-zero', ['MANAGED-KEYS-PKCS-05'], 'the slot 0 counts as none', {
  valueIn: (original) => (kind, body, field, fallback) => {
    const value = original(kind, body, field, fallback)
    return field === 'slot' && Number(value) === 0 ? '' : value
  },
})

rule('rushed-flag-stays-set', ['MANAGED-KEYS-PKCS-13'], 'a flag that is set stays set when an update says false', {
  valueIn: (original) => (kind, body, field, fallback) => {
    const value = original(kind, body, field, fallback)
    return value === false && fallback === true ? true : value
  },
})

/** The flags of deleted keys, by namespace and name. */
const buried = remembered(() => new Map<string, JsonObject>())

const placeOf = (call: KeyCall): string => `${call.mount.namespace} ${nameOf(call)}`

change(
  'rushed-flags-of-deleted-key',
  ['MANAGED-KEYS-DELETE-03'],
  'a key that is made again has the flags that it had before its deletion where none are given',
  {
    routes: {
      'managedKeys.delete': (original) => async (call) => {
        const known = call.state.namespaces.get(call.mount.namespace)
        const key = known?.get(nameOf(call))
        const reply = await original(call)
        if (key === undefined || known?.has(key.name)) return reply
        const flags = Object.entries(key.parameters).filter(([, value]) => typeof value === 'boolean')
        buried(call.state).set(placeOf(call), Object.fromEntries(flags))
        return reply
      },
      ...Object.fromEntries(
        KINDS.map((kind) => [
          WRITES[kind],
          (original: (call: KeyCall) => ReturnType<(typeof managedKeysEngine.routes)[number]['handle']>) => (call: KeyCall) => {
            const before = buried(call.state).get(placeOf(call)) ?? {}
            return original({ ...call, rules: { ...call.rules, baseOf: (previous) => previous?.parameters ?? before } })
          },
        ]),
      ),
    },
  },
)

rule('rushed-name-plain-letters', ['MANAGED-KEYS-NAME-03'], 'only upper-case letters from A to Z are seen in names', {
  nameAllowed: () => (name) => !/[A-Z]/.test(name),
})

rule('rushed-size-by-type-as-written', ['MANAGED-KEYS-AKMS-03'], 'key_bits is asked for only where the type is written RSA in upper case', {
  neededFor: (original) => (kind, values) => {
    const asWritten = String(values.key_type ?? '')
    return kind === 'cloudakms' && asWritten !== asWritten.toUpperCase() ? [] : original(kind, values)
  },
})

route(
  'rushed-get-lists-all-kinds',
  ['MANAGED-KEYS-LIST-02'],
  'a listing asked for with GET has the keys of all kinds',
  'managedKeys.list',
  (original) => (call) => original(call.query.get('list') === 'true' ? { ...call, rules: { ...call.rules, listed: () => true } } : call),
)
