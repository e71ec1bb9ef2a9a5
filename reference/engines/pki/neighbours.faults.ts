/** Faults in which a request reaches further than the object that it names. */
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import type { PkiState } from './state.ts'
import { dataOf, type Handle, type PkiCall } from './wrappers.ts'
import { noNames } from './x509/names.ts'

const { rule, route, change } = faultsOf(pkiEngine)

const nameOf = (call: PkiCall): string => call.params.name ?? ''

route(
  'neighbour-role-prefix',
  ['PKI-ROLE-05'],
  'deleting a role deletes every role whose name begins with its name (001 4.2, DELETE roles)',
  'pki.deleteRole',
  (original) => (call) => {
    for (const other of [...call.state.roles.keys()])
      if (other !== nameOf(call) && other.startsWith(nameOf(call))) call.state.roles.delete(other)
    return original(call)
  },
)

const issuedBy = new WeakMap<PkiState, Map<string, string[]>>()

const noteIssue =
  (original: Handle): Handle =>
  async (call) => {
    const given = await original(call)
    const byRole = issuedBy.get(call.state) ?? new Map<string, string[]>()
    issuedBy.set(call.state, byRole)
    byRole.set(nameOf(call), [...(byRole.get(nameOf(call)) ?? []), String(dataOf(given).serial_number)])
    return given
  }

change(
  'neighbour-role-takes-certificates',
  ['PKI-APART-01'],
  'deleting a role forgets the certificates that it issued (001 4.2, previously issued certificates stay valid)',
  {
    routes: {
      'pki.issue': noteIssue,
      'pki.sign': noteIssue,
      'pki.deleteRole': (original: Handle) => (call) => {
        for (const serial of issuedBy.get(call.state)?.get(nameOf(call)) ?? []) call.state.certificates.delete(serial)
        return original(call)
      },
    },
  },
)

change(
  'neighbour-role-revokes',
  ['PKI-APART-01', 'PKI-ROLE-06', 'PKI-ROLE-10'],
  'deleting a role revokes the certificates that it issued (001 4.2, previously issued certificates stay valid)',
  {
    routes: {
      'pki.issue': noteIssue,
      'pki.sign': noteIssue,
      'pki.deleteRole': (original: Handle) => (call) => {
        for (const serial of issuedBy.get(call.state)?.get(nameOf(call)) ?? []) {
          const stored = call.state.certificates.get(serial)
          if (!stored || stored.revokedAt !== undefined) continue
          stored.revokedAt = Math.floor(call.now())
          call.state.revoked.push(serial)
        }
        return original(call)
      },
    },
  },
)

route(
  'neighbour-revoke-previous',
  ['PKI-APART-01', 'PKI-REVOKE-13'],
  'revoking a certificate revokes the one that was made before it too (001 4.2, revoke)',
  'pki.revoke',
  (original) => async (call) => {
    const serials = [...call.state.certificates.keys()]
    const before = serials[serials.indexOf(call.rules.serialKey(String(call.body.serial_number))) - 1]
    const stored = before === undefined ? undefined : call.state.certificates.get(before)
    if (before !== undefined && stored && stored.revokedAt === undefined) {
      stored.revokedAt = Math.floor(call.now())
      call.state.revoked.push(before)
    }
    return original(call)
  },
)

rule(
  'neighbour-crl-of-last',
  ['PKI-REVOKE-09'],
  'the CRL holds the certificate that was revoked last and no earlier one (001 4.2, success rotates the CRL)',
  {
    revokedSerials: (original) => (state) => original(state).slice(-1),
  },
)

const states = new Set<PkiState>()

change(
  'neighbour-certificate-of-any-mount',
  ['PKI-APART-01', 'PKI-CERT-05'],
  'a certificate of one mount is read at another (001 intro, mounts)',
  {
    routes: {
      'pki.issue': (original: Handle) => (call) => {
        states.add(call.state)
        return original(call)
      },
      'pki.readCertificate': (original: Handle) => (call) => {
        const serial = call.rules.serialKey(call.params.serial ?? '')
        const holder = [...states].find(({ certificates }) => certificates.has(serial))
        return original(holder && !call.state.certificates.has(serial) ? { ...call, state: holder } : call)
      },
    },
  },
)

const listed = new Set<PkiState>()

rule(
  'neighbour-list-of-all-mounts',
  ['PKI-APART-01'],
  'a listing of certificates holds those of every mount that was listed (001 4.2, LIST certs)',
  {
    listedSerials: (original) => (state) => {
      listed.add(state)
      return [...new Set([...listed].flatMap((one) => original(one)))]
    },
  },
)

const commonDomains: string[] = []

rule(
  'neighbour-domains-of-all',
  ['PKI-DOMAINS-01'],
  'the allowed domains of one role are those of every role made later without any (001 4.2, allowed_domains default)',
  {
    writeRole: (original) => (previous, given, base) => {
      const role = original(previous, given, { ...base, allowed_domains: [...commonDomains] })
      commonDomains.push(...(given.allowed_domains ?? []))
      return role
    },
  },
)

route(
  'neighbour-root-takes-certificates',
  ['PKI-APART-01'],
  'deleting the root forgets the certificates that it issued (001 4.2, DELETE root deletes the key)',
  'pki.deleteRoot',
  (original) => async (call) => {
    const own = call.state.authority?.certificate.der
    for (const [serial, { der }] of [...call.state.certificates]) if (!own?.equals(der)) call.state.certificates.delete(serial)
    return original(call)
  },
)

route(
  'neighbour-root-takes-roles',
  ['PKI-APART-01'],
  'deleting the root deletes the roles (001 4.2, DELETE root deletes the key)',
  'pki.deleteRoot',
  (original) => (call) => {
    call.state.roles.clear()
    return original(call)
  },
)

route(
  'neighbour-ca-takes-certificates',
  ['PKI-APART-01'],
  'supplying a CA forgets all certificates issued before (001 4.2, config/ca overrides the CA)',
  'pki.writeCa',
  (original) => async (call) => {
    const before = [...call.state.certificates.keys()]
    const given = await original(call)
    for (const serial of before) call.state.certificates.delete(serial)
    return given
  },
)

route(
  'neighbour-ttl-stays',
  ['PKI-APART-01'],
  'the ttl of a request becomes the ttl of the role (001 4.2, ttl default is the role ttl)',
  'pki.issue',
  (original) => async (call) => {
    const given = await original(call)
    const role = call.state.roles.get(nameOf(call))
    const seconds = typeof call.body.ttl === 'string' && /^\d+s$/.test(call.body.ttl) ? Number.parseInt(call.body.ttl, 10) : 0
    if (role && seconds > 0) role.ttl = seconds
    return given
  },
)

let lastNames = noNames()

rule('neighbour-names-of-last-request', ['PKI-APART-01'], 'IP names of the last certificate are also in the next (001 4.2, ip_sans)', {
  alternativeNames: (original) => (role, requested, request) => {
    const names = original(role, requested, request)
    const both = { ...names, ip: names.ip.length > 0 ? names.ip : lastNames.ip }
    lastNames = names
    return both
  },
})
