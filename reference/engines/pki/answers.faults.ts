/** Answers that are not what they should be: CA routes, issue, sign, revocation, roles. */
import { coreEngine } from '../../core/core-engine.ts'
import { empty, secret, text } from '../../core/envelope.ts'
import { ApiError, notFound } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, replyData, replyDataWithout } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { defaults } from './role.ts'
import { hollow, type PkiCall, spoiled } from './wrappers.ts'
import { writePem } from './x509/pem.ts'

const pki = faultsOf(pkiEngine)
const core = faultsOf(coreEngine, 'pki')

const tokenFor = (operation: string, name: string, clause: string): void =>
  core.rule(`${name}-needs-token`, clause, 'a public route asks for a token', {
    needsToken: (original) => (route) => route?.id === operation || original(route),
  })

pki.route(
  'ca-der-is-pem',
  'PKI-CA-01',
  'the DER route answers PEM',
  'pki.readCa',
  () =>
    ({ state }) =>
      text('application/pkix-cert', writePem('CERTIFICATE', state.authority?.certificate.der ?? Buffer.alloc(0))),
)
pki.route(
  'ca-pem-enveloped',
  'PKI-CA-02',
  'the PEM route answers an envelope',
  'pki.readCaPem',
  () =>
    ({ state }) =>
      secret({ certificate: writePem('CERTIFICATE', state.authority?.certificate.der ?? Buffer.alloc(0)) }),
)
tokenFor('pki.readCa', 'ca', 'PKI-CA-03')
tokenFor('pki.readCaPem', 'ca-pem', 'PKI-CA-04')
tokenFor('pki.readCaChain', 'ca-chain', 'PKI-CHAIN-02')
tokenFor('pki.readCertificate', 'certificate', 'PKI-CERT-02')
pki.route(
  'ca-der-stale',
  'PKI-CA-05',
  'the DER route shows the last certificate issued',
  'pki.readCa',
  () =>
    ({ state }) =>
      text('application/pkix-cert', [...state.certificates.values()].at(-1)?.der ?? Buffer.alloc(0)),
)
pki.route(
  'chain-without-ca',
  'PKI-CHAIN-01',
  'the chain lacks the CA itself',
  'pki.readCaChain',
  () =>
    ({ state }) =>
      text('text/plain', (state.authority?.above ?? []).map((der) => writePem('CERTIFICATE', der)).join('\n')),
)
pki.rule('chain-forgotten', ['PKI-CHAIN-03', 'PKI-SIGNED-02'], 'appended CA certificates are dropped', { keepsAbove: () => () => [] })
pki.route(
  'chain-alone',
  'PKI-CHAIN-03',
  'the chain is the CA alone',
  'pki.readCaChain',
  () =>
    ({ state }) =>
      text('text/plain', writePem('CERTIFICATE', state.authority?.certificate.der ?? Buffer.alloc(0))),
)
pki.route(
  'certificate-renamed',
  'PKI-CERT-01',
  'a certificate is answered under another name',
  'pki.readCertificate',
  replyData(({ certificate }) => ({ pem: certificate ?? '' })),
)
pki.route(
  'certificate-of-another',
  'PKI-CERT-03',
  'a serial number reads the CA certificate',
  'pki.readCertificate',
  replyData((data, { state }) => ({
    ...data,
    certificate: writePem('CERTIFICATE', state.authority?.certificate.der ?? Buffer.alloc(0)),
  })),
)
pki.route('unknown-serial-400', 'PKI-CERT-05', 'an unknown serial number is a bad request', 'pki.readCertificate', (original) => (call) => {
  try {
    return original(call)
  } catch {
    throw new ApiError(400, 'no such certificate')
  }
})
pki.route(
  'list-object',
  'PKI-LIST-01',
  'serial numbers are listed as members of an object',
  'pki.listCertificates',
  replyData(({ keys }) => ({ keys: Object.fromEntries((keys as string[]).map((key) => [key, {}])) })),
)
pki.rule('list-late', ['PKI-LIST-02', 'PKI-LIST-03'], 'the newest certificates are not listed', {
  listedSerials: (original) => (state) => original(state).slice(0, 1),
})

