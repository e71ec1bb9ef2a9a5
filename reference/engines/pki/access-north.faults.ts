/** Faults of who may ask for what: tokens and their carriers, capabilities, sudo, namespaces, and what a role permits. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { bearerIgnored, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { pkiEngine } from './engine.ts'
import { isPki } from './north-help.ts'
import { withRules } from './overlays.ts'
import { excludesCommonName } from './requests.ts'
import type { PkiState } from './state.ts'
import { serialText } from './x509/certificate.ts'
import { noNames } from './x509/names.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')
const core = faultsOf(coreEngine, 'pki')

core.rule(
  'north-root-deleted-without-sudo',
  'CORE-CAP-15',
  'whoever may delete may delete the root without sudo (001 4.2: DELETE /pki/root needs sudo)',
  { needsSudo: (original) => (facts) => facts.id !== 'pki.deleteRoot' && original(facts) },
)

// Both rules run in one go, before the request waits for anything.
let verb = ''
core.rule(
  'north-put-without-sudo',
  'CORE-CAP-15',
  'sign-self-issued asks for sudo on POST, but not on PUT (001 4.2: sign-self-issued needs sudo; 000 1.6: PUT and POST are synonyms)',
  {
    canonicalMethod: (original) => (method) => {
      verb = method
      return original(method)
    },
    needsSudo: (original) => (facts) => !(facts.id === 'pki.signSelfIssued' && verb === 'PUT') && original(facts),
  },
)

core.rule(
  'north-denied-may-sign',
  'CORE-CAP-04',
  'a deny on a path of sign is overlooked (000 7: 403 forbidden, no access; 001 4.2: POST /pki/sign/:name)',
  denyOverlooked((call) => isPki(call) && call.method === 'POST' && /\/sign\/[^/]+$/.test(call.path)),
)

core.rule(
  'north-leaf-read-with-token-only',
  'PKI-CERT-02',
  'without a token cert/:serial shows the certificate of the CA only (001 4.2: GET /pki/cert/:serial UNAUTHENTICATED)',
  {
    check: (original) => (call, facts) => {
      original(call, facts)
      if (facts.id !== 'pki.readCertificate') return
      const { authority, certificates } = call.state as PkiState
      const serial = (call.params.serial ?? '').toLowerCase().replaceAll('-', ':')
      const isLeaf = certificates.has(serial) && (authority === undefined || serialText(authority.certificate.serial) !== serial)
      const carriesToken = Object.keys(call.headers).some((name) => name === 'authorization' || name.endsWith('token'))
      if (isLeaf && !carriesToken) throw new ApiError(403, 'missing client token')
    },
  },
)

let listedByGet = false
core.rule(
  'north-get-lists-without-token',
  'CORE-AUTH-01',
  'the certificates are listed without a token by GET with list=true (001: all endpoints require a client token unless marked UNAUTHENTICATED; 4.2: LIST /pki/certs)',
  {
    isListing: (original) => (method, query) => {
      listedByGet = method === 'GET'
      return original(method, query)
    },
    needsToken: (original) => (facts) => !(facts?.id === 'pki.listCertificates' && listedByGet) && original(facts),
  },
)

const revoking = requestsTo('pki')
core.rule(
  'north-bearer-cannot-revoke',
  'CORE-AUTH-07',
  'revoke does not know the token of an Authorization header (000 5.1: X-Service-Token, or Authorization as Bearer; 001 4.2: POST /pki/revoke)',
  { ...revoking.locating, ...bearerIgnored(({ path }) => revoking.here() && /\/revoke$/.test(path)) },
)

const issuing = requestsTo('pki')
core.rule(
  'north-ended-token-issues',
  'CORE-AUTH-15',
  'a token that has issued goes on issuing after its end (000 5.1: a client token is required; 001 4.2: POST /pki/issue/:name)',
  { ...issuing.locating, ...goodForEver(({ path }: RequestFacts) => issuing.here() && /\/issue\/[^/]+$/.test(path)) },
)

core.rule(
  'north-grant-for-longer-role-names',
  'CORE-CAP-04',
  'who may issue by one role may issue by roles whose names go on after it (000 7: 403 forbidden, no access; 001 4.2: POST /pki/issue/:name)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (/(^|\/)issue\/[^/*+]+$/.test(pattern) && path.startsWith(pattern) && !path.slice(pattern.length).includes('/')),
  },
)

core.rule(
  'north-chain-of-root-namespace',
  'CORE-NS-07',
  'the unauthenticated ca/pem and ca_chain overlook the namespace header (000 2.2: the effective path is the header value followed by the path)',
  {
    effectivePath: (original) => (header, request, namespaces) =>
      original(request.method === 'GET' && /\/(ca\/pem|ca_chain)$/.test(request.path) ? undefined : header, request, namespaces),
  },
)

rule(
  'north-any-name-any-address',
  'PKI-IPSANS-03',
  'allow_any_name admits IP addresses where allow_ip_sans is false (001 4.2: ip_sans, valid only if role allows IP SANs)',
  { addressAllowed: (original) => (role) => original(role) || role.allow_any_name },
)

rule(
  'north-names-of-request-unjudged',
  'PKI-ALT-03',
  'alternative names that come with the CSR are not held against the policy (001 4.2: any name not matching role policy denies the whole request; use_csr_sans)',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(rules, role, commonName, names === request?.names ? noNames() : names, request),
  },
)

route(
  'north-excluded-common-name-unjudged',
  'PKI-CN-02',
  'with exclude_cn_from_sans any common name passes (001 4.2: a CN not allowed by role policy is denied)',
  ['pki.issue', 'pki.sign'],
  withRules((rules, call) => ({
    refusal: (policy, role, commonName, names, request) =>
      rules.refusal(policy, role, excludesCommonName(call.body) ? '' : commonName, names, request),
  })),
)
