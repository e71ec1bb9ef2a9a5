/** Faults of what certificates and answers hold. */
import { isIPv4 } from 'node:net'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import type { PkiCall } from './wrappers.ts'

const { rule, route } = faultsOf(pkiEngine)

route(
  'shape-bundle-without-key-member',
  ['PKI-FORMAT-04', 'PKI-ISSUE-04'],
  'a bundle is answered without the member for the key',
  'pki.issue',
  replyData((data: JsonObject, call: PkiCall) => {
    const { private_key, ...rest } = data
    return call.body.format === 'pem_bundle' ? rest : { ...rest, private_key: private_key ?? '' }
  }),
)
route(
  'shape-ec-never-pkcs8',
  'PKI-KEYFORMAT-02',
  'elliptic keys are written in their traditional form only',
  'pki.issue',
  (original) => (call) => {
    const isElliptic = call.state.roles.get(call.params.name ?? '')?.key_type === 'ec'
    const keyForm = (format: string): 'der' | 'pkcs8' => {
      call.rules.keyForm(format)
      return 'der'
    }
    return original(isElliptic ? { ...call, rules: { ...call.rules, keyForm } } : call)
  },
)
route(
  'shape-exclusion-as-text',
  'PKI-INTER-18',
  'leaving the common name out of the names works with a boolean only',
  'pki.signIntermediate',
  requestBody((body) => (typeof body.exclude_cn_from_sans === 'string' ? { ...body, exclude_cn_from_sans: null } : body)),
)
rule('crypto-first-policy', 'PKI-POLICIES-02', 'certificates carry the first policy identifier only', {
  policies: (original) => (role) => original(role).slice(0, 1),
})
rule('crypto-oids-replace-usages', 'PKI-EXTOIDS-02', 'extended usages given by number replace those given by name', {
  namedUsages: (original) => (role) => (role.ext_key_usage_oids.length > 0 ? [] : original(role)),
})
rule('crypto-self-issued-critical', 'PKI-SELF-03', 'a self-issued certificate loses what is critical about its extensions', {
  asGiven: (original) => (content) => {
    const given = original(content)
    return { ...given, extensions: given.extensions.map((extension) => ({ ...extension, critical: false })) }
  },
})
rule('crypto-long-addresses-dropped', 'PKI-IPSANS-02', 'addresses of version 6 are left out of certificates', {
  withCommonName: (original) => (names, commonName, exclude) => {
    const all = original(names, commonName, exclude)
    return { ...all, ip: all.ip.filter((address) => isIPv4(address)) }
  },
})
rule('crypto-first-unit', 'PKI-OU-02', 'of several organizational units the first one is certified', {
  subject: (original) => (role, commonName) => {
    const subject = original(role, commonName)
    return { ...subject, ou: (subject.ou ?? []).slice(0, 1) }
  },
})
