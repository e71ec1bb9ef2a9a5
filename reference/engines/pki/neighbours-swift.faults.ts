/** Faults in which an operation touches, shows or goes by a neighbour: another role, certificate, mount or namespace. */
import { createHash } from 'node:crypto'
import { coreEngine } from '../../core/core-engine.ts'
import { textOf } from '../../core/fields.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { type Handler, onState, withRules } from './overlays.ts'
import type { Role } from './role.ts'
import type { Authority, PkiState, StoredCertificate } from './state.ts'

const { route, change } = faultsOf(pkiEngine)
const { rule: coreRule } = faultsOf(coreEngine, 'pki')

const mountsOf = remembered(() => new Set<PkiState>())

const joining =
  (original: Handler): Handler =>
  (call) => {
    mountsOf(call.services).add(call.state)
    return original(call)
  }

change(
  'swift-role-read-elsewhere',
  ['PKI-APART-01'],
  'a read of a role that this mount lacks finds that of another mount (4.2, GET /pki/roles/:name)',
  {
    routes: {
      'pki.writeRole': joining,
      'pki.readRole': (original) => (call) => {
        const name = call.params.name ?? ''
        const other = [...mountsOf(call.services)].find(({ roles }) => roles.has(name))
        return original(other === undefined || call.state.roles.has(name) ? call : onState(call, { roles: other.roles }))
      },
    },
  },
)

const signers = remembered(() => new Map<string, Authority>())

route(
  'swift-signer-by-subject',
  ['PKI-ISSUE-02', 'PKI-ISSUE-07'],
  'issue keeps CAs by their subject, so that mounts whose CAs are called alike use the first one (4.2, issue/:name: `issuing_ca`)',
  'pki.issue',
  (original) => (call) => {
    const { authority } = call.state
    if (authority?.key === undefined) return original(call)
    const id = authority.certificate.subject.toString('hex')
    const known = signers(call.services).get(id) ?? authority
    signers(call.services).set(id, known)
    return original(onState(call, { authority: known }))
  },
)

const certificatesOf = (states: Iterable<PkiState>): Map<string, StoredCertificate> =>
  new Map([...states].flatMap(({ certificates }) => [...certificates]))

change('swift-certs-of-all-mounts', 'PKI-APART-01', 'the listing of certificates shows those of other mounts, too (4.2, LIST /pki/certs)', {
  routes: {
    'pki.issue': joining,
    'pki.sign': joining,
    'pki.listCertificates': (original) => (call) =>
      original(onState(call, { certificates: certificatesOf([...mountsOf(call.services), call.state]) })),
  },
})

change(
  'swift-cert-read-elsewhere',
  ['PKI-APART-01'],
  'a certificate is found by its serial number on every mount (4.2, GET /pki/cert/:serial)',
  {
    routes: {
      'pki.issue': joining,
      'pki.sign': joining,
      'pki.readCertificate': (original) => (call) =>
        original(onState(call, { certificates: certificatesOf([...mountsOf(call.services), call.state]) })),
    },
  },
)

const written = remembered(() => ({ organization: undefined as Json | undefined }))

route(
  'swift-role-leftovers',
  ['PKI-ROLE-05'],
  'a role written without `organization` gets that of the role written before it (4.2, role parameters: default `""`)',
  'pki.writeRole',
  (original) => async (call) => {
    const last = written(call.state)
    const { organization = last.organization } = call.body
    const reply = await original(organization === undefined ? call : { ...call, body: { ...call.body, organization } })
    last.organization = organization
    return reply
  },
)

route(
  'swift-issue-first-prefix',
  ['PKI-ISSUE-17'],
  'issue takes the first role whose name begins with the one asked for (4.2, issue/:name: "by role")',
  'pki.issue',
  (original) => (call) => {
    const name = call.params.name ?? ''
    const first = [...call.state.roles.keys()].find((key) => key.startsWith(name)) ?? name
    return original({ ...call, params: { ...call.params, name: call.state.roles.has(name) ? first : name } })
  },
)

