/** Faults of PKI in which something next to the object is hit: other roles, certificates, mounts, namespaces, flags. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { type Handler, withRules } from './overlays.ts'
import type { PkiState } from './state.ts'
import { serialText } from './x509/certificate.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')
const core = faultsOf(coreEngine, 'pki')

const serialIn = (reply: Reply): string => String((reply.body as { data?: JsonObject }).data?.serial_number)

route(
  'haze-role-deletion-by-prefix',
  'CORE-NAME-01',
  'deleting a role deletes all roles whose names begin like it, web-2 with web (001 4.2: DELETE roles/:name deletes the role)',
  'pki.deleteRole',
  (original) => (call) => {
    for (const name of [...call.state.roles.keys()]) if (name.startsWith(call.params.name ?? '')) call.state.roles.delete(name)
    return original(call)
  },
)

const issuers = remembered(() => new Set<PkiState>())
const knownIssuer =
  (original: Handler): Handler =>
  (call) => {
    issuers(call.services).add(call.state)
    return original(call)
  }
change(
  'haze-revokes-at-other-mounts',
  'PKI-APART-01',
  'a serial number that this mount does not know is revoked at whichever mount knows it (001 4.2: revoke takes the serial number of a certificate of the mount; 000 7: 400 invalid data)',
  {
    routes: {
      'pki.issue': knownIssuer,
      'pki.sign': knownIssuer,
      'pki.revoke': (original) => (call) => {
        const serial = call.rules.serialKey(String(call.body.serial_number))
        const knowing = [call.state, ...issuers(call.services)].find(({ certificates }) => certificates.has(serial))
        return original({ ...call, state: knowing ?? call.state })
      },
    },
  },
)

core.rule(
  'haze-mounts-of-parent-reached',
  'CORE-NS-07',
  'a namespace without a PKI mount at a path reaches the one of its parent there (000 2.2: header and path make one effective path, which nothing is mounted at)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const inherited = all.filter(
        (mount) =>
          mount.engine.type === 'pki' &&
          mount.namespace !== namespace &&
          namespace.startsWith(mount.namespace) &&
          !own.some(({ path }) => path === mount.path),
      )
      return [...own, ...inherited]
    },
  },
)

const lastIdentifiers = remembered<{ given?: Json }>(() => ({}))
route(
  'haze-policy-identifiers-of-last-role',
  'PKI-ROLE-05',
  'a role written without policy_identifiers gets those of the role that was written with some before it (001 4.2, role parameters: default [])',
  'pki.writeRole',
  (original) => async (call) => {
    const last = lastIdentifiers(call.state)
    const reply = await original(last.given === undefined ? call : { ...call, body: { policy_identifiers: last.given, ...call.body } })
    if (call.body.policy_identifiers) last.given = call.body.policy_identifiers
    return reply
  },
)

const byName = remembered(() => new Map<string, string[]>())
route(
  'haze-earlier-certificate-of-name-replaced',
  'PKI-CERT-03',
  'once a role issued a second certificate for a common name, the first serial number reads as the second certificate (001 4.2: cert/:serial returns the certificate of that serial number)',
  'pki.issue',
  (original) => async (call) => {
    const reply = await original(call)
    const serial = serialIn(reply)
    const { certificates } = call.state
    const stored = certificates.get(serial)
    if (stored === undefined) return reply
    const name = `${call.params.name}/${String(call.body.common_name)}`
    const earlier = byName(call.state).get(name) ?? []
    for (const old of earlier) certificates.set(old, { ...certificates.get(old)!, der: stored.der })
    byName(call.state).set(name, [...earlier, serial])
    return reply
  },
)

route(
  'haze-supplied-ca-clears-certificates',
  'PKI-APART-01',
  'config/ca forgets all certificates that were issued before (001 4.2: it overrides the existing CA; cert/:serial returns certificates)',
  'pki.writeCa',
  (original) => async (call) => {
    const before = [...call.state.certificates.keys()]
    const reply = await original(call)
    const own = call.state.authority && serialText(call.state.authority.certificate.serial)
    for (const serial of before) if (serial !== own) call.state.certificates.delete(serial)
    return reply
  },
)

const lastAddresses = remembered(() => new Map<string, Json>())
route(
  'haze-addresses-of-last-request',
  'PKI-APART-01',
  'an issue request without ip_sans gets those of the request before it at the same role (001 4.2, request parameters: default "")',
  'pki.issue',
  (original) => async (call) => {
    const last = lastAddresses(call.state)
    const name = call.params.name ?? ''
    const before = last.get(name)
    const reply = await original(before === undefined ? call : { ...call, body: { ip_sans: before, ...call.body } })
    if (call.body.ip_sans) last.set(name, call.body.ip_sans)
    return reply
  },
)

route(
  'haze-sign-without-lease',
  'PKI-LEASE-03',
  'generate_lease gives leases to issued certificates but not to signed ones (001 4.2: sign returns its certificate leased)',
  'pki.sign',
  withRules(() => ({ leased: () => false })),
)

rule(
  'haze-globs-instead-of-subdomains',
  'PKI-ADDITIVE-01',
  'allow_glob_domains switches allow_subdomains off (001 4.2, below the role parameters: the attributes are additive)',
  { subdomainAllowed: (original) => (role, name, domain) => !role.allow_glob_domains && original(role, name, domain) },
)

rule(
  'haze-code-signing-alone',
  'PKI-FLAGS-01',
  'with code_signing_flag a certificate is for neither servers nor clients, whatever their flags say (001 4.2, below the role parameters: the flags are additive)',
  {
    flagUsages: (original) => (role) =>
      original(role).filter((usage) => !role.code_signing_flag || (usage !== 'serverauth' && usage !== 'clientauth')),
  },
)

route(
  'haze-issue-always-wants-common-name',
  'PKI-REQUIRECN-03',
  'require_cn false is heeded when signing but not when issuing (001 4.2, role parameters: require_cn; readings: common_name is required unless it is false)',
  'pki.issue',
  withRules(() => ({ commonNameMissing: (_role, commonName) => commonName === '' })),
)
