/** Faults of deletions, and of what hinders them. */
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { managedKeysEngine } from './engine.ts'

const { rule, route, declared } = faultsOf(managedKeysEngine)

rule('delete-nothing', 'MANAGED-KEYS-DELETE-01', 'a deletion is acknowledged and deletes nothing', { forgets: () => () => false })
rule('delete-pkcs11-only', 'MANAGED-KEYS-DELETE-01', 'only keys of modules are deleted', { forgets: () => (key) => key.kind === 'pkcs11' })
const remains = new WeakMap<object, Map<string, JsonObject>>()
route(
  'delete-leaves-parameters',
  'MANAGED-KEYS-DELETE-03',
  'a key that is made again has the parameters of the old one',
  ['managedKeys.delete', 'managedKeys.writePkcs11'],
  (original) => (call) => {
    const known = remains.get(call.state) ?? new Map<string, JsonObject>()
    remains.set(call.state, known)
    const name = call.params.name ?? ''
    const own = call.rules.keysIn(call.state.namespaces, call.mount.namespace).get(name)
    if (call.method === 'DELETE' && own !== undefined) known.set(name, own.parameters)
    return original(call.method === 'DELETE' ? call : { ...call, body: { ...known.get(name), ...call.body } })
  },
)
rule('delete-listed', 'MANAGED-KEYS-DELETE-05', 'a key that a mount lists is deleted', { hinders: () => () => false })
rule('delete-listed-second', 'MANAGED-KEYS-DELETE-05', 'only the first key that a mount lists is kept', {
  hinders: () => (key, names) => names[0] === key.name,
})
route(
  'delete-listed-all-the-same',
  'MANAGED-KEYS-DELETE-05',
  'the deletion of a listed key is refused, and the key goes',
  'managedKeys.delete',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (error) {
      call.rules.keysIn(call.state.namespaces, call.mount.namespace).delete(call.params.name ?? '')
      throw error
    }
  },
)
const oncelisted = new WeakMap<object, Set<string>>()
route(
  'delete-refused-for-ever',
  'MANAGED-KEYS-DELETE-06',
  'a key that a mount listed once is never deleted',
  'managedKeys.delete',
  (original) => (call) => {
    const names = oncelisted.get(call.state) ?? new Set<string>()
    oncelisted.set(call.state, names)
    for (const { keys } of call.services.allowedManagedKeys(call.mount.namespace)) for (const name of keys) names.add(name)
    if (names.has(call.params.name ?? '')) throw invalid('a mount has listed this key')
    return original(call)
  },
)
const listedOnce = new WeakMap<object, Set<string>>()
route(
  'delete-listed-by-gone-mount',
  'MANAGED-KEYS-DELETE-07',
  'a mount that is gone still hinders deletions',
  'managedKeys.delete',
  (original) => (call) => {
    const known = listedOnce.get(call.state) ?? new Set<string>()
    listedOnce.set(call.state, known)
    const listing = call.services.allowedManagedKeys(call.mount.namespace)
    for (const { mount, keys } of listing) for (const key of keys) known.add(`${mount} ${key}`)
    const isGone = (mount: string) => listing.every((one) => one.mount !== mount)
    for (const one of known) {
      const [mount = '', key] = one.split(' ')
      if (key === call.params.name && isGone(mount)) throw invalid('a mount lists this key')
    }
    return original(call)
  },
)
rule('delete-while-any-listed', 'MANAGED-KEYS-DELETE-08', 'no key is deleted while a mount lists any', {
  hinders: () => (_key, names) => names.length > 0,
})

export const faults = declared
