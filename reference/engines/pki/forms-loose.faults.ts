/** Faults in how things are written: in other formats, by other routes, in lists against reads, and in the texts of requests. */
import { isIPv4 } from 'node:net'
import { bare } from '../../core/envelope.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply, replyData, replyDataWithout, requestBody, requestWithout } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { dataOf, onState, withRules } from './overlays.ts'
import { randomSerial } from './x509/certificate.ts'

const { rule, route } = faultsOf(pkiEngine)

rule(
  'empty-lists-null',
  ['PKI-POLICIES-01', 'PKI-DOMAINS-01', 'PKI-EXTUSAGE-01'],
  'empty lists of a role read back as null (001 4.2, role table: list, default [])',
  {
    showRole: (original) => (role) =>
      Object.fromEntries(
        Object.entries(original(role)).map(([field, value]) => [field, Array.isArray(value) && value.length === 0 ? null : value]),
      ),
  },
)

rule('any-has-no-bits', [], 'a role for any key reads back key_bits 0 (001 8, PKI key_bits: default 2048)', {
  showRole: (original) => (role) => (role.key_type === 'any' ? { ...original(role), key_bits: 0 } : original(role)),
})

rule(
  'lifetimes-in-minutes',
  ['PKI-ROLE-01', 'PKI-ROLE-02'],
  'ttl and max_ttl of a role read back without their seconds (001 4.2, GET roles)',
  {
    showRole: (original) => (role) => ({
      ...original(role),
      ttl: `${Math.floor(role.ttl / 60)}m`,
      max_ttl: `${Math.floor(role.max_ttl / 60)}m`,
    }),
  },
)

route('sign-without-chain', [], 'sign answers no ca_chain (001 4.2, sign)', 'pki.sign', replyDataWithout('ca_chain'))

route(
  'key-type-is-format',
  [],
  'private_key_type says pkcs8 where that format was asked for (001 2.2, private_key_type)',
  'pki.issue',
  replyData((data, call) => (call.body.private_key_format === 'pkcs8' ? { ...data, private_key_type: 'pkcs8' } : data)),
)

route(
  'intermediate-always-pem',
  ['PKI-INTER-17'],
  'sign-intermediate answers PEM where der is asked for (001 4.2, format)',
  'pki.signIntermediate',
  requestBody((body) => (body.format === 'der' ? { ...body, format: 'pem' } : body)),
)

route(
  'root-bundle-without-key',
  [],
  'the pem_bundle of an exported root lacks its key (001 4.2, format: private key where present)',
  'pki.generateRoot',
  withRules((rules) => ({ bundleParts: (_key, certificate, issuer) => rules.bundleParts(undefined, certificate, issuer) })),
)

rule('sign-bundle-without-issuer', [], 'a pem_bundle without a key lacks the issuing CA, too (001 4.2, format: and the issuing CA)', {
  bundleParts: (original) => (key, certificate, issuer) => original(key, certificate, key === undefined ? undefined : issuer),
})

route(
  'sign-serial-with-hyphens',
  ['PKI-SIGN-04'],
  'sign writes the serial number with hyphens (001 2.2, serial_number: colon-separated)',
  'pki.sign',
  replyData((data) => ({ ...data, serial_number: String(data.serial_number).replaceAll(':', '-') })),
)

rule('revocation-time-with-fraction', [], 'revocation_time has a fraction (001 2.2, revocation_time: int)', {
  revocationTime: () => (earlier, now) => earlier ?? now,
})

route(
  'other-names-not-json',
  [],
  'other_sans as the text of a JSON list is refused (001 4.2, other_sans: or JSON string list)',
  ['pki.issue', 'pki.sign'],
  requestBody((body) =>
    typeof body.other_sans === 'string' && body.other_sans.startsWith('[') ? { ...body, other_sans: body.other_sans.split(',') } : body,
  ),
)

const SUBJECT = ['ou', 'organization', 'country', 'locality', 'province', 'street_address', 'postal_code']
const joined = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([field, value]) => [field, SUBJECT.includes(field) && Array.isArray(value) ? value.join(',') : value]),
  )
route(
  'commas-split-in-arrays',
  ['PKI-SUBJECT-09'],
  'a subject value with a comma in a JSON array becomes two (001 4.2, subject fields: comma-separated or JSON array)',
  ['pki.generateRoot', 'pki.signIntermediate'],
  requestBody((body) => joined(body)),
)

rule('organization-in-ascii', [], 'letters beyond ASCII in the organization of a role become question marks (001 4.2, role table)', {
  subject: (original) => (role, commonName) =>
    original({ ...role, organization: role.organization.map((text) => text.replace(/[^\x20-\x7e]/gu, '?')) }, commonName),
})

rule(
  'small-letter-usages-lost',
  ['PKI-USAGE-03'],
  'usages written with a small first letter are missing in certificates (001 4.2: case-insensitive)',
  {
    keyUsages: (original) => (role, request) =>
      original({ ...role, key_usage: role.key_usage.filter((name) => /^[A-Z]/.test(name)) }, request),
  },
)

rule('utf-8-unknown', [], 'entries of allowed_other_sans with type UTF-8 allow nothing (001 4.2, allowed_other_sans: UTF8 or UTF-8)', {
  otherNameAllowed: (original) => (role, name) =>
    original({ ...role, allowed_other_sans: role.allowed_other_sans.filter((entry) => !/;UTF-8:/i.test(entry)) }, name),
})

