/** Faults of who may ask: tokens and their carriers, capabilities, namespaces, verbs. */
import { coreEngine } from '../../core/core-engine.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { anyoneMay, bearerIgnored, countsAs, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { remembered } from '../../mutations/remembering.ts'
import { restOf } from './amber-help.ts'

const core = faultsOf(coreEngine, 'pki')

core.rule(
  'amber-update-is-sudo',
  'CORE-CAP-15',
  'whoever may update signs self-issued certificates without sudo (001 4.2: root/sign-self-issued needs sudo)',
  countsAs('update', (call) => restOf(call) === 'root/sign-self-issued', 'sudo'),
)

core.rule(
  'amber-sudo-at-default-mount',
  'CORE-CAP-15',
  'DELETE root needs sudo at `pki/` only, not where the engine is mounted elsewhere (001 4.2: DELETE root needs sudo)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) ||
      (needed === 'sudo' && restOf(call) === 'root' && call?.mount.path !== 'pki/' && !granted.has('deny')),
  },
)

/** Both rules run within one turn of the event loop, so that no other request comes between. */
let placed = ''
core.rule(
  'amber-token-in-namespaces',
  'PKI-CERT-02',
  'below the root namespace cert/:serial asks for a token (001 4.2: cert/:serial is UNAUTHENTICATED)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      placed = original(effectivePath, namespaces, header)
      return placed
    },
    needsToken: (original) => (operation) => original(operation) || (operation?.id === 'pki.readCertificate' && placed !== ''),
  },
)

core.rule(
  'amber-certs-like-cert',
  'CORE-AUTH-01',
  'certs is listed without a token, as if it were cert/:serial (001 4.2: LIST certs; 001: all endpoints require a token)',
  {
    needsToken: (original) => (operation) => operation?.id !== 'pki.listCertificates' && original(operation),
  },
)

const helped = requestsTo('pki')
core.rule(
  'amber-help-for-everyone',
  'CORE-HELP-05',
  'a caller without any capability on the path is shown its help (000 1: help if the caller has permission on the path)',
  {
    ...helped.locating,
    helpAllowed: (original) => (granted) => original(granted) || (helped.here() && !granted.has('deny')),
  },
)

const listed = requestsTo('pki')
core.rule(
  'amber-bearer-does-not-list',
  'CORE-AUTH-07',
  'listings take the token from the header of the service only, not from Authorization (000 5: alternative carrier Bearer)',
  {
    ...listed.locating,
    ...bearerIgnored(({ method, query }) => listed.here() && (method === 'LIST' || query.get('list') === 'true')),
  },
)

core.rule(
  'amber-denied-revokes',
  'CORE-CAP-04',
  'a caller whose policy denies `revoke` revokes all the same (000 7: 403 no access; 000 5: capabilities)',
  denyOverlooked((call) => restOf(call) === 'revoke'),
)

const signing = requestsTo('pki')
const tokensSeen = remembered(() => new Set<string>())
/** The list of all mounts is one object for each server. */
let server: object = {}
const isSigning = ({ path }: RequestFacts): boolean => signing.here() && /(^|\/)sign\/[^/]+$/.test(path)
core.rule(
  'amber-ended-token-signs',
  'CORE-AUTH-15',
  'a token that signed a CSR while it was good signs on after it is revoked or expired (000 7: 403 wrong credentials)',
  {
    ...signing.locating,
    mountsSeen: (original) => (all, namespace) => {
      server = all
      return original(all, namespace)
    },
    callerRefused: (original) => (given, token, request) => {
      if (given === undefined || !isSigning(request)) return original(given, token, request)
      const seen = tokensSeen(server)
      if (token !== undefined) seen.add(given)
      return seen.has(given) ? undefined : original(given, token, request)
    },
  },
)

core.rule(
  'amber-ca-pem-without-namespace',
  'CORE-NS-07',
  'ca/pem overlooks the namespace header and shows the CA of the root namespace (000 2.2: effective path)',
  {
    effectivePath: (original) => (header, request, namespaces) =>
      original(request.method === 'GET' && /(^|\/)ca\/pem$/.test(request.path) ? undefined : header, request, namespaces),
  },
)

core.rule(
  'amber-namespace-from-header-alone',
  'CORE-NS-02',
  'issue is not found with half of the namespace in the header, half in the path (000 2.2: the two are equivalent)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      const segments = (header ?? '').split('/').filter((segment) => segment !== '')
      const named = `${segments.join('/')}/`
      const byHeader = segments.length > 0 && namespaces.includes(named) && /(^|\/)issue\/[^/]+$/.test(effectivePath)
      return byHeader ? named : original(effectivePath, namespaces, header)
    },
  },
)

const put = requestsTo('pki')
core.rule(
  'amber-put-role-without-body',
  'CORE-WRITE-01',
  'a role written with PUT gets the defaults, for only the body of a POST is read (000 1: PUT and POST are synonyms)',
  {
    ...put.locating,
    parseBody: (original) => (bytes, request) =>
      original(put.here() && request.method === 'PUT' && /\/roles\/[^/]+$/.test(request.path) ? new Uint8Array() : bytes, request),
  },
)

core.rule(
  'amber-anyone-signs-intermediates',
  'CORE-CAP-14',
  'any token signs intermediate CAs, even one without a capability on the path (000 7: 403 no access; 001: root/sign-intermediate)',
  anyoneMay((call) => restOf(call) === 'root/sign-intermediate'),
)
