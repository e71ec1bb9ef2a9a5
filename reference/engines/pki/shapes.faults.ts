/** Faults in spelling, types, letter case, and in the same thing by another way. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData, replyDataWithout, requestBody, requestWithout } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import type { Handle, PkiCall } from './wrappers.ts'
import { KEY_USAGES } from './x509/extensions.ts'

const { rule, route } = faultsOf(pkiEngine)

const { rule: core } = faultsOf(coreEngine, 'pki')

const SPELT = [
  'DigitalSignature',
  'ContentCommitment',
  'KeyEncipherment',
  'DataEncipherment',
  'KeyAgreement',
  'CertSign',
  'CRLSign',
  'EncipherOnly',
  'DecipherOnly',
]

rule(
  'shape-usage-case',
  ['PKI-USAGE-03'],
  'key usages must be spelt with the letters of the default (001 4.2, key_usage case-insensitive)',
  {
    usageKnown: () => (name) => SPELT.includes(name),
  },
)

rule('shape-usage-lower-lost', ['PKI-USAGE-03'], 'key usages in upper case are taken and left out (001 4.2, key_usage case-insensitive)', {
  keyUsages: () => (role) =>
    role.key_usage.filter((name) => name !== name.toUpperCase() || name.length < 4).map((name) => KEY_USAGES[name.toLowerCase()] ?? 0),
})

rule(
  'shape-ext-usage-text',
  ['PKI-ROLE-01', 'PKI-EXTUSAGE-01'],
  'ext_key_usage reads as comma-separated text (001 4.2, ext_key_usage is a list)',
  {
    showRole: (original) => (role) => ({ ...original(role), ext_key_usage: role.ext_key_usage.join(',') }),
  },
)

route(
  'shape-der-url',
  ['PKI-FORMAT-02', 'PKI-FORMAT-03'],
  'a certificate in format der has the alphabet of URLs (001 4.2, format der is base64)',
  ['pki.issue', 'pki.sign'],
  replyData((data, call) =>
    call.body.format === 'der' ? { ...data, certificate: Buffer.from(String(data.certificate), 'base64').toString('base64url') } : data,
  ),
)

route(
  'shape-bundle-der-key',
  ['PKI-KEYFORMAT-04', 'PKI-KEYFORMAT-03'],
  'the key of a bundle is never PKCS #8 (001 4.2, private_key_format)',
  'pki.issue',
  (original) => (call) =>
    call.body.format === 'pem_bundle' ? requestWithout<PkiCall>('private_key_format')(original)(call) : original(call),
)

rule('shape-other-name-type', ['PKI-OTHERSANS-08'], 'the type UTF-8 is not understood in allowed_other_sans (001 4.2, UTF8 or UTF-8)', {
  otherNameAllowed: (original) => (role, name) =>
    original({ ...role, allowed_other_sans: role.allowed_other_sans.filter((entry) => !entry.includes(';UTF-8:')) }, name),
})

route(
  'shape-chain-text',
  ['PKI-SIGN-03'],
  'ca_chain of a signed request is one text (001 2.2, array of PEM strings)',
  'pki.sign',
  replyData((data) => ({ ...data, ca_chain: (data.ca_chain as string[]).join('\n') })),
)

route(
  'shape-root-without-issuer',
  ['PKI-ROOT-02'],
  'a generated root shows no issuing_ca (001 4.2, root/generate)',
  'pki.generateRoot',
  replyDataWithout('issuing_ca'),
)

route(
  'shape-revocation-ms',
  ['PKI-REVOKE-04'],
  'revocation_time is in milliseconds (001 2.2, epoch seconds)',
  'pki.revoke',
  replyData((data) => ({ ...data, revocation_time: Number(data.revocation_time) * 1000 })),
)

route(
  'shape-exclude-text',
  ['PKI-INTER-18'],
  'exclude_cn_from_sans as text is not looked at when an intermediate is signed (001 4.2, declared as string)',
  'pki.signIntermediate',
  (original) => (call) =>
    typeof call.body.exclude_cn_from_sans === 'string' ? requestWithout<PkiCall>('exclude_cn_from_sans')(original)(call) : original(call),
)

route(
  'shape-permitted-list',
  ['PKI-INTER-10'],
  'of permitted domains in an array only the first counts (001 4.2, permitted_dns_domains)',
  ['pki.generateRoot', 'pki.signIntermediate'],
  requestBody((body) =>
    Array.isArray(body.permitted_dns_domains) ? { ...body, permitted_dns_domains: body.permitted_dns_domains.slice(0, 1) } : body,
  ),
)

rule('shape-subject-latin', ['PKI-ORG-02'], 'an organization outside of ASCII comes out damaged (001 4.2, organization)', {
  subject: (original) => (role, commonName) => {
    const subject = original(role, commonName)
    return { ...subject, organization: (subject.organization ?? []).map((text) => Buffer.from(text, 'latin1').toString('utf8')) }
  },
})

route(
  'shape-request-line-end',
  ['PKI-SIGN-01'],
  'a certificate request without a line end at its end is refused (001 4.2, csr PEM)',
  'pki.sign',
  (original) => (call) => {
    if (typeof call.body.csr === 'string' && !call.body.csr.endsWith('\n')) throw invalid('csr cannot be read')
    return original(call)
  },
)

core('shape-put-issue', ['CORE-WRITE-01'], 'PUT at issue/ is an unknown path (000 1.6, PUT and POST are synonyms)', {
  effectivePath: (original) => (header, request, namespaces) =>
    original(header, request, namespaces) + (request.method === 'PUT' && request.path.includes('/issue/') ? '/put' : ''),
})

route(
  'shape-name-case',
  ['PKI-ROLE-01'],
  'role names that differ by case are one role (001 4.2, roles/:name)',
  ['pki.writeRole', 'pki.readRole', 'pki.deleteRole', 'pki.issue', 'pki.sign'],
  (original: Handle): Handle =>
    (call) =>
      original({ ...call, params: { ...call.params, name: (call.params.name ?? '').toLowerCase() } }),
)

route(
  'shape-compound-duration',
  ['PKI-REQTTL-01'],
  'of a ttl such as 1h30m only the first unit counts (001 4.2, ttl)',
  ['pki.issue', 'pki.sign', 'pki.writeRole', 'pki.signIntermediate', 'pki.generateRoot'],
  requestBody((body) =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        /^(max_)?ttl$/.test(name) && typeof value === 'string' ? value.replace(/^(\d+[a-z]+)\d.*$/, '$1') : value,
      ]),
    ),
  ),
)
