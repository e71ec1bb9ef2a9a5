/** Answers that are not what they should be: CA routes, issue, sign, revocation, roles. */
import type { JsonObject } from '../../core/engine.ts'
import { empty, secret, text } from '../../core/envelope.ts'
import { ApiError, notFound } from '../../core/errors.ts'
import type { Fault } from '../../core/mutation.ts'
import { defaults } from '../../engines/pki/role.ts'
import { writePem } from '../../engines/pki/x509/pem.ts'
import { forgiving, guardFault, hollow, onData, pkiFault, spoiled } from './shared.ts'

const dropping = (field: string) => onData((data) => Object.fromEntries(Object.entries(data).filter(([name]) => name !== field)))
const tokenFor = (operation: string, name: string, clause: string): Fault =>
  guardFault(`${name}-needs-token`, 'a public route asks for a token', clause, {
    needsToken: (original) => (route) => route?.id === operation || original(route),
  })

const routes: Fault[] = [
  pkiFault('ca-der-is-pem', 'the DER route answers PEM', 'PKI-CA-01', {
    routes: {
      'pki.readCa':
        () =>
        ({ state }) =>
          text('application/pkix-cert', writePem('CERTIFICATE', state.authority?.certificate.der ?? Buffer.alloc(0))),
    },
  }),
  pkiFault('ca-pem-enveloped', 'the PEM route answers an envelope', 'PKI-CA-02', {
    routes: {
      'pki.readCaPem':
        () =>
        ({ state }) =>
          secret({ certificate: writePem('CERTIFICATE', state.authority?.certificate.der ?? Buffer.alloc(0)) }),
    },
  }),
  tokenFor('pki.readCa', 'ca', 'PKI-CA-03'),
  tokenFor('pki.readCaPem', 'ca-pem', 'PKI-CA-04'),
  tokenFor('pki.readCaChain', 'ca-chain', 'PKI-CHAIN-02'),
  tokenFor('pki.readCertificate', 'certificate', 'PKI-CERT-02'),
  pkiFault('ca-der-stale', 'the DER route shows the last certificate issued', 'PKI-CA-05', {
    routes: {
      'pki.readCa':
        () =>
        ({ state }) =>
          text('application/pkix-cert', [...state.certificates.values()].at(-1)?.der ?? Buffer.alloc(0)),
    },
  }),
  pkiFault('chain-without-ca', 'the chain lacks the CA itself', 'PKI-CHAIN-01', {
    routes: {
      'pki.readCaChain':
        () =>
        ({ state }) =>
          text('text/plain', (state.authority?.above ?? []).map((der) => writePem('CERTIFICATE', der)).join('\n')),
    },
  }),
  pkiFault('chain-forgotten', 'appended CA certificates are dropped', ['PKI-CHAIN-03', 'PKI-SIGNED-02'], {
    rules: { keepsAbove: () => () => [] },
  }),
  pkiFault('chain-alone', 'the chain is the CA alone', 'PKI-CHAIN-03', {
    routes: {
      'pki.readCaChain':
        () =>
        ({ state }) =>
          text('text/plain', writePem('CERTIFICATE', state.authority?.certificate.der ?? Buffer.alloc(0))),
    },
  }),
  pkiFault('certificate-renamed', 'a certificate is answered under another name', 'PKI-CERT-01', {
    routes: { 'pki.readCertificate': onData(({ certificate }) => ({ pem: certificate ?? '' })) },
  }),
  pkiFault('certificate-of-another', 'a serial number reads the CA certificate', 'PKI-CERT-03', {
    routes: {
      'pki.readCertificate': onData((data, { state }) => ({
        ...data,
        certificate: writePem('CERTIFICATE', state.authority?.certificate.der ?? Buffer.alloc(0)),
      })),
    },
  }),
  pkiFault('unknown-serial-400', 'an unknown serial number is a bad request', 'PKI-CERT-05', {
    routes: {
      'pki.readCertificate': (original) => (call) => {
        try {
          return original(call)
        } catch {
          throw new ApiError(400, 'no such certificate')
        }
      },
    },
  }),
  pkiFault('list-object', 'serial numbers are listed as members of an object', 'PKI-LIST-01', {
    routes: { 'pki.listCertificates': onData(({ keys }) => ({ keys: Object.fromEntries((keys as string[]).map((key) => [key, {}])) })) },
  }),
  pkiFault('list-late', 'the newest certificates are not listed', ['PKI-LIST-02', 'PKI-LIST-03'], {
    rules: { listedSerials: (original) => (state) => original(state).slice(0, 1) },
  }),
]

