/** Faults in which a request reaches another key, kind, namespace, mount, library or place at a provider than the one that it names. */
import { ApiError } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'
import { byLists, byRules, keyAt, keysOf, nameOf, WRITES, withRules } from './loose-words.ts'

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
  'delete-by-other-kind',
  [],
  'a deletion by the path of another kind deletes the key of that name (000 4.2, DELETE :type/:name)',
  'managedKeys.delete',
  byRules(() => ({ fits: () => true })),
)

route(
  'read-by-other-kind',
  ['MANAGED-KEYS-READ-03'],
  'a read by the path of another kind shows the key of that name (000 4.2, GET :type/:name; 7, 404 invalid path)',
  'managedKeys.read',
  byRules(() => ({ fits: () => true })),
)

route(
  'test-by-other-kind',
  [],
  'a test by the path of another kind tests the key of that name (000 4.2, test/sign of :type/:name)',
  'managedKeys.testSign',
  byRules(() => ({ fits: () => true })),
)

rule('list-of-all-clouds', ['MANAGED-KEYS-LIST-02'], 'the list of one cloud kind has the keys of all of them (000 4.2, LIST :type)', {
  listed: (original) => (key, kind) => original(key, kind) || (kind !== 'pkcs11' && key.kind !== 'pkcs11'),
})

rule(
  'name-free-among-clouds',
  [],
  'a key of a cloud kind takes the name of another cloud kind over (000 2.6, unique across all backend types)',
  {
    isTaken: (original) => (existing, kind) => original(existing, kind) && (existing?.kind === 'pkcs11' || kind === 'pkcs11'),
  },
)

rule(
  'longer-name-hinders',
  ['MANAGED-KEYS-DELETE-06', 'MANAGED-KEYS-DELETE-08'],
  'a mount that lists a longer name hinders the deletion, too (000 4.2, DELETE: provided no mount lists it)',
  {
    hinders: (original) => (key, names) => original(key, names) || names.some((name) => name.startsWith(key.name)),
  },
)

route(
  'delete-asks-root-mounts',
  [],
  'a deletion in the administrative namespace looks at the mounts of the root (000 4.2, DELETE: provided no mount lists it; any_mount)',
  'managedKeys.delete',
  byLists((_call, lists) => lists('')),
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
  'list-with-root',
  [],
  'the list in the administrative namespace has the keys of the root, too (000 2.6, within a namespace; 4.2, LIST)',
  'managedKeys.list',
  byRules(({ rules }) => ({
    keysIn: (namespaces, namespace) => new Map([...rules.keysIn(namespaces, ''), ...rules.keysIn(namespaces, namespace)]),
  })),
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

const isElsewhere = (call: KeyCall): boolean =>
  [...call.state.namespaces].some(([namespace, keys]) => namespace !== call.mount.namespace && keys.has(nameOf(call)))

route(
  'name-taken-elsewhere',
  [],
  'a name that a key of another namespace has is refused (000 2.6, unique within a namespace)',
  WRITES,
  byRules((call) => ({
    isTaken: (existing, kind) => call.rules.isTaken(existing, kind) || (existing === undefined && isElsewhere(call)),
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

route(
  'pin-per-library',
  [],
  'the PIN of a key that is written becomes that of all keys of its library (000 4.2, pin of a key; test/sign: the configuration is valid)',
  'managedKeys.writePkcs11',
  (original) => async (call) => {
    const given = await original(call)
    const key = keyAt(call)
    for (const other of keysOf(call).values())
      if (key !== undefined && other.parameters.library === key.parameters.library) other.parameters.pin = key.parameters.pin ?? ''
    return given
  },
)

const lastFlag = remembered<{ value: Json }>(() => ({ value: false }))

route(
  'any-mount-of-last',
  ['MANAGED-KEYS-FLAG-04'],
  'a new key without any_mount gets what was written last for another key (000 4.2, any_mount: default "false")',
  WRITES,
  requestBody((body, call: KeyCall) => {
    const last = lastFlag(call.state)
    if (body.any_mount !== undefined) last.value = body.any_mount
    return keyAt(call) === undefined ? { any_mount: last.value, ...body } : body
  }),
)

route(
  'absent-label-any-key',
  [],
  'a label that no key has is tested with another key of the token (000 4.2, key_label; test/sign: success means valid)',
  'managedKeys.testSign',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (!(cause instanceof ApiError && cause.message.includes('no such key'))) throw cause
      return original(withRules(call, { request: (request) => ({ ...call.rules.request(request), keyLabel: '' }) }))
    }
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

rule('region-of-first', [], 'all keys of kind cloudakms are looked for in the region of the first that was tested (000 4.2, region)', {
  regionOf: (original) => {
    let first: string | undefined
    return (values) => {
      first ??= original(values)
      return first
    }
  },
})

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

rule('ring-without-region', [], 'key rings of the same name in two regions of a project are taken for one (000 4.2, cloudckms: region)', {
  ringOf: (original) => {
    const rings = new Map<string, string>()
    return (values) => {
      const name = `${String(values.project)} ${String(values.key_ring)}`
      const ring = rings.get(name) ?? original(values)
      rings.set(name, ring)
      return ring
    }
  },
})
