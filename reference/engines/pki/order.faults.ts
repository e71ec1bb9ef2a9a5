/** Faults of a second time, of afterwards, and of what stays in a cache. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { empty, secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, emptiedListing } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import type { PkiState } from './state.ts'
import type { Handle } from './wrappers.ts'
import type { Certificate } from './x509/certificate.ts'

const { rule, route, change } = faultsOf(pkiEngine)

rule('time-crl-one-behind', ['PKI-REVOKE-08'], 'a revocation is in the CRL only after the next one (001 4.2, success rotates the CRL)', {
  revokedSerials: (original) => (state) => original(state).slice(0, -1),
})

route(
  'time-deleted-role-issues',
  ['PKI-ROLE-05'],
  'a role that issued once issues on after it was deleted (001 4.2, DELETE roles)',
  'pki.issue',
  bySeenRole((seen, current) => current ?? seen),
)

route(
  'time-issue-after-update',
  ['PKI-ISSUE-17'],
  'the first certificate after an update of the role still follows the old role (001 4.2, update role)',
  'pki.issue',
  bySeenRole((seen, current) => current && (seen ?? current)),
)

rule('time-no-root-again', ['PKI-DELETE-04'], 'once the root was deleted no other can be generated (001 4.2, delete first)', {
  mayGenerate: () => (state) => state.authority === undefined,
})

rule(
  'time-refusal-changes-key',
  ['PKI-APART-01'],
  'a second generation is refused after the key was replaced (001 4.2, refuses to overwrite)',
  {
    mayGenerate: (original) => (state) => {
      const may = original(state)
      if (!may && state.authority) state.authority.key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      return may
    },
  },
)

route(
  'time-new-root-forgets',
  ['PKI-APART-01'],
  'a root that is generated after a deletion makes the certificates of the old one unreadable (001 4.2, DELETE root)',
  'pki.generateRoot',
  (original) => async (call) => {
    const before = [...call.state.certificates.keys()]
    const given = await original(call)
    for (const serial of before) call.state.certificates.delete(serial)
    return given
  },
)

const withoutKey = new WeakSet<Certificate>()

change(
  'time-deleted-root-signs',
  ['PKI-DELETE-01'],
  'after the root was deleted certificate requests are still signed (001 4.2, DELETE root deletes the key)',
  {
    rules: {
      afterDeletion: () => (authority) => {
        withoutKey.add(authority.certificate)
        return authority
      },
      mayGenerate: (original) => (state) =>
        original(state) || (state.authority !== undefined && withoutKey.has(state.authority.certificate)),
      stillMayGenerate: (original) => (state) =>
        original(state) || (state.authority !== undefined && withoutKey.has(state.authority.certificate)),
    },
    routes: {
      'pki.issue': (original: Handle) => (call) => {
        if (call.state.authority && withoutKey.has(call.state.authority.certificate)) throw invalid('no CA is configured on this mount')
        return original(call)
      },
    },
  },
)

rule('time-serial-by-second', ['PKI-ISSUE-10'], 'serial numbers are the second of the certificate (001 2.2, serial_number)', {
  serialNumber: () => () => {
    const bytes = Buffer.alloc(20)
    bytes[0] = 0x40
    bytes.writeUInt32BE(Math.floor(Date.now() / 1000), 16)
    return bytes
  },
})

let leases = 0

rule('time-second-without-lease', ['PKI-LEASE-02'], 'every second certificate of a role with leases has none (001 4.2, generate_lease)', {
  leased: (original) => (role) => {
    if (!original(role)) return false
    leases += 1
    return leases % 2 === 1
  },
})

route(
  'time-ca-once',
  ['PKI-CONFIG-02'],
  'once certificates were issued a supplied CA is accepted and not used (001 4.2, config/ca overrides)',
  'pki.writeCa',
  (original) => (call) => (call.state.authority?.key && call.state.certificates.size > 1 ? empty() : original(call)),
)

route(
  'time-chain-cached',
  ['PKI-CHAIN-01'],
  'ca_chain shows the chain that it showed first (001 4.2, ca_chain)',
  'pki.readCaChain',
  (original) => {
    const first = new WeakMap<PkiState, Reply>()
    return async (call) => {
      const given = first.get(call.state) ?? (await original(call))
      if (call.state.authority) first.set(call.state, given)
      return given
    }
  },
)

route(
  'time-list-emptied',
  ['PKI-ROLE-04'],
  'a listing of roles that had names once is an empty 200 when the last is deleted (000 1.5, empty listing)',
  'pki.listRoles',
  emptiedListing(() => secret({ keys: [] })),
)

const keys = new Map<string, KeyObject>()

rule(
  'time-key-reused',
  ['PKI-ISSUE-14'],
  'the second certificate with the same kind of key has the key of the first (001 4.2, issue key and certificate)',
  {
    newKey: (original) => async (type, bits) => {
      const key = keys.get(`${type}${bits}`) ?? (await original(type, bits))
      keys.set(`${type}${bits}`, key)
      return key
    },
  },
)

route(
  'order-revocation-resets-roles',
  'PKI-ISSUE-17',
  'a revocation takes the lifetimes from the roles',
  'pki.revoke',
  (original) => async (call) => {
    const reply = await original(call)
    for (const [name, role] of [...call.state.roles]) call.state.roles.set(name, { ...role, ttl: 0 })
    return reply
  },
)
