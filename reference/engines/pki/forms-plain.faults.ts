import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { replyData, reply as replyOf, requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { randomSerial } from './x509/certificate.ts'
import type { Subject } from './x509/names.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')

rule(
  'plain-first-hyphen-only',
  'PKI-REVOKE-03',
  'a serial number with hyphens is not understood (001 4.2: revoke, hyphen- or colon-separated)',
  {
    serialKey: () => (text) => text.trim().toLowerCase().replace('-', ':'),
  },
)

rule(
  'plain-bundle-without-pkcs8-key',
  'PKI-FORMAT-04',
  'a bundle lacks a private key in pkcs8 (001 4.2: pem_bundle, certificate field then also holds private key where present)',
  {
    bundleParts: (original) => (key, certificate, issuer) =>
      original(key?.startsWith('-----BEGIN PRIVATE KEY-----') ? undefined : key, certificate, issuer),
  },
)

const unsplit = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' && value.includes(',') && !value.trimStart().startsWith('[') ? [value] : value
route(
  'plain-subject-list-unsplit',
  'PKI-SUBJECT-09',
  'comma-separated ou and organization of a CA become one value (001 4.2: subject fields, comma-separated or JSON array)',
  ['pki.generateRoot', 'pki.signIntermediate'],
  requestBody((body) => {
    const changed = { ou: unsplit(body.ou), organization: unsplit(body.organization) }
    return { ...body, ...(Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined)) as JsonObject) }
  }),
)

route(
  'plain-exclusion-as-text-ignored',
  'PKI-INTER-18',
  'exclude_cn_from_sans as text does nothing for an intermediate (001 4.2: sign-intermediate declares it as string)',
  'pki.signIntermediate',
  requestBody((body) => (typeof body.exclude_cn_from_sans === 'string' ? { ...body, exclude_cn_from_sans: false } : body)),
)

rule(
  'plain-usage-by-its-case',
  'PKI-USAGE-03',
  'key usages in lower or upper case are left out of certificates (001 4.2: key_usage, case-insensitive)',
  {
    keyUsages: (original) => (role, request) =>
      original({ ...role, key_usage: role.key_usage.filter((name) => /^([A-Z][a-z]+)+$|^CRLSign$/.test(name)) }, request),
  },
)

const misread = (values: string[] | undefined): string[] => (values ?? []).map((value) => Buffer.from(value, 'utf8').toString('latin1'))
rule(
  'plain-subject-encoded-twice',
  'PKI-ORG-02',
  'umlauts in subject fields of a role are encoded twice (001 4.2: ou, organization, locality, province)',
  {
    subject:
      (original) =>
      (role, commonName): Subject => {
        const subject = original(role, commonName)
        const { ou, organization, locality, province } = subject
        return {
          ...subject,
          ou: misread(ou),
          organization: misread(organization),
          locality: misread(locality),
          province: misread(province),
        }
      },
  },
)

route(
  'plain-explicit-der-key',
  'PKI-KEYFORMAT-01',
  'private_key_format der, the default, sent with issue gives the key without PEM (001 4.2: private_key_format, "" (der); format pem)',
  'pki.issue',
  replyData((data, call) => {
    const isPem = call.body.format === undefined || call.body.format === '' || call.body.format === 'pem'
    if (call.body.private_key_format !== 'der' || !isPem || typeof data.private_key !== 'string') return data
    return { ...data, private_key: data.private_key.replace(/-----[A-Z ]+-----/g, '').replace(/\s+/g, '') }
  }),
)

route(
  'plain-chain-run-together',
  'PKI-CHAIN-03',
  'the certificates of ca_chain follow one another without a line break (001 4.2: GET ca_chain, bare PEM chain)',
  'pki.readCaChain',
  replyOf((given) => {
    if (given.raw === undefined) return given
    const joined = Buffer.from(given.raw.bytes).toString().replaceAll('-----\n-----BEGIN', '----------BEGIN')
    return { ...given, raw: { ...given.raw, bytes: Buffer.from(joined) } }
  }),
)

route(
  'plain-lease-of-role-ttl',
  'PKI-LEASE-02',
  'lease_duration shows the ttl of the role, not that of the request (001 4.2: issue, leased; 000 2.3: lease_duration)',
  ['pki.issue', 'pki.sign'],
  replyOf((given, { state, params, mount }) =>
    withBody(given, (body) => {
      const ttl = state.roles.get(params.name!)?.ttl || mount.defaultLeaseTtl
      return body.lease_id === '' ? body : { ...body, lease_duration: ttl }
    }),
  ),
)

rule(
  'plain-self-issued-new-serial',
  'PKI-SELF-03',
  'a self-issued certificate gets another serial number (001 4.2: sign-self-issued, signed as-is)',
  {
    asGiven: (original) => (content) => ({ ...original(content), serial: randomSerial() }),
  },
)
