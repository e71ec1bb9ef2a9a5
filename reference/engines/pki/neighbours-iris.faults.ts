/** Faults of the PKI engine that change what stands next to what was asked for. */
import type { KeyObject } from 'node:crypto'
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { requestBody, type Wrap } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { BY_ROLE, mountsSeen, nameOf } from './iris-help.ts'
import { noting, withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import { givenFields } from './role.ts'
import type { PkiState } from './state.ts'
import { randomSerial, serialText } from './x509/certificate.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')
const core = faultsOf(coreEngine, 'pki')

route(
  'iris-role-deletion-by-prefix',
  'CORE-NAME-01',
  'deleting a role also deletes the roles whose names begin with its name (document 2, 4.2: DELETE roles/:name deletes the role)',
  'pki.deleteRole',
  (original) => (call) => {
    for (const name of [...call.state.roles.keys()]) if (name.startsWith(nameOf(call))) call.state.roles.delete(name)
    return original(call)
  },
)

const signedBy = noting(nameOf)
change(
  'iris-role-deletion-forgets-signed',
  'PKI-ROLE-06',
  'deleting a role forgets the certificates that it signed from requests (document 2, 4.2: previously issued certificates stay valid; cert/:serial reads them)',
  {
    routes: {
      'pki.sign': signedBy.noted,
      'pki.deleteRole': (original) => (call) => {
        for (const [serial, role] of signedBy.notes(call.state)) if (role === nameOf(call)) call.state.certificates.delete(serial)
        return original(call)
      },
    },
  },
)

rule(
  'iris-default-domains-shared',
  'PKI-DOMAINS-01',
  'a role written without allowed_domains gets those of the role written before it (document 2, 4.2, role parameters: default [])',
  {
    writeRole: (original) => {
      let latest: string[] = []
      return (previous, given, base) => {
        latest = given.allowed_domains ?? latest
        return original(previous, given, { ...base, allowed_domains: [...latest] })
      }
    },
  },
)

const issuing = mountsSeen()
change(
  'iris-certificate-of-other-mount',
  'PKI-APART-01',
  'cert/:serial also finds certificates of other PKI mounts (document 1, 1 and 7: engines at their own paths, 404 for what the mount does not have)',
  {
    routes: {
      'pki.issue': issuing.noted,
      'pki.sign': issuing.noted,
      'pki.readCertificate': (original) => (call) => {
        const serial = call.rules.serialKey(call.params.serial ?? '')
        if (call.state.certificates.has(serial)) return original(call)
        const owner = issuing.statesOf(call.services).find((state) => state.certificates.has(serial))
        return original(owner === undefined ? call : { ...call, state: owner })
      },
    },
  },
)

const storing = remembered(() => ({ skipsNext: false }))
route(
  'iris-no-store-for-the-next',
  'PKI-NOSTORE-05',
  'after a certificate of a no_store role the next certificate of any role is not stored either (document 2, 4.2, role parameters: no_store of the role itself, default false)',
  BY_ROLE,
  withRules((rules, call) => ({
    stored: (role) => {
      const mark = storing(call.state)
      const skipped = mark.skipsNext
      mark.skipsNext = role.no_store
      return rules.stored(role) && !skipped
    },
  })),
)

core.rule(
  'iris-roles-across-namespaces',
  'PKI-APART-01',
  'PKI mounts at the same path in two namespaces share their roles (document 1, 2.2: the namespace is part of the effective path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      if (engine.type !== 'pki') return state
      const like = others.find((mount) => mount.engine.type === 'pki' && mount.path === place.path && mount.namespace !== place.namespace)
      return like === undefined ? state : Object.assign(state as PkiState, { roles: (like.state as PkiState).roles })
    },
  },
)

const lifetimes = remembered(() => new Map<string, Json>())
route(
  'iris-ttl-of-the-request-before',
  'PKI-APART-01',
  'issuing without ttl takes the ttl that the request before named at the same role (document 2, 4.2, ttl: default is the role ttl)',
  'pki.issue',
  requestBody<PkiCall>((body, call) => {
    const known = lifetimes(call.state)
    if (body.ttl) known.set(nameOf(call), body.ttl)
    return body.ttl ? body : { ...body, ttl: known.get(nameOf(call)) ?? '' }
  }),
)

rule(
  'iris-key-for-two-requests',
  'PKI-ISSUE-14',
  'every key is given to two requests one after the other (document 2, 4.2: issue makes key and certificate, the private key is not stored)',
  {
    newKey: (original) => {
      const spare = new Map<string, KeyObject>()
      return async (type, bits) => {
        const kind = `${type} ${bits}`
        const kept = spare.get(kind)
        spare.delete(kind)
        if (kept !== undefined) return kept
        const key = await original(type, bits)
        spare.set(kind, key)
        return key
      }
    },
  },
)

const numbering = remembered(() => ({ base: randomSerial(), counts: new Map<string, number>() }))
route(
  'iris-serials-counted-by-role',
  'PKI-ROLE-06',
  'serial numbers are counted for each role, so that two roles of a mount give out the same (document 2, 2.2 and 4.2: serial_number names one certificate for read and revoke)',
  BY_ROLE,
  withRules((_rules, call) => ({
    serialNumber: () => {
      const { base, counts } = numbering(call.state)
      const count = (counts.get(nameOf(call)) ?? 0) + 1
      counts.set(nameOf(call), count)
      const serial = Buffer.from(base)
      serial.writeUInt32BE(count, 16)
      return serial
    },
  })),
)

/** Signs an intermediate with some members of the request for the mount's root, where its own request leaves them out. */
const ofRoot = (...members: string[]): { 'pki.generateRoot': Wrap<PkiCall>; 'pki.signIntermediate': Wrap<PkiCall> } => {
  const roots = remembered((): JsonObject => ({}))
  return {
    'pki.generateRoot': (original) => async (call) => {
      const reply = await original(call)
      for (const member of members) roots(call.state)[member] = call.body[member] ?? null
      return reply
    },
    'pki.signIntermediate': requestBody<PkiCall>((body, call) => ({ ...roots(call.state), ...body })),
  }
}
change(
  'iris-intermediate-organization-of-root',
  'PKI-INTER-24',
  "an intermediate signed without organization gets that of the mount's root (document 2, 4.2, subject fields of sign-intermediate: default empty)",
  { routes: ofRoot('organization') },
)
change(
  'intermediate-names-of-root',
  'PKI-INTER-21',
  "an intermediate signed without alternative names gets those of the mount's root (document 2, 4.2, alt_names and ip_sans: default empty)",
  { routes: ofRoot('alt_names', 'ip_sans') },
)

route(
  'iris-root-deletion-forgets-issued',
  'PKI-APART-01',
  'deleting the root also forgets the certificates that it issued (document 2, 4.2: DELETE root deletes the CA key only; cert/:serial reads certificates)',
  'pki.deleteRoot',
  (original) => (call) => {
    const { authority, certificates } = call.state
    const own = authority && serialText(authority.certificate.serial)
    for (const serial of [...certificates.keys()]) if (serial !== own) certificates.delete(serial)
    return original(call)
  },
)

route(
  'iris-refused-role-is-kept',
  'PKI-KEYTYPE-05',
  'a role write that is refused with 400 has replaced the role nevertheless (document 1, 7: 400 is an invalid request, which changes nothing)',
  'pki.writeRole',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      // Fields that cannot even be read make this throw the refusal itself.
      if (cause instanceof ApiError) call.state.roles.set(nameOf(call), { ...call.rules.roleDefaults(), ...givenFields(call.body) })
      throw cause
    }
  },
)
