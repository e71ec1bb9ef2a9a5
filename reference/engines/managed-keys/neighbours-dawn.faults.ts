/** Faults with an effect on a neighbour: another key, kind, namespace, mount, token or library. */
import { coreEngine } from '../../core/core-engine.ts'
import { bare } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { keyHere, keysHere, nameOf, WRITES } from './dawn-help.ts'
import { managedKeysEngine } from './engine.ts'
import type { ManagedKey } from './state.ts'

const { rule, route } = faultsOf(managedKeysEngine)
const core = faultsOf(coreEngine, 'managed-keys')

const BACKEND = [
  'library',
  'slot',
  'token_label',
  'key_label',
  'key_id',
  'region',
  'kms_key',
  'vault_name',
  'key_name',
  'key_ring',
  'crypto_key',
]

const isSameAtBackend = (one: ManagedKey, other: ManagedKey): boolean =>
  one.kind === other.kind && BACKEND.every((field) => one.parameters[field] === other.parameters[field])

route(
  'dawn-delete-takes-namesakes',
  'MANAGED-KEYS-MODEL-01',
  'the deletion of a key takes along other names of the same key in the backend (000 4.2: DELETE deletes the key)',
  'managedKeys.delete',
  (original) => async (call) => {
    const gone = keyHere(call)
    const given = await original(call)
    if (gone === undefined || keyHere(call) !== undefined) return given
    const keys = keysHere(call)
    for (const [name, key] of keys) if (isSameAtBackend(gone, key)) keys.delete(name)
    return given
  },
)

rule(
  'dawn-clouds-share-names',
  'MANAGED-KEYS-RACE-01',
  'a key of one cloud type is overwritten by one of another that has its name (000 2.6: unique across all backend types)',
  { isTaken: (original) => (existing, kind) => original(existing, kind) && (existing?.kind === 'pkcs11' || kind === 'pkcs11') },
)

route(
  'dawn-name-unique-everywhere',
  'MANAGED-KEYS-NAME-04',
  'a name that another namespace uses is refused (000 2.6: unique within a namespace)',
  WRITES,
  (original) => (call) => {
    const isElsewhere = [...call.state.namespaces].some(([path, keys]) => path !== call.mount.namespace && keys.has(nameOf(call)))
    if (isElsewhere && keyHere(call) === undefined) throw invalid('the name is in use')
    return original(call)
  },
)

rule(
  'dawn-longer-name-hinders',
  'MANAGED-KEYS-DELETE-06',
  'a mount that lists a longer name hinders the deletion of a key whose name that begins with (000 4.2: provided no mount lists it)',
  { hinders: () => (key, names) => names.some((name) => name.startsWith(key.name)) },
)

rule(
  'dawn-clouds-listed-together',
  'MANAGED-KEYS-LIST-02',
  'the listing of a cloud type holds the keys of the other cloud types (000 4.2: LIST by :type)',
  {
    listed: (original) => (key, kind) => original(key, kind) || (kind.startsWith('cloud') && key.kind.startsWith('cloud')),
  },
)

rule(
  'dawn-resource-for-login-only',
  'MANAGED-KEYS-WRITE-05',
  'a resource is logged in for, but keys are sought at the standard suffix (000 4.2: resource is changed to reach a managed-HSM instance)',
  { vaultUrlOf: (original) => (values) => original(values, 'vault.azure.net') },
)

route(
  'dawn-listing-inherits',
  'MANAGED-KEYS-LIST-03',
  'the listing of the administrative namespace holds the names of the root, too (000 2.2, 2.6: keys of a namespace)',
  'managedKeys.list',
  (original) => async (call) => {
    const given = await original(call)
    const kind = call.rules.kindOf(call.params.type ?? '')
    if (call.mount.namespace === '' || kind === undefined) return given
    const { keys } = given.body as { keys: string[] }
    const inherited = [...call.rules.keysIn(call.state.namespaces, '').values()].filter((key) => call.rules.listed(key, kind))
    return bare({ keys: [...new Set([...keys, ...inherited.map(({ name }) => name)])].sort() })
  },
)

route(
  'dawn-library-by-beginning',
  'MANAGED-KEYS-SIGN-06',
  'a library that no stanza names is taken for one whose name its own begins with (000 4.2: library is the name of a library stanza)',
  'managedKeys.testSign',
  (original) => (call) => {
    const { operator } = call.services
    const wanted = String(keyHere(call)?.parameters.library ?? '')
    const near = Object.entries(operator.libraries).find(([name]) => wanted.startsWith(name) || name.startsWith(wanted))
    if (wanted === '' || near === undefined || operator.libraries[wanted] !== undefined) return original(call)
    const libraries = { ...operator.libraries, [wanted]: near[1] }
    return original({ ...call, services: { ...call.services, operator: { ...operator, libraries } } })
  },
)

core.rule(
  'dawn-below-administrative',
  'MANAGED-KEYS-NS-02',
  'namespaces below the administrative one may keep keys as well (000 5.5: only from the root or administrative namespace)',
  {
    servesSystemPath: (original) => (namespace, administrative) =>
      original(namespace, administrative) || namespace.startsWith(administrative),
  },
)

route(
  'dawn-write-through-namespaces',
  'MANAGED-KEYS-NS-03',
  'a write changes the key of the same name and type in the other namespace (000 2.6: a key belongs to a namespace)',
  WRITES,
  (original) => async (call) => {
    const given = await original(call)
    const written = keyHere(call)
    for (const keys of call.state.namespaces.values()) {
      const theirs = keys.get(nameOf(call))
      if (written !== undefined && theirs?.kind === written.kind) theirs.parameters = { ...written.parameters }
    }
    return given
  },
)

const STICKY = ['allow_replace_key', 'allow_store_key', 'any_mount']
const latestFlags = remembered((): { flags: JsonObject } => ({ flags: {} }))

route(
  'dawn-defaults-of-the-last-key',
  'MANAGED-KEYS-FLAG-04',
  'flags that a new key leaves out are those of the key written before (000 4.2: default "false")',
  WRITES,
  (original) => async (call) => {
    const latest = latestFlags(call.state)
    const body = keyHere(call) === undefined ? { ...latest.flags, ...call.body } : call.body
    const given = await original({ ...call, body })
    latest.flags = { ...latest.flags, ...Object.fromEntries(Object.entries(call.body).filter(([field]) => STICKY.includes(field))) }
    return given
  },
)

rule('dawn-first-token', 'MANAGED-KEYS-SIGN-13', 'without a slot the first token is taken, whatever its label (000 4.2: token_label)', {
  request: (original) => (request) => original(request.slot === '' ? { ...request, tokenLabel: '' } : request),
})
