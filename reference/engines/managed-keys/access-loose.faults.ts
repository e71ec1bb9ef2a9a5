/** Faults in who may do what with managed keys: a capability, carrier, verb, path or namespace that is looked at in one place only. */
import { coreEngine } from '../../core/core-engine.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { type Asked, anyoneMay, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isOurs, notingVerbs, verbOf } from './loose-words.ts'

const { rule } = faultsOf(coreEngine, 'managed-keys')

const KIND = /sys\/managed-keys\/[^/]+\/?$/
const KEY = /sys\/managed-keys\/[^/]+\/[^/]+$/
const TEST = /sys\/managed-keys\/[^/]+\/[^/]+\/test\/sign$/

const asks =
  (method: string, form: RegExp) =>
  (call: Asked): boolean =>
    isOurs(call) && call.method === method && form.test(call.path)

const at =
  (form: RegExp, method?: string) =>
  (request: RequestFacts): boolean =>
    form.test(request.path) && (method === undefined || request.method === method)

rule(
  'test-unchecked',
  ['CORE-CAP-04'],
  'whoever has a token may test a key (000 7, 403 forbidden; 5.4 capabilities)',
  anyoneMay(asks('POST', TEST)),
)

rule(
  'readers-test',
  ['CORE-CAP-04'],
  'who may read a key path may POST the test, which may make a key (000 1.6, a write needs create or update; 7, 403)',
  countsAs('read', asks('POST', TEST), 'update'),
)

rule(
  'deny-overlooked-delete',
  ['CORE-CAP-18'],
  'a caller whose policy denies the key may delete it (000 7, 403)',
  denyOverlooked(asks('DELETE', KEY)),
)

rule(
  'test-without-bearer',
  ['CORE-AUTH-07'],
  'a test takes the token from the header of the service only (000 2.1, Authorization: alternative token carrier)',
  bearerIgnored(at(TEST)),
)

rule(
  'reader-for-ever',
  ['CORE-AUTH-15'],
  'a token that has read a key goes on reading keys when it is revoked (000 5.1, a client token is required)',
  goodForEver(at(KEY, 'GET')),
)

rule('any-text-lists', ['CORE-AUTH-03'], 'the list by the verb LIST takes any text for a token (000 7, 403 wrong credentials)', {
  callerRefused: (original) => (given, token, request) =>
    given !== undefined && at(KIND, 'LIST')(request) ? undefined : original(given, token, request),
})

rule('wrong-token-401', ['CORE-AUTH-03'], 'a wrong token is refused with 401 when a key is deleted (000 7, 403 wrong credentials)', {
  callerRefused: (original) => (given, token, request) => {
    const refused = original(given, token, request)
    return refused !== undefined && given !== undefined && at(KEY, 'DELETE')(request) ? 401 : refused
  },
})

rule(
  'key-path-as-prefix',
  ['CORE-CAP-01', 'CORE-CAP-18'],
  'a policy on one key covers keys whose names begin with its name (000 7, 403 forbidden)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (KEY.test(path) && KEY.test(pattern) && !/[*+]/.test(pattern) && path.startsWith(pattern)),
  },
)

rule('put-unchecked', ['CORE-CAP-04'], 'PUT of a key needs no capability, POST does (000 1.6, PUT and POST are synonyms; 7, 403)', {
  ...notingVerbs,
  ...anyoneMay((call) => asks('POST', KEY)(call) && call !== undefined && verbOf(call) === 'PUT'),
})

rule(
  'path-namespace-unrestricted',
  ['MANAGED-KEYS-NS-02'],
  'a namespace in the path is not restricted, one in the header is (000 2.2, equivalent; 5.5)',
  {
    ...(() => {
      let hasHeader = false
      return {
        effectivePath: (original) => (header, facts, namespaces) => {
          hasHeader = header !== undefined
          return original(header, facts, namespaces)
        },
        servesSystemPath: (original) => (namespace, administrative) => original(namespace, administrative) || !hasHeader,
      } satisfies Parameters<typeof rule>[3]
    })(),
  },
)
