/** Faults about who may ask the PKI engine for what, and by which carrier. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { type Asked, bearerIgnored, countsAs, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import type { Handler } from './overlays.ts'
import type { PkiState } from './state.ts'
import { dataOf, type PkiCall } from './wrappers.ts'

const { rule } = faultsOf(coreEngine, 'pki')
const { change } = faultsOf(pkiEngine, 'pki')

/** Whether a request is one of a PKI mount, with this method and a path below it that fits. */
const asks = (call: Asked, method: string, path: RegExp): call is NonNullable<Asked> =>
  call !== undefined && 'endWithinAuthority' in call.rules && call.method === method && path.test(call.path.slice(call.mount.path.length))

const goesTo = (request: RequestFacts, path: RegExp): boolean => path.test(request.path) && !isProvisioning(request)

rule('fresh-sudo-asked-too-late', ['CORE-CAP-15'], 'DELETE root without sudo is refused, but the key is gone (001 4.2: needs sudo)', {
  capabilityGranted: (original) => (granted, needed, call) => {
    if (original(granted, needed, call)) return true
    if (needed === 'sudo' && asks(call, 'DELETE', /^root$/)) {
      const state = call.state as PkiState
      if (state.authority !== undefined) state.authority = { ...state.authority, key: undefined }
    }
    return false
  },
})

rule(
  'fresh-put-revoke-unguarded',
  ['CORE-AUTH-01'],
  'PUT to revoke works without a token, only POST asks for one (001: all endpoints require a token)',
  {
    callerRefused: (original) => (given, token, request) =>
      request.method === 'PUT' && goesTo(request, /[^/]\/revoke$/) ? undefined : original(given, token, request),
  },
)

rule(
  'fresh-get-list-certs-open',
  ['CORE-AUTH-01'],
  'GET certs?list=true works without a token, LIST asks for one (001 4.2: not UNAUTHENTICATED)',
  {
    callerRefused: (original) => (given, token, request) =>
      request.method === 'GET' && request.query.get('list') === 'true' && goesTo(request, /[^/]\/certs\/?$/)
        ? undefined
        : original(given, token, request),
  },
)

const carriesToken = ({ headers }: PkiCall): boolean =>
  Object.entries(headers).some(([name, value]) => value !== '' && (name === 'authorization' || name.endsWith('-token')))
const closedInNamespaces =
  (original: Handler): Handler =>
  (call) => {
    if (call.mount.namespace !== '' && !carriesToken(call)) throw new ApiError(403, 'missing client token')
    return original(call)
  }
change(
  'fresh-open-in-root-namespace-only',
  ['PKI-CA-03', 'PKI-CHAIN-02'],
  'outside the root namespace reading the CA needs a token (001 4.2: UNAUTHENTICATED)',
  {
    routes: {
      'pki.readCa': closedInNamespaces,
      'pki.readCaPem': closedInNamespaces,
      'pki.readCaChain': closedInNamespaces,
      'pki.readCertificate': closedInNamespaces,
    },
  },
)

rule(
  'fresh-no-bearer-for-sudo',
  ['CORE-AUTH-07'],
  "operations with sudo take the token from the service's own header only (000 5: or as Bearer)",
  bearerIgnored((request) => request.method !== 'GET' && goesTo(request, /[^/]\/root(\/sign-self-issued)?$/)),
)

rule(
  'fresh-reader-deletes-roles',
  ['CORE-CAP-21'],
  'whoever may read a role may delete it (000 7: 403, no access)',
  countsAs('read', (call) => asks(call, 'DELETE', /^roles\//), 'delete'),
)

rule(
  'fresh-sudo-in-root-namespace-only',
  ['PKI-DELETE-03'],
  'in mounts outside the root namespace nothing needs sudo (001 4.2: needs sudo)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) ||
      (needed === 'sudo' &&
        !granted.has('deny') &&
        call?.mount.namespace !== '' &&
        (asks(call, 'DELETE', /^root$/) || asks(call, 'POST', /^root\//))),
  },
)

rule(
  'fresh-delete-of-action-unknown',
  ['CORE-STATUS-08'],
  'DELETE of a path that only takes POST is an unknown path (000 7: 405 unsupported method)',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      method === 'DELETE' && routes.every(({ id, method: taken }) => id.startsWith('pki.') && taken === 'POST')
        ? 404
        : original(method, routes),
  },
)

rule(
  'fresh-help-for-readers',
  ['CORE-HELP-08'],
  'help on a path is for those who may read it, not for who may only issue there (000 1.7: permission)',
  {
    helpAllowed: (original) => (granted) => original(granted) && granted.has('read'),
  },
)

const issuedKeys = remembered(() => new Map<string, string>())
change(
  'fresh-key-for-callers-with-token',
  ['PKI-ISSUE-09'],
  'cert/:serial, read with a token, shows the private key (001 4.2: it is not stored)',
  {
    routes: {
      'pki.issue': (original) => async (call) => {
        const reply = await original(call)
        const { serial_number: serial, private_key: key } = dataOf(reply)
        issuedKeys(call.state).set(String(serial), String(key))
        return reply
      },
      'pki.readCertificate': replyData((data, call: PkiCall) => {
        const key = issuedKeys(call.state).get(call.rules.serialKey(call.params.serial ?? ''))
        return key !== undefined && carriesToken(call) ? { ...data, private_key: key } : data
      }),
    },
  },
)

rule(
  'fresh-listing-certs-needs-read',
  ['CORE-CAP-11'],
  'listing certificates takes read besides list (000 4.1: LIST; 001 4.2: LIST /pki/certs)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) && (needed !== 'list' || granted.has('read') || !asks(call, 'LIST', /^certs$/)),
  },
)

rule(
  'fresh-deny-verbatim',
  ['CORE-CAP-04'],
  'whoever is denied sign-verbatim may use it all the same (000 7: 403, no access)',
  denyOverlooked((call) => asks(call, 'POST', /^sign-verbatim$/)),
)
