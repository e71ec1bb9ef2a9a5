/** Who may ask: capabilities, policies, the carrier of the token and its end. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Asked, bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import type { Kv1State } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const core = faultsOf(coreEngine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')

const isV1 = (call: Asked): boolean => call !== undefined && 'checkObject' in call.rules && 'absentDeleteStatus' in call.rules
const isV2 = (call: Asked): boolean => call !== undefined && 'chosen' in call.rules && 'undeleted' in call.rules
/** Whether other objects of a v1 mount lie in the directory that a request writes to. */
const hasSiblings = (call: Asked): boolean => {
  if (call === undefined || !isV1(call)) return false
  const path = call.params.path ?? ''
  const directory = path.slice(0, path.lastIndexOf('/') + 1)
  return directory !== '' && [...(call.state as Kv1State).objects.keys()].some((key) => key.startsWith(directory))
}

core.rule(
  'fresh-v1-directory-counts-as-object',
  ['CORE-CAP-08'],
  'a new object in a directory with others needs `update` instead of `create` (000 1.6: existence decides between create and update)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'create' && hasSiblings(call) ? 'update' : needed, call),
  },
)

core.rule(
  'fresh-v1-sudo-is-everything',
  ['CORE-CAP-01'],
  'whoever has `sudo` on a v1 path may read, write, list and delete there without those capabilities (000 7: 403 for no access)',
  countsAs('sudo', isV1),
)

core.rule(
  'fresh-bearer-not-for-list',
  ['KV-LIST-05'],
  'a token in the header `Authorization` is overlooked in requests with the verb LIST (000 5.1: sent in either header)',
  bearerIgnored((request) => request.method === 'LIST' && !isProvisioning(request)),
)

core.rule(
  'fresh-v1-reader-deletes',
  ['CORE-CAP-21'],
  'whoever may read a v1 object may delete it (000 7: 403 for no access)',
  countsAs('read', isV1, 'delete'),
)

core.rule(
  'fresh-destroy-by-data-policy',
  ['CORE-CAP-04'],
  'destroy is allowed by what a policy grants on `data/`, with nothing granted on `destroy/` (000 7: 403 for no access; 1.8: own path)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (/(^|\/)destroy\//.test(path) && original(pattern, path.replace(/(^|\/)destroy\//, '$1data/'))),
  },
)

v2.rule(
  'fresh-second-write-is-create',
  ['CORE-CAP-07'],
  'the second write of a key still counts as a create, updates begin with the third (000 1.6: existence decides between create and update)',
  { exists: () => (record) => (record?.current ?? 0) > 1 },
)

core.rule(
  'fresh-data-policy-covers-children',
  ['CORE-CAP-01'],
  'a policy for `data/app`, without wildcard, holds for `data/app/key`, too (000 7: 403 for no access)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (/(^|\/)data\/[^*+]+$/.test(pattern) && path.startsWith(`${pattern}/`)),
  },
)

core.rule(
  'fresh-list-after-token-end',
  ['CORE-AUTH-15'],
  'a token that listed keys once may list them after it was revoked or has expired (000 7: 403 for wrong credentials)',
  goodForEver(({ method, path }) => method === 'LIST' && /(^|\/)metadata(\/|$)/.test(path)),
)

core.rule(
  'fresh-get-list-needs-read',
  ['CORE-CAP-11'],
  'a listing by GET with `list=true` is refused to whoever has `list` but not `read` (000 1.5: either LIST or GET with list=true)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'list' && isV2(call) && call?.query.get('list') === 'true' ? 'read' : needed, call),
  },
)

core.rule(
  'fresh-help-despite-deny',
  ['CORE-HELP-05'],
  '`?help=1` is answered to a caller whose policy denies the path (000 1.7: if the caller has permission on the path)',
  { helpAllowed: () => (granted) => granted.size > 0 },
)
