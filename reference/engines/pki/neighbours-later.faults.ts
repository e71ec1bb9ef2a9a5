/** Faults whose effect falls on a neighbour: another role, field, certificate or mount. */
import type { KeyObject } from 'node:crypto'
import { coreEngine } from '../../core/core-engine.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { onSuccess, serialIn } from './later-help.ts'
import { onState, withRules } from './overlays.ts'
import type { PkiState } from './state.ts'
import { serialText } from './x509/certificate.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')
const core = faultsOf(coreEngine, 'pki')

route(
  'later-role-delete-by-prefix',
  ['CORE-NAME-01'],
  'deleting a role deletes every role whose name begins with its name (001 4.2: DELETE roles/:name deletes role)',
  'pki.deleteRole',
  onSuccess((call) => {
    const prefix = call.params.name ?? ''
    for (const name of [...call.state.roles.keys()]) if (name.startsWith(prefix)) call.state.roles.delete(name)
  }),
)

const latestSerials = remembered(() => new Map<string, string>())

route(
  'later-one-certificate-for-name',
  ['PKI-ROLE-06'],
  'issuing again for a common name replaces the stored certificate of before (001 4.2: GET cert/:serial, LIST certs)',
  'pki.issue',
  onSuccess((call, reply) => {
    const latest = latestSerials(call.state)
    const name = textOf(call.body, 'common_name')
    const before = latest.get(name)
    const serial = serialIn(reply)
    if (name === '' || !call.state.certificates.has(serial)) return
    if (before !== undefined) call.state.certificates.delete(before)
    latest.set(name, serial)
  }),
)

core.rule(
  'later-namesake-mounts-share',
  ['PKI-APART-01'],
  'mounts of the same path in different namespaces share one CA and its roles (000 2.2: the namespace is part of the path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const namesake = others.find(
        (mount) => mount.engine.type === 'pki' && mount.path === place.path && mount.namespace !== place.namespace,
      )
      return engine.type === 'pki' && namesake !== undefined ? namesake.state : original(engine, others, place)
    },
  },
)

const mountsOfServer = remembered(() => new Set<PkiState>())
const noteMount = onSuccess((call) => void mountsOfServer(call.services).add(call.state))

change(
  'later-certificates-of-other-mounts',
  ['PKI-APART-01'],
  'a mount shows the certificates of other mounts by their serial numbers (001 4.2: cert/:serial; an unknown serial number is 404)',
  {
    routes: {
      'pki.issue': noteMount,
      'pki.sign': noteMount,
      'pki.generateRoot': noteMount,
      'pki.readCertificate': (original) => (call) => {
        const serial = call.rules.serialKey(call.params.serial ?? '')
        const holder = [...mountsOfServer(call.services)].find(({ certificates }) => certificates.has(serial))
        return original(holder === undefined || call.state.certificates.has(serial) ? call : onState(call, holder))
      },
    },
  },
)

const largeKeys = remembered(() => new Map<string, Promise<KeyObject>>())

route(
  'later-large-keys-reused',
  ['PKI-ISSUE-14'],
  'keys of more than 2048 bits are made once and given to later callers too (001 4.2: issue; the private key is not stored)',
  'pki.issue',
  withRules((rules, call) => ({
    newKey: (type, bits) => {
      if (bits <= 2048) return rules.newKey(type, bits)
      const kept = largeKeys(call.state)
      const key = kept.get(`${type}-${bits}`) ?? rules.newKey(type, bits)
      kept.set(`${type}-${bits}`, key)
      return key
    },
  })),
)

rule(
  'later-street-is-locality',
  ['PKI-STREET-02'],
  "the street address in a role's certificates is that of the locality (001 4.2: role parameters street_address and locality)",
  { subject: (original) => (role, commonName) => ({ ...original(role, commonName), street_address: role.locality }) },
)

rule(
  'later-client-flag-reads-server-flag',
  ['PKI-ROLE-01'],
  'the read of a role shows server_flag in the place of client_flag (001 4.2: GET roles/:name gives the role fields)',
  {
    showRole: (original) => (role) => {
      const shown = original(role)
      return { ...shown, client_flag: shown.server_flag ?? true }
    },
  },
)

rule(
  'later-code-signing-alone',
  ['PKI-FLAGS-01'],
  'code_signing_flag takes away server and client authentication (001 4.2: server_flag, client_flag, code_signing_flag are additive)',
  {
    flagUsages: (original) => (role) => original(role.code_signing_flag ? { ...role, server_flag: false, client_flag: false } : role),
  },
)

rule(
  'later-globs-replace-subdomains',
  ['PKI-ADDITIVE-01'],
  'allow_glob_domains switches allow_subdomains off (001 4.2: allowed_domains, allow_subdomains, allow_glob_domains are additive)',
  { subdomainAllowed: (original) => (role, name, domain) => original(role, name, domain) && !role.allow_glob_domains },
)

route(
  'later-root-delete-clears-store',
  ['PKI-APART-01'],
  'deleting the root drops the certificates that it issued (001 4.2: DELETE root deletes the CA key)',
  'pki.deleteRoot',
  onSuccess(({ state }) => {
    const own = state.authority === undefined ? undefined : serialText(state.authority.certificate.serial)
    for (const serial of [...state.certificates.keys()]) if (serial !== own) state.certificates.delete(serial)
  }),
)

route(
  'later-ca-write-drops-roles',
  ['PKI-ISSUE-02'],
  'supplying another CA where one exists drops the roles of the mount (001 4.2: config/ca overrides the existing CA)',
  'pki.writeCa',
  (original) => async (call) => {
    const replaces = call.state.authority !== undefined
    const reply = await original(call)
    if (replaces) call.state.roles.clear()
    return reply
  },
)

rule(
  'later-lease-without-store',
  ['PKI-NOSTORE-04'],
  'a role with no_store and generate_lease gives leases all the same (001 4.2: no_store implies generate_lease false)',
  { leased: () => (role) => role.generate_lease },
)
