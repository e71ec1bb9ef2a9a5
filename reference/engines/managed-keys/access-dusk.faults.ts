/** Faults of who may ask and what is permitted: namespaces, carriers, verbs, capabilities, flags that allow something. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isKeysPath, isTestPath } from './dusk-help.ts'
import { managedKeysEngine } from './engine.ts'

const { rule } = faultsOf(managedKeysEngine, 'managed-keys')
const core = faultsOf(coreEngine, 'managed-keys')

const isReading = (method: string): boolean => method === 'GET' || method === 'LIST'

core.rule(
  'dusk-below-administrative',
  'MANAGED-KEYS-NS-02',
  'namespaces below the administrative one are served as well (000 5.5: only from the root or administrative namespace)',
  {
    servesSystemPath: (original) => (namespace, administrative) =>
      original(namespace, administrative) || namespace.startsWith(administrative),
  },
)

core.rule(
  'dusk-header-overlooked',
  'MANAGED-KEYS-LIST-03',
  'a namespace that stands in the header is overlooked, and the keys of the root are served (000 2.2: header and path; 5.5)',
  {
    effectivePath: (original) => (header, request, namespaces) =>
      original(request.path.startsWith('sys/managed-keys') ? undefined : header, request, namespaces),
  },
)

// Set and read within the same turn, while one request is located.
let hasHeader = true

core.rule(
  'dusk-path-not-restricted',
  'MANAGED-KEYS-NS-02',
  'a namespace that stands in the path is not asked whether it may, only one in the header is (000 5.5; 2.2: both are equivalent)',
  {
    namespaceOf: (original) => (path, namespaces, header) => {
      hasHeader = header !== undefined
      return original(path, namespaces, header)
    },
    servesSystemPath: (original) => (namespace, administrative) => original(namespace, administrative) || !hasHeader,
  },
)

core.rule(
  'dusk-bearer-reads-only',
  'CORE-AUTH-07',
  'a bearer is taken for reads and lists only (000 5.1: X-Service-Token, or Authorization as Bearer)',
  {
    ...bearerIgnored(({ method, path }) => isKeysPath(path) && !isReading(method)),
  },
)

core.rule(
  'dusk-revoked-token-reads',
  'CORE-AUTH-15',
  'a token with which keys were read goes on reading them after its end (000 7: 403, wrong credentials; 5.1)',
  {
    ...goodForEver(({ method, path }) => isKeysPath(path) && isReading(method)),
  },
)

core.rule(
  'dusk-reader-tests',
  'CORE-CAP-04',
  'who may only read the path of a test may have it made by POST (000 7: 403, forbidden; 1.6: update)',
  {
    ...countsAs('read', (call) => isTestPath(call?.path), 'update'),
  },
)

core.rule(
  'dusk-policy-by-prefix',
  'CORE-CAP-01',
  'a policy for one key holds for keys whose names begin with its name (000 7: 403, no access; 2.6: identified by name)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (/(^|\/)sys\/managed-keys\/[^/+*]+\/[^/+*]+$/.test(pattern) && path.startsWith(pattern) && !path.slice(pattern.length).includes('/')),
  },
)

// Set and read within the same turn, as above.
let helpPath = ''

core.rule(
  'dusk-help-for-anybody',
  'CORE-HELP-05',
  'help is given to every caller who is not denied (000 1.7: if the caller has permission on the path)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      helpPath = original(header, request, namespaces)
      return helpPath
    },
    helpAllowed: (original) => (granted) => original(granted) || (isKeysPath(helpPath) && !granted.has('deny')),
  },
)

rule(
  'dusk-any-mount-not-kept',
  'MANAGED-KEYS-DELETE-05',
  'a key with any_mount is deleted although a mount lists it (000 4.2: DELETE, provided no mount lists it)',
  {
    hinders: (original) => (key, names) => original(key, names) && key.parameters.any_mount !== true,
  },
)

rule(
  'dusk-store-allows-making',
  'MANAGED-KEYS-SIGN-28',
  'a key is made where only allow_store_key is true (000 4.2: allow_generate_key; allow_store_key permits importing)',
  {
    generates: (original) => (key) => original(key) || (key.parameters.allow_store_key === true && key.parameters.key_label !== ''),
    generatesAtService: (original) => (key) => original(key) || key.parameters.allow_store_key === true,
  },
)

core.rule(
  'dusk-test-by-get-404',
  'CORE-STATUS-08',
  'other methods than POST at the path of a test are answered with 404 (000 7: 405, unsupported method for the path)',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      routes.some(({ id }) => id === 'managedKeys.testSign') ? 404 : original(method, routes),
  },
)

core.rule(
  'dusk-put-body-overlooked',
  'CORE-WRITE-01',
  'the body of a test that is sent by PUT is overlooked (000 1.6: PUT and POST are synonyms)',
  {
    parseBody: (original) => (bytes, request) =>
      original(request.method === 'PUT' && isTestPath(request.path) ? new Uint8Array() : bytes, request),
  },
)
