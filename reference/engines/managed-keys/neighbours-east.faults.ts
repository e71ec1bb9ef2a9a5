/** Faults that meet a neighbour: another key, kind, namespace, mount, token or version than the one that is meant. */

import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { keyMeant, keyNamed, keysHere, ruled, TEST, WRITES } from './east-help.ts'
import { managedKeysEngine } from './engine.ts'

const { rule, route } = faultsOf(managedKeysEngine)

route(
  'east-delete-whatever-kind',
  'MANAGED-KEYS-DELETE-04',
  'a deletion goes by the name only and takes a key of another kind (000 4.2: DELETE :type/:name deletes the key)',
  'managedKeys.delete',
  (original) => (call) => original(ruled(call, { fits: () => true })),
)

route(
  'east-delete-by-prefix',
  'MANAGED-KEYS-LIST-07',
  'a deletion also takes keys of the kind whose names only begin like the one given (000 4.2: DELETE deletes the key)',
  'managedKeys.delete',
  (original) => async (call) => {
    const key = keyMeant(call)
    const reply = await original(call)
    const keys = keysHere(call)
    for (const other of [...keys.values()]) if (key && other.kind === key.kind && other.name.startsWith(key.name)) keys.delete(other.name)
    return reply
  },
)

rule(
  'east-first-version-where-made',
  'MANAGED-KEYS-SIGN-44',
  'where a key may be generated its first version signs, whichever version is configured (000 4.2 cloudckms: crypto_key_version)',
  { versionOf: (original) => (values) => (values.allow_generate_key === true ? '1' : original(values)) },
)

route(
  'east-root-mounts-asked',
  'MANAGED-KEYS-DELETE-05',
  'before a deletion in another namespace the mounts of the root are looked at (000 4.2: DELETE, provided no mount lists it)',
  'managedKeys.delete',
  (original) => (call) =>
    original({ ...call, services: { ...call.services, allowedManagedKeys: () => call.services.allowedManagedKeys('') } }),
)

rule(
  'east-cloud-takes-name-of-cloud',
  'MANAGED-KEYS-RACE-01',
  'a key of a cloud kind may take the name of a key of another cloud kind (000 2.6: unique across all backend types)',
  { isTaken: (original) => (existing, kind) => original(existing, kind) && (existing?.kind === 'pkcs11' || kind === 'pkcs11') },
)

route(
  'east-list-adds-root',
  'MANAGED-KEYS-LIST-03',
  'a listing in the administrative namespace shows the names of the root, too (000 4.2: LIST, 2.6: within a namespace)',
  'managedKeys.list',
  (original) => (call) => {
    const { keysIn } = call.rules
    return original(ruled(call, { keysIn: (all, namespace) => new Map([...keysIn(all, ''), ...keysIn(all, namespace)]) }))
  },
)

rule(
  'east-endpoint-has-default-region',
  'MANAGED-KEYS-SIGN-26',
  'with a custom endpoint requests are signed for the default region, not for the one of the key (000 4.2 cloudakms: region)',
  { regionOf: (original) => (values) => (String(values.endpoint ?? '') === '' ? original(values) : 'us-east-1') },
)

const pinsOfTokens = remembered(() => new Map<string, string>())

route(
  'east-pin-of-token-kept',
  'MANAGED-KEYS-SIGN-04',
  'a PIN that was good for a token stands for the PINs of all keys on it (000 4.2: test/sign success means valid; pin: login PIN)',
  TEST,
  (original) => async (call) => {
    const pins = pinsOfTokens(call.state)
    const { library, slot, token_label: label, pin } = keyMeant(call)?.parameters ?? {}
    const token = JSON.stringify([library, slot, label])
    const good = pins.get(token) ?? String(pin)
    const reply = await original(ruled(call, { request: (request) => call.rules.request({ ...request, pin: good }) }))
    pins.set(token, good)
    return reply
  },
)

route(
  'east-unknown-library-is-first',
  'MANAGED-KEYS-SIGN-06',
  'a library without a stanza is replaced by the first stanza that there is (000 4.2: library, name of a stanza; test/sign)',
  TEST,
  (original) => (call) => {
    const { libraries } = call.services.operator
    const name = String(keyMeant(call)?.parameters.library)
    const used = libraries[name] ?? Object.values(libraries)[0]
    if (used === undefined) return original(call)
    const operator = { ...call.services.operator, libraries: { ...libraries, [name]: used } }
    return original({ ...call, services: { ...call.services, operator } })
  },
)

const SHARED_FLAGS = ['allow_replace_key', 'allow_store_key', 'any_mount', 'force_rw_session']
const lastWritten = remembered(() => new Map<string, JsonObject>())

route(
  'east-flags-of-last-key',
  'MANAGED-KEYS-FLAG-04',
  'a flag that a new key leaves out is as in the key of its kind written last (000 4.2: any_mount and others, default "false")',
  WRITES,
  (original) => async (call) => {
    const written = lastWritten(call.state)
    const { defaultOf } = call.rules
    const flagOf = (kind: string, field: string) => (SHARED_FLAGS.includes(field) ? written.get(kind)?.[field] : undefined)
    const reply = await original(ruled(call, { defaultOf: (kind, field) => flagOf(kind, field) ?? defaultOf(kind, field) }))
    const key = keyNamed(call)
    if (key) written.set(key.kind, key.parameters)
    return reply
  },
)

rule(
  'east-id-finds-any-key',
  'MANAGED-KEYS-SIGN-15',
  'a key that is named by its id alone is looked for without the id (000 4.2: key_id, error if key does not exist)',
  { request: (original) => (request) => original({ ...request, keyId: request.keyLabel === '' ? '' : request.keyId }) },
)

rule(
  'east-kms-kinds-listed-together',
  'MANAGED-KEYS-LIST-02',
  'keys of cloudckms are listed among those of cloudakms (000 4.2: LIST :type)',
  {
    listed: (original) => (key, kind) => original(key, kind) || (key.kind.endsWith('kms') && kind.endsWith('kms')),
  },
)
