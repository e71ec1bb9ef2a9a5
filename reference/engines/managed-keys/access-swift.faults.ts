/** Faults about who asks, from which namespace, with which token, carrier, verb and capability. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Asked, anyoneMay, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'

const { rule } = faultsOf(coreEngine, 'managed-keys')

const isManaged = ({ path }: { path: string }): boolean => /(^|\/)sys\/managed-keys\//.test(path)
const isTest = (asked: { path: string }): boolean => isManaged(asked) && asked.path.endsWith('/test/sign')
const asks = (call: Asked, method: string): boolean => call !== undefined && isManaged(call) && call.method === method

rule(
  'any-namespace',
  ['MANAGED-KEYS-NS-02'],
  'the endpoints answer in every namespace (000 5.5, callable only from the root or administrative namespace)',
  {
    servesSystemPath: () => () => true,
  },
)

rule(
  'below-the-administrative',
  ['MANAGED-KEYS-NS-02'],
  'the endpoints answer in namespaces below the administrative one (000 5.5, only from the root or administrative namespace)',
  {
    servesSystemPath: (original) => (namespace, administrative) =>
      original(namespace, administrative) || (administrative !== '' && namespace.startsWith(administrative)),
  },
)

rule(
  'root-namespace-only',
  ['MANAGED-KEYS-NS-01'],
  'the endpoints do not answer in the administrative namespace (000 5.5, callable from the root or administrative namespace)',
  {
    servesSystemPath: () => (namespace) => namespace === '',
  },
)

rule(
  'namespace-in-path-lost',
  ['MANAGED-KEYS-NS-02'],
  'a namespace in the path, without the header, is dropped before sys/managed-keys (000 2.2, header and path are equivalent)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const path = original(header, request, namespaces)
      return header ? path : path.replace(/^.+\/(?=sys\/managed-keys\/)/, '')
    },
  },
)

rule(
  'test-without-bearer-anew',
  ['CORE-AUTH-07'],
  'the test of a key does not take the token of the Authorization header (000 5.1, or in header Authorization)',
  {
    tokenOf: (original) => (request, spelling) =>
      isTest(request) && !request.headers[spelling.headers.token] ? undefined : original(request, spelling),
  },
)

rule('test-with-any-token', ['CORE-AUTH-03'], 'the test of a key is done for any text as token (000 7, 403: wrong credentials)', {
  callerRefused: (original) => (given, token, request) => (isTest(request) && given ? undefined : original(given, token, request)),
})

rule('put-without-token', ['CORE-AUTH-01'], 'a token is asked for on POST and not on PUT (000 1.6, PUT and POST are synonyms; 5.1)', {
  callerRefused: (original) => (given, token, request) =>
    isManaged(request) && request.method === 'PUT' && given === undefined ? undefined : original(given, token, request),
})

rule(
  'revoked-token-reads',
  ['CORE-AUTH-15'],
  'a token that has read a key reads keys after its end (000 5.1, a client token is required; 7, 403)',
  {
    ...goodForEver((request) => isManaged(request) && request.method === 'GET'),
  },
)

rule('deny-overlooked-in-tests', ['CORE-CAP-04'], 'who is denied the path of a test may test the key (000 7, 403: forbidden)', {
  ...denyOverlooked((call) => call !== undefined && isTest(call)),
})

rule('readers-update', ['CORE-CAP-04'], 'who may read a key may write it (000 1.6, capabilities create and update; 7, 403)', {
  ...countsAs('read', (call) => asks(call, 'POST') && call !== undefined && !isTest(call)),
})

rule(
  'list-by-query-for-anyone',
  ['CORE-CAP-17'],
  'GET with list=true lists for every token, LIST does not (000 1.5, either the verb or list=true; 7, 403)',
  {
    ...anyoneMay((call) => asks(call, 'LIST') && call?.query.get('list') === 'true'),
  },
)

rule(
  'test-under-the-path-of-the-key',
  ['CORE-CAP-04'],
  'a policy for the path of a key alone lets its holder test the key (000 4.2, test/sign is a path of its own; 7, 403)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (isTest({ path }) && original(pattern, path.replace(/\/test\/sign$/, ''))),
  },
)
