/** Faults in how the same thing is said elsewhere: another field, kind, verb, alphabet or number base, and what is no value at all. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isNested, requestNestedAs } from '../../mutations/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import { isOurs, listing, notingVerbs, verbOf } from './loose-words.ts'
import { parameters } from './parameters.ts'
import type { ManagedKeysState } from './state.ts'

const { rule, route } = faultsOf(managedKeysEngine)
const { rule: coreRule } = faultsOf(coreEngine, 'managed-keys')

const TEST = /(^|\/)sys\/managed-keys\/[^/]+\/[^/]+\/test\/sign$/

rule(
  'mechanism-read-decimal',
  ['MANAGED-KEYS-WRITE-05'],
  'a mechanism of the digits 0 to 9 is read as if they were decimal: 0x1041 as 1041 (000 4.2, mechanism: hex string, int on read)',
  {
    shownField: (original) => (key, field) => {
      const digits = /^0x(\d+)$/i.exec(String(key.parameters.mechanism ?? ''))?.[1]
      return field === 'mechanism' && digits !== undefined ? Number(digits) : original(key, field)
    },
  },
)

rule(
  'store-shown-as-replace',
  ['MANAGED-KEYS-FLAG-06', 'MANAGED-KEYS-FLAG-07'],
  'the read shows allow_replace_key in the place of allow_store_key (000 4.2, GET: allow_store_key)',
  {
    shownField: (original) => (key, field) => original(key, field === 'allow_store_key' ? 'allow_replace_key' : field),
  },
)

rule(
  'any-mount-unsaved',
  ['MANAGED-KEYS-FLAG-08'],
  'any_mount of a key of kind cloudakms stays "false", whatever is written (000 4.2, any_mount: generic)',
  {
    valueIn: (original) => (kind, body, field, fallback) =>
      kind === 'cloudakms' && field === 'any_mount' ? fallback : original(kind, body, field, fallback),
  },
)

rule(
  'labels-latin1',
  ['MANAGED-KEYS-PKCS-08', 'MANAGED-KEYS-PKCS-07'],
  'the read shows letters beyond ASCII in key_label and token_label as two each (000 2.1, JSON; 4.2, key_label)',
  {
    shownField: (original) => (key, field) => {
      const value = original(key, field)
      return /^(key|token)_label$/.test(field) && typeof value === 'string' ? Buffer.from(value, 'utf8').toString('latin1') : value
    },
  },
)

rule(
  'pin-trimmed',
  ['MANAGED-KEYS-SIGN-04'],
  'a PIN with blanks at its ends opens a token whose PIN has none (000 4.2, pin: login PIN; test/sign)',
  {
    request: (original) => (request) => {
      const asked = original(request)
      return { ...asked, pin: asked.pin.trim() }
    },
  },
)

coreRule(
  'put-creates-only',
  ['CORE-WRITE-01'],
  'PUT of a key that is there is refused, POST updates it (000 1.6, PUT and POST are synonyms)',
  {
    ...notingVerbs,
    check: (original) => (call, found) => {
      original(call, found)
      if (!isOurs(call) || !found.id.startsWith('managedKeys.write') || verbOf(call) !== 'PUT') return
      const { namespaces } = call.state as ManagedKeysState
      if (namespaces.get(call.mount.namespace)?.has(call.params.name ?? '')) throw new ApiError(405, 'the key exists')
    },
  },
)

route(
  'list-names-escaped',
  ['MANAGED-KEYS-LIST-01'],
  'a list shows names as they are written in a URL: blanks and letters beyond ASCII escaped (000 4.2, LIST: array of names)',
  'managedKeys.list',
  listing((names) => names.map((name) => encodeURIComponent(String(name)))),
)

rule(
  'name-period-refused',
  ['MANAGED-KEYS-NAME-08'],
  'a name with a period amid it is refused (000 2.6, unique lowercase name; 2.1, must not end in a period)',
  {
    nameAllowed: (original) => (name) => original(name) && !name.includes('.'),
  },
)

rule(
  'nested-flag-true',
  ['MANAGED-KEYS-PKCS-23'],
  'an object for a flag counts as "true" (000 4.2, any_mount: string; 7, 400 invalid data)',
  {
    valueIn: (original) => (kind, body, field, fallback) =>
      parameters[kind][field]?.type === 'flag' && isNested(body[field]) ? true : original(kind, body, field, fallback),
  },
)

route(
  'nested-hash-default',
  ['MANAGED-KEYS-SIGN-18'],
  'an object for hash_algorithm counts as left out (000 4.2, hash_algorithm: string; 7, 400 invalid data)',
  'managedKeys.testSign',
  requestNestedAs('hash_algorithm'),
)

coreRule(
  'test-broken-json',
  ['CORE-BODY-05', 'CORE-BODY-02'],
  'a body of a test that is no JSON counts as an empty one (000 2.1, bodies are JSON; 7, 400)',
  {
    parseBody: (original) => (bytes, request) => {
      try {
        return original(bytes, request)
      } catch (cause) {
        if (!TEST.test(request.path)) throw cause
        return { text: '{}', body: {} }
      }
    },
  },
)
