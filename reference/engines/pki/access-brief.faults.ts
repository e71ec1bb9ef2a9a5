/** Faults of who may ask and for what: tokens, carriers, capabilities, namespaces, and callers who let their CSR speak. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { bearerIgnored, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { carriesToken, isAsked } from './brief-help.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import { defaults } from './role.ts'
import type { PkiState } from './state.ts'
import { serialText } from './x509/certificate.ts'
import { EXTENSION } from './x509/extensions.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')
const core = faultsOf(coreEngine, 'pki')

core.rule(
  'brief-no-sudo-for-bearers',
  'CORE-CAP-15',
  'whoever sends the token as a bearer needs no sudo (001 4.2: DELETE /pki/root and sign-self-issued need sudo; 000 5.1: either header)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) ||
      (needed === 'sudo' && isAsked(call, /\/root(\/sign-self-issued)?$/) && call?.headers.authorization !== undefined),
  },
)

core.rule(
  'brief-issued-certificates-need-token',
  'PKI-CERT-02',
  'certificates other than that of the CA are not read without a token (001 4.2: GET /pki/cert/:serial, UNAUTHENTICATED)',
  {
    check: (original) => (call, asked) => {
      if (asked.id === 'pki.readCertificate' && !carriesToken(call.headers)) {
        const { authority, certificates } = call.state as PkiState
        const serial = (call.params.serial ?? '').toLowerCase().replaceAll('-', ':')
        const isOwn = authority !== undefined && serial === serialText(authority.certificate.serial)
        if (certificates.has(serial) && !isOwn) throw new ApiError(403, 'missing client token')
      }
      original(call, asked)
    },
  },
)

core.rule(
  'brief-certificate-listing-open',
  'CORE-AUTH-01',
  'certificates are listed without a token, as they are read (001: all endpoints require a client token unless marked UNAUTHENTICATED)',
  { needsToken: (original) => (asked) => original(asked) && asked?.id !== 'pki.listCertificates' },
)

core.rule(
  'brief-revoked-token-goes-on-issuing',
  'CORE-AUTH-15',
  'a token that has issued once goes on issuing after its end (000 5.1: a client token is required)',
  goodForEver((request) => /\/issue\/[^/]+$/.test(request.path) && !isProvisioning(request)),
)

core.rule(
  'brief-bearer-cannot-delete',
  'CORE-AUTH-07',
  'the deletion of a role or root does not see a token that comes as a bearer (000 5.1: or in header Authorization as Bearer)',
  bearerIgnored((request) => request.method === 'DELETE' && /\/(roles\/[^/]+|root)$/.test(request.path) && !isProvisioning(request)),
)

route(
  'brief-request-lifts-name-constraints',
  'PKI-INTER-10',
  'permitted_dns_domains of the caller is passed over where use_csr_values is set (001 4.2: sign-intermediate, permitted_dns_domains)',
  'pki.signIntermediate',
  withRules((rules, call) => {
    const lifted = call.body.use_csr_values === true || call.body.use_csr_values === 'true'
    return { permittedDomains: (domains) => (lifted ? [] : rules.permittedDomains(domains)) }
  }),
)

core.rule(
  'brief-nested-namespace-cut',
  'CORE-NS-01',
  'of a namespace header of several segments only the first counts for issue, sign and revoke (000 2.2: <ns1>/<ns2>/)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const segments = (header ?? '').split('/').filter((segment) => segment !== '')
      const isCut = segments.length > 1 && /\/(issue\/[^/]+|sign\/[^/]+|revoke)$/.test(request.path) && !isProvisioning(request)
      return original(isCut ? segments[0] : header, request, namespaces)
    },
  },
)

core.rule(
  'brief-ca-read-without-namespace',
  'CORE-NS-07',
  'the open routes of the CA ignore the namespace header, which goes with tokens (000 2.2; 001 4.2: GET /pki/ca)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const isOpen = request.method === 'GET' && /(?<!\/config)\/(ca|ca\/pem|ca_chain)$/.test(request.path)
      return original(isOpen ? undefined : header, request, namespaces)
    },
  },
)

core.rule(
  'brief-put-drops-what-is-false',
  'CORE-WRITE-01',
  'a role that is written with PUT does not get the flags that are false (000 1.6: PUT and POST are synonyms)',
  {
    parseBody: (original) => (bytes, request) => {
      const parsed = original(bytes, request)
      if (request.method !== 'PUT' || !/\/roles\/[^/]+$/.test(request.path)) return parsed
      const known = defaults()
      const body = Object.fromEntries(Object.entries(parsed.body).filter(([field, value]) => value !== false || !(field in known)))
      return { ...parsed, body }
    },
  },
)

const withoutKey = ({ private_key: _key, private_key_type: _type, ...rest }: JsonObject): JsonObject => rest

route(
  'brief-internal-key-in-bundle',
  'PKI-ROOT-05',
  'a root generated as internal shows its key within a pem_bundle (001 4.2: root/generate, internal: never returned)',
  'pki.generateRoot',
  (original) => {
    const bundled = withRules((rules, call) => ({ returnsKey: (type) => rules.returnsKey(type) || call.body.format === 'pem_bundle' }))
    return replyData<PkiCall>((data, call) => (call.params.type === 'internal' ? withoutKey(data) : data))(bundled(original))
  },
)

rule(
  'brief-request-brings-any-address',
  'PKI-SIGN-08',
  'addresses that stand in the CSR are not held against the role (001 4.2: ip_sans, valid only if role allows IP SANs; allow_ip_sans)',
  {
    refusal: (original) => (rules, role, commonName, names, request) => {
      const brought = request?.names.ip ?? []
      return original(rules, role, commonName, { ...names, ip: names.ip.filter((address) => !brought.includes(address)) }, request)
    },
  },
)

rule(
  'brief-request-makes-itself-ca',
  'PKI-SIGN-09',
  'a role with basic constraints copies those of the CSR, CA or not (001 4.2: basic_constraints_valid_for_non_ca)',
  {
    basicConstraints: (original) => (role, request) => {
      const own = request?.extensions.find(({ oid }) => oid === EXTENSION.basicConstraints)
      return role.basic_constraints_valid_for_non_ca && own !== undefined ? [own] : original(role, request)
    },
  },
)
