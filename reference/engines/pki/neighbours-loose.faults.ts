/** Faults in which a request about one role, certificate or mount has an effect on another. */
import type { KeyObject } from 'node:crypto'
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { type Handler, noting, onState } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import { type Role, secondsOf } from './role.ts'
import type { PkiState } from './state.ts'

const { rule, route, change } = faultsOf(pkiEngine)
const core = faultsOf(coreEngine, 'pki')

const nameOf = (call: PkiCall): string => call.params.name ?? ''

const byRole = noting(nameOf)
change(
  'role-deletion-forgets-certificates',
  ['PKI-ROLE-06'],
  'deleting a role forgets the certificates that it issued (001 4.2, DELETE roles)',
  {
    routes: {
      'pki.issue': byRole.noted,
      'pki.sign': byRole.noted,
      'pki.deleteRole': (original) => (call) => {
        for (const [serial, role] of byRole.notes(call.state)) if (role === nameOf(call)) call.state.certificates.delete(serial)
        return original(call)
      },
    },
  },
)

route(
  'role-deletion-by-prefix',
  ['PKI-ROLE-04', 'PKI-ROLE-05'],
  'deleting a role deletes every role whose name begins with its name (001 4.2, DELETE roles)',
  'pki.deleteRole',
  (original) => (call) => {
    for (const other of [...call.state.roles.keys()]) if (other.startsWith(nameOf(call))) call.state.roles.delete(other)
    return original(call)
  },
)

rule(
  'uri-patterns-of-last-role',
  ['PKI-URISANS-01'],
  'a role without allowed_uri_sans gets those of the role written before it (001 4.2, role table)',
  {
    writeRole: (original) => {
      let last: string[] = []
      return (previous, given, base) => {
        const role = original(previous, given, base)
        last = given.allowed_uri_sans ?? last
        return { ...role, allowed_uri_sans: last }
      }
    },
  },
)

const rolesByName = remembered(() => new Map<string, Role>())
const forgetsRole =
  (original: Handler): Handler =>
  (call) => {
    rolesByName(call.services).delete(nameOf(call))
    return original(call)
  }
change(
  'role-cache-without-mount',
  'PKI-APART-01',
  'issue caches roles by name only, so that mounts use the roles of each other (001 4.2, issue)',
  {
    routes: {
      'pki.writeRole': forgetsRole,
      'pki.deleteRole': forgetsRole,
      'pki.issue': (original) => (call) => {
        const known = rolesByName(call.services)
        const role = known.get(nameOf(call)) ?? call.state.roles.get(nameOf(call))
        if (role === undefined) return original(call)
        known.set(nameOf(call), role)
        return original(onState(call, { roles: new Map([[nameOf(call), role]]) }))
      },
    },
  },
)

const mountStates = remembered(() => new Set<PkiState>())
const notesMount =
  (original: Handler): Handler =>
  (call) => {
    mountStates(call.services).add(call.state)
    return original(call)
  }
const inOtherMounts =
  (serialIn: (call: PkiCall) => string) =>
  (original: Handler): Handler =>
  async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const serial = call.rules.serialKey(serialIn(call))
      const other = [...mountStates(call.services)].find(({ certificates }) => certificates.has(serial))
      if (!(cause instanceof ApiError) || other === undefined || other === call.state) throw cause
      return original({ ...call, state: other })
    }
  }
change('revocation-across-mounts', 'PKI-APART-01', 'revoke accepts and revokes a certificate of another mount (001 4.2, revoke)', {
  routes: {
    'pki.issue': notesMount,
    'pki.sign': notesMount,
    'pki.revoke': inOtherMounts((call) => textOf(call.body, 'serial_number')),
  },
})

rule(
  'one-key-for-concurrent-issues',
  'PKI-ISSUE-14',
  'issues that run at the same time share one key (001 4.2, issue: the key is not stored)',
  {
    newKey: (original) => {
      const pending = new Map<string, Promise<KeyObject>>()
      return (type, bits) => {
        const kind = `${type}${bits}`
        const key = pending.get(kind) ?? original(type, bits).finally(() => pending.delete(kind))
        pending.set(kind, key)
        return key
      }
    },
  },
)

rule(
  'usages-add-up-over-roles',
  ['PKI-FLAGS-01', 'PKI-EMAIL-02'],
  'usage flags of roles used before show in certificates of other roles (001 4.2, code_signing_flag)',
  {
    flagUsages: (original) => {
      const all = new Set<string>()
      return (role) => {
        for (const usage of original(role)) all.add(usage)
        return [...all]
      }
    },
  },
)

rule(
  'subject-of-last-role',
  'PKI-APART-01',
  'a role without organization and ou puts those of the role used before into subjects (001 4.2, roles)',
  {
    subject: (original) => {
      const last: { organization?: string[]; ou?: string[] } = {}
      return (role, commonName) => {
        if (role.organization.length > 0) last.organization = role.organization
        if (role.ou.length > 0) last.ou = role.ou
        return { ...original(role, commonName), ...last }
      }
    },
  },
)

const roleStores = remembered(() => new Map<string, PkiState>())
const storeOf = (call: PkiCall): string => (call.mount.namespace + call.mount.path).replace(/\/$/, '')
change(
  'role-list-by-mount-prefix',
  'PKI-APART-01',
  'a mount lists roles of the mounts whose path begins with its own (001 4.2, LIST roles)',
  {
    routes: {
      'pki.writeRole': (original) => (call) => {
        roleStores(call.services).set(storeOf(call), call.state)
        return original(call)
      },
      'pki.listRoles': (original) => (call) => {
        const stores = [...roleStores(call.services)].filter(([path]) => path.startsWith(storeOf(call))).map(([, state]) => state)
        return original(onState(call, { roles: new Map([call.state, ...stores].flatMap(({ roles }) => [...roles])) }))
      },
    },
  },
)

route(
  'requested-ttl-sticks-to-role',
  ['PKI-APART-01'],
  'the ttl of an issue request becomes that of the role, for all who come after (001 4.2, ttl: default is role ttl)',
  'pki.issue',
  (original) => async (call) => {
    const reply = await original(call)
    const role = call.state.roles.get(nameOf(call))
    const ttl = secondsOf(call.body, 'ttl')
    if (role !== undefined && ttl > 0) role.ttl = role.max_ttl > 0 ? Math.min(ttl, role.max_ttl) : ttl
    return reply
  },
)

const lastNames = remembered(() => new Map<string, Json>())
route(
  'alt-names-of-last-request',
  'PKI-APART-01',
  'an issue request without alt_names gets those of the last one for the same common name (001 4.2, alt_names: default empty)',
  'pki.issue',
  (original) => async (call) => {
    const key = `${nameOf(call)}/${textOf(call.body, 'common_name')}`
    const names = call.body.alt_names ?? lastNames(call.state).get(key)
    if (names === undefined) return original(call)
    const reply = await original({ ...call, body: { ...call.body, alt_names: names } })
    lastNames(call.state).set(key, names)
    return reply
  },
)

core.rule(
  'roles-shared-by-namespaces',
  'PKI-APART-01',
  'mounts at one path in different namespaces share their roles (000 2.2, effective path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const fresh = original(engine, others, place)
      const namesake = others.find(({ engine: { type }, path }) => type === pkiEngine.type && path === place.path)
      if (engine.type !== pkiEngine.type || namesake === undefined) return fresh
      return { ...(fresh as PkiState), roles: (namesake.state as PkiState).roles }
    },
  },
)
