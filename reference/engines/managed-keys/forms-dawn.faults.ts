/** Faults of form: other routes and verbs to the same thing, absent against null, case, types, texts. */
import { coreEngine } from '../../core/core-engine.ts'
import { bare } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { reply } from '../../mutations/wrappers.ts'
import { atKeys, keysHere } from './dawn-help.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'

const { rule, route } = faultsOf(managedKeysEngine)
const core = faultsOf(coreEngine, 'managed-keys')

const putBodies = new WeakSet<JsonObject>()

core.rule(
  'dawn-test-by-put',
  'CORE-WRITE-01',
  'a test that is asked for with PUT is an unsupported method (000 1.6: PUT and POST are synonyms)',
  {
    parseBody: (original) => (bytes, request) => {
      const parsed = original(bytes, request)
      if (request.method === 'PUT') putBodies.add(parsed.body)
      return parsed
    },
    check: (original) => (call, facts) => {
      if (facts.id === 'managedKeys.testSign' && putBodies.has(call.body)) throw new ApiError(405, 'unsupported operation')
      original(call, facts)
    },
  },
)

route(
  'dawn-list-by-get-of-all-types',
  'MANAGED-KEYS-LIST-02',
  'GET with list=true names the keys of all types (000 1.5: GET with list=true or LIST; 4.2: LIST by :type)',
  'managedKeys.list',
  (original) => (call) => {
    const names = [...keysHere(call).keys()].sort()
    const isKnown = call.rules.kindOf(call.params.type ?? '') !== undefined
    return call.query.get('list') === 'true' && isKnown && names.length > 0 ? bare({ keys: names }) : original(call)
  },
)

rule(
  'dawn-lower-case-digits-only',
  'MANAGED-KEYS-PKCS-09',
  'hexadecimal digits of a mechanism in upper case are refused (000 4.2: mechanism, hex string prefixed 0x)',
  {
    mechanismOf: (original) => (text) => {
      if (/^0x.*[A-F]/.test(text)) throw invalid('mechanism must be a hexadecimal number prefixed 0x')
      return original(text)
    },
  },
)

rule(
  'dawn-lower-case-rsa-needs-nothing',
  'MANAGED-KEYS-AKMS-04',
  'rsa in lower case is accepted without key_bits (000 4.2: key_type case-insensitive; key_bits required)',
  {
    neededFor: (original) => (kind, values) =>
      kind === 'cloudakms' && /[a-z]/.test(String(values.key_type)) ? [] : original(kind, values),
  },
)

rule(
  'dawn-slot-null-beside-label',
  'MANAGED-KEYS-READ-08',
  'the slot of a key that is found by the label of its token is null (000 4.2: slot, int)',
  {
    shownField: (original) => (key, field) => (field === 'slot' && key.parameters.slot === '' ? null : original(key, field)),
  },
)

route(
  'dawn-empty-texts-left-out',
  'MANAGED-KEYS-PKCS-14',
  'fields that are empty texts, such as curve, are left out of a read (000 4.2: top-level fields of the configuration object)',
  'managedKeys.read',
  reply<KeyCall>((given) => bare(Object.fromEntries(Object.entries(given.body as JsonObject).filter(([, value]) => value !== '')))),
)

rule('dawn-nonsense-is-no-pss', 'MANAGED-KEYS-SIGN-18', 'a use_pss that is no truth value counts as false (000 4.2: use_pss, bool)', {
  pssOf: () => (body) => body.use_pss === true || body.use_pss === 'true',
})

core.rule(
  'dawn-help-with-whole-paths',
  'CORE-HELP-03',
  'help shows the paths below a key from the root on (000 1.7: its paths are relative to the queried path)',
  {
    helpPath: (original) => (relative, queried) =>
      atKeys({ path: queried }) && relative !== '/' ? `/${queried.replace(/\/$/, '')}${relative}` : original(relative, queried),
  },
)

rule(
  'dawn-id-is-a-label-too',
  'MANAGED-KEYS-SIGN-15',
  'a key that is named by an id and not there is generated with the id as its label (000 4.2: key_id, error if key does not exist)',
  {
    generates: (original) => (key) => original(key) || key.parameters.allow_generate_key === true,
    request: (original) => (request) =>
      original(request.generate && request.keyLabel === '' ? { ...request, keyLabel: request.keyId, keyId: '' } : request),
  },
)

rule(
  'dawn-mixed-case-names',
  'MANAGED-KEYS-NAME-03',
  'names are refused only where all letters are capitals: Key and key are two keys (000 2.6: unique lowercase name)',
  {
    nameAllowed: (original) => (name) => original(name) || name !== name.toUpperCase(),
  },
)

rule(
  'dawn-either-curve-or-bits',
  'MANAGED-KEYS-PKCS-21',
  'of curve and key_bits either one is enough for generation, whatever the mechanism (000 4.2: required if allow_generate_key is true)',
  {
    neededFor: (original) => (kind, values) =>
      kind === 'pkcs11' && (values.curve !== '' || values.key_bits !== 0) ? [] : original(kind, values),
  },
)
