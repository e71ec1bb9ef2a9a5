/** Faults in which a request about one key reaches another: of another name, kind, token or namespace, or listed by another mount. */
import { invalid } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'
import type { ManagedKeyRules } from './rules.ts'

const { rule, route } = faultsOf(managedKeysEngine)

type Handler = (call: KeyCall) => Reply | Promise<Reply>

const WRITES = ['managedKeys.writePkcs11', 'managedKeys.writeCloudakms', 'managedKeys.writeCloudbkeyvault', 'managedKeys.writeCloudckms']

const byRules =
  (change: (call: KeyCall) => Partial<ManagedKeyRules>) =>
  (original: Handler): Handler =>
  (call) =>
    original({ ...call, rules: { ...call.rules, ...change(call) } })

const keysOf = (call: KeyCall) => call.rules.keysIn(call.state.namespaces, call.mount.namespace)

const tokens = remembered(() => new Map<string, { slot: string; tokenLabel: string }>())

route(
  'token-of-the-library',
  ['MANAGED-KEYS-SIGN-01', 'MANAGED-KEYS-SIGN-05'],
  'the token of the first test of a library is kept, and keys of other tokens are looked for there (000 4.2, pkcs11: slot, token_label)',
  'managedKeys.testSign',
  byRules((call) => ({
    request: (asked) => {
      const library = String(keysOf(call).get(call.params.name ?? '')?.parameters.library)
      const known = tokens(call.state)
      const token = known.get(library) ?? { slot: asked.slot, tokenLabel: asked.tokenLabel }
      known.set(library, token)
      return call.rules.request({ ...asked, ...token })
    },
  })),
)

rule(
  'key-id-overlooked',
  ['MANAGED-KEYS-SIGN-15'],
  'a key that is given by its id only is taken to be the first key of the token (000 4.2, pkcs11: key_id, error if key does not exist)',
  {
    request: (original) => (asked) => original(asked.keyLabel === '' ? { ...asked, keyId: '' } : asked),
  },
)

route(
  'delete-takes-longer-names',
  ['MANAGED-KEYS-LIST-07'],
  'deleting a key deletes those whose names continue its own (000 4.2, DELETE :name)',
  'managedKeys.delete',
  (original) => async (call) => {
    const reply = await original(call)
    const name = call.params.name ?? ''
    for (const other of [...keysOf(call).keys()]) if (other.startsWith(`${name}-`)) keysOf(call).delete(other)
    return reply
  },
)

rule(
  'hindered-by-longer-names',
  ['MANAGED-KEYS-DELETE-06', 'MANAGED-KEYS-DELETE-08'],
  'a mount that lists a name beginning with that of the key hinders its deletion (000 4.2, DELETE: no mount lists it)',
  {
    hinders: (original) => (key, names) => original(key, names) || names.some((name) => name.startsWith(key.name)),
  },
)

route(
  'first-listing-mount-only',
  ['MANAGED-KEYS-DELETE-05', 'MANAGED-KEYS-MODEL-01'],
  'of the mounts that list keys only the first is asked before a deletion (000 4.2, DELETE: no mount lists it)',
  'managedKeys.delete',
  (original) => (call) => {
    const allowedManagedKeys: KeyCall['services']['allowedManagedKeys'] = (namespace) =>
      call.services
        .allowedManagedKeys(namespace)
        .filter(({ keys }) => keys.length > 0)
        .slice(0, 1)
    return original({ ...call, services: { ...call.services, allowedManagedKeys } })
  },
)

route(
  'mounts-of-root-only',
  ['MANAGED-KEYS-DELETE-05', 'MANAGED-KEYS-DELETE-08'],
  'before a deletion in the administrative namespace the mounts of the root are asked (000 4.2, DELETE: no mount lists it)',
  'managedKeys.delete',
  (original) => (call) => {
    const allowedManagedKeys: KeyCall['services']['allowedManagedKeys'] = () => call.services.allowedManagedKeys('')
    return original({ ...call, services: { ...call.services, allowedManagedKeys } })
  },
)

route(
  'root-keys-readable-below',
  ['MANAGED-KEYS-NS-03'],
  'a name that the administrative namespace does not have is read from the root (000 2.6, unique within a namespace)',
  'managedKeys.read',
  byRules((call) => ({
    keysIn: (namespaces, namespace) => new Map([...call.rules.keysIn(namespaces, ''), ...call.rules.keysIn(namespaces, namespace)]),
  })),
)

route(
  'delete-of-another-kind',
  ['MANAGED-KEYS-DELETE-04'],
  'a deletion under the path of one kind deletes a key of another (000 4.2, DELETE :type/:name)',
  'managedKeys.delete',
  byRules(() => ({ fits: () => true })),
)

route(
  'delete-in-all-namespaces-anew',
  ['MANAGED-KEYS-NS-03'],
  'a deletion deletes the keys of that name in all namespaces (000 2.6, unique within a namespace)',
  'managedKeys.delete',
  (original) => async (call) => {
    const wasThere = keysOf(call).has(call.params.name ?? '')
    const reply = await original(call)
    if (wasThere && !keysOf(call).has(call.params.name ?? ''))
      for (const keys of call.state.namespaces.values()) keys.delete(call.params.name ?? '')
    return reply
  },
)

route(
  'name-taken-in-another-namespace',
  ['MANAGED-KEYS-NAME-04'],
  'a name that a key of another kind has in another namespace is refused (000 2.6, unique within a namespace)',
  WRITES,
  (original) => (call) => {
    const path = call.path.split('/')
    const kind = path.at(-2)
    const others = [...call.state.namespaces.values()].flatMap((keys) => [...keys.values()])
    if (others.some((key) => key.name === call.params.name && key.kind !== kind)) throw invalid('the name is in use')
    return original(call)
  },
)

const sizes = remembered(() => new Map<string, Json>())

route(
  'size-of-the-last-key',
  ['MANAGED-KEYS-DELETE-03'],
  'a new key without key_bits gets those of the key that was written last (000 4.2, pkcs11: key_bits, default 0)',
  'managedKeys.writePkcs11',
  (original) => async (call) => {
    const known = sizes(call.state)
    const size = known.get('key_bits')
    const isNew = !keysOf(call).has(call.params.name ?? '')
    const body = isNew && size !== undefined && call.body.key_bits === undefined ? { ...call.body, key_bits: size } : call.body
    const reply = await original({ ...call, body })
    if (call.body.key_bits !== undefined) known.set('key_bits', call.body.key_bits)
    return reply
  },
)
