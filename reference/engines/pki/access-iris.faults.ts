/** Faults of the PKI engine in who may ask for what, and in which names a role allows. */
import { coreEngine } from '../../core/core-engine.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { pkiEngine } from './engine.ts'
import { asksPki } from './iris-help.ts'

const { rule } = faultsOf(pkiEngine, 'pki')
const core = faultsOf(coreEngine, 'pki')

const isList = ({ method, query }: RequestFacts): boolean => method === 'LIST' || (method === 'GET' && query.get('list') === 'true')

const bearer = requestsTo('pki')
core.rule(
  'iris-bearer-not-for-lists',
  'CORE-AUTH-07',
  'listings take the token from its own header only (document 1, 2.1 and 5: Authorization with Bearer is an alternative carrier)',
  {
    ...bearer.locating,
    ...bearerIgnored((request) => bearer.here() && isList(request)),
  },
)

let inNamespace = false
core.rule(
  'iris-token-for-open-reads-in-namespace',
  'PKI-CA-03',
  'ca, ca_chain and cert of a mount in a namespace need a token (document 2, 4.2: these reads are UNAUTHENTICATED)',
  {
    namespaceOf: (original) => (path, namespaces, header) => {
      const namespace = original(path, namespaces, header)
      inNamespace = namespace !== ''
      return namespace
    },
    needsToken: (original) => (route) => original(route) || (inNamespace && route?.id.startsWith('pki.') === true),
  },
)

core.rule(
  'iris-sudo-for-intermediates',
  'CORE-CAP-06',
  'root/sign-intermediate needs sudo (document 2, 4.2: of the operations of the root only DELETE and sign-self-issued need it)',
  {
    needsSudo: (original) => (route) => original(route) || route.id === 'pki.signIntermediate',
  },
)

core.rule(
  'iris-readers-may-issue',
  'CORE-CAP-04',
  'who may read issue/:name may issue there (document 1, 5 and 7: operations need their capability, 403 without)',
  countsAs('read', asksPki('issue/'), 'update'),
)

core.rule(
  'iris-denied-may-sign',
  'CORE-CAP-04',
  'deny is overlooked for sign/:name (document 1, 7: 403 where the caller has no access)',
  denyOverlooked(asksPki('sign/')),
)

const ended = requestsTo('pki')
core.rule(
  'iris-ended-tokens-read-on',
  'CORE-AUTH-15',
  'a token with which was read goes on reading after its end (document 1, 5 and 7: a client token is required, 403 for wrong credentials)',
  {
    ...ended.locating,
    ...goodForEver(({ method }) => ended.here() && (method === 'GET' || method === 'LIST')),
  },
)

let splitNamespace = false
core.rule(
  'iris-namespace-header-and-path',
  'CORE-NS-02',
  'PKI mounts are not found where header and path each name a part of the namespace (document 1, 2.2: header ns1/ with path ns2/... is the same as header ns1/ns2/)',
  {
    namespaceOf: (original) => (path, namespaces, header) => {
      const namespace = original(path, namespaces, header)
      const named = (header ?? '').split('/').filter((segment) => segment !== '')
      splitNamespace = named.length > 0 && `${named.join('/')}/` !== namespace
      return namespace
    },
    mountsSeen: (original) => (all, namespace) =>
      original(all, namespace).filter((mount) => !splitNamespace || mount.engine.type !== 'pki'),
  },
)

rule(
  'iris-email-at-subdomain',
  'PKI-MATRIX-05',
  'allow_bare_domains lets in email addresses at subdomains (document 2, 4.2: allow_subdomains default false; any alternative name not matching role policy denies the request)',
  {
    bareAllowed: (original) => (role, name, domain) =>
      original(role, name, domain) || (role.allow_bare_domains && name.email && name.domain.endsWith(`.${domain}`)),
  },
)

const helped = requestsTo('pki')
core.rule(
  'iris-help-for-everyone',
  'CORE-HELP-05',
  'help of PKI paths is shown to callers without any permission on them (document 1, 1.7: if the caller has permission on the path)',
  {
    ...helped.locating,
    helpAllowed: (original) => (granted) => helped.here() || original(granted),
  },
)
