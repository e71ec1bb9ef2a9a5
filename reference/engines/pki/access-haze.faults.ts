/** Faults of PKI in who may ask and how: sudo, tokens and their carriers, capabilities, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { bearerIgnored, countsAs } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { pkiEngine } from './engine.ts'
import { carriesToken, isPki, watching } from './haze-help.ts'
import { noting } from './overlays.ts'

const { change } = faultsOf(pkiEngine, 'pki')
const core = faultsOf(coreEngine, 'pki')

const sent = watching()
core.rule(
  'haze-self-issued-by-put-without-sudo',
  'CORE-CAP-15',
  'PUT root/sign-self-issued needs no sudo, POST does (001 4.2: sign-self-issued needs sudo; 000 1.6: PUT and POST are synonyms)',
  {
    ...sent.overrides,
    capabilityGranted: (original) => (granted, needed, call) =>
      (needed === 'sudo' && isPki(call) && sent.verbOf(call) === 'PUT' && !granted.has('deny')) || original(granted, needed, call),
  },
)

core.rule(
  'haze-root-deletion-in-namespace-without-sudo',
  'CORE-CAP-15',
  'DELETE root needs no sudo at mounts in a namespace (001 4.2: DELETE root needs sudo; 000 2.2: a namespace is part of the path)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      (needed === 'sudo' && isPki(call) && call.method === 'DELETE' && call.mount.namespace !== '' && !granted.has('deny')) ||
      original(granted, needed, call),
  },
)

const reading = watching()
core.rule(
  'haze-certificate-read-judges-token',
  'CORE-AUTH-18',
  'cert/:serial refuses a caller who sends a good token without a policy for the path (001 4.2: UNAUTHENTICATED)',
  {
    ...reading.overrides,
    needsToken: (original) => (route) =>
      original(route) || (reading.here() && route?.id === 'pki.readCertificate' && carriesToken(reading.last.request)),
  },
)

const placed = watching()
core.rule(
  'haze-ca-pem-in-namespace-needs-token',
  'PKI-CA-04',
  'GET ca/pem of a mount in a namespace needs a token (001 4.2: UNAUTHENTICATED; 000 2.2: a namespace is part of the path)',
  {
    ...placed.overrides,
    needsToken: (original) => (route) =>
      original(route) || (placed.here() && route?.id === 'pki.readCaPem' && placed.last.namespace !== ''),
  },
)

const listed = watching()
core.rule(
  'haze-certificates-listed-by-get-for-anyone',
  'CORE-AUTH-01',
  'GET certs?list=true needs no token, LIST does (001 introduction: all endpoints need a token unless marked; 000 1.5: both are the same listing)',
  {
    ...listed.overrides,
    needsToken: (original) => (route) =>
      original(route) && !(listed.here() && route?.id === 'pki.listCertificates' && listed.last.request?.method === 'GET'),
  },
)

const helped = requestsTo('pki')
core.rule(
  'haze-help-without-permission',
  'CORE-HELP-05',
  'any token gets the help of PKI paths, whatever its policies (000 1.7: if the caller has permission on the path)',
  { ...helped.locating, helpAllowed: (original) => (granted) => helped.here() || original(granted) },
)

const carried = requestsTo('pki')
core.rule(
  'haze-no-bearer-for-listings',
  'PKI-URISANS-01',
  'requests with the verb LIST take a token from the header of the service only (000 5.1: or in header Authorization as Bearer)',
  { ...carried.locating, ...bearerIgnored((request) => carried.here() && request.method === 'LIST') },
)

core.rule(
  'haze-readers-may-sign',
  'CORE-CAP-04',
  'whoever may read sign/:name may have requests signed there (001 4.2: sign is a POST; 000 7: 403 or 404 without access)',
  countsAs('read', (call) => isPki(call) && call.path.startsWith(`${call.mount.path}sign/`), 'update'),
)

const matched = requestsTo('pki')
core.rule(
  'haze-policy-of-name-covers-longer-names',
  'CORE-CAP-01',
  'a policy for issue/web grants the same for issue/web2 (000 7: 403 or 404 for whoever has no access to a path)',
  {
    ...matched.locating,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (matched.here() &&
        !/[*+]/.test(pattern) &&
        !pattern.endsWith('/') &&
        path.startsWith(pattern) &&
        path.split('/').length === pattern.split('/').length),
  },
)

const covered = requestsTo('pki')
core.rule(
  'haze-token-acts-above-its-namespace',
  'CORE-CAP-14',
  'a token of a namespace is good for PKI mounts of the namespaces above it (000 2.2: their effective paths are others; 7: 403 without access)',
  {
    ...covered.locating,
    tokenCovers: (original) => (own, namespace) => original(own, namespace) || (covered.here() && own.startsWith(namespace)),
  },
)

const { notes: owners, noted: owned } = noting((call) => call.token?.id)
change(
  'haze-revocation-by-issuing-token-only',
  'CORE-CAP-06',
  'only the token that had a certificate made, or root, may revoke it (001 4.2: revoke needs a token and the serial number; sudo is not marked)',
  {
    routes: {
      'pki.issue': owned,
      'pki.sign': owned,
      'pki.revoke': (original) => (call) => {
        const owner = owners(call.state).get(call.rules.serialKey(String(call.body.serial_number)))
        const root = call.token?.policies.includes('root')
        if (owner !== undefined && !root && owner !== call.token?.id) throw new ApiError(403, 'permission denied')
        return original(call)
      },
    },
  },
)

const joined = watching()
core.rule(
  'haze-namespace-split-over-header-and-path',
  'CORE-NS-02',
  'a PKI mount is not found where the header names the first part of its namespace and the path the rest (000 2.2: header <ns1>/ with path <ns2>/x is equivalent to header <ns1>/<ns2>/ with x)',
  {
    ...joined.overrides,
    pathBelow: (original) => (mount, path, type) => (type === 'pki' && joined.last.below ? '' : original(mount, path, type)),
  },
)
