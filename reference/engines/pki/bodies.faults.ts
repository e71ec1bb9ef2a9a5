/** Requests that should be refused for their types and formats, and formats mixed up. */

import { empty } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, replyData, requestBody, requestDefault, requestWithout } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { defaults } from './role.ts'
import { coercing, failing, hollow, isObject, type PkiCall } from './wrappers.ts'

const { rule, route } = faultsOf(pkiEngine)

const kindOf =
  (kind: (value: unknown) => boolean) =>
  (field: string): boolean =>
    kind(Object.entries(defaults()).find(([name]) => name === field)?.[1])

const TEXTS = new Set([
  'allowed_uri_sans',
  'allowed_other_sans',
  'ext_key_usage_oids',
  'ou',
  'organization',
  'country',
  'locality',
  'province',
  'street_address',
  'postal_code',
  'serial_number',
])

route(
  'type-booleans',
  'PKI-BOOL-01',
  'an object is a true boolean of a role',
  'pki.writeRole',
  coercing(
    kindOf((value) => typeof value === 'boolean'),
    true,
  ),
)
route(
  'type-lists',
  'PKI-LISTS-01',
  'an object is an empty list of a role',
  'pki.writeRole',
  coercing((field) => !TEXTS.has(field) && kindOf(Array.isArray)(field), []),
)
route(
  'type-strings',
  'PKI-STRINGS-01',
  'an object is an empty string of a role',
  'pki.writeRole',
  coercing((field) => TEXTS.has(field), ''),
)
route(
  'type-key-bits',
  'PKI-KEYBITS-04',
  'an object for key_bits is ignored',
  'pki.writeRole',
  coercing((field) => field === 'key_bits', 384),
)
route(
  'type-common-name',
  'PKI-CN-04',
  'an object for common_name is written out',
  'pki.issue',
  coercing((field) => field === 'common_name', 'object.example.com'),
)
route(
  'type-alt-names',
  'PKI-ALT-05',
  'an object for alt_names is ignored',
  'pki.issue',
  coercing((field) => field === 'alt_names', ''),
)
route(
  'type-strings-of-requests',
  'PKI-REQTYPE-01',
  'objects for names of a request are ignored',
  'pki.issue',
  coercing((field) => ['ip_sans', 'uri_sans', 'other_sans'].includes(field), ''),
)
route(
  'type-booleans-of-requests',
  'PKI-REQTYPE-02',
  'an object for exclude_cn_from_sans is ignored',
  'pki.issue',
  coercing((field) => field === 'exclude_cn_from_sans', false),
)
route(
  'type-integers-of-requests',
  'PKI-REQTYPE-03',
  'an object for max_path_length is ignored',
  'pki.generateRoot',
  coercing((field) => field === 'max_path_length', -1),
)

const big = (body: JsonObject): boolean => String(body.alt_names ?? '').length > 500_000

route('many-names-fail', 'PKI-ALT-04', 'a megabyte of names is an internal error', 'pki.issue', (original) => (call) => {
  if (big(call.body)) throw new ApiError(500, 'internal error')
  return original(call)
})
route(
  'format-default-der',
  'PKI-FORMAT-01',
  'the default format is der',
  'pki.issue',
  requestBody((body) => ({ format: 'der', ...body })),
)
route(
  'format-pem-bundled',
  'PKI-FORMAT-02',
  'pem gives a bundle',
  'pki.issue',
  requestBody((body) => (body.format === 'pem' ? { ...body, format: 'pem_bundle' } : body)),
)
route(
  'format-der-pem',
  'PKI-FORMAT-03',
  'der gives PEM',
  'pki.issue',
  requestBody((body) => (body.format === 'der' ? { ...body, format: 'pem' } : body)),
)
rule('format-bundle-no-key', 'PKI-FORMAT-04', 'a bundle lacks the key', {
  bundleParts: (original) => (_key, certificate, issuer) => original(undefined, certificate, issuer),
})
rule('format-bundle-no-issuer', ['PKI-FORMAT-06', 'PKI-INTER-23'], 'a bundle lacks the issuer', {
  bundleParts: (original) => (key, certificate) => original(key, certificate, undefined),
})
rule('format-lenient', 'PKI-FORMAT-05', 'unknown formats give PEM', { formatKnown: () => () => true })
rule('key-form-default', 'PKI-KEYFORMAT-01', 'keys are PKCS#8 by default', {
  keyForm: (original) => (form) => (form === '' ? 'pkcs8' : original(form)),
})
rule('key-form-ignored', ['PKI-KEYFORMAT-02', 'PKI-ROOT-21'], 'pkcs8 is ignored', {
  keyForm: (original) => (form) => original(form === 'pkcs8' ? 'der' : form),
})
rule('key-form-lenient', 'PKI-KEYFORMAT-03', 'unknown key formats give the default', {
  keyForm: () => (form) => (form === 'pkcs8' ? 'pkcs8' : 'der'),
})

const missing =
  (field: string) =>
  ({ body }: PkiCall): boolean =>
    body[field] === undefined || isObject(body[field])

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

const single = (value: unknown): string => (Array.isArray(value) ? String(value[0]) : String(value).split(',')[0]!)

route(
  'root-subject-first',
  'PKI-SUBJECT-09',
  'of several values of a subject field the first is taken',
  'pki.generateRoot',
  requestBody((body) => (body.ou === undefined ? body : { ...body, ou: single(body.ou) })),
)
route(
  'signed-key',
  'PKI-SIGN-11',
  'the answer of sign has a private key',
  'pki.sign',
  replyData((data) => ({ ...data, private_key: '-----BEGIN PRIVATE KEY-----' })),
)
