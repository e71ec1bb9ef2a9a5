/** Faults of form: the same thing by another route, absent against null, types, case, blanks, unicode. */
import { coreEngine } from '../../core/core-engine.ts'
import { bare } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { managedKeysEngine } from './engine.ts'
import { isHere, isTest, withRules } from './frank-help.ts'
import { keyOf } from './keys.ts'
import { parameters } from './parameters.ts'

const { rule, route } = faultsOf(managedKeysEngine)
const core = faultsOf(coreEngine, 'managed-keys')

rule(
  'frank-mechanism-of-decimal-digits',
  'MANAGED-KEYS-WRITE-05',
  'a mechanism without letters, as 0x1041, is read as 1041 (000 4.2: mechanism (int), hex string)',
  {
    shownField: (original) => (key, field) => {
      const digits = field === 'mechanism' ? /^0x0*(\d+)$/i.exec(String(key.parameters.mechanism))?.[1] : undefined
      return digits === undefined ? original(key, field) : Number(digits)
    },
  },
)

rule(
  'frank-part-of-a-value',
  'MANAGED-KEYS-BVAULT-06',
  'part of a stated value is accepted, as RSA_SIGN_PSS_2048 or P2 (000 4.2: algorithm, one of; curve)',
  {
    inSet: (original) => (value, set, field) => original(value, set, field) || set.join(',').includes(value),
  },
)

rule(
  'frank-small-rsa-without-bits',
  'MANAGED-KEYS-AKMS-04',
  'key_type in lower case needs no key_bits (000 4.2: key_type, case-insensitive; key_bits required)',
  {
    neededFor: (original) => (kind, values) =>
      kind === 'cloudakms' && String(values.key_type) !== String(values.key_type).toUpperCase() ? [] : original(kind, values),
  },
)

core.rule(
  'frank-help-paths-absolute',
  'CORE-HELP-03',
  'paths in the help of managed keys are absolute (000 1.7: relative to the queried path)',
  {
    helpPath: (original) => (relative, queried) =>
      isHere({ path: queried }) ? `/${queried}${original(relative, queried)}`.replace(/(.)\/$/, '$1') : original(relative, queried),
  },
)

core.rule(
  'frank-put-needs-body',
  'CORE-WRITE-01',
  'PUT at the test of a key is refused without a body (000 1.6: PUT and POST are synonyms)',
  {
    parseBody: (original) => (bytes, request) => {
      if (request.method === 'PUT' && bytes.length === 0 && isTest(request)) throw invalid('the body is empty')
      return original(bytes, request)
    },
  },
)

core.rule(
  'frank-period-before-test',
  'CORE-PERIOD-01',
  'a name that ends in a period is tested as the one without it (000 2.1: must not end in a period)',
  {
    effectivePath: (original) => (header, request, namespaces) =>
      original(header, isTest(request) ? { ...request, path: request.path.replace(/\.+(?=\/test\/sign$)/, '') } : request, namespaces),
  },
)

route(
  'frank-empty-listing-by-query',
  'CORE-LIST-04',
  'GET with list=true answers an empty listing with 200 (000 1.5: either the verb LIST, or GET; an empty listing returns 404)',
  'managedKeys.list',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const isEmpty = cause instanceof ApiError && cause.status === 404 && call.rules.kindOf(call.params.type ?? '') !== undefined
      if (!isEmpty || call.query.get('list') !== 'true') throw cause
      return bare({ keys: [] })
    }
  },
)

rule(
  'frank-slot-null',
  'MANAGED-KEYS-READ-08',
  'the slot of a key that is named by its token label is read as null (000 4.2: GET, slot (int))',
  {
    shownField: (original) => (key, field) => (field === 'slot' && (key.parameters.slot ?? '') === '' ? null : original(key, field)),
  },
)

route(
  'frank-empty-fields-left-out',
  'MANAGED-KEYS-PKCS-14',
  'fields that are empty texts or 0 are left out of a read (000 4.2: GET, top-level fields)',
  'managedKeys.read',
  (original) => async (call) => {
    const reply = await original(call)
    const isShown = ([field, value]: [string, unknown]) => field === 'slot' || (value !== '' && value !== 0)
    return withBody(reply, (body) => Object.fromEntries(Object.entries(body).filter(isShown)))
  },
)

rule(
  'frank-label-in-ascii',
  'MANAGED-KEYS-SIGN-01',
  'a label beyond ASCII goes to the module with question marks (000 4.2: key_label, label of key)',
  {
    request: (original) => (request) => {
      const asked = original(request)
      return { ...asked, keyLabel: asked.keyLabel.replace(/[^\x20-\x7e]/g, '?') }
    },
  },
)

rule(
  'frank-object-as-text',
  'MANAGED-KEYS-CKMS-06',
  'an object or a list where a text belongs is stored as its JSON (000 4.2: key_label, string; 7: 400)',
  {
    valueIn: (original) => (kind, body, field, fallback) => {
      const given = body[field]
      const isText = parameters[kind][field]?.type === 'text' && field !== 'usages'
      return isText && typeof given === 'object' && given !== null ? JSON.stringify(given) : original(kind, body, field, fallback)
    },
  },
)

route(
  'frank-key-id-generated',
  'MANAGED-KEYS-SIGN-15',
  'a key that is named by its id is generated under that as label where it is not there (000 4.2: key_id, error if key does not exist)',
  'managedKeys.testSign',
  (original) => async (call) => {
    const { key_id: id, key_label: label, allow_generate_key: isAllowed } = keyOf(call).parameters
    try {
      return await original(call)
    } catch (cause) {
      if (!id || label || isAllowed !== true || !(cause instanceof ApiError)) throw cause
      const { request } = call.rules
      return original(
        withRules(call, { request: (asked) => ({ ...request(asked), keyLabel: String(id), keyId: '', generate: true, readWrite: true }) }),
      )
    }
  },
)
