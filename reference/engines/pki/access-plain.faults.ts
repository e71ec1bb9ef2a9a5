/** Faults of who may ask: tokens and their carriers, capabilities, verbs, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { anyoneMay, bearerIgnored, countsAs } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import { noting } from './overlays.ts'
import { asksPki, isFor } from './plain-help.ts'

const { change } = faultsOf(pkiEngine, 'pki')
const core = faultsOf(coreEngine, 'pki')

core.rule('plain-self-issued-without-sudo', 'CORE-CAP-15', 'root/sign-self-issued needs no sudo (001 4.2: sign-self-issued, needs sudo)', {
  needsSudo: (original) => (route) => route.id !== 'pki.signSelfIssued' && original(route),
})

core.rule(
  'plain-update-as-sudo',
  'CORE-CAP-15',
  'who may update root deletes it without sudo (001 4.2: DELETE root, needs sudo)',
  countsAs('update', (call) => asksPki(call, /^root$/), 'sudo'),
)

core.rule(
  'plain-anyone-signs-intermediates',
  'CORE-CAP-04',
  'a token without any capability may sign intermediates (000 7: 403 no access; 001 4.2: root/sign-intermediate)',
  anyoneMay((call) => asksPki(call, /^root\/sign-intermediate$/)),
)

core.rule(
  'plain-list-without-token',
  'CORE-AUTH-01',
  'certs is listed without a token (001 intro: all endpoints require a client token unless marked)',
  {
    needsToken: (original) => (route) => route?.id !== 'pki.listCertificates' && original(route),
  },
)

core.rule('plain-chain-needs-token', 'PKI-CHAIN-02', 'ca_chain needs a token (001 4.2: GET ca_chain UNAUTHENTICATED)', {
  needsToken: (original) => (route) => route?.id === 'pki.readCaChain' || original(route),
})

const CERTIFICATE = /\/cert\/[^/]+$/
core.rule(
  'plain-certificate-judges-token',
  'CORE-AUTH-18',
  'cert/:serial is refused to who sends a token that is wrong or has no read there (001 4.2: GET cert/:serial UNAUTHENTICATED)',
  {
    needsToken: (original) => (route) => route?.id === 'pki.readCertificate' || original(route),
    callerRefused: (original) => (given, token, request) =>
      given === undefined && isFor(request, CERTIFICATE) ? undefined : original(given, token, request),
  },
)

core.rule(
  'plain-bearer-ignored',
  'CORE-AUTH-07',
  'issue and root/generate take the token from the own header only (000 5: or in header Authorization as Bearer)',
  bearerIgnored((request) => isFor(request, /\/(issue\/[^/]+|root\/generate\/[^/]+)$/)),
)

core.rule(
  'plain-revoked-token-issues',
  'CORE-AUTH-15',
  'a token with which was issued issues on after its end (000 7: 403 wrong credentials)',
  {
    callerRefused: (original) => {
      const known = new Set<string>()
      return (given, token, request) => {
        if (given === undefined || !isFor(request, /\/issue\/[^/]+$/)) return original(given, token, request)
        if (token !== undefined) known.add(given)
        return known.has(given) ? undefined : original(given, token, request)
      }
    },
  },
)

core.rule('plain-ca-of-root-namespace', 'CORE-NS-07', 'ca and ca/pem ignore the namespace header (000 2.2: effective request path)', {
  effectivePath: (original) => (header, request, namespaces) => {
    const isCa = request.method === 'GET' && isFor(request, /\/ca(\/pem)?$/) && !request.path.endsWith('/config/ca')
    return original(isCa ? undefined : header, request, namespaces)
  },
})

core.rule(
  'plain-policy-for-role-as-prefix',
  'CORE-CAP-04',
  'a policy for issuing by one role serves for roles whose names begin alike (000 7: 403 no access; 001 4.2: issue/:name)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (/\/issue\/[^/*+]+$/.test(pattern) && path.startsWith(pattern)),
  },
)

core.rule(
  'plain-wrong-verb-unknown-path',
  'CORE-STATUS-08',
  'a verb that issue and sign do not have is answered 404 (000 7: 405 unsupported method for the path)',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      routes.some(({ id }) => id === 'pki.issue' || id === 'pki.sign') ? 404 : original(method, routes),
  },
)

const owners = noting((call) => call.token?.accessor)
change(
  'plain-revoke-by-issuer-only',
  'CORE-CAP-06',
  'only the token that had a certificate issued may revoke it (001 4.2: POST revoke, serial_number; 000 7: 403)',
  {
    routes: {
      'pki.issue': owners.noted,
      'pki.sign': owners.noted,
      'pki.revoke': (original) => (call) => {
        const owner = owners.notes(call.state).get(call.rules.serialKey(String(call.body.serial_number)))
        if (owner !== undefined && owner !== call.token?.accessor) throw new ApiError(403, 'permission denied')
        return original(call)
      },
    },
  },
)
