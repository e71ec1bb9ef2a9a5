/** Faults whose effect reaches another key, kind, mount or namespace. */
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../faults/declare.ts'
import { managedKeysEngine } from './engine.ts'

const { rule, route, declared } = faultsOf(managedKeysEngine)

route(
  'delete-longer-names',
  'MANAGED-KEYS-LIST-07',
  'a deletion also takes the keys whose names begin with that name',
  'managedKeys.delete',
  (original) => async (call) => {
    const reply = await original(call)
    const keys = call.state.namespaces.get(call.mount.namespace)
    for (const [name, { kind }] of keys ?? []) if (kind === call.params.type && name.startsWith(call.params.name ?? '')) keys?.delete(name)
    return reply
  },
)

route(
  'read-falls-to-root',
  'MANAGED-KEYS-NS-03',
  'a key that a namespace does not have is read from the root namespace',
  'managedKeys.read',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (!(cause instanceof ApiError) || call.mount.namespace === '') throw cause
      return original({ ...call, mount: { ...call.mount, namespace: '' } })
    }
  },
)

rule(
  'longer-name-hinders',
  'MANAGED-KEYS-DELETE-08',
  'a key cannot be deleted while a mount lists another key whose name begins with its name',
  {
    hinders: () => (key, names) => names.some((name) => name.startsWith(key.name)),
  },
)

rule('cloud-takes-name', 'MANAGED-KEYS-NAME-01', 'a key of a cloud kind takes the place of a key of another kind with its name', {
  isTaken: (original) => (existing, kind) => kind === 'pkcs11' && original(existing, kind),
})

rule('cloud-kinds-listed', 'MANAGED-KEYS-LIST-02', 'the listing of a cloud kind names the keys of all cloud kinds', {
  listed: (original) => (key, kind) => original(key, kind) || (key.kind !== 'pkcs11' && kind !== 'pkcs11'),
})

export const faults = declared
