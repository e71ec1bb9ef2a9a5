/** Faults at boundaries: first and last of a set, zero, one, many, long and large. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply, requestBody } from '../../mutations/wrappers.ts'
import { isHere, lastRequest, ruled, WRITES } from './east-help.ts'
import { managedKeysEngine } from './engine.ts'

const { rule, route } = faultsOf(managedKeysEngine)
const core = faultsOf(coreEngine, 'managed-keys')

const COLUMN = 64

rule(
  'east-long-name-cut',
  'MANAGED-KEYS-WRITE-06',
  'a name is kept with its first 64 characters and not found by the whole (000 4.2: POST :type/:name, GET)',
  {
    storedName: (original) => (name) => original(name).slice(0, COLUMN),
  },
)

rule(
  'east-one-character-name',
  'MANAGED-KEYS-NAME-09',
  'a name of one character is refused (000 2.6: a lowercase name; 4.2: POST create)',
  {
    nameAllowed: (original) => (name) => original(name) && /^.[^/]+$/s.test(name),
  },
)

rule('east-first-hash-unknown', 'MANAGED-KEYS-SIGN-09', 'the first hash of the set counts as unknown (000 4.2: hash_algorithm, sha1)', {
  hashOf: (original) => (body) => {
    const hash = original(body)
    if (!['sha1', 'sha2-224', 'sha2-256'].indexOf(hash)) throw invalid('hash_algorithm is unknown')
    return hash
  },
})

route(
  'east-slot-zero-absent',
  'MANAGED-KEYS-PKCS-05',
  'slot 0 counts as no slot (000 4.2: one of slot or token_label required; slot, decimal number)',
  'managedKeys.writePkcs11',
  requestBody((body) => (Number(body.slot) === 0 ? { ...body, slot: '' } : body)),
)

rule(
  'east-large-mechanism-negative',
  'MANAGED-KEYS-PKCS-09',
  'a mechanism of 32 bits, as vendors define them, is read as a negative number (000 4.2: GET, mechanism)',
  {
    shownField: (original) => (key, field) => (field === 'mechanism' ? Number(original(key, field)) | 0 : original(key, field)),
  },
)

const PAGE = 10

route(
  'east-list-of-ten',
  'MANAGED-KEYS-LIST-01',
  'a listing ends after ten names (000 4.2: LIST returns keys, array of names)',
  'managedKeys.list',
  reply((given) => withBody(given, (body) => ({ ...body, keys: Array.isArray(body.keys) ? body.keys.slice(0, PAGE) : [] }))),
)

route(
  'east-zero-size-is-given',
  'MANAGED-KEYS-BVAULT-05',
  'a key that may be generated is accepted with key_bits 0 or an empty curve, for they are there (000 4.2: required if allow_generate_key)',
  WRITES,
  (original) => (call) => {
    const { neededFor } = call.rules
    return original(ruled(call, { neededFor: (kind, values) => neededFor(kind, values).filter((field) => !(field in call.body)) }))
  },
)

rule(
  'east-largest-curve-misspelt',
  'MANAGED-KEYS-AKMS-05',
  'a key of the largest curve is ordered as ECC_NIST_P512 (000 4.2 cloudakms: curve P521; key spec ECC_NIST_P256)',
  {
    keySpecOf: (original) => (values) => original(values).replace('P521', 'P512'),
  },
)

const LARGEST_BODY = 1024 * 1024

core.rule(
  'east-body-of-a-megabyte',
  'CORE-LIMIT-01',
  'a request to managed keys of more than 1 MB is refused (000 8: maximum request size 32 MB)',
  {
    check: (original) => (call, asked) => {
      if (isHere(call) && call.text.length > LARGEST_BODY) throw new ApiError(413, 'request body too large')
      original(call, asked)
    },
  },
)

rule(
  'east-first-of-list-hinders',
  'MANAGED-KEYS-DELETE-05',
  'only the first key that a mount lists is kept from deletion (000 4.2: DELETE, provided no mount lists it)',
  {
    hinders: (original) => (key, names) => original(key, names.slice(0, 1)),
  },
)

const period = lastRequest()

core.rule(
  'east-second-period-allowed',
  'CORE-PERIOD-01',
  'a name that ends in a period is taken where another period comes before it (000 2.1: path parameters)',
  {
    effectivePath: period.effectivePath,
    pathParameterAllowed: (original) => (value) =>
      original(value) || (period.asked() !== undefined && value.indexOf('.') < value.length - 1),
  },
)

const LABEL_BYTES = 32

rule(
  'east-key-label-of-a-token',
  'MANAGED-KEYS-SIGN-01',
  'the label of a key is cut to the 32 characters that the label of a token has (000 4.2: key_label)',
  {
    request: (original) => (request) => original({ ...request, keyLabel: request.keyLabel.slice(0, LABEL_BYTES) }),
  },
)
