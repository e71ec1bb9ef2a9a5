/** Faults of what stands next to it: other certificates, roles, mounts, callers, fields. */
import { ApiError, invalid } from '../../core/errors.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { certificatePem } from './answers.ts'
import { core, dataOf, nameOf, pki, serialIn } from './gale-help.ts'
import { type Handler, noting, onState, withRules } from './overlays.ts'
import type { Role } from './role.ts'
import type { PkiState } from './state.ts'
import { serialText } from './x509/certificate.ts'

const latestByName = remembered(() => new Map<string, string>())
pki.route(
  'gale-stored-by-common-name',
  'PKI-CERT-02',
  'a second certificate for a common name takes the place of the first, which cert/:serial no longer finds (001, 4.2 GET cert/:serial: certificates by serial number)',
  'pki.issue',
  (original) => async (call) => {
    const reply = await original(call)
    const latest = latestByName(call.state)
    const name = String(call.body.common_name)
    const earlier = latest.get(name)
    if (earlier !== undefined) call.state.certificates.delete(earlier)
    latest.set(name, String(dataOf(reply).serial_number))
    return reply
  },
)

const roleNames = noting(nameOf)
pki.change(
  'gale-revoke-wants-role',
  'PKI-REVOKE-01',
  'a certificate whose role was deleted cannot be revoked (001, 4.2: DELETE roles leaves issued certificates as they are, revoke takes a serial number)',
  {
    routes: {
      'pki.issue': roleNames.noted,
      'pki.sign': roleNames.noted,
      'pki.revoke': (original) => (call) => {
        const role = roleNames.notes(call.state).get(serialIn(call))
        if (role !== undefined && !call.state.roles.has(role)) throw invalid('the role of this certificate is gone')
        return original(call)
      },
    },
  },
)

core.rule(
  'gale-roles-of-same-path',
  'PKI-APART-01',
  'a mount shares its roles with the mount of the same path in another namespace (000, 2.2: the namespace is part of the path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const same = others.find(
        ({ engine: { type }, path, namespace }) => type === 'pki' && path === place.path && namespace !== place.namespace,
      )
      return engine.type === 'pki' && same ? Object.assign(state as PkiState, { roles: (same.state as PkiState).roles }) : state
    },
  },
)

const latestRoot = remembered((): { der?: Buffer } => ({}))
const issuerOfLatestRoot: (original: Handler) => Handler = replyData((data, call) => {
  const { der } = latestRoot(call.services)
  if (der === undefined) return data
  return { ...data, issuing_ca: call.body.format === 'der' ? der.toString('base64') : certificatePem(der) }
})
pki.change(
  'gale-issuer-of-other-mount',
  'PKI-SIGNED-01',
  'issuing_ca is the root that was generated last on any mount (001, 4.2 issue and sign: the issuing CA, which is that of the mount)',
  {
    routes: {
      'pki.generateRoot': (original) => async (call) => {
        const reply = await original(call)
        const der = call.state.authority?.certificate.der
        if (der !== undefined) latestRoot(call.services).der = der
        return reply
      },
      'pki.issue': issuerOfLatestRoot,
      'pki.sign': issuerOfLatestRoot,
    },
  },
)

const mountsOf = remembered(() => new Set<PkiState>())
const enrolled = (original: Handler): Handler => {
  return (call) => {
    mountsOf(call.services).add(call.state)
    return original(call)
  }
}
pki.change(
  'gale-certificates-of-all-mounts',
  'PKI-APART-01',
  'cert/:serial finds the certificates of other mounts, too (000, 7: 404 for what is not there; 001, 4.2: certificates of the mount)',
  {
    routes: {
      'pki.issue': enrolled,
      'pki.sign': enrolled,
      'pki.readCertificate': (original) => (call) => {
        const serial = call.rules.serialKey(call.params.serial ?? '')
        const holder = [...mountsOf(call.services)].find(({ certificates }) => certificates.has(serial))
        return original(holder === undefined ? call : onState(call, { certificates: holder.certificates }))
      },
    },
  },
)

const issuedBy = noting((call) => call.token?.id)
pki.change(
  'gale-revoke-own-only',
  'CORE-CAP-06',
  'only the token that asked for a certificate may revoke it (001, 4.2 revoke: whoever may call it names a serial number)',
  {
    routes: {
      'pki.issue': issuedBy.noted,
      'pki.sign': issuedBy.noted,
      'pki.revoke': (original) => (call) => {
        const owner = issuedBy.notes(call.state).get(serialIn(call))
        if (owner !== undefined && owner !== call.token?.id) throw new ApiError(403, 'not your certificate')
        return original(call)
      },
    },
  },
)

pki.rule(
  'gale-addresses-beside-uris',
  'PKI-CSRSANS-03',
  'where URIs are requested the requested IP addresses are left out (001, 4.2 certificate request parameters: ip_sans and uri_sans stand beside each other)',
  {
    alternativeNames: (original) => (role, requested, request) => {
      const names = original(role, requested, request)
      return names.uri.length > 0 ? { ...names, ip: [] } : names
    },
  },
)

pki.rule(
  'gale-locality-and-province',
  'PKI-LOCALITY-02',
  'a role that sets both locality and province has them exchanged in its certificates (001, 4.2 role parameters: one field each)',
  {
    subject: (original) => (role, commonName) => {
      const { locality, province } = role
      const both = locality.length > 0 && province.length > 0
      return original(both ? { ...role, locality: province, province: locality } : role, commonName)
    },
  },
)

pki.rule(
  'gale-named-usages-beside-oids',
  'PKI-EXTOIDS-02',
  'ext_key_usage is not applied where ext_key_usage_oids is set, too (001, 4.2 role parameters: two lists of their own)',
  { namedUsages: (original) => (role) => (role.ext_key_usage_oids.length > 0 ? [] : original(role)) },
)

const latestRole = remembered((): { role?: Role } => ({}))
pki.route(
  'gale-defaults-of-last-role',
  'PKI-USAGE-02',
  'a new role takes organization and key_usage, where left out, from the role that was written before it (001, 4.2 role parameters: defaults)',
  'pki.writeRole',
  (original) => async (call) => {
    const latest = latestRole(call.state)
    const { role } = latest
    const isNew = !call.state.roles.has(nameOf(call))
    const shared = role !== undefined && isNew ? { organization: role.organization, key_usage: role.key_usage } : {}
    const reply = await withRules((rules) => ({ roleDefaults: () => ({ ...rules.roleDefaults(), ...shared }) }))(original)(call)
    const written = call.state.roles.get(nameOf(call))
    if (written !== undefined) latest.role = written
    return reply
  },
)

pki.route(
  'gale-root-deletion-empties-store',
  'PKI-APART-01',
  'with the root go the certificates that were issued under it (001, 4.2 DELETE root: deletes the CA key; GET cert/:serial and LIST certs)',
  'pki.deleteRoot',
  (original) => (call) => {
    const { authority, certificates } = call.state
    const own = authority && serialText(authority.certificate.serial)
    for (const serial of [...certificates.keys()]) if (own !== undefined && serial !== own) certificates.delete(serial)
    return original(call)
  },
)
