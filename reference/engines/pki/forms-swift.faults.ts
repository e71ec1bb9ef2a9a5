/** Faults of form: the same thing said in another spelling, shown by another route or in another type. */
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { reply, replyData, requestBody, requestWithout } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import type { PkiCall } from './requests.ts'

const { rule, route } = faultsOf(pkiEngine)

route(
  'swift-sign-der',
  ['PKI-FORMAT-03'],
  'sign answers PEM where `format` der is asked for (4.2, `format`: "`der` (base64)")',
  'pki.sign',
  (original) => (call) => (textOf(call.body, 'format') === 'der' ? requestWithout<PkiCall>('format')(original)(call) : original(call)),
)

rule(
  'swift-bundle-ec',
  ['PKI-FORMAT-04'],
  'a `pem_bundle` lacks a key in the EC form (4.2, `format`: "also holds private key where present")',
  {
    bundleParts: (original) => (key, certificate, issuer) =>
      original(key?.includes('BEGIN EC PRIVATE KEY') ? undefined : key, certificate, issuer),
  },
)

route(
  'swift-der-pkcs8',
  ['PKI-KEYFORMAT-04'],
  'with `format` der a key is never written as PKCS#8 (4.2, `private_key_format`: "`der` or `pkcs8`")',
  'pki.issue',
  requestBody(({ private_key_format = '', ...body }) => (body.format === 'der' ? body : { ...body, private_key_format })),
)

route(
  'swift-revoke-hyphens',
  ['PKI-REVOKE-03'],
  'a serial number with hyphens is not revoked (4.2, revoke: "hyphen- or colon-separated")',
  'pki.revoke',
  (original) => (call) => {
    if (textOf(call.body, 'serial_number').includes('-')) throw invalid('no certificate has this serial number')
    return original(call)
  },
)

route(
  'swift-revocation-text',
  ['PKI-REVOKE-01'],
  '`revocation_time` is a text (2.2, revocation result: "int, epoch seconds")',
  'pki.revoke',
  replyData((data) => ({ ...data, revocation_time: new Date(Number(data.revocation_time) * 1000).toISOString() })),
)

route(
  'swift-sign-chain-text',
  ['PKI-SIGN-03'],
  'sign answers `ca_chain` as one text (2.2, issued credential: "array of PEM strings")',
  'pki.sign',
  replyData((data) => ({ ...data, ca_chain: Array.isArray(data.ca_chain) ? data.ca_chain.join('\n') : '' })),
)

route(
  'swift-false-left-out',
  ['PKI-BARE-01', 'PKI-SUB-01'],
  'the read of a role leaves out the flags that are false (4.2, GET /pki/roles/:name: "role fields")',
  'pki.readRole',
  replyData((data) => Object.fromEntries(Object.entries(data).filter(([, value]) => value !== false))),
)

rule(
  'swift-utf-8-spelling',
  ['PKI-OTHERSANS-08'],
  'entries of `allowed_other_sans` with the type UTF-8 allow nothing (4.2, role: "type `UTF8` or `UTF-8`")',
  {
    otherNameAllowed: (original) => (role, name) =>
      original({ ...role, allowed_other_sans: role.allowed_other_sans.filter((entry) => !/;utf-8:/i.test(entry)) }, name),
  },
)

rule('swift-usage-case', ['PKI-USAGE-03'], 'usages in lower case are left out of certificates (4.2, `key_usage`: "case-insensitive")', {
  keyUsages: (original) => (role, request) =>
    original({ ...role, key_usage: role.key_usage.filter((name) => name !== name.toLowerCase()) }, request),
})

rule(
  'swift-email-not-excluded',
  ['PKI-EXCLUDE-02'],
  'an email as common name stays among the alternative names (4.2: "omit CN from DNS/email SANs")',
  {
    withCommonName: (original) => (names, commonName, exclude) => original(names, commonName, exclude && !commonName.includes('@')),
  },
)

route(
  'swift-chain-glued',
  ['PKI-CHAIN-03'],
  'ca_chain has nothing between one certificate and the next (4.2, GET /pki/ca_chain: "bare PEM chain")',
  'pki.readCaChain',
  reply((given) => {
    if (given.raw === undefined) return given
    const text = Buffer.from(given.raw.bytes).toString()
    return { ...given, raw: { ...given.raw, bytes: Buffer.from(text.replaceAll('-----\n-----BEGIN', '----------BEGIN')) } }
  }),
)
