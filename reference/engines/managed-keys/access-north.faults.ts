/** Faults of who may ask: tokens and their carriers, capabilities, deny, several policies, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { managedKeysEngine } from './engine.ts'
import { deciding, isManaged, isManagedPath, seeingMounts } from './north-help.ts'

const { route } = faultsOf(managedKeysEngine)
const core = faultsOf(coreEngine, 'managed-keys')

const KIND = /(^|\/)(sys\/managed-keys)\/[^/*+]+\//
const TEST = /((?:^|\/)sys\/managed-keys\/[^/]+\/[^/]+)\/test\/sign$/
const KEY = /(^|\/)sys\/managed-keys\/[^/]+\/[^/]+$/

core.rule(
  'north-test-without-token',
  'CORE-AUTH-01',
  'test/sign asks for no token (000 5.1: a client token is required; 5.3: unauthenticated endpoints)',
  {
    needsToken: (original) => (asked) => original(asked) && asked?.id !== 'managedKeys.testSign',
  },
)

core.rule(
  'north-listing-without-bearer',
  'CORE-AUTH-07',
  'a listing takes a token from the own header only (000 5.1: or in header Authorization as Bearer)',
  bearerIgnored(({ method, query, path }) => isManagedPath(path) && (method === 'LIST' || query.get('list') === 'true')),
)

core.rule(
  'north-ended-token-still-reads',
  'CORE-AUTH-15',
  'a token that was used to read a key is good for that after its end (000 5.1: a client token is required; 7: 403)',
  goodForEver(({ method, path }) => method === 'GET' && KEY.test(path)),
)

core.rule(
  'north-below-administrative-namespace',
  'MANAGED-KEYS-NS-02',
  'namespaces below the administrative one serve managed keys, too (000 5.5: only from the root or administrative namespace)',
  {
    servesSystemPath: (original) => (namespace, administrative) =>
      original(namespace, administrative) || namespace.startsWith(administrative),
  },
)

/** Holds only until the request waits for the first time. */
let namedByHeader = false
core.rule(
  'north-restriction-by-header-only',
  'MANAGED-KEYS-NS-02',
  'a namespace that is named in the path serves managed keys, for the header is looked at only (000 5.5: root or administrative; 2.2: equivalent)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      namedByHeader = (header ?? '').replaceAll('/', '') !== ''
      return original(effectivePath, namespaces, header)
    },
    servesSystemPath: (original) => (namespace, administrative) => original(namespace, administrative) || !namedByHeader,
  },
)

core.rule(
  'north-first-segment-of-namespace-header',
  'MANAGED-KEYS-NS-02',
  "of the namespace header the first segment counts, so that the administrative namespace answers for those below (000 2.2: header's value; 5.5)",
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const first = (header ?? '').split('/').filter(Boolean)[0]
      return original(isManagedPath(request.path) ? first : header, request, namespaces)
    },
  },
)

core.rule(
  'north-read-suffices-for-test',
  'CORE-CAP-04',
  'who may read test/sign may post it, for it changes nothing (000 1.6: a write needs create or update; 7: 403)',
  countsAs('read', (call) => isManaged(call) && call.path.endsWith('/test/sign'), 'update'),
)

core.rule(
  'north-test-by-right-to-key',
  'CORE-CAP-04',
  "policies are asked about the key's path for test/sign, so that who may update it may test it (000 7: 403, 404 where a caller may not view a path)",
  {
    patternMatches: (original) => (pattern, path) => original(pattern, path.replace(TEST, '$1')),
  },
)

core.rule(
  'north-policy-of-key-as-prefix',
  'CORE-CAP-01',
  "a policy for one key's path holds for keys whose names go on after it (000 7: 403 forbidden, 404 when the caller may not view a path)",
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (KEY.test(pattern) && !pattern.endsWith('*') && path.startsWith(pattern)),
  },
)

core.rule(
  'north-policies-without-kind',
  'CORE-CAP-01',
  'what a policy grants below one kind it grants below every other (000 7: 403 forbidden, 404 when the caller may not view a path)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (KIND.test(pattern) && original(pattern.replace(KIND, '$1$2/'), path.replace(KIND, '$1$2/'))),
  },
)

route(
  'north-only-root-token-is-hindered',
  'MANAGED-KEYS-DELETE-05',
  'mounts that list a key hinder the root token only, other tokens delete it (000 4.2: deletes the key provided no mount lists it)',
  'managedKeys.delete',
  (original) => (call) => original(call.token?.policies.includes('root') ? call : seeingMounts(call, () => [])),
)

route(
  'north-pin-shown-to-tokens-with-policies',
  'MANAGED-KEYS-WRITE-06',
  'the pin is hidden from the root token only (000 2.6: on read the pin field returns the literal text redacted)',
  'managedKeys.read',
  (original) => (call) => {
    const shownField: typeof call.rules.shownField = (key, field) =>
      field === 'pin' ? (key.parameters.pin ?? '') : call.rules.shownField(key, field)
    return original(call.token?.policies.includes('root') ? call : deciding(call, { shownField }))
  },
)
