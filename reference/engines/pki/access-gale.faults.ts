import { countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { at, core } from './gale-help.ts'

const { here, locating } = requestsTo('pki')

let verb = ''
core.rule(
  'gale-put-without-sudo',
  'CORE-CAP-15',
  'sign-self-issued needs no sudo when asked with PUT (001, 4.2: needs sudo; 000, 1.6: PUT and POST are synonyms)',
  {
    canonicalMethod: (original) => (method) => {
      verb = method
      return original(method)
    },
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'sudo' && verb === 'PUT' && at(/\/root\/sign-self-issued$/)(call) ? 'update' : needed, call),
  },
)

core.rule(
  'gale-list-by-get-is-read',
  'CORE-CAP-11',
  'a listing by GET with list=true needs read in the place of list (000, 1.5: either way lists; 001, 4.2: LIST)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const byQuery = needed === 'list' && at(/\/(roles|certs)$/)(call) && call?.query.get('list') === 'true'
      return original(granted, byQuery ? 'read' : needed, call)
    },
  },
)

core.rule(
  'gale-certificates-for-readers',
  'CORE-CAP-04',
  'whoever may read below issue/ and sign/ gets certificates there (001, 4.2: POST; 000, 7: 403 without the capability)',
  countsAs('read', at(/\/(issue|sign)\/[^/]+$/), 'update'),
)

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
core.rule(
  'gale-one-role-is-all-roles',
  'CORE-CAP-14',
  'a policy for issue/ or sign/ of one role counts for those of the others (000, 7: 403 without access)',
  {
    ...locating,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (here() && /\/(issue|sign)\/[^/*+]+$/.test(pattern) && folderOf(pattern) === folderOf(path)),
  },
)

core.rule(
  'gale-deny-on-revoke',
  'CORE-CAP-04',
  'a caller whose policy denies revoke may revoke (000, 7: 403 forbidden)',
  denyOverlooked(at(/\/revoke$/)),
)

core.rule(
  'gale-token-lives-on-for-roles',
  'CORE-AUTH-15',
  'a token that is over still reads and lists roles, where it did so before (000, 5.1: a client token is required)',
  {
    ...locating,
    ...goodForEver(({ method, path }) => here() && method !== 'POST' && method !== 'DELETE' && /\/roles(\/[^/]+)?$/.test(path)),
  },
)

const isAnonymous = (headers: Record<string, string>): boolean =>
  headers.authorization === undefined && !Object.keys(headers).some((name) => name.endsWith('-token'))
core.rule(
  'gale-anonymous-in-root',
  'PKI-CA-03',
  'unauthenticated reads without a token ignore the namespace header (000, 2.2: the effective path is the header followed by the path)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const open = request.method === 'GET' && /(^|\/)(ca|ca\/pem|ca_chain|cert\/[^/]+)$/.test(request.path)
      return original(open && isAnonymous(request.headers) ? undefined : header, request, namespaces)
    },
  },
)

let listedBy = ''
core.rule(
  'gale-certs-open-by-get',
  'CORE-CAP-14',
  'GET certs with list=true works without a token (001, introduction: a token unless marked; LIST certs is not marked)',
  {
    isListing: (original) => (method, query) => {
      listedBy = method
      return original(method, query)
    },
    needsToken: (original) => (route) => original(route) && !(route?.id === 'pki.listCertificates' && listedBy === 'GET'),
  },
)

let inNamespace = ''
core.rule(
  'gale-closed-in-namespaces',
  'PKI-CA-03',
  'in a namespace below the root the CA and the certificates are shown to callers with a token only (001, 4.2: UNAUTHENTICATED)',
  {
    namespaceOf: (original) => (path, namespaces, header) => {
      inNamespace = original(path, namespaces, header)
      return inNamespace
    },
    needsToken: (original) => (route) =>
      original(route) || (inNamespace !== '' && /^pki\.(readCa|readCaPem|readCaChain|readCertificate)$/.test(route?.id ?? '')),
  },
)

core.rule(
  'gale-self-issued-for-root-only',
  'CORE-CAP-06',
  'sign-self-issued refuses a caller whose policy grants update and sudo (001, 4.2: needs sudo, not the root token)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) && !(needed === 'sudo' && at(/\/root\/sign-self-issued$/)(call)),
  },
)

core.rule(
  'gale-help-for-strangers',
  'CORE-HELP-05',
  'help about paths of this engine is given to any token (000, 1.7: if the caller has permission on the path)',
  { ...locating, helpAllowed: (original) => (granted) => here() || original(granted) },
)
