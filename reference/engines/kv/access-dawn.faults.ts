/** Faults of who may ask: tokens and their carriers, capabilities, verbs, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { anyoneMay, bearerIgnored, countsAs, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isKv, isObject, latestType, locating, typeOf, verbOf } from './dawn-help.ts'

const core = faultsOf(coreEngine, 'kv')

core.rule(
  'dawn-put-is-update',
  'CORE-WRITE-01',
  'PUT asks for update even where it creates, so that a caller who may create has to use POST (000 1.6: PUT and POST are synonyms)',
  {
    ...locating,
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'create' && call && isKv(call) && verbOf(call) === 'PUT' ? 'update' : needed, call),
  },
)

core.rule(
  'dawn-data-opens-versions',
  'CORE-CAP-04',
  'v2: whoever may write `data/x` may delete, restore and destroy versions of x without a policy for these paths (000 1.8, 7: 403)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (/\/(delete|undelete|destroy)\//.test(path) && original(pattern, path.replace(/\/(delete|undelete|destroy)\//, '/data/'))),
  },
)

core.rule('dawn-deny-lists-by-get', 'CORE-CAP-17', 'a caller to whom a directory is denied lists it with `list=true` (000 1.5, 7: 403)', {
  ...locating,
  ...denyOverlooked((call) => isKv(call) && call?.query.get('list') === 'true'),
})

core.rule(
  'dawn-old-versions-open',
  'CORE-CAP-01',
  'v2: a read that names a version is answered to callers without any policy for it (000 5.1, 7: 403)',
  {
    ...locating,
    ...anyoneMay((call) => typeOf(call) === 'kv2' && call?.method === 'GET' && call.query.has('version')),
  },
)

core.rule(
  'dawn-help-counts-deny',
  'CORE-HELP-05',
  'help is given to callers to whom the path is denied (000 1.7: if the caller has permission)',
  {
    ...locating,
    helpAllowed: (original) => (granted) => (latestType().startsWith('kv') ? granted.size > 0 : original(granted)),
  },
)

core.rule('dawn-bearer-not-for-list', 'KV-LIST-05', 'a bearer is not seen on requests with the verb LIST (000 5.1: header Authorization)', {
  ...locating,
  ...bearerIgnored((request) => isKv(request) && request.method === 'LIST'),
})

core.rule(
  'dawn-metadata-without-token',
  'CORE-AUTH-01',
  'v2: `metadata/` is read and listed without any token (000 5.1: required on almost every)',
  {
    ...locating,
    callerRefused: (original) => (given, token, request) => {
      const isOpen = given === undefined && typeOf(request) === 'kv2' && request.method === 'GET' && /\/metadata(\/|$)/.test(request.path)
      return isOpen ? undefined : original(given, token, request)
    },
  },
)

core.rule(
  'dawn-header-ends-namespace',
  'CORE-NS-02',
  'v2: with a namespace in the header, a further one at the start of the path is not found (000 2.2: `<ns1>/` with `<ns2>/secret/foo`)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      const named = `${(header ?? '').split('/').filter(Boolean).join('/')}/`
      const isData = /\/data\//.test(effectivePath)
      return isData && namespaces.includes(named) ? named : original(effectivePath, namespaces, header)
    },
  },
)

core.rule(
  'dawn-policy-in-any-namespace',
  'CORE-CAP-14',
  'v2: a policy for `secret/data/x` also opens that path in the namespaces below (000 2.2: effective path, 7: 403)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || original(pattern, path.replace(/^[^/]+\/(?=[^/]+\/data\/)/, '')),
  },
)

core.rule(
  'dawn-conditional-write-is-create',
  'CORE-CAP-07',
  'v2: a write with `cas` among its options asks for create even where it changes an object (000 1.6: create or update)',
  {
    ...locating,
    ...countsAs(
      'create',
      (call) => typeOf(call) === 'kv2' && isObject(call?.body.options) && call.body.options.cas !== undefined,
      'update',
    ),
  },
)
