/** Faults in who asks, and with what token. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { JudgedRequest } from '../../core/judged-request.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { type Asked, countsAs } from '../../faults/callers.ts'
import { faultsOf } from '../../faults/declare.ts'
import { pkiEngine } from './engine.ts'

const core = faultsOf(coreEngine, 'pki')
const pki = faultsOf(pkiEngine)

const OPEN = ['pki.readCa', 'pki.readCaPem', 'pki.readCaChain', 'pki.readCertificate']
const isOpen = ({ method, path }: Pick<RequestFacts, 'method' | 'path'>): boolean =>
  method === 'GET' && /\/(ca|ca\/pem|ca_chain|cert\/[^/]+)$/.test(path)
const OF_OPEN = ['PKI-CA-03', 'PKI-CA-04', 'PKI-CHAIN-02', 'PKI-CERT-02']
for (const [at, operation] of OPEN.entries())
  core.rule(`${operation.slice(4)}-needs-token`, OF_OPEN[at]!, 'a public route asks for a token', {
    needsToken: (original) => (route) => route?.id === operation || original(route),
  })
core.rule('open-routes-judge', 'CORE-AUTH-17', 'the unauthenticated routes refuse a token that is carried but not good', {
  needsToken: (original) => (route) => original(route) || (route !== undefined && OPEN.includes(route.id)),
  callerRefused: (original) => (given, token, request) =>
    isOpen(request) && given === undefined ? undefined : original(given, token, request),
})
pki.route(
  'shown-token-refused',
  'CORE-AUTH-18',
  'the chain is refused to callers with a token',
  'pki.readCaChain',
  (original) => (call) => {
    if (Object.keys(call.headers).some((name) => /^x-.*-token$|^authorization$/.test(name))) throw new ApiError(403, 'permission denied')
    return original(call)
  },
)
core.rule('help-for-readers', 'CORE-HELP-11', 'help on a path is for those who may read it, not for who may only issue there', {
  helpAllowed: (original) => (granted) => original(granted) && granted.has('read'),
})
core.rule('certs-open', 'CORE-AUTH-01', 'certificates are listed without a token, as they are read', {
  needsToken: (original) => (route) => original(route) && route?.id !== 'pki.listCertificates',
})
core.rule('revoke-open', 'CORE-AUTH-15', 'revoking needs no token', {
  needsToken: (original) => (found) => found?.id !== 'pki.revoke' && original(found),
})
for (const [operation, clause] of [
  ['pki.deleteRoot', 'PKI-DELETE-03'],
  ['pki.signSelfIssued', 'PKI-SELF-05'],
] as const)
  core.rule(`${operation.slice(4)}-without-sudo`, clause, `${operation} needs no sudo`, {
    needsSudo: (original) => (route) => route.id !== operation && original(route),
  })
const isPki = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'serialKey' in call.rules
core.rule(
  'root-delete-by-update',
  'PKI-DELETE-03',
  'deleting the root needs update instead of sudo',
  countsAs('update', (call) => isPki(call) && call.method === 'DELETE', 'sudo'),
)
const isIssue = ({ method, path }: Pick<JudgedRequest, 'method' | 'path'>): boolean => method === 'PUT' && path.includes('/issue/')
core.rule('put-issue', 'CORE-WRITE-01', 'PUT at issue/ is an unknown path', {
  effectivePath: (original) => (header, request, namespaces) => original(header, request, namespaces) + (isIssue(request) ? '/put' : ''),
})

export const faults = [...core.declared, ...pki.declared]
