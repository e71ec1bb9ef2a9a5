/** Faults of the certificate authority: the same thing in another of its legal forms. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { reply, replyData, requestBody } from '../../mutations/wrappers.ts'
import { ISSUING, MAKING_CAS } from './cedar-help.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')

route(
  'cedar-der-in-url-alphabet',
  'PKI-FORMAT-03',
  'certificates in the format `der` are written in the URL alphabet without padding (document 001, 4.2, `format`: `der` is base64)',
  ISSUING,
  replyData((data, { body }) =>
    body.format === 'der' ? { ...data, certificate: Buffer.from(String(data.certificate), 'base64').toString('base64url') } : data,
  ),
)

route(
  'cedar-bundled-key-never-pkcs8',
  'PKI-KEYFORMAT-04',
  'with the format `pem_bundle` the key is in the traditional form although `pkcs8` was asked (document 001, 4.2: `private_key_format` `pkcs8`)',
  'pki.issue',
  withRules((rules, { body }) => ({
    keyForm: (format) => {
      const form = rules.keyForm(format)
      return body.format === 'pem_bundle' ? 'der' : form
    },
  })),
)

route(
  'cedar-empty-ttl-is-the-system-default',
  'PKI-ISSUE-19',
  'an empty `ttl` sent along gives the system default instead of the `ttl` of the role (document 001, 4.2: `ttl` default `""`, which means the role `ttl`)',
  ISSUING,
  withRules((rules, { body }) => ({
    lifetime: (role, requested, limits) => rules.lifetime(body.ttl === '' ? { ...role, ttl: 0 } : role, requested, limits),
  })),
)

route(
  'cedar-exclusion-as-text-ignored',
  'PKI-INTER-18',
  'the text "true" for `exclude_cn_from_sans` of an intermediate has no effect (document 001, 4.2: sign-intermediate declares it as string)',
  'pki.signIntermediate',
  requestBody((body) => (typeof body.exclude_cn_from_sans === 'string' ? { ...body, exclude_cn_from_sans: false } : body)),
)

route(
  'cedar-traditional-ec-key-refused',
  'PKI-CONFIG-02',
  'a bundle whose key is an `EC PRIVATE KEY`, as this engine exports it, is refused (document 001, 4.2, `pem_bundle`: private key and certificate concatenated in PEM)',
  'pki.writeCa',
  (original) => (call) => {
    if (/-----BEGIN EC PRIVATE KEY-----/.test(String(call.body.pem_bundle))) throw invalid('pem_bundle holds no private key')
    return original(call)
  },
)

route(
  'cedar-line-feed-after-der',
  'PKI-CA-01',
  'GET `ca` ends with a line feed after the certificate (document 001, 4.2: raw DER)',
  'pki.readCa',
  reply((given) => {
    const { raw } = given
    return raw ? { ...given, raw: { ...raw, bytes: Buffer.concat([raw.bytes, Buffer.from('\n')]) } } : given
  }),
)

route(
  'cedar-chain-without-line-feeds',
  'PKI-CHAIN-03',
  'the certificates of GET `ca_chain` follow each other on one line, so that only one of several can be read (document 001, 4.2: bare PEM chain)',
  'pki.readCaChain',
  reply((given) => {
    const { raw } = given
    if (raw === undefined) return given
    const joined = Buffer.from(raw.bytes).toString().replaceAll('-----\n-----BEGIN', '----------BEGIN')
    return { ...given, raw: { ...raw, bytes: Buffer.from(joined) } }
  }),
)

const plainLetters = (values: string[] | undefined): string[] =>
  (values ?? []).map((value) => value.normalize('NFD').replace(/[^ -~]/g, '')).filter((value) => value !== '')
rule(
  'cedar-letters-beyond-ascii-changed',
  'PKI-ORG-02',
  'organization, unit and locality of a role lose their marks and letters beyond ASCII in certificates (document 001, 4.2: strings of the role)',
  {
    subject: (original) => (role, commonName) => {
      const subject = original(role, commonName)
      const { organization, ou, locality } = subject
      return { ...subject, organization: plainLetters(organization), ou: plainLetters(ou), locality: plainLetters(locality) }
    },
  },
)

route(
  'cedar-permitted-domains-text-not-split',
  'PKI-ROOT-16',
  'several `permitted_dns_domains` in one text are taken for one domain (document 001, 4.2: comma-separated string or array)',
  MAKING_CAS,
  requestBody((body) => {
    const { permitted_dns_domains: given } = body
    return typeof given === 'string' && given !== '' ? { ...body, permitted_dns_domains: [given] } : body
  }),
)

rule(
  'cedar-copied-extensions-not-critical',
  'PKI-INTER-14',
  'extensions that `use_csr_values` copies are no longer critical (document 001, 4.2: true copies CSR extensions)',
  { requestedExtensions: (original) => (extensions) => original(extensions).map((item) => ({ ...item, critical: false })) },
)
