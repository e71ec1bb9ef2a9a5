/** Requests that lack something or are broken, and are not refused. */
import { empty } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, requestBody, requestDefault, requestWithout } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { failing, hollow, isObject, type PkiCall } from './wrappers.ts'

const { rule, route } = faultsOf(pkiEngine)

const missing =
  (field: string) =>
  ({ body }: PkiCall): boolean =>
    body[field] === undefined || isObject(body[field])

const single = (value: unknown): string => (Array.isArray(value) ? String(value[0]) : String(value).split(',')[0]!)

route('bundle-optional', 'PKI-CONFIG-04', 'a missing bundle is accepted', 'pki.writeCa', insteadOfRefusal(empty, missing('pem_bundle')))
route(
  'signed-optional',
  'PKI-SIGNED-03',
  'a missing certificate is accepted',
  'pki.setSigned',
  insteadOfRefusal(empty, missing('certificate')),
)
route(
  'serial-optional',
  'PKI-REVOKE-05',
  'a revocation of nothing succeeds',
  'pki.revoke',
  (original) => (call) =>
    original(
      missing('serial_number')(call) ? { ...call, body: { serial_number: [...call.state.certificates.keys()].at(-1) ?? '' } } : call,
    ),
)
route('csr-optional', 'PKI-SIGN-05', 'signing without a request answers something', 'pki.sign', insteadOfRefusal(hollow, missing('csr')))
route(
  'csr-broken-fails',
  'PKI-SIGN-06',
  'a broken certificate request is an internal error',
  'pki.sign',
  failing(({ body }) => typeof body.csr === 'string' && !body.csr.endsWith('REQUEST-----')),
)
rule('csr-unproven', ['PKI-SIGN-07', 'PKI-INTER-04'], 'signatures of certificate requests are not checked', {
  requestProven: () => () => true,
})
route(
  'intermediate-csr-optional',
  'PKI-INTER-02',
  'an intermediate without a request answers something',
  'pki.signIntermediate',
  insteadOfRefusal(hollow, missing('csr')),
)
route(
  'intermediate-csr-broken',
  'PKI-INTER-03',
  'a broken request for an intermediate is an internal error',
  'pki.signIntermediate',
  failing(({ body }) => typeof body.csr === 'string' && !body.csr.includes('BEGIN')),
)
route(
  'intermediate-name-optional',
  'PKI-INTER-20',
  'an intermediate needs no name',
  'pki.signIntermediate',
  requestDefault('common_name', 'Intermediate'),
)
route('root-name-optional', 'PKI-ROOT-18', 'a root needs no name', 'pki.generateRoot', requestDefault('common_name', 'Root'))
route(
  'self-issued-optional',
  'PKI-SELF-06',
  'a missing self-issued certificate is accepted',
  'pki.signSelfIssued',
  insteadOfRefusal(hollow, missing('certificate')),
)
route(
  'self-issued-broken',
  'PKI-SELF-07',
  'what is no PEM is an internal error',
  'pki.signSelfIssued',
  failing(({ body }) => typeof body.certificate === 'string' && !body.certificate.includes('CERTIFICATE-----')),
)
/** Parameters that an operation forgets. */
for (const [operation, name, field, clause] of [
  ['pki.generateRoot', 'root', 'ou', 'PKI-SUBJECT-01'],
  ['pki.generateRoot', 'root', 'organization', 'PKI-SUBJECT-02'],
  ['pki.generateRoot', 'root', 'country', 'PKI-SUBJECT-03'],
  ['pki.generateRoot', 'root', 'locality', 'PKI-SUBJECT-04'],
  ['pki.generateRoot', 'root', 'province', 'PKI-SUBJECT-05'],
  ['pki.generateRoot', 'root', 'street_address', 'PKI-SUBJECT-06'],
  ['pki.generateRoot', 'root', 'postal_code', 'PKI-SUBJECT-07'],
  ['pki.generateRoot', 'root', 'serial_number', 'PKI-SUBJECT-08'],
  ['pki.generateRoot', 'root', 'permitted_dns_domains', 'PKI-ROOT-16'],
  ['pki.generateRoot', 'root', 'ttl', 'PKI-ROOT-17'],
  ['pki.generateRoot', 'root', 'alt_names', 'PKI-ROOT-19'],
  ['pki.generateRoot', 'root', 'other_sans', 'PKI-ROOT-24'],
  ['pki.generateRoot', 'root', 'format', 'PKI-ROOT-20'],
  ['pki.generateRoot', 'root', 'exclude_cn_from_sans', 'PKI-ROOT-22'],
  ['pki.signIntermediate', 'intermediate', 'permitted_dns_domains', 'PKI-INTER-10'],
  ['pki.signIntermediate', 'intermediate', 'organization', 'PKI-INTER-15'],
  ['pki.signIntermediate', 'intermediate', 'ttl', 'PKI-INTER-16'],
  ['pki.signIntermediate', 'intermediate', 'format', 'PKI-INTER-17'],
  ['pki.signIntermediate', 'intermediate', 'exclude_cn_from_sans', 'PKI-INTER-18'],
  ['pki.signIntermediate', 'intermediate', 'alt_names', 'PKI-INTER-21'],
  ['pki.signIntermediate', 'intermediate', 'other_sans', 'PKI-INTER-22'],
] as const)
  route(`${name}-forgets-${field.replaceAll('_', '-')}`, clause, `${field} is forgotten`, operation, requestWithout(field))
route(
  'root-subject-first',
  'PKI-SUBJECT-09',
  'of several values of a subject field the first is taken',
  'pki.generateRoot',
  requestBody((body) => (body.ou === undefined ? body : { ...body, ou: single(body.ou) })),
)
