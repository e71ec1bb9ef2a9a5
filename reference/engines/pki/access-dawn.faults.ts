/** Faults of who may ask: tokens and their carriers, capabilities, verbs, namespaces, and who gets to see a key. */
import { coreEngine } from '../../core/core-engine.ts'
import { anyoneMay, bearerIgnored, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { below } from './dawn-help.ts'
import { pkiEngine } from './engine.ts'
import type { PkiCall } from './requests.ts'
import { exportKey } from './x509/key-forms.ts'
import { writePem } from './x509/pem.ts'

const own = faultsOf(pkiEngine, 'pki')
const core = faultsOf(coreEngine, 'pki')

const { rule } = core
const { here, locating } = requestsTo('pki')

/** Who generated the root, by state of the mount. */
const makers = new WeakMap<object, string>()

rule(
  'dawn-maker-deletes-root-without-sudo',
  'PKI-DELETE-03',
  'the token that generated the root may delete it without sudo (001 4.2: DELETE root)',
  {
    finish: (original) => (call, route, reply) => {
      if (route.id === 'pki.generateRoot' && call.token) makers.set(call.state as object, call.token.id)
      return original(call, route, reply)
    },
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) ||
      (needed === 'sudo' && call?.token !== undefined && below(call) === 'root' && makers.get(call.state as object) === call.token.id),
  },
)

/** Verb of the request that was located last; it holds until that request waits. */
let verb = ''

rule(
  'dawn-put-without-sudo',
  'CORE-CAP-15',
  'sign-self-issued by PUT is not asked for sudo (001 4.2: needs sudo; 000 1.6: PUT and POST are synonyms)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      verb = request.method
      return original(header, request, namespaces)
    },
    needsSudo: (original) => (route) => original(route) && !(route.id === 'pki.signSelfIssued' && verb === 'PUT'),
  },
)

rule(
  'dawn-get-listing-is-public',
  'CORE-AUTH-01',
  'GET certs?list=true needs no token, as cert/:serial does not (001 4.2: LIST certs is not UNAUTHENTICATED; 000 1.5)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      verb = request.method
      return original(header, request, namespaces)
    },
    needsToken: (original) => (route) => original(route) && !(route?.id === 'pki.listCertificates' && verb === 'GET'),
  },
)

/** Namespace of the request that was located last. */
let namespace = ''

rule(
  'dawn-public-in-root-only',
  'PKI-CA-03',
  'reads of the CA need a token in namespaces (001 4.2: ca, ca/pem, ca_chain UNAUTHENTICATED)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      namespace = original(effectivePath, namespaces, header)
      return namespace
    },
    needsToken: (original) => (route) => original(route) || (namespace !== '' && /^pki\.readCa(Pem|Chain)?$/.test(route?.id ?? '')),
  },
)

rule(
  'dawn-public-reads-skip-namespace-header',
  'PKI-CA-03',
  'without a token the CA is read past the namespace header (000 2.2: effective path)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const { headers, path, method } = request
      const carrier = Object.keys(headers).some((name) => name === 'authorization' || /^x-\w+-token$/.test(name))
      const isCa = method === 'GET' && /[^/]\/(ca|ca\/pem|ca_chain)$/.test(path)
      return isCa && !carrier ? path : original(header, request, namespaces)
    },
  },
)

rule(
  'dawn-header-or-path-prefix',
  'CORE-NS-02',
  'beside a namespace header the namespace at the start of the path is not looked at (000 2.2: header ns1/ with path ns2/... is equivalent)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      const found = original(effectivePath, namespaces, header)
      const stated = (header ?? '').split('/').filter((segment) => segment !== '')
      const asked = `${stated.join('/')}/`
      const ours = /\/(issue\/[^/]+|ca|ca\/pem|ca_chain|certs|cert\/[^/]+)$/.test(effectivePath)
      return ours && stated.length > 0 && namespaces.includes(asked) ? asked : found
    },
  },
)

rule(
  'dawn-sign-without-bearer',
  'CORE-AUTH-07',
  'sign takes the token from its own header only (000 2.1: Authorization, alternative token carrier)',
  {
    ...locating,
    ...bearerIgnored(({ path }) => here() && /\/sign\/[^/]+$/.test(path)),
  },
)

rule('dawn-revoke-despite-deny', 'CORE-CAP-04', 'a token that is denied revoke may revoke (000 7: 403, no access)', {
  ...denyOverlooked((call) => below(call) === 'revoke'),
})

rule(
  'dawn-ended-token-issues',
  'CORE-AUTH-15',
  'a token that issued before its end goes on issuing after it (000 7: 403, wrong credentials)',
  {
    ...locating,
    ...goodForEver(({ path }) => here() && /\/issue\/[^/]+$/.test(path)),
  },
)

rule(
  'dawn-any-token-replaces-ca',
  'CORE-CAP-14',
  'any token that is not denied may set the CA (000 7: 403, no access; 001 4.2: config/ca)',
  {
    ...anyoneMay((call) => below(call) === 'config/ca'),
  },
)

rule(
  'dawn-help-for-everybody',
  'CORE-HELP-05',
  'help on paths of the mount is given to tokens without permission on them (000 1.7: if the caller has)',
  {
    ...locating,
    helpAllowed: (original) => (granted) => original(granted) || (here() && !granted.has('deny')),
  },
)

own.route(
  'dawn-internal-key-in-bundle',
  'PKI-ROOT-05',
  'a root of type internal hands out its key in a pem_bundle (001 4.2: internal, never returned)',
  'pki.generateRoot',
  replyData<PkiCall>((data, call) => {
    const key = call.state.authority?.key
    if (call.params.type !== 'internal' || call.body.format !== 'pem_bundle' || key === undefined) return data
    const { label, bytes } = exportKey(key, 'pkcs8')
    return { ...data, certificate: `${writePem(label, bytes)}\n${data.certificate}` }
  }),
)
