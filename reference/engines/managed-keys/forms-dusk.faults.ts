/** Faults of form: how values are written and shown, and the same thing by another route. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isKeysPath, withRules } from './dusk-help.ts'
import { managedKeysEngine } from './engine.ts'
import { parameters } from './parameters.ts'

const { rule, route } = faultsOf(managedKeysEngine, 'managed-keys')
const core = faultsOf(coreEngine, 'managed-keys')

rule(
  'dusk-hex-lower-only',
  'MANAGED-KEYS-PKCS-09',
  'a mechanism with upper-case digits is refused (000 4.2: mechanism, hex string prefixed 0x)',
  {
    mechanismOf: (original) => (text) => {
      if (/[A-F]/.test(text)) throw invalid('mechanism must be a hexadecimal number prefixed 0x')
      return original(text)
    },
  },
)

rule('dusk-hex-without-prefix', 'MANAGED-KEYS-PKCS-17', 'a mechanism without 0x is accepted (000 4.2: mechanism, hex string prefixed 0x)', {
  valueIn: (original) => (kind, body, field, fallback) => {
    const value = original(kind, body, field, fallback)
    return field === 'mechanism' && /^[0-9a-f]+$/i.test(String(value)) ? `0x${String(value)}` : value
  },
})

rule('dusk-absent-slot-null', 'MANAGED-KEYS-READ-08', 'the slot of a key with a token label is read as null (000 4.2: GET slot (int))', {
  shownField: (original) => (key, field) => (field === 'slot' && key.parameters.slot === '' ? null : original(key, field)),
})

rule(
  'dusk-lower-rsa-without-bits',
  'MANAGED-KEYS-AKMS-03',
  'key_bits is not required of cloudakms keys of type rsa in lower case (000 4.2: key_type case-insensitive; key_bits required)',
  {
    neededFor: (original) => (kind, values) => {
      const isOther = kind === 'cloudakms' && values.key_type !== 'RSA'
      return original(kind, values).filter((field) => !(isOther && field === 'key_bits'))
    },
  },
)

route(
  'dusk-get-lists-all-kinds',
  'MANAGED-KEYS-LIST-02',
  'a listing by GET with list=true has the names of all kinds (000 1.5: LIST, or GET with list=true; 4.2: LIST of a type)',
  'managedKeys.list',
  (original) => (call) => original(call.query.get('list') === 'true' ? withRules(call, { listed: () => true }) : call),
)

rule(
  'dusk-text-false-is-set',
  'MANAGED-KEYS-FLAG-08',
  'the text "false" of any_mount sets it (000 4.2: any_mount, "false", "true" allows)',
  {
    valueIn: (original) => (kind, body, field, fallback) => {
      const value = original(kind, body, field, fallback)
      const given = body[field]
      return field === 'any_mount' && typeof given === 'string' ? given !== '' : value
    },
  },
)

rule(
  'dusk-objects-as-text',
  'MANAGED-KEYS-CKMS-06',
  'an object where a text belongs is kept as its JSON (000 4.2: types of the parameters; 7: 400)',
  {
    valueIn: (original) => (kind, body, field, fallback) => {
      const given = body[field]
      const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
      return isObject && parameters[kind][field]?.type === 'text' ? JSON.stringify(given) : original(kind, body, field, fallback)
    },
  },
)

core.rule(
  'dusk-help-paths-absolute',
  'CORE-HELP-03',
  'the paths of openapi are absolute (000 1.7: paths are relative to the queried path)',
  {
    helpPath: (original) => (relative, queried) => {
      const path = original(relative, queried)
      return isKeysPath(queried) ? `/${queried.replace(/\/$/, '')}${path === '/' ? '' : path}` : path
    },
  },
)

rule(
  'dusk-lower-in-ascii-only',
  'MANAGED-KEYS-NAME-03',
  'upper case beyond ASCII passes in names, so that names differ by case (000 2.6: unique lowercase name)',
  {
    nameAllowed: () => (name) => !/[A-Z]/.test(name),
  },
)

rule(
  'dusk-vault-bits-as-text',
  'MANAGED-KEYS-BVAULT-07',
  'key_bits of cloudbkeyvault is overlooked where it is text (000 4.2: cloudbkeyvault key_bits, string)',
  {
    valueIn: (original) => (kind, body, field, fallback) => {
      const isText = kind === 'cloudbkeyvault' && field === 'key_bits' && typeof body[field] === 'string'
      return isText ? fallback : original(kind, body, field, fallback)
    },
  },
)

// Where the request goes whose parameters are looked at next.
let writtenPath = ''

core.rule(
  'dusk-period-in-writes',
  'CORE-PERIOD-01',
  'a key is written under a name that ends in a period (000 2.1: a path parameter must not end in a period, 404)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const path = original(header, request, namespaces)
      writtenPath = /^(POST|PUT)$/.test(request.method) && isKeysPath(path) ? path : ''
      return path
    },
    pathParameterAllowed: (original) => (value) => original(value) || writtenPath.endsWith(`/${value}`),
  },
)

rule('dusk-hash-by-short-name', 'MANAGED-KEYS-SIGN-10', 'sha256 and its like pass as sha2-256 (000 4.2: hash_algorithm, allowed values)', {
  hashOf: (original) => (body) => {
    const given = body.hash_algorithm
    return original(typeof given === 'string' ? { ...body, hash_algorithm: given.replace(/^sha(224|256|384|512)$/, 'sha2-$1') } : body)
  },
})
