/** Faults of stored keys: names, reads, updates, deletions, namespaces, secrets. */
import { coreEngine } from '../../core/core-engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { invalid, notFound } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, refusal, reply, replyStatus } from '../../mutations/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'
import { KINDS, type Kind } from './state.ts'

const { rule, route } = faultsOf(managedKeysEngine)
const core = faultsOf(coreEngine, 'managed-keys')

const WRITES = KINDS.map((kind: Kind) => `managedKeys.write${kind[0]?.toUpperCase()}${kind.slice(1)}`)
const FLAGS = ['allow_generate_key', 'allow_replace_key', 'allow_store_key', 'any_mount']

/** Another value of one field in reads. */
const shows = (field: string, value: (original: unknown) => JsonObject[string]) =>
  reply<KeyCall>((given) => {
    const body = given.body as JsonObject
    return { ...given, body: { ...body, [field]: value(body[field]) } }
  })
const read = 'managedKeys.read'

// Lists
route(
  'list-empty',
  'MK-LIST-01',
  'a listing shows one name at most',
  'managedKeys.list',
  reply((given) => ({ ...given, body: { keys: ((given.body as JsonObject).keys as string[]).slice(0, 1) } })),
)
rule('list-all-kinds', 'MK-LIST-02', 'a listing shows keys of every kind', { listed: () => () => true })
route('list-all-namespaces', 'MK-LIST-03', 'a listing shows keys of all namespaces', 'managedKeys.list', (original) => async (call) => {
  const given = await original(call)
  const names = [...call.state.namespaces.values()].flatMap((keys) =>
    [...keys.values()].filter((key) => key.kind === call.params.type).map(({ name }) => name),
  )
  return { ...given, body: { keys: names } }
})
route(
  'list-unknown-kind',
  'MK-LIST-04',
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
  'MK-LIST-07',
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
rule('update-ignored', 'MK-WRITE-05', 'an update is acknowledged and dropped', { updated: () => (previous, next) => previous ?? next })
rule('update-cloud-ignored', 'MK-WRITE-05', 'an update of a cloud key is acknowledged and dropped', {
  updated: (original) => (previous, next) => (previous !== undefined && next.kind !== 'pkcs11' ? previous : original(previous, next)),
})
route('update-neighbours', 'MK-WRITE-06', 'an update changes the keys whose names begin alike', WRITES, (original) => async (call) => {
  const given = await original(call)
  const keys = call.rules.keysIn(call.state.namespaces, call.mount.namespace)
  const [own, name] = [keys.get(call.params.name ?? ''), call.params.name ?? '']
  for (const [other, key] of keys)
    if (own !== undefined && other !== name && other.startsWith(name)) keys.set(other, { ...key, parameters: own.parameters })
  return given
})
route(
  'unknown-kind-read',
  'MK-WRITE-08',
  'a key is found under kinds that nobody knows',
  read,
  (original) => (call) =>
    original(KINDS.includes(call.params.type as Kind) ? call : { ...call, params: { ...call.params, type: 'pkcs11' } }),
)

// Names
rule('names-per-kind', 'MK-NAME-01', 'a key of one kind takes the name of another', { isTaken: () => () => false })
rule('names-per-kind-c', 'MK-NAME-01', 'a key of kind c takes the name of another', {
  isTaken: (original) => (existing, kind) => kind !== 'cloudckms' && original(existing, kind),
})
rule('names-any-case', ['MK-NAME-02', 'MK-NAME-03'], 'names may have upper-case letters', { nameAllowed: () => () => true })
rule('names-one-namespace', ['MK-NAME-04', 'MK-NS-03', 'MK-LIST-03'], 'all namespaces share their keys', {
  keysIn: (original) => (namespaces) => original(namespaces, ''),
})
const kindsOfNames = new WeakMap<object, Map<string, Kind>>()
route('names-never-freed', 'MK-NAME-05', 'the name of a deleted key belongs to its kind for ever', WRITES, (original) => (call) => {
  const known = kindsOfNames.get(call.state) ?? new Map<string, Kind>()
  kindsOfNames.set(call.state, known)
  const [kind, name] = [call.path.split('/').at(-2) as Kind, `${call.mount.namespace}${call.params.name}`]
  if ((known.get(name) ?? kind) !== kind) throw invalid('the name has been used')
  known.set(name, kind)
  return original(call)
})
rule('names-by-prefix', 'MK-NAME-06', 'a key is found by the beginning of its name', {
  named: (original) => (keys, name) =>
    original(keys, name) ?? [...keys.values()].find((key) => key.name.startsWith(name) && key.name.length - name.length === 1),
})
rule('names-by-suffix', 'MK-NAME-06', 'a key is found by a name that begins with its own', {
  named: (original) => (keys, name) => original(keys, name) ?? original(keys, name.slice(0, -1)),
})

// Flags
for (const [index, flag] of FLAGS.entries()) {
  rule(`${flag.replaceAll('_', '-')}-by-default`, `MK-FLAG-0${index + 1}`, `${flag} is true where it was not given`, {
    shownField: (original) => (key, field) =>
      field === flag && key.parameters[flag] === false && key.name.endsWith('1') ? 'true' : original(key, field),
  })
  rule(`${flag.replaceAll('_', '-')}-swapped`, `MK-FLAG-0${index + 5}`, `${flag} is read as another flag`, {
    shownField: (original) => (key, field) => original(key, field === flag ? (FLAGS[(index + 1) % FLAGS.length] ?? field) : field),
  })
}

// Reads
route('read-201', 'MK-READ-01', 'a read answers 201', read, replyStatus(201))
route(
  'read-unknown-400',
  'MK-READ-02',
  'an unknown key gives 400',
  read,
  refusal((refused) => refused.with(400)),
)
rule('read-any-kind', ['MK-READ-03', 'MK-DELETE-04'], 'a key is found under every kind', { fits: () => () => true })
route(
  'uuid-empty',
  'MK-READ-04',
  'the number of a key is empty',
  read,
  shows('UUID', () => ''),
)
route(
  'uuid-same',
  'MK-READ-09',
  'all keys have one number',
  read,
  shows('UUID', () => '00000000-0000-4000-8000-000000000000'),
)
route(
  'name-of-kind',
  'MK-READ-05',
  'a read shows the kind before the name',
  read,
  shows('name', (name) => `pkcs11/${String(name)}`),
)
route(
  'type-upper',
  'MK-READ-06',
  'a read shows the kind in upper case',
  read,
  shows('type', (type) => String(type).toUpperCase()),
)
route(
  'mechanism-text',
  'MK-READ-07',
  'the mechanism is read as a text',
  read,
  shows('mechanism', (value) => (value === undefined ? null : String(value))),
)
route(
  'slot-text',
  'MK-READ-08',
  'the slot is read as a text',
  read,
  shows('slot', (value) => (value === undefined ? null : String(value))),
)

const SHOWN: [string, string, (value: unknown) => JsonObject[string]][] = [
  ['library', 'MK-PKCS-06', () => 'default'],
  ['key_label', 'MK-PKCS-07', (value) => String(value).split(' ')[0] ?? ''],
  ['token_label', 'MK-PKCS-08', (value) => String(value).toLowerCase()],
  ['mechanism', 'MK-PKCS-09', (value) => Math.min(Number(value), 255)],
  ['slot', 'MK-PKCS-10', () => 0],
  ['curve', 'MK-PKCS-11', (value) => (value === '' ? '' : 'P256')],
  ['key_bits', 'MK-PKCS-12', (value) => (value === 0 ? 0 : 2048)],
  ['force_rw_session', 'MK-PKCS-13', () => 'false'],
  ['curve', 'MK-PKCS-14', (value) => (value === '' ? 'P256' : (value as string))],
  ['key_bits', 'MK-PKCS-15', (value) => (value === 0 ? 2048 : (value as number))],
  ['force_rw_session', 'MK-PKCS-16', () => 'true'],
]
for (const [field, clause, value] of SHOWN)
  route(
    `${field.replaceAll('_', '-')}-shown-wrongly-${clause.slice(-2)}`,
    clause,
    `${field} is read as something else`,
    read,
    shows(field, value),
  )

// Deletions
rule('delete-nothing', 'MK-DELETE-01', 'a deletion is acknowledged and deletes nothing', { forgets: () => () => false })
rule('delete-pkcs11-only', 'MK-DELETE-01', 'only keys of modules are deleted', { forgets: () => (key) => key.kind === 'pkcs11' })
const remains = new WeakMap<object, Map<string, JsonObject>>()
route(
  'delete-leaves-parameters',
  'MK-DELETE-03',
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
rule('delete-listed', 'MK-DELETE-05', 'a key that a mount lists is deleted', { hinders: () => () => false })
rule('delete-listed-second', 'MK-DELETE-05', 'only the first key that a mount lists is kept', {
  hinders: () => (key, names) => names[0] === key.name,
})
route(
  'delete-listed-all-the-same',
  'MK-DELETE-05',
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
  'MK-DELETE-06',
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
rule('delete-while-any-listed', 'MK-DELETE-08', 'no key is deleted while a mount lists any', {
  hinders: () => (_key, names) => names.length > 0,
})

// Secrets
rule('pin-stars', 'MK-SECRET-01', 'a PIN is read as stars', {
  shownField: (original) => (key, field) => (field === 'pin' ? '******' : original(key, field)),
})
rule('pin-shown', ['MK-SECRET-02', 'MK-SECRET-01'], 'a PIN is read as it is', {
  shownField: (original) => (key, field) => (field === 'pin' ? String(key.parameters.pin) : original(key, field)),
})
route('pin-in-errors', 'MK-SECRET-02', 'a refused write quotes its body', 'managedKeys.writePkcs11', (original) => async (call) => {
  try {
    return await original(call)
  } catch {
    throw invalid(`invalid parameters: ${JSON.stringify(call.body)}`)
  }
})
for (const [kind, field, clause] of [
  ['cloudakms', 'secret_key', 'MK-SECRET-03'],
  ['cloudbkeyvault', 'client_secret', 'MK-SECRET-04'],
] as const) {
  rule(`${kind}-secret-shown`, clause, `the ${field} of kind ${kind} is read`, {
    shownFields: (original) => (of) => (of === kind ? [...original(of), field] : original(of)),
  })
  route(
    `${kind}-secret-echoed`,
    clause,
    `a write of kind ${kind} answers its parameters`,
    `managedKeys.write${kind[0]?.toUpperCase()}${kind.slice(1)}`,
    (original) => async (call) => {
      const given = await original(call)
      return given.status === 204 ? secret(call.body) : given
    },
  )
}

// Namespaces
route(
  'namespace-root-only',
  'MK-NS-01',
  'keys are administered in the root only',
  [...WRITES, read, 'managedKeys.list', 'managedKeys.delete'],
  (original) => (call) => {
    if (call.mount.namespace !== '') throw notFound('unsupported path')
    return original(call)
  },
)
route(
  'namespace-no-deletion',
  'MK-NS-01',
  'keys of the administrative namespace are not deleted',
  'managedKeys.delete',
  (original) => (call) => (call.mount.namespace === '' ? original(call) : empty()),
)
rule('namespace-shared-reads', 'MK-NS-03', 'the administrative namespace shows and changes the keys of the root', {
  keysIn: (original) => (namespaces, namespace) =>
    original(namespaces, namespace === '' || [...original(namespaces, namespace).keys()].length > 0 ? namespace : ''),
})
core.rule('namespace-everywhere', 'MK-NS-02', 'keys are administered in every namespace', { servesSystemPath: () => () => true })
core.rule('namespace-below', 'MK-NS-02', 'keys are administered in namespaces below others too', {
  servesSystemPath: (original) => (namespace, administrative) => original(namespace, administrative) || namespace.split('/').length > 2,
})