route(
  'exclusion-as-text-ignored',
  [],
  'exclude_cn_from_sans as a string is ignored by sign-intermediate (001 4.2: declares it as string)',
  'pki.signIntermediate',
  requestBody((body) => (typeof body.exclude_cn_from_sans === 'string' ? { ...body, exclude_cn_from_sans: false } : body)),
)

route(
  'sign-ignores-exclusion',
  ['PKI-EXCLUDE-01', 'PKI-EXCLUDE-02'],
  'sign puts the CN among the names although it is excluded (001 4.2, exclude_cn_from_sans)',
  'pki.sign',
  requestWithout('exclude_cn_from_sans'),
)

rule('email-cn-not-excluded', [], 'a CN that is an email address stays among the names (001 4.2, exclude_cn_from_sans: DNS/email)', {
  withCommonName: (original) => (names, commonName, exclude) => original(names, commonName, exclude && !commonName.includes('@')),
})

route(
  'chain-without-ca-anew',
  [],
  'ca_chain lacks the CA itself where CAs above it are known (001 4.2, ca_chain: including the CA)',
  'pki.readCaChain',
  withRules((rules) => ({ chain: (authority) => (authority.above.length > 0 ? authority.above : rules.chain(authority)) })),
)

route('last-ca-in-pem', 'PKI-CA-05', 'ca/pem shows the last CA of the chain (001 4.2, ca/pem)', 'pki.readCaPem', (original) => (call) => {
  const { authority } = call.state
  const last = authority?.above.at(-1)
  if (authority === undefined || last === undefined) return original(call)
  return original(onState(call, { authority: { ...authority, certificate: { ...authority.certificate, der: last } } }))
})

route(
  'names-listed-in-small-letters',
  [],
  'names of roles are listed in small letters (001 4.2, LIST roles)',
  'pki.listRoles',
  replyData((data) => ({ ...data, keys: Array.isArray(data.keys) ? data.keys.map((name) => String(name).toLowerCase()) : [] })),
)

route(
  'listing-by-get-is-bare',
  [],
  'roles listed by GET with list=true are not below data (000 4.1: data.keys)',
  'pki.listRoles',
  reply((given, call) => (call.query.get('list') === 'true' ? bare({ keys: dataOf(given).keys ?? [] }) : given)),
)

route(
  'no-lease-is-null',
  'CORE-ENV-10',
  'the list of certificates has lease_id null (000 2.3, lease_id: empty string when no lease)',
  'pki.listCertificates',
  reply((given) => withBody(given, (body) => ({ ...body, lease_id: null }))),
)

rule('csr-name-instead-of-none', [], 'without a CN in the body that of the CSR is taken against the role (001 4.2, use_csr_common_name)', {
  commonName: (original) => (role, requested, request) => original(role, requested, request) || (request?.commonName ?? ''),
})

rule('csr-without-host-names', ['PKI-MATRIX-04'], 'alternative names of a CSR are lost where none is a host name (001 4.2, use_csr_sans)', {
  alternativeNames: (original) => (role, requested, request) =>
    original(role, requested, request?.names.dns.length === 0 ? undefined : request),
})

rule('self-issued-nothing-critical', [], 'sign-self-issued makes critical extensions uncritical (001 4.2: signed as-is)', {
  asGiven: (original) => (content) =>
    original({ ...content, extensions: content.extensions.map((extension) => ({ ...extension, critical: false })) }),
})

rule('self-issued-new-serial-anew', [], 'sign-self-issued gives a serial number of its own (001 4.2: signed as-is)', {
  asGiven: (original) => (content) => original({ ...content, serial: randomSerial() }),
})

rule('csr-emails-and-uris-lost', ['PKI-INTER-12'], 'use_csr_values keeps no email addresses and URIs (001 4.2: keeps alternate names)', {
  intermediateNames: (original) => (requested, request, useRequest) => {
    const names = original(requested, request, useRequest)
    return useRequest ? { ...names, email: [], uri: [] } : names
  },
})

rule('first-usage-bit-lost', [], 'use_csr_values does not add digital signature, whose bit is 0 (001 4.2: adds CSR key usages)', {
  requestedUsages: (original) => (bits) => original(bits).filter((bit) => bit),
})

route(
  'sign-without-postal-code',
  [],
  'subjects made by sign lack the postal code of the role (001 4.2, postal_code)',
  'pki.sign',
  withRules((rules) => ({ subject: (role, commonName) => rules.subject({ ...role, postal_code: [] }, commonName) })),
)

route(
  'sign-default-not-before',
  ['PKI-NOTBEFORE-02'],
  'sign goes by the default of not_before_duration always (001 4.2, not_before_duration)',
  'pki.sign',
  withRules((rules) => ({ validFrom: (role, now) => rules.validFrom({ ...role, not_before_duration: 30 }, now) })),
)

route(
  'sign-unleased',
  [],
  'sign makes no lease although the role says generate_lease (001 4.2, sign: leased)',
  'pki.sign',
  withRules(() => ({ leased: () => false })),
)

rule('addresses-of-four-bytes', [], 'ip_sans takes IPv4 addresses only (001 4.2, ip_sans)', {
  isAddress: () => (text) => isIPv4(text),
})
