/** Requests that should be refused for their types and formats, and formats mixed up. */
import type { JsonObject } from '../../core/engine.ts'
import { empty } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { Fault } from '../../core/mutation.ts'
import { defaults } from '../../engines/pki/role.ts'
import { coercing, failing, forgiving, hollow, isObject, onBody, onData, pkiFault, without } from './shared.ts'

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

const types: Fault[] = [
  pkiFault('type-booleans', 'an object is a true boolean of a role', 'PKI-BOOL-01', {
    routes: {
      'pki.writeRole': coercing(
        kindOf((value) => typeof value === 'boolean'),
        true,
      ),
    },
  }),
  pkiFault('type-lists', 'an object is an empty list of a role', 'PKI-LISTS-01', {
    routes: { 'pki.writeRole': coercing((field) => !TEXTS.has(field) && kindOf(Array.isArray)(field), []) },
  }),
  pkiFault('type-strings', 'an object is an empty string of a role', 'PKI-STRINGS-01', {
    routes: { 'pki.writeRole': coercing((field) => TEXTS.has(field), '') },
  }),
  pkiFault('type-key-bits', 'an object for key_bits is ignored', 'PKI-KEYBITS-04', {
    routes: { 'pki.writeRole': coercing((field) => field === 'key_bits', 384) },
  }),
  pkiFault('type-common-name', 'an object for common_name is written out', 'PKI-CN-04', {
    routes: { 'pki.issue': coercing((field) => field === 'common_name', 'object.example.com') },
  }),
  pkiFault('type-alt-names', 'an object for alt_names is ignored', 'PKI-ALT-05', {
    routes: { 'pki.issue': coercing((field) => field === 'alt_names', '') },
  }),
  pkiFault('type-strings-of-requests', 'objects for names of a request are ignored', 'PKI-REQTYPE-01', {
    routes: { 'pki.issue': coercing((field) => ['ip_sans', 'uri_sans', 'other_sans'].includes(field), '') },
  }),
  pkiFault('type-booleans-of-requests', 'an object for exclude_cn_from_sans is ignored', 'PKI-REQTYPE-02', {
    routes: { 'pki.issue': coercing((field) => field === 'exclude_cn_from_sans', false) },
  }),
  pkiFault('type-integers-of-requests', 'an object for max_path_length is ignored', 'PKI-REQTYPE-03', {
    routes: { 'pki.generateRoot': coercing((field) => field === 'max_path_length', -1) },
  }),
]

const big = (body: JsonObject): boolean => String(body.alt_names ?? '').length > 500_000

const formats: Fault[] = [
  pkiFault('many-names-fail', 'a megabyte of names is an internal error', 'PKI-ALT-04', {
    routes: {
      'pki.issue': (original) => (call) => {
        if (big(call.body)) throw new ApiError(500, 'internal error')
        return original(call)
      },
    },
  }),
  pkiFault('format-default-der', 'the default format is der', 'PKI-FORMAT-01', {
    routes: { 'pki.issue': onBody((body) => ({ format: 'der', ...body })) },
  }),
  pkiFault('format-pem-bundled', 'pem gives a bundle', 'PKI-FORMAT-02', {
    routes: { 'pki.issue': onBody((body) => (body.format === 'pem' ? { ...body, format: 'pem_bundle' } : body)) },
  }),
  pkiFault('format-der-pem', 'der gives PEM', 'PKI-FORMAT-03', {
    routes: { 'pki.issue': onBody((body) => (body.format === 'der' ? { ...body, format: 'pem' } : body)) },
  }),
  pkiFault('format-bundle-no-key', 'a bundle lacks the key', 'PKI-FORMAT-04', {
    rules: { bundleParts: (original) => (_key, certificate, issuer) => original(undefined, certificate, issuer) },
  }),
  pkiFault('format-bundle-no-issuer', 'a bundle lacks the issuer', ['PKI-FORMAT-06', 'PKI-INTER-23'], {
    rules: { bundleParts: (original) => (key, certificate) => original(key, certificate, undefined) },
  }),
  pkiFault('format-lenient', 'unknown formats give PEM', 'PKI-FORMAT-05', { rules: { formatKnown: () => () => true } }),
  pkiFault('key-form-default', 'keys are PKCS#8 by default', 'PKI-KEYFORMAT-01', {
    rules: { keyForm: (original) => (form) => (form === '' ? 'pkcs8' : original(form)) },
  }),
  pkiFault('key-form-ignored', 'pkcs8 is ignored', ['PKI-KEYFORMAT-02', 'PKI-ROOT-21'], {
    rules: { keyForm: (original) => (form) => original(form === 'pkcs8' ? 'der' : form) },
  }),
  pkiFault('key-form-lenient', 'unknown key formats give the default', 'PKI-KEYFORMAT-03', {
    rules: { keyForm: () => (form) => (form === 'pkcs8' ? 'pkcs8' : 'der') },
  }),
]

