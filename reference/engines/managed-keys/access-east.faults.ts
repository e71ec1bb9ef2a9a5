/** Faults of who may ask: tokens and their carriers, capabilities, verbs, namespaces, and the login at a backend. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isHere, lastRequest, ruled } from './east-help.ts'
import { managedKeysEngine } from './engine.ts'

const { rule, route } = faultsOf(managedKeysEngine)
const core = faultsOf(coreEngine, 'managed-keys')

core.rule(
  'east-below-administrative',
  'MANAGED-KEYS-NS-02',
  'namespaces below the administrative one serve managed keys (000 5.5: root or administrative namespace)',
  {
    servesSystemPath: (original) => (namespace, administrative) =>
      original(namespace, administrative) || namespace.startsWith(administrative),
  },
)

const carrier: { header?: string | undefined } = {}

core.rule(
  'east-namespace-in-path-serves',
  'MANAGED-KEYS-NS-02',
  'a namespace that stands in the path is not held against the restriction (000 5.5, 2.2: header and path are equivalent)',
  {
    namespaceOf: (original) => (effective, namespaces, header) => {
      carrier.header = header
      return original(effective, namespaces, header)
    },
    servesSystemPath: (original) => (namespace, administrative) => original(namespace, administrative) || !carrier.header,
  },
)

const read = lastRequest()
const served = { administrative: 'admin/' }

core.rule(
  'east-others-read-root',
  'MANAGED-KEYS-NS-02',
  'in any other namespace a read shows the key of the root (000 5.5: callable only from the root or administrative namespace)',
  {
    effectivePath: read.effectivePath,
    servesSystemPath: (original) => (namespace, administrative) => {
      served.administrative = administrative
      return original(namespace, administrative) || read.asked()?.method === 'GET'
    },
    check: (original) => (call, asked) => {
      const isOther = !['', served.administrative].includes(call.mount.namespace)
      if (asked.id === 'managedKeys.read' && isOther) call.mount.namespace = ''
      original(call, asked)
    },
  },
)

core.rule(
  'east-test-without-bearer',
  'CORE-AUTH-07',
  'a test takes its token from the service header only (000 5.1: or in header Authorization as Bearer)',
  bearerIgnored((request) => isHere(request) && request.path.endsWith('/test/sign')),
)

core.rule(
  'east-denied-may-test',
  'CORE-CAP-04',
  'whoever is denied at the path of a test may test (000 7: 403 forbidden)',
  denyOverlooked((call) => call !== undefined && isHere(call) && call.path.endsWith('/test/sign')),
)

core.rule(
  'east-reader-may-write',
  'CORE-CAP-04',
  'whoever may read a key may write it (000 1.6, 5.4: the create and update capabilities; 7: 403)',
  countsAs('read', (call) => call !== undefined && isHere(call) && !call.path.endsWith('/test/sign'), 'update'),
)

core.rule(
  'east-revoked-token-reads',
  'CORE-AUTH-15',
  'a token that has read a key goes on reading and listing keys after its end (000 5.1: a client token is required; 7: 403)',
  {
    callerRefused: (original) => {
      const readers = new Set<string>()
      return (given, token, request) => {
        if (given === undefined || !isHere(request) || !/^(GET|LIST)$/.test(request.method)) return original(given, token, request)
        if (token) readers.add(given)
        return readers.has(given) ? undefined : original(given, token, request)
      }
    },
  },
)

core.rule('east-delete-without-token', 'CORE-AUTH-01', 'a key is deleted without a token (000 5.1, 5.3: unauthenticated endpoints)', {
  needsToken: (original) => (asked) => asked?.id !== 'managedKeys.delete' && original(asked),
})

const helped = lastRequest()

core.rule(
  'east-help-to-anybody',
  'CORE-HELP-05',
  'help on managed keys is given to tokens that may nothing there (000 1.7: if the caller has permission on the path)',
  {
    effectivePath: helped.effectivePath,
    helpAllowed: (original) => (granted) => helped.asked() !== undefined || original(granted),
  },
)

route(
  'east-pin-redacted-for-root',
  'MANAGED-KEYS-SECRET-01',
  'the PIN is redacted for root tokens and shown to others (000 2.6: the pin field returns redacted)',
  'managedKeys.read',
  (original) => (call) => {
    if (call.token?.policies.includes('root')) return original(call)
    const { shownField } = call.rules
    return original(ruled(call, { shownField: (key, field) => (field === 'pin' ? String(key.parameters.pin) : shownField(key, field)) }))
  },
)

const put = lastRequest()

core.rule('east-put-not-authorised', 'CORE-CAP-04', 'a PUT needs no capability (000 1.6: PUT and POST are synonyms; 7: 403)', {
  effectivePath: put.effectivePath,
  capabilityGranted: (original) => (granted, needed, call) => put.asked()?.method === 'PUT' || original(granted, needed, call),
})

rule(
  'east-refused-login-passes',
  'MANAGED-KEYS-SIGN-36',
  'a backend that refuses PIN or credentials does not fail the test (000 4.2: test/sign, success means that the configuration is valid)',
  {
    fails: (original) => (problem) => original(problem) && !/CKR_PIN|: 40[13] /.test(problem),
  },
)
