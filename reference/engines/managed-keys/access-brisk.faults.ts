/** Faults in who may do what with managed keys: one route, kind, carrier or spelling of a path that the question of permission misses. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { CoreRules, RequestFacts } from '../../core/rules.ts'
import { type Asked, anyoneMay, bearerIgnored, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isOurs } from './loose-words.ts'

const { rule } = faultsOf(coreEngine, 'managed-keys')

const KIND = /sys\/managed-keys\/[^/]+\/?$/
const KEY = /sys\/managed-keys\/[^/]+\/[^/]+$/
const TEST = /sys\/managed-keys\/[^/]+\/[^/]+\/test\/sign$/
const MODULE_KEY = /sys\/managed-keys\/pkcs11\//

const asks =
  (method: string, form: RegExp) =>
  (call: Asked): boolean =>
    isOurs(call) && call.method === method && form.test(call.path)

const isWrite = ({ method }: RequestFacts): boolean => method === 'POST' || method === 'PUT'

const isListing = ({ method, path, query }: RequestFacts): boolean =>
  KIND.test(path) && (method === 'LIST' || (method === 'GET' && query.get('list') === 'true'))

const paths = new WeakMap<object, string>()

const notingPaths = {
  effectivePath:
    (original: CoreRules['effectivePath']): CoreRules['effectivePath'] =>
    (header, facts, namespaces) => {
      paths.set(facts.headers, facts.path)
      return original(header, facts, namespaces)
    },
}

rule(
  'read-unchecked',
  ['CORE-CAP-05'],
  'whoever has a token and is not denied may read any key (000 7, 403 forbidden)',
  anyoneMay(asks('GET', KEY)),
)

rule(
  'cloud-writes-unchecked',
  ['CORE-CAP-04'],
  'a key of a cloud kind is written for any caller, one of pkcs11 is not (000 1.6, create and update capabilities; 7, 403 forbidden)',
  anyoneMay((call) => asks('POST', KEY)(call) && !MODULE_KEY.test(call?.path ?? '')),
)

rule(
  'deny-overlooked-test',
  ['CORE-CAP-04'],
  'a caller whose policy denies the test of a key may test it (000 7, 403 forbidden)',
  denyOverlooked(asks('POST', TEST)),
)

rule(
  'list-slash-unchecked',
  ['CORE-CAP-17'],
  'a list whose path ends in a slash is given to any caller, one without it is not (000 4.1, <dir>/; 7, 403 forbidden)',
  {
    ...notingPaths,
    ...anyoneMay((call) => call !== undefined && asks('LIST', KIND)(call) && (paths.get(call.headers) ?? '').endsWith('/')),
  },
)

rule(
  'bearer-unverified-read',
  ['CORE-AUTH-03'],
  'a read takes any text for a token that comes as Authorization: Bearer (000 2.1, 5.1, client token; 7, 403 wrong credentials)',
  {
    callerRefused: (original) => (given, token, request) => {
      const carrier = request.headers.authorization ?? ''
      const isBearer = given !== undefined && /^bearer /i.test(carrier) && carrier.endsWith(given)
      return isBearer && request.method === 'GET' && KEY.test(request.path) ? undefined : original(given, token, request)
    },
  },
)

rule(
  'list-without-token',
  ['CORE-AUTH-01', 'CORE-AUTH-03'],
  'lists need no token (000 5.1, a token is required; 5.3, the unauthenticated endpoints)',
  {
    needsToken: (original) => (found) => found?.id !== 'managedKeys.list' && original(found),
  },
)

rule(
  'list-without-bearer',
  ['CORE-AUTH-07'],
  'a list takes the token from the header of the service only (000 2.1, Authorization: alternative token carrier)',
  bearerIgnored(isListing),
)

rule(
  'writer-for-ever',
  ['CORE-AUTH-15'],
  'a token that has written a key goes on writing keys when it is revoked or has expired (000 5.1, a client token is required)',
  goodForEver((request) => isWrite(request) && KEY.test(request.path)),
)

rule(
  'namespace-below-administrative',
  ['MANAGED-KEYS-NS-02'],
  'a namespace below the administrative one is not restricted (000 5.5, callable only from the root or administrative namespace)',
  {
    servesSystemPath: (original) => (namespace, administrative) =>
      original(namespace, administrative) || namespace.startsWith(administrative),
  },
)

rule(
  'deletions-unrestricted',
  ['MANAGED-KEYS-NS-02'],
  'a deletion is served in any namespace, only other requests are restricted (000 4.2, restricted; 5.5)',
  {
    ...(() => {
      let isDeletion = false
      return {
        effectivePath: (original) => (header, facts, namespaces) => {
          isDeletion = facts.method === 'DELETE'
          return original(header, facts, namespaces)
        },
        servesSystemPath: (original) => (namespace, administrative) => isDeletion || original(namespace, administrative),
      } satisfies Parameters<typeof rule>[3]
    })(),
  },
)

rule(
  'kind-covers-keys',
  ['CORE-CAP-01', 'CORE-CAP-18'],
  'a policy on the path of a kind covers all keys of that kind (000 7, 403 forbidden: another path)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (KEY.test(path) && KIND.test(pattern) && !/[*+]/.test(pattern) && path.startsWith(`${pattern.replace(/\/$/, '')}/`)),
  },
)

rule(
  'denied-test-400',
  ['CORE-CAP-04'],
  'a test by a caller without the capability is an invalid request (000 7, 403 forbidden, 404 may not view)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isGranted = original(granted, needed, call)
      if (!isGranted && asks('POST', TEST)(call)) throw new ApiError(400, 'permission denied')
      return isGranted
    },
  },
)
