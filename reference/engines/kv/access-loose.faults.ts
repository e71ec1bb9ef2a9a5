/** Faults in who may do what: carriers of the token, verbs, capabilities, patterns of policies, tokens that have ended. */
import { coreEngine } from '../../core/core-engine.ts'
import { anyoneMay, bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning, isRead, isWrite } from '../../mutations/request-kinds.ts'
import { kv2Engine } from './kv2.ts'
import { isIn, isV1, isV2 } from './loose-words.ts'

const v2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

const isListing = ({ method, query }: { method: string; query: URLSearchParams }): boolean =>
  method === 'LIST' || query.get('list') === 'true'

core.rule(
  'who-create-overwrites',
  ['CORE-CAP-07'],
  'whoever may create an object of version 1 may overwrite it (000 1.6, policies distinguish create and update)',
  countsAs('create', isV1, 'update'),
)

core.rule(
  'who-update-creates',
  ['CORE-CAP-09'],
  'whoever may update objects of version 2 may create them (000 1.6, policies distinguish create and update)',
  countsAs('update', isV2, 'create'),
)

v2.rule(
  'who-one-version-is-no-object',
  ['CORE-CAP-07'],
  'a key of one version counts as not there yet: its second write needs create in the place of update (000 1.6, existence check)',
  { exists: (original) => (record) => original(record) && (record?.versions.size ?? 0) !== 1 },
)

core.rule(
  'who-bearer-lists-not',
  ['CORE-AUTH-07'],
  'a token that comes as a bearer is not seen in a listing (000 5.1, the header Authorization carries it on almost every operation)',
  bearerIgnored((request) => isListing(request) && !isProvisioning(request)),
)

core.rule(
  'who-ended-token-reads',
  ['CORE-AUTH-15'],
  'a token with which something was read goes on reading and listing after its end (000 7, 403 wrong credentials)',
  goodForEver(isRead),
)

core.rule(
  'who-ended-token-writes',
  ['CORE-AUTH-15'],
  'a token with which something was written goes on writing after its end (000 7, 403 wrong credentials)',
  goodForEver(isWrite),
)

core.rule(
  'who-query-lists-freely',
  ['CORE-CAP-17'],
  'GET with list=true needs no capability where the verb LIST does (000 1.5, either lists; 7, 403 or 404 for who may not)',
  anyoneMay((call) => (isV1(call) || isV2(call)) && call?.query.get('list') === 'true'),
)

core.rule(
  'who-help-for-anyone',
  ['CORE-HELP-05'],
  'help is given on paths on which the caller has no permission at all (000 1.7, if the caller has)',
  {
    helpAllowed: () => () => true,
  },
)

core.rule(
  'who-destroys-freely',
  ['CORE-CAP-04'],
  'destroy/ asks for a token but for no capability (000 5.4, access policies; 7, 403 forbidden)',
  anyoneMay((call) => isIn('destroy', call)),
)

core.rule(
  'who-reader-undeletes',
  ['CORE-CAP-04'],
  'whoever may read a path below undelete/ may restore versions there (000 1.6 and 7, 403 forbidden)',
  countsAs('read', (call) => isIn('undelete', call), 'update'),
)

const isForServer = (pattern: string): boolean => /^(\+\/)?(sys|auth)\//.test(pattern)

core.rule(
  'who-glob-takes-longer-directories',
  ['CORE-CAP-01'],
  'a policy on `kv/team/*` holds for `kv/team2/x` as well, for the slash before the asterisk is dropped (000 7, 403 forbidden)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (/[^/]\/\*$/.test(pattern) && !isForServer(pattern) && original(`${pattern.slice(0, -2)}*`, path)),
  },
)

core.rule(
  'who-policy-ignores-case',
  ['CORE-CAP-18'],
  'a policy on a path holds for paths that differ in upper and lower case (000 7, 403 forbidden)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (!isForServer(pattern) && original(pattern.toLowerCase(), path.toLowerCase())),
  },
)

core.rule(
  'who-lists-without-token',
  ['CORE-CAP-17'],
  'keys of version 1 can be listed without any token (000 5.1 and 5.3, only the named endpoints)',
  {
    needsToken: (original) => (route) => original(route) && route?.id !== 'kv1.list',
  },
)

core.rule(
  'who-undeletes-without-token',
  ['CORE-AUTH-01', 'CORE-AUTH-03'],
  'versions can be restored without any token (000 5.1 and 5.3, only the named endpoints)',
  {
    needsToken: (original) => (route) => original(route) && route?.id !== 'kv2.undeleteVersions',
  },
)

core.rule(
  'who-grant-cached-for-all',
  ['CORE-CAP-01'],
  'what one caller was allowed on a key of version 1 is allowed to every other one afterwards (000 7, 403 forbidden)',
  {
    capabilityGranted: (original) => {
      const known = new Set<string>()
      return (granted, needed, call) => {
        const key = `${needed} ${call?.mount.namespace}${call?.path}`
        const may = original(granted, needed, call)
        if (may && isV1(call)) known.add(key)
        return may || known.has(key)
      }
    },
  },
)
