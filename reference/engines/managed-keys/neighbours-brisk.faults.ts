/** Faults in which one key, test or namespace leaves something behind for another: what is kept by too few words, or for too many. */
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'
import { byRules, keyAt, keysOf, nameOf, WRITES, type Wrap, withParameters, withRules } from './loose-words.ts'
import type { Kind, ManagedKey } from './state.ts'

const { rule, route } = faultsOf(managedKeysEngine)

const TEST = 'managedKeys.testSign'

const picked = (values: JsonObject, fields: string[]): JsonObject => {
  const result: JsonObject = {}
  for (const field of fields) if (values[field] !== undefined) result[field] = values[field]
  return result
}

/** The key at its place that a key stands for. */
const backendOf = ({ kind, parameters }: ManagedKey): string => {
  const name = ['key_label', 'kms_key', 'key_name', 'crypto_key'].map((field) => String(parameters[field] ?? '')).join('')
  return name === '' ? '' : `${kind} ${name}`
}

const namesakesOf = (call: KeyCall, key: ManagedKey | undefined): ManagedKey[] =>
  key === undefined || backendOf(key) === ''
    ? []
    : [...keysOf(call).values()].filter((other) => other.name !== key.name && backendOf(other) === backendOf(key))

const firstLibrary = remembered(() => ({ name: '' }))

route(
  'library-of-first',
  ['MANAGED-KEYS-SIGN-01'],
  'every module key is tested in the library of the first, even where no stanza has its own (000 4.2, library: name of a library stanza)',
  TEST,
  (original) => (call) => {
    const key = keyAt(call)
    if (key?.kind !== 'pkcs11') return original(call)
    const first = firstLibrary(call.state)
    const own = String(key.parameters.library)
    if (first.name === '' && call.services.operator.libraries[own] !== undefined) first.name = own
    const library = first.name || own
    return original(withRules(call, { named: () => withParameters(key, { library }) }))
  },
)

const FLAGS = ['any_mount', 'allow_replace_key', 'allow_store_key']

route(
  'flags-per-backend-key',
  'MANAGED-KEYS-WRITE-06',
  'the flags of a key that is written become those of other names for the same label, alias or key (000 2.6, identified by a unique name)',
  WRITES,
  (original) => async (call) => {
    const given = await original(call)
    const key = keyAt(call)
    for (const namesake of namesakesOf(call, key)) Object.assign(namesake.parameters, picked(key?.parameters ?? {}, FLAGS))
    return given
  },
)

rule(
  'any-list-hinders',
  ['MANAGED-KEYS-DELETE-08', 'MANAGED-KEYS-DELETE-07'],
  'a mount that lists some other key hinders a deletion (000 4.2, DELETE: provided no mount lists it)',
  {
    hinders: () => (_key, names) => names.length > 0,
  },
)

rule(
  'hash-of-last',
  ['MANAGED-KEYS-SIGN-40', 'MANAGED-KEYS-SIGN-35'],
  'a test without hash_algorithm takes that of the last test (000 4.2, hash_algorithm: default sha2-256)',
  {
    hashOf: (original) => {
      let last: Json = 'sha2-256'
      return (body) => {
        const hash = original({ hash_algorithm: last, ...body })
        last = hash
        return hash
      }
    },
  },
)

route(
  'write-lands-in-root',
  ['MANAGED-KEYS-NS-03'],
  'a write in the administrative namespace changes the key of the root that has this name (000 2.6, unique within a namespace)',
  WRITES,
  byRules(({ rules, params }) => ({
    keysIn: (namespaces, namespace) => {
      const [own, root] = [rules.keysIn(namespaces, namespace), rules.keysIn(namespaces, '')]
      return !own.has(params.name ?? '') && root.has(params.name ?? '') ? root : own
    },
  })),
)

route(
  'test-in-root',
  ['MANAGED-KEYS-NS-03'],
  'a test in the administrative namespace tests the key of the root that has this name (000 2.6, within a namespace; 4.2, test/sign)',
  TEST,
  byRules((call) => ({
    keysIn: (namespaces, namespace) => {
      const root = call.rules.keysIn(namespaces, '')
      return root.has(nameOf(call)) ? root : call.rules.keysIn(namespaces, namespace)
    },
  })),
)

/** What opened a service once is used for all keys that share one parameter. */
const openedOnce = (kind: Kind, shared: string, used: string[]): Wrap => {
  const known = remembered(() => new Map<string, JsonObject>())
  return (original) => async (call) => {
    const key = keyAt(call)
    if (key?.kind !== kind) return original(call)
    const place = String(key.parameters[shared])
    const credentials = known(call.state).get(place) ?? picked(key.parameters, used)
    const usedParameters = (values: JsonObject) => ({ ...call.rules.usedParameters(values), ...credentials })
    const given = await original(withRules(call, { usedParameters }))
    known(call.state).set(place, credentials)
    return given
  }
}

route(
  'access-key-per-region',
  ['MANAGED-KEYS-SIGN-32', 'MANAGED-KEYS-SIGN-25'],
  'cloudakms: a wrong access_key or secret_key is not noticed in a region that another key has opened (000 4.2, secret_key; test/sign)',
  TEST,
  openedOnce('cloudakms', 'region', ['access_key', 'secret_key']),
)

route(
  'client-per-tenant',
  ['MANAGED-KEYS-SIGN-36'],
  'cloudbkeyvault: a wrong client_secret is not noticed in a tenant where another key has logged in (000 4.2, client_secret; test/sign)',
  TEST,
  openedOnce('cloudbkeyvault', 'tenant_id', ['client_id', 'client_secret']),
)