const issue: Fault[] = [
  pkiFault('issue-no-certificate', 'issue answers an empty certificate', 'PKI-ISSUE-01', {
    routes: { 'pki.issue': onData((data) => ({ ...data, certificate: '' })) },
  }),
  pkiFault('issue-wrong-ca', 'issuing_ca is the certificate itself', 'PKI-ISSUE-02', {
    routes: { 'pki.issue': onData((data) => ({ ...data, issuing_ca: data.certificate ?? '' })) },
  }),
  pkiFault('issue-chain-text', 'ca_chain is one text', 'PKI-ISSUE-03', {
    routes: { 'pki.issue': onData((data) => ({ ...data, ca_chain: (data.ca_chain as string[]).join('\n') })) },
  }),
  pkiFault('issue-other-key', 'the key of an earlier certificate is answered', 'PKI-ISSUE-04', {
    routes: {
      'pki.issue': (original) => {
        let earlier = ''
        return onData((data) => {
          const key = earlier || '-----BEGIN EC PRIVATE KEY-----'
          earlier = String(data.private_key)
          return { ...data, private_key: key }
        })(original)
      },
    },
  }),
  pkiFault('issue-key-type', 'private_key_type is always rsa', 'PKI-ISSUE-05', {
    routes: { 'pki.issue': onData((data) => ({ ...data, private_key_type: 'rsa' })) },
  }),
  pkiFault('issue-serial-plain', 'serial_number has no colons', 'PKI-ISSUE-06', {
    routes: { 'pki.issue': onData((data) => ({ ...data, serial_number: String(data.serial_number).replaceAll(':', '') })) },
  }),
  pkiFault('issue-signature', 'the signature of a certificate is wrong', 'PKI-ISSUE-07', {
    routes: { 'pki.issue': onData((data) => ({ ...data, certificate: spoiled(data.certificate) })) },
  }),
  pkiFault('issue-key-kept', 'the private key is readable with the certificate', 'PKI-ISSUE-09', {
    routes: (() => {
      const kept = new Map<string, JsonObject['x']>()
      return {
        'pki.issue': onData((data) => {
          kept.set(String(data.serial_number), data.private_key ?? null)
          return data
        }),
        'pki.readCertificate': onData((data, { params }) => ({
          ...data,
          private_key: kept.get(params.serial?.replaceAll('-', ':') ?? '') ?? null,
        })),
      }
    })(),
  }),
  pkiFault('serials-short', 'serial numbers are one random byte', ['PKI-ISSUE-10', 'PKI-SUBJECT-10'], {
    rules: { serialNumber: (original) => () => original().subarray(0, 1) },
  }),
  pkiFault('issue-unknown-role', 'an unknown role issues like an open one', 'PKI-ISSUE-11', {
    routes: {
      'pki.issue': (original) => (call) => {
        const name = call.params.name!
        if (!call.state.roles.has(name))
          call.state.roles.set(name, { ...defaults(), allow_any_name: true, key_type: 'ec', key_bits: 256, ttl: 3600 })
        return original(call)
      },
    },
  }),
  pkiFault('issue-without-ca', 'without a CA an empty answer is given', 'PKI-ISSUE-12', {
    routes: { 'pki.issue': forgiving(hollow, ({ state }) => state.authority?.key === undefined) },
  }),
  pkiFault('issue-chain-order', 'the chain begins with another certificate', 'PKI-ISSUE-15', {
    routes: { 'pki.issue': onData((data) => ({ ...data, ca_chain: [data.certificate ?? '', ...(data.ca_chain as string[])] })) },
  }),
  pkiFault('role-cached', 'a role decides as it did when it first issued', 'PKI-ISSUE-17', {
    routes: {
      'pki.issue': (original) => {
        const first = new Map<string, ReturnType<typeof defaults>>()
        return (call) => {
          const name = call.params.name!
          const role = first.get(name) ?? call.state.roles.get(name)
          if (role === undefined) return original(call)
          first.set(name, role)
          return original({ ...call, state: { ...call.state, roles: new Map([[name, role]]) } })
        }
      },
    },
  }),
]

const sign: Fault[] = [
  pkiFault('sign-no-certificate', 'sign answers no certificate', 'PKI-SIGN-01', { routes: { 'pki.sign': dropping('certificate') } }),
  pkiFault('sign-no-issuer', 'sign answers no issuer', 'PKI-SIGN-02', { routes: { 'pki.sign': dropping('issuing_ca') } }),
  pkiFault('sign-no-chain', 'sign answers no chain', 'PKI-SIGN-03', { routes: { 'pki.sign': dropping('ca_chain') } }),
  pkiFault('sign-chain-alone', 'the chain of a signed request is its issuer alone', 'PKI-SIGNED-02', {
    routes: { 'pki.sign': onData((data) => ({ ...data, ca_chain: (data.ca_chain as string[]).slice(0, 1) })) },
  }),
  pkiFault('sign-other-serial', 'sign answers another serial number', 'PKI-SIGN-04', {
    routes: { 'pki.sign': onData((data) => ({ ...data, serial_number: String(data.serial_number).split(':').reverse().join(':') })) },
  }),
  pkiFault('sign-unknown-role', 'an unknown role signs', 'PKI-SIGN-10', {
    routes: { 'pki.sign': forgiving(hollow, ({ params, state }) => !state.roles.has(params.name!)) },
  }),
  pkiFault('sign-signature', 'the signature of a signed request is wrong', 'PKI-SIGN-12', {
    routes: { 'pki.sign': onData((data) => ({ ...data, certificate: spoiled(data.certificate) })) },
  }),
]

