/** Faults of PKI in other forms of the same thing: both forms of a field, kinds of names, formats, headers, spellings. */
import { createPrivateKey } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData, replyDataWithout } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import { exportKey } from './x509/key-forms.ts'
import { writePem } from './x509/pem.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')
const core = faultsOf(coreEngine, 'pki')

rule(
  'haze-bundled-key-in-traditional-form',
  'PKI-KEYFORMAT-04',
  'the private key within a pem_bundle is in the traditional form although pkcs8 was asked for (001 4.2, request parameters: private_key_format; pem_bundle also holds the private key)',
  {
    bundleParts: (original) => (key, certificate, issuer) => {
      if (!key?.startsWith('-----BEGIN PRIVATE KEY-----')) return original(key, certificate, issuer)
      const { label, bytes } = exportKey(createPrivateKey(key), 'der')
      return original(writePem(label, bytes), certificate, issuer)
    },
  },
)

route(
  'haze-internal-key-in-bundle',
  'PKI-ROOT-05',
  'root/generate/internal with format pem_bundle returns the private key within the bundle (001 4.2: the key of an internal root is never returned)',
  'pki.generateRoot',
  (original) => {
    const exported = withRules(() => ({ returnsKey: () => true }))(original)
    const bundled = replyDataWithout<PkiCall>('private_key', 'private_key_type')(exported)
    return (call) => (call.params.type === 'internal' && call.body.format === 'pem_bundle' ? bundled(call) : original(call))
  },
)

route(
  'haze-serials-by-get-with-hyphens',
  'CORE-LIST-02',
  'GET certs?list=true spells the serial numbers with hyphens, LIST with colons (001 2.2: colon-separated hex; 000 1.5: both are the same listing)',
  'pki.listCertificates',
  replyData((data, call) =>
    call.query.get('list') === 'true' ? { ...data, keys: (data.keys as string[]).map((serial) => serial.replaceAll(':', '-')) } : data,
  ),
)

route(
  'haze-revocation-time-as-text',
  'PKI-REVOKE-01',
  'a serial number with hyphens gets its revocation_time as text (001 2.2: int, epoch seconds)',
  'pki.revoke',
  replyData((data, call) =>
    String(call.body.serial_number).includes('-') ? { ...data, revocation_time: String(data.revocation_time) } : data,
  ),
)

rule(
  'haze-long-addresses-always-allowed',
  'PKI-IPSANS-03',
  'IPv6 addresses get into certificates of roles that allow no IP SANs (001 4.2, ip_sans: valid only if the role allows IP SANs)',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(rules, role, commonName, { ...names, ip: names.ip.filter((address) => isIPv4(address)) }, request),
  },
)

const plainLetters = (values: string[]): string[] => values.map((value) => value.normalize('NFD').replace(/[^ -~]/g, ''))
rule(
  'haze-subject-without-accents',
  'PKI-ORG-02',
  'letters beyond ASCII in the organization, ou, locality and province of a role are reduced to plain ones (001 4.2, role parameters: subject fields are strings that certificates carry)',
  {
    subject: (original) => (role, commonName) =>
      original(
        {
          ...role,
          organization: plainLetters(role.organization),
          ou: plainLetters(role.ou),
          locality: plainLetters(role.locality),
          province: plainLetters(role.province),
        },
        commonName,
      ),
  },
)

core.rule(
  'haze-body-without-content-type',
  'CORE-MEDIA-02',
  'PKI writes with a body are refused where the request has no Content-Type (000 2.1, body format: clients need not send it)',
  {
    check: (original) => (call, operation) => {
      original(call, operation)
      if (operation.id.startsWith('pki.') && call.text !== '{}' && call.headers['content-type'] === undefined)
        throw invalid('the body must be JSON')
    },
  },
)
