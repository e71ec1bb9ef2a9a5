/** Faults in how the same thing is written and shown: another verb, spelling, case, type, or a parameter that another one hides. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isNested, reply } from '../../mutations/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import { parameters } from './parameters.ts'
import type { Kind } from './state.ts'

const { rule, route } = faultsOf(managedKeysEngine)
const core = faultsOf(coreEngine, 'managed-keys')

const typeOf = (kind: Kind, field: string): string | undefined => parameters[kind][field]?.type
const textIn = (values: JsonObject, field: string): string => String(values[field] ?? '')
const isTest = ({ path }: { path: string }): boolean => /(^|\/)sys\/managed-keys\/.*\/test\/sign$/.test(path)

rule(
  'mechanism-by-ten',
  ['MANAGED-KEYS-WRITE-05'],
  'the digits of a mechanism are read back as if they were decimal (000 4.2, mechanism: hex string; GET: mechanism int)',
  {
    shownField: (original) => (key, field) =>
      field === 'mechanism' ? Number.parseInt(textIn(key.parameters, field).slice(2), 10) || 0 : original(key, field),
  },
)

route(
  'empty-fields-left-out',
  ['MANAGED-KEYS-PKCS-14'],
  'a read leaves out what is empty, so that a key without a curve has no such field (000 4.2, GET: top-level fields)',
  'managedKeys.read',
  reply((given) => ({ ...given, body: Object.fromEntries(Object.entries(given.body as JsonObject).filter(([, value]) => value !== '')) })),
)

route(
  'query-lists-all-kinds',
  ['MANAGED-KEYS-LIST-02'],
  'GET with list=true shows the keys of all kinds, LIST those of one (000 1.5; 4.2, LIST :type)',
  'managedKeys.list',
  (original) => (call) => original(call.query.get('list') === 'true' ? { ...call, rules: { ...call.rules, listed: () => true } } : call),
)

rule(
  'false-text-is-true',
  ['MANAGED-KEYS-PKCS-13'],
  'force_rw_session given as the text "false" is read back as true (000 4.2, pkcs11: force_rw_session)',
  {
    valueIn: (original) => (kind, body, field, fallback) =>
      field === 'force_rw_session' && typeof body[field] === 'string' ? body[field] !== '' : original(kind, body, field, fallback),
  },
)

rule(
  'rsa-in-lower-case-made-as-curve',
  ['MANAGED-KEYS-AKMS-05', 'MANAGED-KEYS-SIGN-26'],
  'a key of key_type rsa, in lower case, is made as one of a curve (000 4.2, cloudakms: case-insensitive)',
  {
    keySpecOf: (original) => (values) => (values.key_type === 'RSA' ? original(values) : `ECC_NIST_${textIn(values, 'curve') || 'P256'}`),
  },
)

route(
  'hash-not-passed-on',
  ['MANAGED-KEYS-SIGN-40', 'MANAGED-KEYS-SIGN-35'],
  'the test of a cloud key uses sha2-256 whatever hash is asked for (000 4.2, test/sign: hash_algorithm)',
  'managedKeys.testSign',
  (original) => (call) => {
    call.rules.hashOf(call.body)
    return original(call.params.type === 'pkcs11' ? call : { ...call, rules: { ...call.rules, hashOf: () => 'sha2-256' } })
  },
)

rule(
  'names-differ-by-case',
  ['MANAGED-KEYS-NAME-03'],
  'two keys whose names differ by case stand side by side (000 2.6, unique lowercase name)',
  {
    nameAllowed: () => () => true,
  },
)

rule(
  'label-in-lower-case',
  ['MANAGED-KEYS-WRITE-05', 'MANAGED-KEYS-PKCS-07'],
  'a key_label is stored in lower case (000 4.2, pkcs11: key_label, label of key)',
  {
    valueIn: (original) => (kind, body, field, fallback) => {
      const value = original(kind, body, field, fallback)
      return field === 'key_label' ? String(value).toLowerCase() : value
    },
  },
)

rule(
  'endpoint-loses-to-region',
  ['MANAGED-KEYS-SIGN-31'],
  'a custom endpoint counts only in the default region (000 4.2, cloudakms: endpoint, else regional default)',
  {
    endpointOf: (original) => (values, region) => original(region === 'us-east-1' ? values : { ...values, endpoint: '' }, region),
  },
)

rule(
  'alias-cut-at-second-slash',
  ['MANAGED-KEYS-SIGN-33'],
  'an alias with slashes in its name is cut at the second one (000 4.2, cloudakms: kms_key)',
  {
    usedParameters: (original) => (values) => {
      const used = original(values)
      const alias = textIn(used, 'kms_key')
      return alias.startsWith('alias/') ? { ...used, kms_key: alias.split('/').slice(0, 2).join('/') } : used
    },
  },
)

rule(
  'nested-text-taken',
  ['MANAGED-KEYS-CKMS-06'],
  'an object where a text belongs is stored as its JSON (000 4.2, parameters: type string)',
  {
    valueIn: (original) => (kind, body, field, fallback) =>
      isNested(body[field]) && typeOf(kind, field) === 'text' ? JSON.stringify(body[field]) : original(kind, body, field, fallback),
  },
)

core.rule('put-is-no-test', ['CORE-WRITE-01'], 'a key is tested by POST and not by PUT (000 1.6, PUT and POST are synonyms)', {
  callerRefused: (original) => (given, token, request) =>
    original(given, token, request) ?? (isTest(request) && request.method === 'PUT' ? 405 : undefined),
})