const revocation: Fault[] = [
  pkiFault('revoke-time-text', 'the time of a revocation is text', 'PKI-REVOKE-01', {
    routes: { 'pki.revoke': onData((data) => ({ revocation_time: String(data.revocation_time) })) },
  }),
  pkiFault('revoke-colons', 'serial numbers with colons are unknown', 'PKI-REVOKE-02', {
    rules: { serialKey: (original) => (serial) => (serial.includes(':') ? '' : original(serial)) },
  }),
  pkiFault('revoke-hyphens', 'serial numbers with hyphens are unknown', 'PKI-REVOKE-03', {
    rules: { serialKey: () => (serial) => serial.toLowerCase() },
  }),
  pkiFault('revoke-milliseconds', 'the time of a revocation is in milliseconds', 'PKI-REVOKE-04', {
    rules: { revocationTime: () => (earlier, now) => earlier ?? Math.floor(now * 1000) },
  }),
  pkiFault('revoke-unknown', 'an unknown serial number is revoked', 'PKI-REVOKE-06', {
    routes: {
      'pki.revoke': forgiving(
        () => secret({ revocation_time: 1 }),
        ({ body }) => typeof body.serial_number === 'string',
      ),
    },
  }),
  pkiFault('crl-stale', 'a revocation does not touch the CRL', ['PKI-REVOKE-08', 'PKI-REVOKE-10'], {
    rules: { afterRevocation: () => () => undefined },
  }),
  pkiFault('crl-last', 'the CRL has the last revocation only', 'PKI-REVOKE-09', {
    rules: { revokedSerials: (original) => (state) => original(state).slice(-1) },
  }),
  pkiFault('revoked-forgotten', 'a revoked certificate is no longer readable', 'PKI-REVOKE-11', {
    routes: {
      'pki.readCertificate': (original) => (call) => {
        if (call.state.revoked.includes(call.rules.serialKey(call.params.serial!))) throw notFound()
        return original(call)
      },
    },
  }),
]

const revokesAll: ReturnType<typeof onData> = (original) => (call) => {
  for (const [serial, certificate] of call.state.certificates) {
    certificate.revokedAt = Math.floor(call.now())
    call.state.revoked.push(serial)
  }
  return original(call)
}

const roles: Fault[] = [
  pkiFault('role-forgets', 'a role forgets its postal code', 'PKI-ROLE-01', {
    rules: { writeRole: (original) => (previous, given, base) => ({ ...original(previous, given, base), postal_code: [] }) },
  }),
  pkiFault('role-first-write', 'a role keeps what it was first written with', 'PKI-ROLE-02', {
    rules: { writeRole: (original) => (previous, given, base) => previous ?? original(previous, given, base) },
  }),
  pkiFault('role-unknown', 'an unknown role reads as the default one', 'PKI-ROLE-03', {
    routes: { 'pki.readRole': forgiving(({ rules }) => secret(rules.showRole(rules.roleDefaults()))) },
  }),
  pkiFault('role-list-paths', 'roles are listed as paths', 'PKI-ROLE-04', {
    routes: { 'pki.listRoles': onData(({ keys }) => ({ keys: (keys as string[]).map((key) => `roles/${key}`) })) },
  }),
  pkiFault('role-kept', 'a deleted role stays', 'PKI-ROLE-05', { routes: { 'pki.deleteRole': () => () => empty() } }),
  pkiFault('role-revokes', 'deleting a role revokes what was issued', 'PKI-ROLE-06', {
    routes: { 'pki.deleteRole': revokesAll },
  }),
  pkiFault('role-lists', 'what a deleted role issued goes to the CRL, and reads as valid', 'PKI-ROLE-10', {
    routes: {
      'pki.deleteRole': revokesAll,
      'pki.readCertificate': onData((data) => ({ ...data, revocation_time: 0 })),
    },
  }),
  pkiFault('role-nested', 'the fields of a role are one level too deep', 'PKI-ROLE-09', {
    routes: { 'pki.readRole': onData((role) => ({ role })) },
  }),
]

export const answerFaults: Fault[] = [...routes, ...issue, ...sign, ...revocation, ...roles]
