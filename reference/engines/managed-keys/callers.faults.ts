/** Faults in who may ask, from where, and how. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { type Asked, anyoneMay, bearerIgnored, countsAs } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'

const { rule: core } = faultsOf(coreEngine, 'managed-keys')

const isOurs = (call: Asked): boolean => call?.path.startsWith('sys/managed-keys/') === true

core(
  'access-anyone-lists',
  'CORE-CAP-17',
  'every good token may list the keys',
  anyoneMay((call) => isOurs(call) && call?.method === 'LIST'),
)

core('access-below-administrative', 'MANAGED-KEYS-NS-02', 'managed keys are served in the namespaces below the administrative one, too', {
  servesSystemPath: (original) => (namespace, administrative) =>
    original(namespace, administrative) || (administrative !== '' && namespace.startsWith(administrative)),
})

core(
  'access-test-by-read',
  'CORE-CAP-04',
  'whoever may read the test path of a key may have it tested',
  countsAs('read', (call) => isOurs(call) && call?.path.endsWith('/test/sign') === true, 'update'),
)

core(
  'access-bearer-not-for-keys',
  'CORE-AUTH-07',
  'Authorization: Bearer is not looked at for a key, only for listings',
  bearerIgnored(({ path }) => /(^|\/)sys\/managed-keys\/[^/]+\/./.test(path)),
)

core('access-list-by-get', 'CORE-LIST-02', 'keys are listed with the verb LIST only', {
  check: (original) => (call, route) => {
    if (route.id === 'managedKeys.list' && call.query.has('list')) throw new ApiError(405, 'unsupported operation')
    original(call, route)
  },
})

core('access-cloud-keys-without-token', 'MANAGED-KEYS-CALLER-01', 'keys of kind cloudakms are read without a token', {
  callerRefused: (original) => (given, token, request) =>
    request.method === 'GET' && request.path.includes('sys/managed-keys/cloudakms/') ? undefined : original(given, token, request),
})

core(
  'access-policy-of-other-kind',
  'MANAGED-KEYS-CALLER-02',
  'who may do something with a key in a module may do it with every key in a vault',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (pattern.includes('sys/managed-keys/pkcs11/') && path.includes('sys/managed-keys/cloudbkeyvault/') && !path.endsWith('/test/sign')),
  },
)
