/** Faults of stored keys: listings, writes, names, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { empty } from '../../core/envelope.ts'
import { invalid, notFound } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { insteadOfRefusal, reply } from '../../faults/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import { KINDS, type Kind } from './state.ts'

const { rule, route, declared } = faultsOf(managedKeysEngine)
const core = faultsOf(coreEngine, 'managed-keys')

const WRITES = KINDS.map((kind: Kind) => `managedKeys.write${kind[0]?.toUpperCase()}${kind.slice(1)}`)

// Lists
route(
  'list-empty',
  'MANAGED-KEYS-LIST-01',
  'a listing shows one name at most',
  'managedKeys.list',
  reply((given) => ({ ...given, body: { keys: ((given.body as JsonObject).keys as string[]).slice(0, 1) } })),
)
rule('list-all-kinds', 'MANAGED-KEYS-LIST-02', 'a listing shows keys of every kind', { listed: () => () => true })
route(
  'list-all-namespaces',
  'MANAGED-KEYS-LIST-03',
  'a listing shows keys of all namespaces',
  'managedKeys.list',
  (original) => async (call) => {
    const given = await original(call)
    const names = [...call.state.namespaces.values()].flatMap((keys) =>
      [...keys.values()].filter((key) => key.kind === call.params.type).map(({ name }) => name),
    )
    return { ...given, body: { keys: names } }
  },
)
route(
  'list-unknown-kind',
  'MANAGED-KEYS-LIST-04',
  'an unknown kind has an empty list',
  'managedKeys.list',
  insteadOfRefusal(
    () => ({ status: 200, body: { keys: [] } }),
    (call) => !KINDS.includes(call.params.type as Kind),
  ),
)
const deleted = new WeakMap<object, string[]>()
route(
  'delete-still-listed',
  'MANAGED-KEYS-LIST-07',
  'a deleted key stays in the listing',
  ['managedKeys.delete', 'managedKeys.list'],
  (original) => async (call) => {
    const gone = deleted.get(call.state) ?? []
    deleted.set(call.state, gone)
    if (call.method === 'DELETE') gone.push(call.params.name ?? '')
    const given = await original(call)
    const keys = (given.body as JsonObject | undefined)?.keys
    return Array.isArray(keys) ? { ...given, body: { keys: [...keys, ...gone] } } : given
  },
)

// Writes
rule('update-ignored', 'MANAGED-KEYS-WRITE-05', 'an update is acknowledged and dropped', {
  updated: () => (previous, next) => previous ?? next,
})
rule('update-cloud-ignored', 'MANAGED-KEYS-WRITE-05', 'an update of a cloud key is acknowledged and dropped', {
  updated: (original) => (previous, next) => (previous !== undefined && next.kind !== 'pkcs11' ? previous : original(previous, next)),
})
route(
  'update-neighbours',
  'MANAGED-KEYS-WRITE-06',
  'an update changes the keys whose names begin alike',
  WRITES,
  (original) => async (call) => {
    const given = await original(call)
    const keys = call.rules.keysIn(call.state.namespaces, call.mount.namespace)
    const [own, name] = [keys.get(call.params.name ?? ''), call.params.name ?? '']
    for (const [other, key] of keys)
      if (own !== undefined && other !== name && other.startsWith(name)) keys.set(other, { ...key, parameters: own.parameters })
    return given
  },
)
route(
  'unknown-kind-read',
  'MANAGED-KEYS-WRITE-08',
  'a key is found under kinds that nobody knows',
  'managedKeys.read',
  (original) => (call) =>
    original(KINDS.includes(call.params.type as Kind) ? call : { ...call, params: { ...call.params, type: 'pkcs11' } }),
)

core.rule('unknown-kind-written', 'MANAGED-KEYS-WRITE-08', 'a key of an unknown kind is written as one of kind pkcs11', {
  effectivePath: (original) => (header, request, namespaces) => {
    const [, kind, name] = /^sys\/managed-keys\/([^/]+)\/([^/]+)$/.exec(request.path) ?? []
    const isNone = kind !== undefined && !KINDS.includes(kind as Kind) && ['POST', 'PUT'].includes(request.method)
    return original(header, isNone ? { ...request, path: `sys/managed-keys/pkcs11/${name}` } : request, namespaces)
  },
})

// Names
rule('names-per-kind', 'MANAGED-KEYS-NAME-01', 'a key of one kind takes the name of another', { isTaken: () => () => false })
rule('names-per-kind-cloudckms', 'MANAGED-KEYS-NAME-01', 'a key of kind c takes the name of another', {
  isTaken: (original) => (existing, kind) => kind !== 'cloudckms' && original(existing, kind),
})
rule('names-any-case', ['MANAGED-KEYS-NAME-02', 'MANAGED-KEYS-NAME-03'], 'names may have upper-case letters', {
  nameAllowed: () => () => true,
})
rule('names-one-namespace', ['MANAGED-KEYS-NAME-04', 'MANAGED-KEYS-NS-03', 'MANAGED-KEYS-LIST-03'], 'all namespaces share their keys', {
  keysIn: (original) => (namespaces) => original(namespaces, ''),
})
const kindsOfNames = new WeakMap<object, Map<string, Kind>>()
route(
  'names-never-freed',
  'MANAGED-KEYS-NAME-05',
  'the name of a deleted key belongs to its kind for ever',
  WRITES,
  (original) => (call) => {
    const known = kindsOfNames.get(call.state) ?? new Map<string, Kind>()
    kindsOfNames.set(call.state, known)
    const [kind, name] = [call.path.split('/').at(-2) as Kind, `${call.mount.namespace}${call.params.name}`]
    if ((known.get(name) ?? kind) !== kind) throw invalid('the name has been used')
    known.set(name, kind)
    return original(call)
  },
)
rule('names-by-prefix', 'MANAGED-KEYS-NAME-06', 'a key is found by the beginning of its name', {
  named: (original) => (keys, name) =>
    original(keys, name) ?? [...keys.values()].find((key) => key.name.startsWith(name) && key.name.length - name.length === 1),
})
rule('names-by-suffix', 'MANAGED-KEYS-NAME-06', 'a key is found by a name that begins with its own', {
  named: (original) => (keys, name) => original(keys, name) ?? original(keys, name.slice(0, -1)),
})

// Namespaces
route(
  'namespace-root-only',
  'MANAGED-KEYS-NS-01',
  'keys are administered in the root only',
  [...WRITES, 'managedKeys.read', 'managedKeys.list', 'managedKeys.delete'],
  (original) => (call) => {
    if (call.mount.namespace !== '') throw notFound('unsupported path')
    return original(call)
  },
)
route(
  'namespace-no-deletion',
  'MANAGED-KEYS-NS-01',
  'keys of the administrative namespace are not deleted',
  'managedKeys.delete',
  (original) => (call) => (call.mount.namespace === '' ? original(call) : empty()),
)
rule('namespace-shared-reads', 'MANAGED-KEYS-NS-03', 'the administrative namespace shows and changes the keys of the root', {
  keysIn: (original) => (namespaces, namespace) =>
    original(namespaces, namespace === '' || [...original(namespaces, namespace).keys()].length > 0 ? namespace : ''),
})
core.rule('namespace-everywhere', 'MANAGED-KEYS-NS-02', 'keys are administered in every namespace', { servesSystemPath: () => () => true })
core.rule('namespace-below', 'MANAGED-KEYS-NS-02', 'keys are administered in namespaces below others too', {
  servesSystemPath: (original) => (namespace, administrative) => original(namespace, administrative) || namespace.split('/').length > 2,
})

// What many steps or callers come to
const firstSeen = new WeakMap<object, number>()
rule('names-taken-late', 'MANAGED-KEYS-RACE-01', 'a name is found taken only a while after it was', {
  isTaken: (original) => (existing, kind) => {
    if (existing === undefined) return original(existing, kind)
    const since = firstSeen.get(existing) ?? Date.now()
    firstSeen.set(existing, since)
    return Date.now() - since > 50 && original(existing, kind)
  },
})
rule('model-flags-stay', 'MANAGED-KEYS-MODEL-01', 'a flag that was on stays on when its key is written again', {
  updated: (original) => (previous, next) => {
    const key = original(previous, next)
    return previous?.parameters.any_mount === true ? { ...key, parameters: { ...key.parameters, any_mount: true } } : key
  },
})

route(
  'list-emptied',
  'MANAGED-KEYS-LIST-08',
  'a kind without keys has an empty list',
  'managedKeys.list',
  insteadOfRefusal(
    () => ({ status: 200, body: { keys: [] } }),
    (call) => KINDS.includes(call.params.type as Kind),
  ),
)
const refusedNames = remembered(() => new Map<string, string>())
route('names-of-refused-taken', 'MANAGED-KEYS-NAME-07', 'a name whose creation was refused belongs to that kind', WRITES, (original) => {
  return async (call) => {
    const [kind, name] = [call.path.split('/').at(-2) ?? '', `${call.mount.namespace}${call.params.name}`]
    if ((refusedNames(call.state).get(name) ?? kind) !== kind) throw invalid('the name has been used')
    try {
      return await original(call)
    } catch (cause) {
      refusedNames(call.state).set(name, kind)
      throw cause
    }
  }
})
rule('names-with-digit', 'MANAGED-KEYS-NAME-08', 'a name whose last part begins with a digit and goes on with a letter is refused', {
  nameAllowed: (original) => (name) => original(name) && !/-\d[a-z]*[a-z]$/.test(name),
})

export const faults = [...declared, ...core.declared]
