/** Faults of form: the same thing as text and as list, in PEM and DER, from a body and from a request, escaped and not. */
import type { JsonObject } from '../../core/json.ts'
import { reply, replyData } from '../../mutations/wrappers.ts'
import { BY_ROLE, pki, withFields } from './gale-help.ts'
import { exportKey } from './x509/key-forms.ts'
import { writePem } from './x509/pem.ts'

/** The items of a JSON list, given as such or as its text. */
const jsonList = (value: JsonObject[string] | undefined): JsonObject[string][] | undefined => {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string' || !value.startsWith('[')) return undefined
  return JSON.parse(value) as JsonObject[string][]
}

pki.route(
  'gale-other-names-as-list',
  'PKI-OTHERSANS-10',
  'of other_sans in a JSON list only the first is taken (001, 4.2 other_sans: comma-delimited or JSON string list)',
  BY_ROLE,
  (original) => (call) => {
    const items = jsonList(call.body.other_sans)
    return original(items === undefined ? call : withFields(call, { other_sans: items.slice(0, 1) }))
  },
)

pki.route(
  'gale-der-for-urls',
  'PKI-FORMAT-03',
  'a certificate in format der comes in the alphabet for URLs, without padding (001, 4.2 format: der is base64)',
  BY_ROLE,
  replyData((data, { body }) =>
    body.format === 'der' ? { ...data, certificate: Buffer.from(String(data.certificate), 'base64').toString('base64url') } : data,
  ),
)

pki.route(
  'gale-bundle-of-internal-root',
  'PKI-ROOT-05',
  'the bundle of an internal root holds its private key (001, 4.2 root/generate: internal is never returned)',
  'pki.generateRoot',
  replyData((data, { body, params, rules, state }) => {
    const key = state.authority?.key
    if (body.format !== 'pem_bundle' || params.type !== 'internal' || key === undefined) return data
    const { label, bytes } = exportKey(key, rules.keyForm(''))
    return { ...data, certificate: `${writePem(label, bytes)}\n${String(data.certificate)}` }
  }),
)

pki.route(
  'gale-chain-without-line-ends',
  'PKI-CHAIN-03',
  'the certificates of a ca_chain of several follow each other on one line (001, 4.2 ca_chain: PEM)',
  'pki.readCaChain',
  reply((given) => {
    if (given.raw === undefined) return given
    const glued = Buffer.from(given.raw.bytes).toString().replaceAll('-----END CERTIFICATE-----\n', '-----END CERTIFICATE-----')
    return { ...given, raw: { ...given.raw, bytes: Buffer.from(glued) } }
  }),
)

pki.route(
  'gale-uri-patterns-as-list',
  'PKI-URISANS-06',
  'of allowed_uri_sans in a JSON list only the last is kept (001, 4.2 allowed_uri_sans: comma-delimited or JSON list)',
  'pki.writeRole',
  (original) => (call) => {
    const items = jsonList(call.body.allowed_uri_sans)
    return original(items === undefined ? call : withFields(call, { allowed_uri_sans: items.slice(-1) }))
  },
)

const SUBJECT = ['ou', 'organization', 'locality', 'province', 'street_address', 'postal_code']
pki.route(
  'gale-commas-in-list-items',
  'PKI-SUBJECT-09',
  'a comma within an item of a JSON array of a subject field parts the item (001, 4.2 subject fields: comma-separated or JSON array)',
  ['pki.generateRoot', 'pki.signIntermediate'],
  (original) => (call) => {
    const lists = SUBJECT.flatMap((field) => {
      const items = jsonList(call.body[field])
      return items === undefined ? [] : [[field, items.map(String).join(',')]]
    })
    return original(withFields(call, Object.fromEntries(lists)))
  },
)

pki.route(
  'gale-exclusion-as-text',
  'PKI-INTER-18',
  'sign-intermediate takes exclude_cn_from_sans as a boolean only and overlooks the text "true" (001, 4.2: declares it as string)',
  'pki.signIntermediate',
  (original) => (call) =>
    original(typeof call.body.exclude_cn_from_sans === 'string' ? withFields(call, { exclude_cn_from_sans: undefined }) : call),
)

const garbled = (texts: string[]): string[] => texts.map((text) => Buffer.from(text).toString('latin1'))
pki.rule(
  'gale-subject-in-bytes',
  'PKI-ORG-02',
  'letters beyond ASCII in the subject fields of a role are written byte by byte (001, 4.2 role parameters: strings)',
  {
    subject: (original) => (role, commonName) => {
      const { organization, ou, locality, province, street_address } = role
      const texts = { organization, ou, locality, province, street_address }
      const written = Object.fromEntries(Object.entries(texts).map(([field, values]) => [field, garbled(values)]))
      return original({ ...role, ...written }, commonName)
    },
  },
)

pki.route(
  'gale-key-form-in-der',
  'PKI-KEYFORMAT-04',
  'with format der private_key_format pkcs8 has no effect (001, 4.2 private_key_format: der or pkcs8)',
  ['pki.issue', 'pki.generateRoot'],
  (original) => (call) => {
    const both = call.body.format === 'der' && call.body.private_key_format === 'pkcs8'
    return original(both ? withFields(call, { private_key_format: undefined }) : call)
  },
)

const unescaped = (uri: string): string => {
  try {
    return decodeURI(uri)
  } catch {
    return uri
  }
}
pki.rule(
  'gale-uris-unescaped',
  'PKI-URISANS-02',
  'escapes in uri_sans are resolved before the URI is written (001, 4.2 uri_sans: the requested URIs)',
  {
    alternativeNames: (original) => (role, requested, request) => {
      const names = original(role, requested, request)
      return { ...names, uri: names.uri.map(unescaped) }
    },
  },
)

pki.rule(
  'gale-copies-not-critical',
  'PKI-INTER-14',
  'extensions that use_csr_values copies are no longer critical (001, 4.2 sign-intermediate: copies CSR extensions)',
  { requestedExtensions: (original) => (extensions) => original(extensions.map((item) => ({ ...item, critical: false }))) },
)
