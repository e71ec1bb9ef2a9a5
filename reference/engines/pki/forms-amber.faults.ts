/** Faults of form: the same thing by another route, absent against empty, text against list, other encodings and spellings. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { noNames } from './x509/names.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')

route(
  'amber-intermediate-never-in-der',
  'PKI-INTER-17',
  'sign-intermediate answers in PEM where format der is asked (001 4.2: format `der` (base64))',
  'pki.signIntermediate',
  requestBody((body) => (body.format === 'der' ? { ...body, format: 'pem' } : body)),
)

rule(
  'amber-bundle-without-pkcs8-key',
  'PKI-FORMAT-04',
  'a pem_bundle lacks the private key where that is asked for as pkcs8 (001 4.2: pem_bundle also holds private key)',
  {
    bundleParts: (original) => (key, certificate, issuer) =>
      original(key?.startsWith('-----BEGIN PRIVATE KEY-----') ? undefined : key, certificate, issuer),
  },
)

rule(
  'amber-first-hyphen-only',
  'PKI-REVOKE-03',
  'a serial number with hyphens is not known to revoke (001 4.2: revoke, hyphen- or colon-separated)',
  {
    serialKey: () => (text) => text.trim().toLowerCase().replace('-', ':'),
  },
)

route(
  'amber-exclusion-as-text-overlooked',
  'PKI-INTER-18',
  'sign-intermediate overlooks exclude_cn_from_sans given as a string (001 4.2: sign-intermediate declares it as string)',
  'pki.signIntermediate',
  requestBody((body) => (typeof body.exclude_cn_from_sans === 'string' ? { ...body, exclude_cn_from_sans: false } : body)),
)

rule(
  'amber-der-key-as-pkcs8',
  'PKI-KEYFORMAT-01',
  'private_key_format `der`, when sent, gives the key in another form than when left out (001 4.2: default `""` (`der`))',
  { keyForm: (original) => (format) => (format === 'der' ? 'pkcs8' : original(format)) },
)

rule(
  'amber-empty-lists-null',
  'PKI-DOMAINS-01',
  'a role reads null where a list is empty (001 4.2: role fields; allowed_domains list, default [])',
  {
    showRole: (original) => (role) =>
      Object.fromEntries(
        Object.entries(original(role)).map(([field, value]) => [field, Array.isArray(value) && value.length === 0 ? null : value]),
      ),
  },
)

rule(
  'amber-names-of-request-pass',
  'PKI-ALT-03',
  'alternative names that stand in the CSR are not held against the policy (001 4.2: any name not matching policy denies the request)',
  {
    refusal: (original) => (rules, role, commonName, names, request) => {
      const ofRequest = request !== undefined && names === request.names
      return original(rules, role, commonName, ofRequest ? noNames() : names, request)
    },
  },
)

rule(
  'amber-email-common-name-stays',
  'PKI-EXCLUDE-02',
  'exclude_cn_from_sans leaves a common name that is an email address among the names (001 4.2: omit CN from DNS/email SANs)',
  {
    withCommonName: (original) => (names, commonName, exclude) => original(names, commonName, exclude && !commonName.includes('@')),
  },
)

route(
  'amber-roles-listed-bare-by-get',
  'CORE-LIST-03',
  'GET roles?list=true answers keys without the envelope, unlike LIST (000 1: LIST or GET with list=true; 001 4.2: data.keys)',
  'pki.listRoles',
  (original) => async (call) => {
    const reply = await original(call)
    return call.query.get('list') === 'true' ? { ...reply, body: (reply.body as JsonObject).data } : reply
  },
)
