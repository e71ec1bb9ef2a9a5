/** Faults of request bodies: what is missing, broken, of another type, or comes in a certificate request. */
import { empty } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfRefusal, requestBody } from '../../faults/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { arraysRefused, failing, type Handle, hollow, LISTS, lenient, listsChanged, type PkiCall, textsSplit } from './wrappers.ts'
import { isEmpty } from './x509/names.ts'

const { rule, route, declared } = faultsOf(pkiEngine)

/** What has to be there, and what is answered where it is not. */
for (const [name, clause, operation, field, answer] of [
  ['bundle', 'PKI-CONFIG-04', 'pki.writeCa', 'pem_bundle', empty],
  ['signed', 'PKI-SIGNED-03', 'pki.setSigned', 'certificate', empty],
  ['csr', 'PKI-SIGN-05', 'pki.sign', 'csr', hollow],
  ['intermediate-csr', 'PKI-INTER-02', 'pki.signIntermediate', 'csr', hollow],
  ['self-issued', 'PKI-SELF-06', 'pki.signSelfIssued', 'certificate', hollow],
] as const) {
  const accepting = insteadOfRefusal<PkiCall>(answer, ({ body }) => body[field] === undefined)
  route(`${name}-missing`, clause, `${field} that is missing is accepted`, operation, accepting)
}
route('serial-optional', 'PKI-REVOKE-05', 'a revocation of nothing revokes the last certificate', 'pki.revoke', (original) => (call) => {
  const { serial_number = [...call.state.certificates.keys()].at(-1) ?? '' } = call.body
  return original({ ...call, body: { serial_number } })
})
rule('csr-unproven', ['PKI-SIGN-07', 'PKI-INTER-04'], 'signatures of certificate requests are not checked', {
  requestProven: () => () => true,
})
/** A text that is not PEM is an internal error. */
for (const [name, clause, operation, field] of [
  ['csr', 'PKI-SIGN-06', 'pki.sign', 'csr'],
  ['intermediate-csr', 'PKI-INTER-03', 'pki.signIntermediate', 'csr'],
  ['self-issued', 'PKI-SELF-07', 'pki.signSelfIssued', 'certificate'],
  ['signed', 'PKI-SIGNED-04', 'pki.setSigned', 'certificate'],
  ['bundle', 'PKI-CONFIG-05', 'pki.writeCa', 'pem_bundle'],
] as const)
  route(
    `${name}-broken-fails`,
    clause,
    `a broken ${field} is an internal error`,
    operation,
    failing(({ body }) => typeof body[field] === 'string'),
  )
/** Requests of some kind are refused. */
const refusing =
  (when: (call: PkiCall) => boolean) =>
  (original: Handle): Handle =>
  (call) => {
    if (when(call)) throw invalid('csr cannot be read')
    return original(call)
  }
const unended = refusing(({ body }) => typeof body.csr === 'string' && !body.csr.endsWith('\n'))
route('request-line-end', 'PKI-SIGN-01', 'a certificate request without a line end at its end is refused', 'pki.sign', unended)

/** Durations that cannot be read count as left out. */
for (const [operation, field, clause] of [
  ['pki.writeRole', 'ttl', 'PKI-TTL-04'],
  ['pki.writeRole', 'max_ttl', 'PKI-MAXTTL-04'],
  ['pki.writeRole', 'not_before_duration', 'PKI-NOTBEFORE-03'],
  ['pki.issue', 'ttl', 'PKI-REQTTL-03'],
  ['pki.sign', 'ttl', 'PKI-REQTTL-03'],
] as const)
  route(`${operation.slice(4)}-${field}-lenient`, clause, `a ${field} that is not a duration is ignored`, operation, lenient(field))
const joined = (items: Json[]): string => items.map(String).join(',')
const WRONG: [name: string, what: string, change: (fields: readonly string[]) => (body: JsonObject) => JsonObject][] = [
  ['in-no-list', 'in neither form', (fields) => (body) => textsSplit(fields)(arraysRefused(fields)(body))],
  ['first-of-list', 'by its first item', (fields) => listsChanged(fields, (items) => items.slice(0, 1))],
  ['list-as-one', 'as a single item', (fields) => listsChanged(fields, (items) => [joined(items)])],
]
for (const [list, clause, operations, fields] of LISTS)
  for (const [name, what, change] of WRONG)
    route(`${list}-${name}`, clause, `a JSON list is taken ${what}`, operations, requestBody(change(fields)))

/** Names that come beside a certificate request, or in it. */
for (const [kind, clause, names] of [
  ['dns', 'PKI-ALT-03', 'host names'],
  ['email', 'PKI-ALT-03', 'email addresses'],
  ['ip', 'PKI-IPSANS-03', 'addresses'],
  ['uri', 'PKI-URISANS-04', 'URIs'],
  ['other', 'PKI-OTHERSANS-05', 'other names'],
] as const) {
  rule(`signing-body-${kind}-unjudged`, clause, `signing does not judge ${names} of the body`, {
    refusal: (original) => (rules, role, commonName, asked, request) =>
      original(rules, role, commonName, request !== undefined && !role.use_csr_sans ? { ...asked, [kind]: [] } : asked, request),
  })
  if (kind === 'dns') continue
  rule(`request-values-lose-${kind}`, 'PKI-INTER-12', `use_csr_values loses ${names}`, {
    intermediateNames: (original) => (asked, request, useRequest) => ({
      ...original(asked, request, useRequest),
      ...(useRequest ? { [kind]: [] } : {}),
    }),
  })
}

rule('request-key-not-rsa', 'PKI-SIGN-01', 'roles of type rsa sign no requests with an RSA key', {
  requestKeyAllowed: (original) => (role, key) => role.key_type !== 'rsa' && original(role, key),
})
const KINDS = ['dns', 'email', 'ip', 'uri', 'other'] as const
const NO_NAMES = { dns: [], email: [], ip: [], uri: [], other: [] }
rule('request-names-fill-in', 'PKI-CSRSANS-03', 'names of a request stand in, unjudged, for the kinds of names that the body leaves out', {
  alternativeNames: (original) => (role, asked, request) => {
    const names = original(role, asked, request)
    const filled = KINDS.map((kind) => [kind, names[kind].length > 0 ? names[kind] : request?.names[kind]])
    return request === undefined || role.use_csr_sans ? names : Object.fromEntries(filled)
  },
  refusal: (original) => (rules, role, commonName, asked, request) =>
    original(rules, role, commonName, request !== undefined && !role.use_csr_sans ? NO_NAMES : asked, request),
})
rule('names-beside-request-unjudged', 'PKI-IPSANS-03', 'names of the body are not judged where the request has none and may have some', {
  refusal: (original) => (rules, role, commonName, asked, request) =>
    original(rules, role, commonName, request && role.use_csr_sans && isEmpty(request.names) ? NO_NAMES : asked, request),
})

export const faults = declared