const missing =
  (field: string) =>
  (call: { body: JsonObject }): boolean =>
    call.body[field] === undefined || isObject(call.body[field])

const required: Fault[] = [
  pkiFault('bundle-optional', 'a missing bundle is accepted', 'PKI-CONFIG-04', {
    routes: { 'pki.writeCa': forgiving(empty, missing('pem_bundle')) },
  }),
  pkiFault('signed-optional', 'a missing certificate is accepted', 'PKI-SIGNED-03', {
    routes: { 'pki.setSigned': forgiving(empty, missing('certificate')) },
  }),
  pkiFault('serial-optional', 'a revocation of nothing succeeds', 'PKI-REVOKE-05', {
    routes: {
      'pki.revoke': (original) => (call) =>
        original(
          missing('serial_number')(call) ? { ...call, body: { serial_number: [...call.state.certificates.keys()].at(-1) ?? '' } } : call,
        ),
    },
  }),
  pkiFault('csr-optional', 'signing without a request answers something', 'PKI-SIGN-05', {
    routes: { 'pki.sign': forgiving(hollow, missing('csr')) },
  }),
  pkiFault('csr-broken-fails', 'a broken certificate request is an internal error', 'PKI-SIGN-06', {
    routes: { 'pki.sign': failing(({ body }) => typeof body.csr === 'string' && !body.csr.endsWith('REQUEST-----')) },
  }),
  pkiFault('csr-unproven', 'signatures of certificate requests are not checked', ['PKI-SIGN-07', 'PKI-INTER-04'], {
    rules: { requestProven: () => () => true },
  }),
  pkiFault('intermediate-csr-optional', 'an intermediate without a request answers something', 'PKI-INTER-02', {
    routes: { 'pki.signIntermediate': forgiving(hollow, missing('csr')) },
  }),
  pkiFault('intermediate-csr-broken', 'a broken request for an intermediate is an internal error', 'PKI-INTER-03', {
    routes: { 'pki.signIntermediate': failing(({ body }) => typeof body.csr === 'string' && !body.csr.includes('BEGIN')) },
  }),
  pkiFault('intermediate-name-optional', 'an intermediate needs no name', 'PKI-INTER-20', {
    routes: { 'pki.signIntermediate': onBody((body) => ({ common_name: 'Intermediate', ...body })) },
  }),
  pkiFault('root-name-optional', 'a root needs no name', 'PKI-ROOT-18', {
    routes: { 'pki.generateRoot': onBody((body) => ({ common_name: 'Root', ...body })) },
  }),
  pkiFault('self-issued-optional', 'a missing self-issued certificate is accepted', 'PKI-SELF-06', {
    routes: { 'pki.signSelfIssued': forgiving(hollow, missing('certificate')) },
  }),
  pkiFault('self-issued-broken', 'what is no PEM is an internal error', 'PKI-SELF-07', {
    routes: {
      'pki.signSelfIssued': failing(({ body }) => typeof body.certificate === 'string' && !body.certificate.includes('CERTIFICATE-----')),
    },
  }),
]

/** Parameters that an operation forgets. */
const forgotten: Fault[] = (
  [
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
  ] as const
).map(([operation, name, field, clause]) =>
  pkiFault(`${name}-forgets-${field.replaceAll('_', '-')}`, `${field} is forgotten`, clause, { routes: { [operation]: without(field) } }),
)

const single = (value: unknown): string => (Array.isArray(value) ? String(value[0]) : String(value).split(',')[0]!)

const others: Fault[] = [
  pkiFault('root-subject-first', 'of several values of a subject field the first is taken', 'PKI-SUBJECT-09', {
    routes: { 'pki.generateRoot': onBody((body) => (body.ou === undefined ? body : { ...body, ou: single(body.ou) })) },
  }),
  pkiFault('signed-key', 'the answer of sign has a private key', 'PKI-SIGN-11', {
    routes: { 'pki.sign': onData((data) => ({ ...data, private_key: '-----BEGIN PRIVATE KEY-----' })) },
  }),
]

export const bodyFaults: Fault[] = [...types, ...formats, ...required, ...forgotten, ...others]