pki.route(
  'issue-no-certificate',
  'PKI-ISSUE-01',
  'issue answers an empty certificate',
  'pki.issue',
  replyData((data) => ({ ...data, certificate: '' })),
)
pki.route(
  'issue-wrong-ca',
  'PKI-ISSUE-02',
  'issuing_ca is the certificate itself',
  'pki.issue',
  replyData((data) => ({ ...data, issuing_ca: data.certificate ?? '' })),
)
pki.route(
  'issue-chain-text',
  'PKI-ISSUE-03',
  'ca_chain is one text',
  'pki.issue',
  replyData((data) => ({ ...data, ca_chain: (data.ca_chain as string[]).join('\n') })),
)
pki.route('issue-other-key', 'PKI-ISSUE-04', 'the key of an earlier certificate is answered', 'pki.issue', (original) => {
  let earlier = ''
  return replyData<PkiCall>((data) => {
    const key = earlier || '-----BEGIN EC PRIVATE KEY-----'
    earlier = String(data.private_key)
    return { ...data, private_key: key }
  })(original)
})
pki.route(
  'issue-key-type',
  'PKI-ISSUE-05',
  'private_key_type is always rsa',
  'pki.issue',
  replyData((data) => ({ ...data, private_key_type: 'rsa' })),
)
pki.route(
  'issue-serial-plain',
  'PKI-ISSUE-06',
  'serial_number has no colons',
  'pki.issue',
  replyData((data) => ({ ...data, serial_number: String(data.serial_number).replaceAll(':', '') })),
)
pki.route(
  'issue-signature',
  'PKI-ISSUE-07',
  'the signature of a certificate is wrong',
  'pki.issue',
  replyData((data) => ({ ...data, certificate: spoiled(data.certificate) })),
)
pki.change('issue-key-kept', 'PKI-ISSUE-09', 'the private key is readable with the certificate', {
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
pki.rule('serials-short', ['PKI-ISSUE-10', 'PKI-SUBJECT-10'], 'serial numbers are one random byte', {
  serialNumber: (original) => () => original().subarray(0, 1),
})
pki.route('issue-unknown-role', 'PKI-ISSUE-11', 'an unknown role issues like an open one', 'pki.issue', (original) => (call) => {
  const name = call.params.name!
  if (!call.state.roles.has(name))
    call.state.roles.set(name, { ...defaults(), allow_any_name: true, key_type: 'ec', key_bits: 256, ttl: 3600 })
  return original(call)
})
pki.route(
  'issue-without-ca',
  'PKI-ISSUE-12',
  'without a CA an empty answer is given',
  'pki.issue',
  insteadOfRefusal(hollow, ({ state }) => state.authority?.key === undefined),
)
pki.route(
  'issue-chain-order',
  'PKI-ISSUE-15',
  'the chain begins with another certificate',
  'pki.issue',
  replyData((data) => ({ ...data, ca_chain: [data.certificate ?? '', ...(data.ca_chain as string[])] })),
)
pki.route('role-cached', 'PKI-ISSUE-17', 'a role decides as it did when it first issued', 'pki.issue', (original) => {
  const first = new Map<string, ReturnType<typeof defaults>>()
  return (call) => {
    const name = call.params.name!
    const role = first.get(name) ?? call.state.roles.get(name)
    if (role === undefined) return original(call)
    first.set(name, role)
    return original({ ...call, state: { ...call.state, roles: new Map([[name, role]]) } })
  }
})

pki.route('sign-no-certificate', 'PKI-SIGN-01', 'sign answers no certificate', 'pki.sign', replyDataWithout('certificate'))
pki.route('sign-no-issuer', 'PKI-SIGN-02', 'sign answers no issuer', 'pki.sign', replyDataWithout('issuing_ca'))
pki.route('sign-no-chain', 'PKI-SIGN-03', 'sign answers no chain', 'pki.sign', replyDataWithout('ca_chain'))
pki.route(
  'sign-chain-alone',
  'PKI-SIGNED-02',
  'the chain of a signed request is its issuer alone',
  'pki.sign',
  replyData((data) => ({ ...data, ca_chain: (data.ca_chain as string[]).slice(0, 1) })),
)
pki.route(
  'sign-other-serial',
  'PKI-SIGN-04',
  'sign answers another serial number',
  'pki.sign',
  replyData((data) => ({ ...data, serial_number: String(data.serial_number).split(':').reverse().join(':') })),
)
pki.route(
  'sign-unknown-role',
  'PKI-SIGN-10',
  'an unknown role signs',
  'pki.sign',
  insteadOfRefusal(hollow, ({ params, state }) => !state.roles.has(params.name!)),
)
pki.route(
  'sign-signature',
  'PKI-SIGN-12',
  'the signature of a signed request is wrong',
  'pki.sign',
  replyData((data) => ({ ...data, certificate: spoiled(data.certificate) })),
)

pki.route(
  'revoke-time-text',
  'PKI-REVOKE-01',
  'the time of a revocation is text',
  'pki.revoke',
  replyData((data) => ({ revocation_time: String(data.revocation_time) })),
)
pki.rule('revoke-colons', 'PKI-REVOKE-02', 'serial numbers with colons are unknown', {
  serialKey: (original) => (serial) => (serial.includes(':') ? '' : original(serial)),
})
pki.rule('revoke-hyphens', 'PKI-REVOKE-03', 'serial numbers with hyphens are unknown', {
  serialKey: () => (serial) => serial.toLowerCase(),
})
pki.rule('revoke-milliseconds', 'PKI-REVOKE-04', 'the time of a revocation is in milliseconds', {
  revocationTime: () => (earlier, now) => earlier ?? Math.floor(now * 1000),
})
pki.route(
  'revoke-unknown',
  'PKI-REVOKE-06',
  'an unknown serial number is revoked',
  'pki.revoke',
  insteadOfRefusal(
    () => secret({ revocation_time: 1 }),
    ({ body }) => typeof body.serial_number === 'string',
  ),
)
pki.rule('crl-stale', ['PKI-REVOKE-08', 'PKI-REVOKE-10'], 'a revocation does not touch the CRL', { afterRevocation: () => () => undefined })
pki.rule('crl-last', 'PKI-REVOKE-09', 'the CRL has the last revocation only', {
  revokedSerials: (original) => (state) => original(state).slice(-1),
})
pki.route(
  'revoked-forgotten',
  'PKI-REVOKE-11',
  'a revoked certificate is no longer readable',
  'pki.readCertificate',
  (original) => (call) => {
    if (call.state.revoked.includes(call.rules.serialKey(call.params.serial!))) throw notFound()
    return original(call)
  },
)

const revokesAll: ReturnType<typeof replyData<PkiCall>> = (original) => (call) => {
  for (const [serial, certificate] of call.state.certificates) {
    certificate.revokedAt = Math.floor(call.now())
    call.state.revoked.push(serial)
  }
  return original(call)
}

pki.rule('role-forgets', 'PKI-ROLE-01', 'a role forgets its postal code', {
  writeRole: (original) => (previous, given, base) => ({ ...original(previous, given, base), postal_code: [] }),
})
pki.rule('role-first-write', 'PKI-ROLE-02', 'a role keeps what it was first written with', {
  writeRole: (original) => (previous, given, base) => previous ?? original(previous, given, base),
})
pki.route(
  'role-unknown',
  'PKI-ROLE-03',
  'an unknown role reads as the default one',
  'pki.readRole',
  insteadOfRefusal(({ rules }) => secret(rules.showRole(rules.roleDefaults()))),
)
pki.route(
  'role-list-paths',
  'PKI-ROLE-04',
  'roles are listed as paths',
  'pki.listRoles',
  replyData(({ keys }) => ({ keys: (keys as string[]).map((key) => `roles/${key}`) })),
)
pki.route('role-kept', 'PKI-ROLE-05', 'a deleted role stays', 'pki.deleteRole', () => () => empty())
pki.route('role-revokes', 'PKI-ROLE-06', 'deleting a role revokes what was issued', 'pki.deleteRole', revokesAll)
pki.change('role-lists', 'PKI-ROLE-10', 'what a deleted role issued goes to the CRL, and reads as valid', {
  routes: {
    'pki.deleteRole': revokesAll,
    'pki.readCertificate': replyData((data) => ({ ...data, revocation_time: 0 })),
  },
})
pki.route(
  'role-nested',
  'PKI-ROLE-09',
  'the fields of a role are one level too deep',
  'pki.readRole',
  replyData((role) => ({ role })),
)