change(
  'swift-delete-root-namesakes',
  ['PKI-APART-01'],
  'deleting a root deletes the keys of CAs of other mounts with the same subject (4.2, DELETE /pki/root)',
  {
    routes: {
      'pki.generateRoot': joining,
      'pki.writeCa': joining,
      'pki.deleteRoot': (original) => (call) => {
        const own = call.state.authority
        for (const state of mountsOf(call.services)) {
          const { authority } = state
          if (own === undefined || authority === undefined || !authority.certificate.subject.equals(own.certificate.subject)) continue
          state.authority = { ...authority, key: undefined }
        }
        return original(call)
      },
    },
  },
)

coreRule(
  'swift-namespaces-share',
  ['PKI-APART-01'],
  'mounts at the same path of two namespaces are one (001, 2.2: the namespace is part of the path)',
  {
    stateOf: (original) => (engine, others, place) =>
      (engine.type === 'pki'
        ? others.find((mount) => mount.engine.type === 'pki' && mount.path === place.path && mount.namespace !== place.namespace)?.state
        : undefined) ?? original(engine, others, place),
  },
)

route(
  'swift-largest-max-ttl',
  ['PKI-APART-01'],
  'where a role has a `max_ttl`, the largest one of all roles of the mount holds (4.2, `ttl`: "must not exceed role `max_ttl`")',
  ['pki.issue', 'pki.sign'],
  withRules((rules, call) => ({
    lifetime: (role, requested, limits) => {
      const largest = Math.max(...[...call.state.roles.values()].map(({ max_ttl }) => max_ttl))
      return rules.lifetime(role.max_ttl > 0 ? { ...role, max_ttl: largest } : role, requested, limits)
    },
  })),
)

route(
  'swift-domains-of-all-roles',
  ['PKI-GLOB-02'],
  'the `allowed_domains` of all roles of the mount count for each (4.2: "A CN not allowed by role policy is denied")',
  ['pki.issue', 'pki.sign'],
  withRules((rules, call) => ({
    refusal: (all, role, commonName, names, request) => {
      const allowed_domains = [role, ...call.state.roles.values()].flatMap((each) => each.allowed_domains)
      return rules.refusal(all, { ...role, allowed_domains }, commonName, names, request)
    },
  })),
)

const previous = remembered(() => ({ role: undefined as Role | undefined }))

route(
  'swift-no-store-lingers',
  ['PKI-NOSTORE-05'],
  'the certificate issued after one of a role with `no_store` is not stored either, whatever its role (4.2, role: `no_store` false)',
  'pki.issue',
  withRules((rules, call) => ({
    stored: (role) => {
      const before = previous(call.state).role
      previous(call.state).role = role
      return rules.stored(role) && (before === undefined || rules.stored(before))
    },
  })),
)

const counts = remembered(() => new Map<string, number>())

route(
  'swift-serials-per-role',
  ['PKI-ISSUE-10'],
  'serial numbers are counted for each role, so that the first certificates of two roles have the same (2.2, `serial_number`)',
  ['pki.issue', 'pki.sign'],
  withRules((_rules, call) => ({
    serialNumber: () => {
      const name = call.params.name ?? ''
      const count = (counts(call.state).get(name) ?? 0) + 1
      counts(call.state).set(name, count)
      const authority = call.state.authority?.certificate.serial.toString('hex') ?? ''
      const serial = createHash('sha1').update(`${authority}/${count}`).digest()
      serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
      return serial
    },
  })),
)

route(
  'swift-revoke-next',
  ['PKI-APART-01'],
  'a revocation drops the certificate that was stored after the revoked one (4.2, POST /pki/revoke and LIST /pki/certs)',
  'pki.revoke',
  (original) => async (call) => {
    const serials = [...call.state.certificates.keys()]
    const reply = await original(call)
    const index = serials.indexOf(call.rules.serialKey(textOf(call.body, 'serial_number')))
    const next = index < 0 ? undefined : serials[index + 1]
    if (next !== undefined) call.state.certificates.delete(next)
    return reply
  },
)
