/** Faults in which a request reaches another key, kind, namespace, mount, library or place at a provider than the one that it names. */
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { managedKeysEngine } from './engine.ts'
import { byLists, byRules, keyAt, keysOf } from './loose-words.ts'

const { rule, route } = faultsOf(managedKeysEngine)

route(
  'delete-takes-prefixes',
  ['MANAGED-KEYS-LIST-01', 'MANAGED-KEYS-DELETE-01'],
  'deleting a key deletes those of its kind whose names begin with its name (000 4.2, DELETE: deletes the key)',
  'managedKeys.delete',
  (original) => async (call) => {
    const keys = keysOf(call)
    const key = keyAt(call)
    const given = await original(call)
    if (key === undefined || keys.has(key.name)) return given
    for (const other of [...keys.values()]) if (other.kind === key.kind && other.name.startsWith(key.name)) keys.delete(other.name)
    return given
  },
)

route(
  'read-by-other-kind',
  ['MANAGED-KEYS-READ-03'],
  'a read by the path of another kind shows the key of that name (000 4.2, GET :type/:name; 7, 404 invalid path)',
  'managedKeys.read',
  byRules(() => ({ fits: () => true })),
)

rule('list-of-all-clouds', ['MANAGED-KEYS-LIST-02'], 'the list of one cloud kind has the keys of all of them (000 4.2, LIST :type)', {
  listed: (original) => (key, kind) => original(key, kind) || (kind !== 'pkcs11' && key.kind !== 'pkcs11'),
})

rule(
  'longer-name-hinders',
  ['MANAGED-KEYS-DELETE-06', 'MANAGED-KEYS-DELETE-08'],
  'a mount that lists a longer name hinders the deletion, too (000 4.2, DELETE: provided no mount lists it)',
  {
    hinders: (original) => (key, names) => original(key, names) || names.some((name) => name.startsWith(key.name)),
  },
)

route(
  'delete-asks-all-mounts',
  ['MANAGED-KEYS-MODEL-01'],
  'a mount of another namespace that lists the name hinders the deletion (000 2.6, unique within a namespace; 4.2, DELETE)',
  'managedKeys.delete',
  byLists(({ services, mount }, lists) =>
    [...new Set(['', services.operator.administrativeNamespace, mount.namespace])].flatMap((namespace) => lists(namespace)),
  ),
)

route(
  'read-falls-back-to-root',
  ['MANAGED-KEYS-NS-03'],
  'a read in the administrative namespace shows the key of the root where it has none itself (000 2.6, within a namespace; 7, 404)',
  'managedKeys.read',
  byRules(({ rules, state }) => ({
    named: (keys, name) => rules.named(keys, name) ?? rules.named(rules.keysIn(state.namespaces, ''), name),
  })),
)

route(
  'delete-in-all-namespaces',
  'MANAGED-KEYS-NS-03',
  'deleting a key deletes the key of that name in the other namespace, too (000 2.6, within a namespace; 4.2, DELETE)',
  'managedKeys.delete',
  (original) => async (call) => {
    const key = keyAt(call)
    const given = await original(call)
    if (key !== undefined && keyAt(call) === undefined) for (const keys of call.state.namespaces.values()) keys.delete(key.name)
    return given
  },
)

rule(
  'slot-not-compared',
  ['MANAGED-KEYS-SIGN-01', 'MANAGED-KEYS-SIGN-22'],
  'a key that names a slot is tested in the first one (000 4.2, slot; test/sign: success means valid)',
  {
    request: (original) => (request) => ({ ...original(request), slot: '' }),
  },
)

rule(
  'vault-per-tenant',
  ['MANAGED-KEYS-SIGN-37'],
  'all keys of one tenant are looked for in the vault of the first (000 4.2, vault_name)',
  {
    usedParameters: (original) => {
      const vaults = new Map<string, Json>()
      return (values) => {
        const used = original(values)
        if (used.vault_name === undefined) return used
        const vault = vaults.get(String(used.tenant_id)) ?? used.vault_name
        vaults.set(String(used.tenant_id), vault)
        return { ...used, vault_name: vault }
      }
    },
  },
)
