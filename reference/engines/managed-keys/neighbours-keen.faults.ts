/** Faults in which a request reaches another key than the one it names: of another kind, name or namespace. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'
import type { ManagedKey } from './state.ts'

const { rule, route } = faultsOf(managedKeysEngine)

const writes = ['managedKeys.writePkcs11', 'managedKeys.writeCloudakms', 'managedKeys.writeCloudbkeyvault', 'managedKeys.writeCloudckms']

const keysOf = ({ state, mount }: KeyCall): Map<string, ManagedKey> => state.namespaces.get(mount.namespace) ?? new Map()

const nameOf = ({ params }: KeyCall): string => params.name ?? ''

const underItsKind = (call: KeyCall): KeyCall => {
  const kind = keysOf(call).get(nameOf(call))?.kind
  return kind === undefined ? call : { ...call, params: { ...call.params, type: kind } }
}

route(
  'keen-delete-any-kind',
  ['MANAGED-KEYS-DELETE-04'],
  'deleting goes by the name alone, so that a delete under one kind takes the key of another (000 4.2, DELETE)',
  'managedKeys.delete',
  (original) => (call) => original(underItsKind(call)),
)

route(
  'keen-delete-prefix',
  ['MANAGED-KEYS-LIST-07'],
  'deleting a key takes all keys of its kind whose names begin with its name (000 4.2, DELETE: deletes the key)',
  'managedKeys.delete',
  (original) => async (call) => {
    const keys = keysOf(call)
    const name = nameOf(call)
    const kind = keys.get(name)?.kind
    const given = await original(call)
    for (const [other, key] of [...keys]) if (key.kind === kind && other.startsWith(name)) keys.delete(other)
    return given
  },
)

rule(
  'keen-name-shared-by-clouds',
  ['MANAGED-KEYS-RACE-01'],
  'a name is compared with other kinds only where one of the two is pkcs11: one cloud key replaces that of another kind (000 2.6)',
  {
    isTaken: (original) => (existing, kind) => original(existing, kind) && (kind === 'pkcs11' || existing?.kind === 'pkcs11'),
  },
)

route(
  'keen-name-taken-elsewhere',
  ['MANAGED-KEYS-NAME-04'],
  'a name that another namespace uses for another kind is refused (000 2.6: unique across all backend types within a namespace)',
  writes,
  (original) => (call) => {
    const kind = call.path.split('/')[2]
    for (const [namespace, keys] of call.state.namespaces) {
      const other = keys.get(nameOf(call))
      if (namespace !== call.mount.namespace && other !== undefined && other.kind !== kind) throw invalid('the name is taken')
    }
    return original(call)
  },
)

route(
  'keen-delete-in-all-namespaces',
  ['MANAGED-KEYS-DELETE-08'],
  'deleting a key deletes the key of that kind and name in the other namespaces too (000 2.6: a name counts within a namespace)',
  'managedKeys.delete',
  (original) => async (call) => {
    const given = await original(call)
    for (const keys of call.state.namespaces.values()) if (keys.get(nameOf(call))?.kind === call.params.type) keys.delete(nameOf(call))
    return given
  },
)

route(
  'keen-list-all-namespaces',
  ['MANAGED-KEYS-LIST-03'],
  'a list shows the names of the keys of every namespace (000 2.6: keys are identified within a namespace; 4.2, LIST)',
  'managedKeys.list',
  (original) => (call) => {
    const all = new Map([...call.state.namespaces.values()].flatMap((keys) => [...keys]))
    return original({ ...call, rules: { ...call.rules, keysIn: () => all } })
  },
)

rule(
  'keen-list-clouds-together',
  ['MANAGED-KEYS-LIST-02'],
  'the list of one cloud kind shows the keys of every cloud kind (000 4.2, LIST /sys/managed-keys/:type)',
  {
    listed: (original) => (key, kind) => original(key, kind) || (key.kind !== 'pkcs11' && kind !== 'pkcs11'),
  },
)

route(
  'keen-read-any-kind',
  ['MANAGED-KEYS-WRITE-08'],
  'a read goes by the name alone, so that a key is found under the path of every kind (000 4.2, GET /sys/managed-keys; 7, 404)',
  'managedKeys.read',
  (original) => (call) => original(underItsKind(call)),
)

route(
  'keen-sign-any-kind',
  ['MANAGED-KEYS-SIGN-07', 'MANAGED-KEYS-SIGN-20'],
  'a test goes by the name alone, so that it succeeds under the path of every kind (000 4.2, POST test/sign: :type/:name)',
  'managedKeys.testSign',
  (original) => (call) => original(underItsKind(call)),
)

route(
  'keen-pin-per-library',
  ['MANAGED-KEYS-SIGN-01', 'MANAGED-KEYS-SIGN-04'],
  'a PIN is kept per library: writing a key changes the PIN of all keys of its library (000 4.2, pkcs11 pin: a parameter of the key)',
  'managedKeys.writePkcs11',
  (original) => async (call) => {
    const given = await original(call)
    const written = keysOf(call).get(nameOf(call))
    for (const key of keysOf(call).values()) {
      if (written !== undefined && key.kind === 'pkcs11' && key.parameters.library === written.parameters.library) {
        key.parameters.pin = written.parameters.pin ?? ''
      }
    }
    return given
  },
)

rule(
  'keen-hinders-prefix',
  ['MANAGED-KEYS-DELETE-06', 'MANAGED-KEYS-DELETE-08'],
  'a mount that lists a longer name hinders the deletion of a key whose name it begins with (000 4.2, DELETE: no mount lists it)',
  {
    hinders: () => (key, names) => names.some((name) => name.startsWith(key.name)),
  },
)
