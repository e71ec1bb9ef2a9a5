/** Faults in how things are written: case, blanks, escapes, types, what is absent, and one verb or kind that differs from the others. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { isNested, refusalStatus } from '../../mutations/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import { byRules, isForKeys, isOurs, listing, notingVerbs, verbOf } from './loose-words.ts'

const { rule, route } = faultsOf(managedKeysEngine)
const { rule: coreRule } = faultsOf(coreEngine, 'managed-keys')

rule(
  'slot-empty-text',
  ['MANAGED-KEYS-READ-08'],
  'the read of a key without slot shows an empty text instead of an int (000 4.2, GET: slot (int))',
  {
    shownField: (original) => (key, field) => (field === 'slot' && key.parameters.slot === '' ? '' : original(key, field)),
  },
)

route(
  'empty-curve-left-out',
  [],
  'the read leaves curve and token_label out where they are empty (000 4.2, GET: top-level fields)',
  'managedKeys.read',
  (original) => async (call) =>
    withBody(await original(call), (body) =>
      Object.fromEntries(Object.entries(body).filter(([field, value]) => value !== '' || !['curve', 'token_label'].includes(field))),
    ),
)

rule(
  'any-mount-for-modules-only',
  ['MANAGED-KEYS-FLAG-04'],
  'the read of a key of kind cloudbkeyvault lacks any_mount (000 4.2, GET: any_mount; generic parameters)',
  {
    shownFields: (original) => (kind) => original(kind).filter((field) => field !== 'any_mount' || kind !== 'cloudbkeyvault'),
  },
)

rule('label-escaped', [], 'the read shows key_label with &, < and > as entities (000 4.2, key_label)', {
  shownField: (original) => (key, field) => {
    const value = original(key, field)
    if (field !== 'key_label' || typeof value !== 'string') return value
    return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  },
})

const storing = (change: (field: string, value: Json) => Json) => ({
  valueIn:
    (original: (typeof managedKeysEngine.rules)['valueIn']): (typeof managedKeysEngine.rules)['valueIn'] =>
    (kind, body, field, fallback) =>
      change(field, original(kind, body, field, fallback)),
})

rule(
  'labels-trimmed',
  ['MANAGED-KEYS-PKCS-07', 'MANAGED-KEYS-PKCS-08'],
  'blanks at the ends of key_label and token_label are dropped (000 4.2, key_label: label of key)',
  storing((field, value) => (/^(key|token)_label$/.test(field) && typeof value === 'string' ? value.trim() : value)),
)

rule(
  'label-lower-case',
  [],
  'key_label is stored in lower case, as names are (000 4.2, key_label: label of key)',
  storing((field, value) => (field === 'key_label' && typeof value === 'string' ? value.toLowerCase() : value)),
)

rule(
  'object-as-text',
  ['MANAGED-KEYS-BVAULT-09'],
  'an object for key_label or key_name is stored as a text (000 4.2, string; 7, 400 invalid data)',
  {
    valueIn: (original) => (kind, body, field, fallback) =>
      /^key_(label|name)$/.test(field) && isNested(body[field]) ? JSON.stringify(body[field]) : original(kind, body, field, fallback),
  },
)

rule('first-letter-lower', [], 'of a name only the first letter has to be lower case (000 2.6, unique lowercase name)', {
  nameAllowed: (original) => (name) => original(name.slice(0, 1)),
})

rule('other-letters-upper', [], 'upper-case letters beyond A to Z are accepted and kept in a name (000 2.6, unique lowercase name)', {
  nameAllowed: () => (name) => !/[A-Z]/.test(name),
})

const hyphened = (name: string): string => name.replaceAll('_', '-')

rule(
  'underscore-as-hyphen',
  ['MANAGED-KEYS-WRITE-06', 'MANAGED-KEYS-LIST-01'],
  'names that differ by an underscore and a hyphen are one key (000 2.6, identified by a unique name)',
  {
    storedName: (original) => (name) => original(hyphened(name)),
    named: (original) => (keys, name) => original(keys, hyphened(name)),
  },
)

route(
  'list-drops-extensions',
  [],
  'a list shows names up to the first period (000 4.2, LIST: array of names)',
  'managedKeys.list',
  listing((names) => names.map((name) => String(name).split('.')[0] ?? '')),
)

route(
  'list-query-of-all-kinds',
  ['MANAGED-KEYS-LIST-02'],
  'GET with list=true lists the keys of all kinds, the verb LIST those of one (000 1.5, either form; 4.2, LIST :type)',
  'managedKeys.list',
  byRules(({ rules, query }) => ({ listed: (key, kind) => query.get('list') === 'true' || rules.listed(key, kind) })),
)

rule('mechanism-lower-case', [], 'mechanism 0x000D is refused, 0x000d is not (000 4.2, mechanism: hex string prefixed 0x)', {
  mechanismOf: (original) => (text) => {
    if (text !== text.toLowerCase()) throw new ApiError(400, 'mechanism must be a hexadecimal number prefixed 0x')
    return original(text)
  },
})

rule(
  'mechanism-four-digits',
  'MANAGED-KEYS-PKCS-09',
  'mechanism with more than four digits is refused, even 0x00001041 (000 4.2, mechanism: hex string)',
  {
    mechanismOf: (original) => (text) => {
      if (text.length > 6) throw new ApiError(400, 'mechanism is too long')
      return original(text)
    },
  },
)

rule(
  'mixed-case-refused',
  [],
  'key_type Rsa or Ecdsa is refused, in capitals or small letters it is not (000 4.2, key_type: case-insensitive)',
  {
    inSet: (original) => (value, set, field) =>
      original(value, set, field) && (field !== 'key_type' || [value.toUpperCase(), value.toLowerCase()].includes(value)),
  },
)

rule(
  'small-letters-need-no-curve',
  ['MANAGED-KEYS-AKMS-03'],
  'a key of key_type ecdsa that may be made needs no curve, one of ECDSA does (000 4.2, case-insensitive)',
  {
    neededFor: (original) => (kind, values) =>
      kind === 'cloudakms' && !/^(RSA|ECDSA)$/.test(String(values.key_type)) ? [] : original(kind, values),
  },
)

rule('small-letters-make-ecc', [], 'a key of key_type rsa is made as one on a curve (000 4.2, key_type: case-insensitive)', {
  keySpecOf: (original) => (values) => (values.key_type === 'RSA' ? original(values) : `ECC_NIST_${String(values.curve ?? '')}`),
})

rule('unknown-hash-as-default', [], 'an unknown hash_algorithm is taken for sha2-256 (000 4.2, hash_algorithm: allowed values)', {
  hashOf: (original) => (body) => {
    try {
      return original(body)
    } catch {
      return 'sha2-256'
    }
  },
})

route(
  'unknown-hash-500',
  ['MANAGED-KEYS-SIGN-18'],
  'an unknown hash_algorithm is an internal error (000 7, 400 invalid request)',
  'managedKeys.testSign',
  refusalStatus(500, ({ message }) => message.startsWith('hash_algorithm')),
)

route(
  'hash-for-modules-only',
  [],
  'cloud services sign with sha2-256 whatever hash_algorithm was asked for (000 4.2, hash_algorithm)',
  'managedKeys.testSign',
  byRules(({ rules, params }) => ({
    hashOf: (body) => {
      const hash = rules.hashOf(body)
      return params.type === 'pkcs11' ? hash : 'sha2-256'
    },
  })),
)

route(
  'pss-not-in-vaults',
  ['MANAGED-KEYS-SIGN-40'],
  'a vault signs without PSS even where use_pss is true (000 4.2, use_pss)',
  'managedKeys.testSign',
  byRules(({ rules, params }) => ({ pssOf: (body) => rules.pssOf(body) && params.type !== 'cloudbkeyvault' })),
)

rule(
  'endpoint-or-region',
  [],
  'a custom endpoint is ignored where a region beside the default is given (000 4.2, endpoint: custom; else regional)',
  {
    endpointOf: (original) => (values, region) => original(region === 'us-east-1' ? values : { ...values, endpoint: '' }, region),
  },
)

rule(
  'resource-for-login-only',
  ['MANAGED-KEYS-SIGN-38'],
  'resource counts for the login, the vault is asked under the standard suffix (000 4.2, resource)',
  {
    vaultUrlOf: (original) => (values) => original(values, 'vault.azure.net'),
  },
)

rule('first-version-only', [], 'crypto_key_version is ignored: the first version signs (000 4.2, crypto_key_version)', {
  versionOf: () => () => '1',
})

rule('made-for-sha256', [], 'a key is made for SHA256 where SHA512 or SHA384 was asked for (000 4.2, algorithm; generated if absent)', {
  madeAlgorithm: (original) => (algorithm) => original(algorithm).replace(/SHA\d+$/, 'SHA256'),
})

coreRule('put-does-not-test', [], 'the test is refused by PUT (000 1.6, PUT and POST are synonyms)', {
  ...notingVerbs,
  check: (original) => (call, found) => {
    original(call, found)
    if (found.id === 'managedKeys.testSign' && verbOf(call) === 'PUT') throw new ApiError(405, 'unsupported operation')
  },
})

coreRule('list-query-unserved', [], 'GET with list=true does not list keys (000 1.5, either the verb LIST, or GET)', {
  ...notingVerbs,
  check: (original) => (call, found) => {
    original(call, found)
    if (isOurs(call) && found.method === 'LIST' && verbOf(call) === 'GET') throw new ApiError(405, 'unsupported operation')
  },
})

coreRule('test-errors-text', [], 'the error of a refused test is a text instead of an array (000 2.4, errors: array of strings)', {
  failure: (original) => (status, body, request) => {
    const isTest = isForKeys(request) && request.path.endsWith('/test/sign')
    return original(status, isTest ? { errors: String((body as { errors?: string[] }).errors) } : body, request)
  },
})

coreRule('deletion-error-single', [], 'a refused deletion answers with error instead of errors (000 2.4, an object with errors)', {
  failure: (original) => (status, body, request) => {
    const isDeletion = isForKeys(request) && request.method === 'DELETE'
    return original(status, isDeletion ? { error: String((body as { errors?: string[] }).errors) } : body, request)
  },
})
