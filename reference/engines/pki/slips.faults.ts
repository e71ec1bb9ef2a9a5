/** Faults of the certificate authority that somebody wrote who knows the contract and nothing of the checks. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { excludesCommonName } from './requests.ts'
import type { Role } from './role.ts'
import { byRules, dataOf, type Handle, type PkiCall } from './wrappers.ts'
import { exportKey } from './x509/key-forms.ts'
import { writePem } from './x509/pem.ts'

const { rule, route, change } = faultsOf(pkiEngine)

const issuedBy = remembered(() => new Map<string, string[]>())

const noting =
  (original: Handle): Handle =>
  async (call) => {
    const reply = await original(call)
    const issued = issuedBy(call.state)
    const role = call.params.name ?? ''
    issued.set(role, [...(issued.get(role) ?? []), String(dataOf(reply).serial_number)])
    return reply
  }

change('slip-role-deletion-forgets-certificates', ['PKI-ROLE-06'], 'with a role go the certificates that were issued by it', {
  routes: {
    'pki.issue': noting,
    'pki.sign': noting,
    'pki.deleteRole': (original) => (call) => {
      const role = call.params.name ?? ''
      for (const serial of issuedBy(call.state).get(role) ?? []) call.state.certificates.delete(serial)
      issuedBy(call.state).delete(role)
      return original(call)
    },
  },
})

const SUBJECT = ['ou', 'organization', 'country', 'locality', 'province', 'street_address', 'postal_code'] as const

rule(
  'slip-subject-leaks-into-defaults',
  ['PKI-APART-01'],
  'subject fields of a role become the defaults of those that are written after it',
  {
    writeRole: (original) => {
      const shared: Partial<Role> = {}
      return (previous, given, base) => {
        const role = original(previous, given, { ...base, ...shared })
        for (const field of SUBJECT) if (given[field]) shared[field] = given[field]
        return role
      }
    },
  },
)

rule('slip-ttl-at-maximum-refused', ['PKI-REQTTL-01'], 'a ttl of exactly the max_ttl of the role is refused', {
  lifetime: (original) => (role, requested, limits) => {
    if (role.max_ttl > 0 && requested >= role.max_ttl) throw invalid('ttl must be below the max_ttl of the role')
    return original(role, requested, limits)
  },
})

rule('slip-deep-wildcard-refused', ['PKI-SUB-03'], 'of wildcard names only those right below a listed domain are allowed', {
  subdomainAllowed: (original) => (role, name, domain) => original(role, name, domain) && !(name.wildcard && name.domain !== domain),
})

const firstIssuer = remembered<{ pem?: string }>(() => ({}))

route(
  'slip-issuing-ca-of-before',
  ['PKI-ISSUE-02'],
  'issuing_ca is read once for a mount, so that it stays the old one when the CA is another',
  ['pki.issue', 'pki.sign'],
  replyData((data, call: PkiCall) => {
    if (textOf(call.body, 'format') === 'der') return data
    const known = firstIssuer(call.state)
    known.pem ??= String(data.issuing_ca)
    return { ...data, issuing_ca: known.pem }
  }),
)

rule('slip-update-appends-domains', ['PKI-ROLE-02'], 'an update adds to the allowed domains of a role instead of replacing them', {
  writeRole: (original) => (previous, given, base) => {
    const role = original(previous, given, base)
    return { ...role, allowed_domains: [...new Set([...(previous?.allowed_domains ?? []), ...role.allowed_domains])] }
  },
})

faultsOf(coreEngine, 'pki').rule(
  'slip-certificates-listed-to-anybody',
  ['CORE-AUTH-15'],
  'what begins with cert needs no token, the listing of serial numbers too',
  {
    needsToken: (original) => (asked) => asked?.id !== 'pki.listCertificates' && original(asked),
  },
)

route(
  'slip-internal-key-in-bundle',
  ['PKI-ROOT-05'],
  'a bundle holds the key of an internal root',
  'pki.generateRoot',
  replyData((data, call: PkiCall) => {
    const key = call.state.authority?.key
    if (call.params.type !== 'internal' || textOf(call.body, 'format') !== 'pem_bundle' || key === undefined) return data
    const { label, bytes } = exportKey(key, call.rules.keyForm(textOf(call.body, 'private_key_format')))
    return { ...data, certificate: `${writePem(label, bytes)}\n${String(data.certificate)}` }
  }),
)

route(
  'slip-excluded-common-name-unchecked',
  ['PKI-CN-02'],
  'a common name that is left out of the alternative names is not held against the policy',
  ['pki.issue', 'pki.sign'],
  (original) => {
    const lax = byRules((rules) => ({
      refusal: (all, role, _commonName, names, request) => rules.refusal(all, role, '', names, request),
    }))(original)
    return (call) => (excludesCommonName(call.body) ? lax(call) : original(call))
  },
)

route(
  'slip-der-key-not-pkcs8',
  ['PKI-KEYFORMAT-04'],
  'with format der private_key_format is ignored',
  ['pki.issue', 'pki.generateRoot'],
  requestBody((body) => (body.format === 'der' && body.private_key_format === 'pkcs8' ? { ...body, private_key_format: 'der' } : body)),
)

rule('slip-first-hyphen-only', ['PKI-REVOKE-03'], 'only the first hyphen of a serial number is taken for a separator', {
  serialKey: () => (text) => text.trim().toLowerCase().replace('-', ':'),
})
