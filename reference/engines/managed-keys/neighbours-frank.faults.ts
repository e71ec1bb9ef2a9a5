/** Faults that hit a neighbour: another key, kind, mount, namespace, token or a name that is nearly the same. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Services } from '../../core/engine.ts'
import { empty } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { managedKeysEngine } from './engine.ts'
import { keyHere, keysHere, WRITES, withRules } from './frank-help.ts'
import { keyOf } from './keys.ts'
import type { ManagedKey } from './state.ts'

const { rule, route, change } = faultsOf(managedKeysEngine)
const core = faultsOf(coreEngine, 'managed-keys')

rule(
  'frank-cloud-kinds-list-together',
  'MANAGED-KEYS-LIST-02',
  'a listing of one cloud kind shows the keys of the others (000 4.2: LIST :type)',
  {
    listed: (original) => (key, kind) => original(key, kind) || (key.kind !== 'pkcs11' && kind !== 'pkcs11'),
  },
)

route(
  'frank-delete-whatever-kind',
  'MANAGED-KEYS-DELETE-04',
  'a deletion at the path of another kind deletes the key of that name (000 4.2: DELETE :type/:name)',
  'managedKeys.delete',
  (original) => (call) => original(withRules(call, { fits: () => true })),
)

route(
  'frank-falls-back-to-root',
  'MANAGED-KEYS-NS-03',
  'a key that the administrative namespace does not have is read and tested as the one of the root (000 2.6: within a namespace)',
  ['managedKeys.read', 'managedKeys.testSign'],
  (original) => async (call) => {
    const isOwn = call.mount.namespace === '' || keyHere(call) !== undefined
    return original(isOwn ? call : { ...call, mount: { ...call.mount, namespace: '' } })
  },
)

route(
  'frank-taken-in-other-namespace',
  'MANAGED-KEYS-NAME-04',
  'a name is refused where another namespace has it for another kind (000 2.6: unique within a namespace)',
  WRITES,
  (original) => async (call) => {
    const name = call.params.name ?? ''
    const others = [...call.state.namespaces].filter(([namespace]) => namespace !== call.mount.namespace)
    const kinds = others.flatMap(([, keys]) => keys.get(name)?.kind ?? [])
    const keys = keysHere(call)
    const before = keys.get(name)
    const reply = await original(call)
    const after = keys.get(name)
    if (after === undefined || kinds.every((kind) => kind === after.kind)) return reply
    if (before) keys.set(name, before)
    else keys.delete(name)
    throw invalid(`a key of another kind is called ${name}`)
  },
)

core.rule(
  'frank-namespaces-of-like-names',
  'MANAGED-KEYS-NS-02',
  'a namespace whose name begins with that of the administrative one may use managed keys, too (000 5.5: only from the root or administrative)',
  {
    servesSystemPath: (original) => (namespace, administrative) => {
      const isBeside = namespace.split('/').length === administrative.split('/').length
      return original(namespace, administrative) || (isBeside && namespace.startsWith(administrative.replace(/\/$/, '')))
    },
  },
)

rule(
  'frank-cloud-kinds-share-names',
  'MANAGED-KEYS-RACE-01',
  'a name may be given to keys of two cloud kinds (000 2.6: unique across all backend types)',
  {
    isTaken: (original) => (existing, kind) => original(existing, kind) && (existing?.kind === 'pkcs11' || kind === 'pkcs11'),
  },
)

const folded = (name: string): string => name.replaceAll('_', '-')

rule(
  'frank-underscore-is-hyphen',
  'MANAGED-KEYS-NAME-08',
  'names that differ by underscore and hyphen mean one key (000 2.6: identified by a unique name)',
  {
    storedName: (original) => (name) => folded(original(name)),
    named: (original) => (keys, name) => original(keys, folded(name)),
  },
)

route(
  'frank-delete-by-prefix',
  'MANAGED-KEYS-LIST-07',
  'a deletion takes the keys along whose names begin with the name (000 4.2: deletes the key)',
  'managedKeys.delete',
  (original) => async (call) => {
    const keys = keysHere(call)
    const name = call.params.name ?? ''
    const wasThere = keys.has(name)
    const reply = await original(call)
    if (!wasThere || keys.has(name)) return reply
    for (const other of [...keys.keys()]) if (other.startsWith(name)) keys.delete(other)
    return reply
  },
)

const tokenPins = remembered(() => new Map<string, string>())
const tokenOf = ({ parameters }: ManagedKey): string => JSON.stringify([parameters.library, parameters.slot, parameters.token_label])

change(
  'frank-pin-of-the-token',
  'MANAGED-KEYS-SIGN-01',
  'the PIN that was written last for a token is used for all keys in it (000 4.2: pin, login PIN)',
  {
    routes: {
      'managedKeys.writePkcs11': (original) => async (call) => {
        const reply = await original(call)
        const key = keyHere(call)
        if (key !== undefined) tokenPins(call.state).set(tokenOf(key), String(key.parameters.pin))
        return reply
      },
      'managedKeys.testSign': (original) => (call) => {
        const pin = tokenPins(call.state).get(tokenOf(keyOf(call)))
        const { request } = call.rules
        return original(withRules(call, { request: (asked) => ({ ...request(asked), pin: pin ?? asked.pin }) }))
      },
    },
  },
)

const testedLabels = remembered(() => new Map<string, string>())

route(
  'frank-label-tested-elsewhere',
  'MANAGED-KEYS-SIGN-03',
  'a test passes unasked where another key with the same label has passed (000 4.2: success means the configuration is valid)',
  'managedKeys.testSign',
  (original) => async (call) => {
    const key = keyOf(call)
    const label = String(key.parameters.key_label ?? '')
    const tested = testedLabels(call.state)
    const first = tested.get(label)
    if (label !== '' && first !== undefined && first !== key.uuid) {
      call.rules.hashOf(call.body)
      return empty()
    }
    const reply = await original(call)
    if (label !== '') tested.set(label, key.uuid)
    return reply
  },
)

rule(
  'frank-client-by-access-key',
  'MANAGED-KEYS-SIGN-31',
  'keys with one access key are all looked for at the endpoint of the first (000 4.2: endpoint)',
  {
    endpointOf: (original) => {
      const endpoints = new Map<string, string>()
      return (values, region) => {
        const account = String(values.access_key)
        const endpoint = endpoints.get(account) ?? original(values, region)
        endpoints.set(account, endpoint)
        return endpoint
      }
    },
  },
)

route(
  'frank-mounts-of-the-root-asked',
  'MANAGED-KEYS-DELETE-05',
  'a key of the administrative namespace is deleted although a mount there lists it (000 4.2: provided no mount lists it)',
  'managedKeys.delete',
  (original) => (call) => {
    const { allowedManagedKeys } = call.services
    const services: Services = { ...call.services, allowedManagedKeys: () => allowedManagedKeys('') }
    return original({ ...call, services })
  },
)
