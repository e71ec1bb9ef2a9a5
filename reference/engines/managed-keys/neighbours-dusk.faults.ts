/** Faults whose effect falls on a neighbour: another key, kind, namespace, mount or token of a module. */
import { invalid } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { keyAt, withLists, withRules, writes } from './dusk-help.ts'
import { managedKeysEngine } from './engine.ts'
import { parameters } from './parameters.ts'

const { rule, route, change } = faultsOf(managedKeysEngine, 'managed-keys')

route(
  'dusk-delete-by-prefix',
  'MANAGED-KEYS-LIST-07',
  'deleting a key takes along the keys of its kind whose names begin with its name (000 4.2: DELETE deletes the key)',
  'managedKeys.delete',
  (original) => async (call) => {
    const key = keyAt(call)
    const given = await original(call)
    const keys = call.state.namespaces.get(call.mount.namespace)
    if (key === undefined || keys === undefined || keys.has(key.name)) return given
    for (const other of [...keys.values()]) if (other.kind === key.kind && other.name.startsWith(key.name)) keys.delete(other.name)
    return given
  },
)

rule(
  'dusk-kms-kinds-list-together',
  'MANAGED-KEYS-LIST-02',
  'the list of cloudakms holds the names of cloudckms too (000 4.2: LIST of a type)',
  {
    listed: (original) => (key, kind) => original(key, kind) || (kind === 'cloudakms' && key.kind === 'cloudckms'),
  },
)

rule(
  'dusk-clouds-share-names',
  'MANAGED-KEYS-RACE-01',
  'a key of one cloud kind takes the name from a key of another (000 2.6: unique across all backend types)',
  {
    isTaken: (original) => (existing, kind) => original(existing, kind) && (existing?.kind === 'pkcs11' || kind === 'pkcs11'),
  },
)

change(
  'dusk-names-unique-everywhere',
  'MANAGED-KEYS-NAME-04',
  'a name that another namespace uses for another kind is refused (000 2.6: unique within a namespace)',
  {
    routes: writes((kind) => (original) => (call) => {
      for (const [namespace, keys] of call.state.namespaces) {
        const other = keys.get(call.params.name ?? '')
        if (namespace !== call.mount.namespace && other !== undefined && other.kind !== kind) throw invalid('the name is in use')
      }
      return original(call)
    }),
  },
)

rule(
  'dusk-longer-name-hinders',
  'MANAGED-KEYS-DELETE-06',
  'a mount that lists a longer name hinders the deletion (000 4.2: DELETE, provided no mount lists it)',
  {
    hinders: (original) => (key, names) => original(key, names) || names.some((name) => name.startsWith(key.name)),
  },
)

route(
  'dusk-newest-mount-hinders',
  'MANAGED-KEYS-DELETE-05',
  'only the mount that was made last is asked whether it lists a key to be deleted (000 4.2: DELETE, provided no mount lists it)',
  'managedKeys.delete',
  (original) => (call) => original(withLists(call, (namespace) => call.services.allowedManagedKeys(namespace).slice(-1))),
)

route(
  'dusk-root-mounts-hinder',
  'MANAGED-KEYS-DELETE-05',
  'mounts of the root, not of the namespace of the key, hinder its deletion (000 4.2: DELETE, no mount lists it; 2.6: within a namespace)',
  'managedKeys.delete',
  (original) => (call) => original(withLists(call, () => call.services.allowedManagedKeys(''))),
)

const pinsOf = remembered(() => new Map<string, string>())

route(
  'dusk-pin-of-neighbour',
  'MANAGED-KEYS-SIGN-04',
  'the PIN that was good for one key of a token serves all keys there, also those with a wrong one (000 4.2: pin, login PIN)',
  'managedKeys.testSign',
  (original) => async (call) => {
    const key = keyAt(call)
    if (key?.kind !== 'pkcs11') return original(call)
    const { library, slot, token_label: label } = key.parameters
    const token = JSON.stringify([library ?? '', slot ?? '', label ?? ''])
    const pins = pinsOf(call.state)
    const good = pins.get(token)
    const request = withRules(call, { request: (asked) => ({ ...call.rules.request(asked), pin: good ?? asked.pin }) })
    const given = await original(request)
    if (good === undefined) pins.set(token, String(key.parameters.pin))
    return given
  },
)

route(
  'dusk-generated-under-name',
  'MANAGED-KEYS-SIGN-12',
  'a key that is made gets the name of the managed key as its label (000 4.2: key_label is the label of a generated key)',
  'managedKeys.testSign',
  (original) => (call) => {
    const name = keyAt(call)?.name ?? ''
    return original(withRules(call, { request: (asked) => ({ ...asked, keyLabel: asked.generate ? name : asked.keyLabel }) }))
  },
)

rule(
  'dusk-slot-of-neighbour',
  'MANAGED-KEYS-SIGN-01',
  'a test of a key that names its slot only goes to the first token of the module (000 4.2: slot)',
  {
    request: (original) => (request) => original(request.tokenLabel === '' ? { ...request, slot: '' } : request),
  },
)

route(
  'dusk-delete-under-other-kind',
  'MANAGED-KEYS-DELETE-04',
  'a delete under another type deletes the key of that name (000 4.2: DELETE /sys/managed-keys/:type/:name)',
  'managedKeys.delete',
  (original) => (call) => original(withRules(call, { fits: () => true })),
)

const defaultsOf = remembered(() => new Map<string, Json>())

change(
  'dusk-defaults-shared',
  'MANAGED-KEYS-WRITE-01',
  'flags that one key sets are the defaults of keys made later (000 4.2: any_mount and allow_* default "false")',
  {
    routes: writes((kind) => (original) => async (call) => {
      const defaults = defaultsOf(call.state)
      const known = (field: string): Json | undefined => defaults.get(`${kind} ${field}`)
      const given = await original(withRules(call, { defaultOf: (of, field) => known(field) ?? call.rules.defaultOf(of, field) }))
      for (const [field, { type }] of Object.entries(parameters[kind])) {
        const value = keyAt(call)?.parameters[field]
        if (type === 'flag' && call.body[field] !== undefined && value !== undefined) defaults.set(`${kind} ${field}`, value)
      }
      return given
    }),
  },
)
