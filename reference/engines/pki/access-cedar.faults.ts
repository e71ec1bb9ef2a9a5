/** Faults of the certificate authority: who may ask for what, by which verb, header and namespace. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { asks, sending } from './cedar-help.ts'
import { pkiEngine } from './engine.ts'
import type { PkiState } from './state.ts'

const core = faultsOf(coreEngine, 'pki')
const { type } = pkiEngine

const put = sending()
core.rule(
  'cedar-put-needs-no-sudo',
  'CORE-CAP-15',
  '`root/sign-self-issued` asked with PUT needs no sudo (document 001, 4.2: needs sudo; document 000, 1: `PUT` and `POST` are synonyms)',
  {
    ...put.noting,
    needsSudo: (original) => (route) => original(route) && !(route.id === 'pki.signSelfIssued' && put.sent.method === 'PUT'),
  },
)

const shown = sending()
core.rule(
  'cedar-shown-token-judged-at-the-chain',
  'CORE-AUTH-18',
  'whoever sends a token with GET `ca_chain` needs a policy for it (document 001, 4.2: UNAUTHENTICATED)',
  {
    ...shown.noting,
    needsToken: (original) => (route) =>
      original(route) ||
      (route?.id === 'pki.readCaChain' && Object.keys(shown.sent.headers).some((name) => /^x-.*-token$|^authorization$/.test(name))),
  },
)

const inner = sending()
core.rule(
  'cedar-certificate-in-namespace-needs-token',
  'PKI-CERT-02',
  'in a namespace GET `cert/:serial` needs a token (document 001, 4.2: UNAUTHENTICATED; document 000, 2.2: the namespace is a prefix of the path)',
  {
    ...inner.noting,
    needsToken: (original) => (route) => original(route) || (route?.id === 'pki.readCertificate' && inner.sent.namespace !== ''),
  },
)

core.rule(
  'cedar-denied-may-sign-intermediates',
  'CORE-CAP-04',
  'whoever is denied `root/sign-intermediate` may use it (document 000, 7: 403, forbidden, no access)',
  denyOverlooked((call) => asks(call, 'POST', /^root\/sign-intermediate$/)),
)

const bearer = requestsTo(type)
core.rule(
  'cedar-bearer-cannot-delete-the-root',
  'CORE-AUTH-07',
  'DELETE `root` takes the token from the service header only (document 000, 2.1 and 5: `Authorization: Bearer` is the alternative carrier)',
  { ...bearer.locating, ...bearerIgnored(({ method, path }) => bearer.here() && method === 'DELETE' && /\/root$/.test(path)) },
)

const upward = requestsTo(type)
const upwardSending = sending()
core.rule(
  'cedar-token-reads-above-its-namespace',
  'CORE-CAP-14',
  'a token of a namespace reads and lists in the namespaces above it by its own policies (document 000, 2.2 and 7: the namespace belongs to the path; 403 without access)',
  {
    isListing: upwardSending.noting.isListing,
    ...upward.locating,
    tokenCovers: (original) => (tokenNamespace, namespace) =>
      original(tokenNamespace, namespace) ||
      (upward.here() && /^(GET|LIST)$/.test(upwardSending.sent.method) && tokenNamespace.startsWith(namespace)),
  },
)

core.rule(
  'cedar-intermediates-need-sudo',
  'CORE-CAP-06',
  '`root/sign-intermediate` is refused without sudo (document 001, 4.2: only DELETE `root` and `root/sign-self-issued` need it)',
  { needsSudo: (original) => (route) => original(route) || route.id === 'pki.signIntermediate' },
)

const byPath = sending()
core.rule(
  'cedar-namespace-in-path-needs-no-sudo',
  'CORE-CAP-15',
  'DELETE `root` of a namespace named in the path instead of the header needs no sudo (document 001, 4.2: needs sudo; document 000, 2.2: both forms are equivalent)',
  {
    ...byPath.noting,
    needsSudo: (original) => (route) =>
      original(route) && !(route.id === 'pki.deleteRoot' && byPath.sent.namespace !== '' && !byPath.sent.byHeader),
  },
)

core.rule(
  'cedar-delete-writes-roles',
  'CORE-CAP-04',
  'whoever may delete a role may write it without `update` (document 000, 5 and 7: policies grant capabilities; 403 without)',
  countsAs('delete', (call) => asks(call, 'POST', /^roles\//), 'update'),
)

core.rule(
  'cedar-forbidden-deletion-takes-effect',
  'CORE-CAP-14',
  'a role is gone after a deletion that was refused with 403 (document 000, 7: 403, forbidden)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const may = original(granted, needed, call)
      if (!may && call && needed === 'delete' && asks(call, 'DELETE', /^roles\//))
        (call.state as PkiState).roles.delete(call.params.name ?? '')
      return may
    },
  },
)

const putting = sending()
const putHere = requestsTo(type)
core.rule(
  'cedar-put-needs-create',
  'CORE-CAP-07',
  'PUT asks for the capability `create` where POST asks for `update` (document 000, 1: `PUT` and `POST` are synonyms)',
  {
    isListing: putting.noting.isListing,
    ...putHere.locating,
    capabilityOf: (original) => (method, isUpdate) => original(method, isUpdate && !(putHere.here() && putting.sent.method === 'PUT')),
  },
)
