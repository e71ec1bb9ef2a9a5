import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, replyData, replyDataWithout } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { defaults } from './role.ts'
import { hollow, type PkiCall, withBadSignature } from './wrappers.ts'

const { rule, route, change } = faultsOf(pkiEngine)

route(
  'issue-no-certificate',
  'PKI-ISSUE-01',
  'issue answers an empty certificate',
  'pki.issue',
  replyData((data) => ({ ...data, certificate: '' })),
)
route(
  'issue-wrong-ca',
  'PKI-ISSUE-02',
  'issuing_ca is the certificate itself',
  'pki.issue',
  replyData((data) => ({ ...data, issuing_ca: data.certificate ?? '' })),
)
route(
  'issue-chain-text',
  'PKI-ISSUE-03',
  'ca_chain is one text',
  'pki.issue',
  replyData((data) => ({ ...data, ca_chain: (data.ca_chain as string[]).join('\n') })),
)
route(
  'chain-entry-unreadable',
  ['PKI-ISSUE-03', 'PKI-SIGN-03'],
  'entries of ca_chain after the first hold no certificate',
  ['pki.issue', 'pki.sign'],
  replyData((data) => ({
    ...data,
    ca_chain: (data.ca_chain as string[]).map((entry, at) => (at === 0 ? entry : entry.replace(/\n[^-\n]{20}/, '\nnocertificatehere000'))),
  })),
)
route(
  'chain-other-order',
  'PKI-ISSUE-15',
  'ca_chain has the root right after the issuing CA, whatever is between them',
  ['pki.issue', 'pki.sign'],
  replyData((data) => {
    const [first, ...above] = data.ca_chain as string[]
    return { ...data, ca_chain: [...(first === undefined ? [] : [first]), ...above.reverse()] }
  }),
)
rule('flags-off-default', ['PKI-SERVER-02', 'PKI-CLIENT-02'], 'a role with all flags off has the usages of servers and clients', {
  flagUsages: (original) => (role) => (original(role).length === 0 ? ['serverauth', 'clientauth'] : original(role)),
})
route('issue-other-key', 'PKI-ISSUE-04', 'the key of an earlier certificate is answered', 'pki.issue', (original) => {
  let earlier = ''
  return replyData<PkiCall>((data) => {
    const key = earlier || '-----BEGIN EC PRIVATE KEY-----'
    earlier = String(data.private_key)
    return { ...data, private_key: key }
  })(original)
})
route(
  'issue-key-type',
  'PKI-ISSUE-05',
  'private_key_type is always rsa',
  'pki.issue',
  replyData((data) => ({ ...data, private_key_type: 'rsa' })),
)
route(
  'issue-serial-plain',
  'PKI-ISSUE-06',
  'serial_number has no colons',
  'pki.issue',
  replyData((data) => ({ ...data, serial_number: String(data.serial_number).replaceAll(':', '') })),
)
route(
  'issue-signature',
  'PKI-ISSUE-07',
  'the signature of a certificate is wrong',
  'pki.issue',
  replyData((data) => ({ ...data, certificate: withBadSignature(data.certificate) })),
)
change('issue-key-kept', 'PKI-ISSUE-09', 'the private key is readable with the certificate', {
  routes: (() => {
    const kept = new Map<string, JsonObject['x']>()
    return {
      'pki.issue': replyData((data) => {
        kept.set(String(data.serial_number), data.private_key ?? null)
        return data
      }),
      'pki.readCertificate': replyData((data, { params }) => ({
        ...data,
        private_key: kept.get(params.serial?.replaceAll('-', ':') ?? '') ?? null,
      })),
    }
  })(),
})
rule('serials-short', ['PKI-ISSUE-10', 'PKI-SUBJECT-11'], 'serial numbers are one random byte', {
  serialNumber: (original) => () => original().subarray(0, 1),
})
route('issue-unknown-role', 'PKI-ISSUE-11', 'an unknown role issues like an open one', 'pki.issue', (original) => (call) => {
  const name = call.params.name!
  if (!call.state.roles.has(name))
    call.state.roles.set(name, { ...defaults(), allow_any_name: true, key_type: 'ec', key_bits: 256, ttl: 3600 })
  return original(call)
})
route(
  'issue-without-ca',
  'PKI-ISSUE-12',
  'without a CA an empty answer is given',
  'pki.issue',
  insteadOfRefusal(hollow, ({ state }) => state.authority?.key === undefined),
)
route(
  'issue-chain-order',
  'PKI-ISSUE-15',
  'the chain begins with another certificate',
  'pki.issue',
  replyData((data) => ({ ...data, ca_chain: [data.certificate ?? '', ...(data.ca_chain as string[])] })),
)
route('role-cached', 'PKI-ISSUE-17', 'a role decides as it did when it first issued', 'pki.issue', (original) => {
  const first = new Map<string, ReturnType<typeof defaults>>()
  return (call) => {
    const name = call.params.name!
    const role = first.get(name) ?? call.state.roles.get(name)
    if (role === undefined) return original(call)
    first.set(name, role)
    return original({ ...call, state: { ...call.state, roles: new Map([[name, role]]) } })
  }
})
route('sign-no-certificate', 'PKI-SIGN-01', 'sign answers no certificate', 'pki.sign', replyDataWithout('certificate'))
route('sign-no-issuer', 'PKI-SIGN-02', 'sign answers no issuer', 'pki.sign', replyDataWithout('issuing_ca'))
route('sign-no-chain', 'PKI-SIGN-03', 'sign answers no chain', 'pki.sign', replyDataWithout('ca_chain'))
route(
  'sign-chain-alone',
  'PKI-SIGNED-02',
  'the chain of a signed request is its issuer alone',
  'pki.sign',
  replyData((data) => ({ ...data, ca_chain: (data.ca_chain as string[]).slice(0, 1) })),
)
route(
  'sign-other-serial',
  'PKI-SIGN-04',
  'sign answers another serial number',
  'pki.sign',
  replyData((data) => ({ ...data, serial_number: String(data.serial_number).split(':').reverse().join(':') })),
)
route(
  'sign-unknown-role',
  'PKI-SIGN-10',
  'an unknown role signs',
  'pki.sign',
  insteadOfRefusal(hollow, ({ params, state }) => !state.roles.has(params.name!)),
)
route(
  'sign-signature',
  'PKI-SIGN-12',
  'the signature of a signed request is wrong',
  'pki.sign',
  replyData((data) => ({ ...data, certificate: withBadSignature(data.certificate) })),
)
