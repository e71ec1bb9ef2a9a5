/** Faults of PKI in time and order: second calls, what follows a deletion, a replacement, a refusal, an update. */
import { createHash, type KeyObject, randomBytes } from 'node:crypto'
import { invalid } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { noting, withRules } from './overlays.ts'
import type { Role } from './role.ts'
import type { PkiRules } from './rules.ts'
import type { Authority } from './state.ts'
import { serialText } from './x509/certificate.ts'

const { route, change } = faultsOf(pkiEngine, 'pki')

const deletedRoles = remembered(() => new Map<string, Role>())
change(
  'haze-deleted-role-comes-back',
  'PKI-ROLE-05',
  'a role that is made anew under the name of a deleted one takes from it what is left out (001 4.2: DELETE deletes the role; defaults of the role parameters)',
  {
    routes: {
      'pki.deleteRole': (original) => (call) => {
        const name = call.params.name ?? ''
        const role = call.state.roles.get(name)
        if (role) deletedRoles(call.state).set(name, role)
        return original(call)
      },
      'pki.writeRole': withRules((rules, call) => ({
        writeRole: (previous, given, base) => {
          const deleted = previous ? undefined : deletedRoles(call.state).get(call.params.name ?? '')
          return rules.writeRole(previous, given, deleted ?? base)
        },
      })),
    },
  },
)

const firstDer = remembered<{ reply?: Reply }>(() => ({}))
change(
  'haze-der-of-earlier-root',
  'PKI-DELETE-04',
  'once read, GET /pki/ca shows the same certificate although the root was deleted and generated anew (001 4.2: the CA certificate)',
  {
    routes: {
      'pki.readCa': (original) => async (call) => {
        const known = firstDer(call.state)
        const reply = known.reply ?? (await original(call))
        if (reply.raw) known.reply = reply
        return reply
      },
      'pki.writeCa': (original) => async (call) => {
        const reply = await original(call)
        delete firstDer(call.state).reply
        return reply
      },
    },
  },
)

route(
  'haze-new-root-drops-old-certificate',
  'PKI-DELETE-02',
  'the certificate of a deleted root can no longer be read once another root was generated (001 4.2, DELETE root: the old certificate stays readable)',
  'pki.generateRoot',
  (original) => async (call) => {
    const old = call.state.authority
    const reply = await original(call)
    if (old) call.state.certificates.delete(serialText(old.certificate.serial))
    return reply
  },
)

const { notes: rolesOf, noted: withRole } = noting((call) => call.params.name ?? '')
change(
  'haze-no-revocation-after-role',
  'PKI-REVOKE-01',
  'certificates cannot be revoked once their role is deleted (001 4.2: revoke takes the serial number; deleting a role leaves its certificates valid)',
  {
    routes: {
      'pki.issue': withRole,
      'pki.sign': withRole,
      'pki.revoke': (original) => (call) => {
        const role = rolesOf(call.state).get(call.rules.serialKey(String(call.body.serial_number)))
        if (role !== undefined && !call.state.roles.has(role)) throw invalid('the role of this certificate does not exist')
        return original(call)
      },
    },
  },
)

route(
  'haze-overridden-ca-stays-in-chain',
  'PKI-CHAIN-03',
  'config/ca appends the CA that it overrides to the chain of the new one (001 4.2: config/ca overrides the existing CA; ca_chain is the chain of the CA)',
  'pki.writeCa',
  (original) => async (call) => {
    const old = call.state.authority
    const reply = await original(call)
    const { authority } = call.state
    if (old && authority && !old.certificate.der.equals(authority.certificate.der))
      call.state.authority = { ...authority, above: [...authority.above, old.certificate.der, ...old.above] }
    return reply
  },
)

const keysOf = remembered(() => new Map<string, KeyObject>())
route(
  'haze-key-of-first-issue-reused',
  'PKI-ISSUE-14',
  'a role gives the key of its first certificate to all that it issues later (001 4.2, issue: issues a key and a certificate; the private key is not stored)',
  'pki.issue',
  withRules((rules, call) => ({
    newKey: async (type, bits) => {
      const name = `${call.params.name} ${type} ${bits}`
      const key = keysOf(call.state).get(name) ?? (await rules.newKey(type, bits))
      keysOf(call.state).set(name, key)
      return key
    },
  })),
)

const kinds = remembered(() => new Map<string, ReturnType<PkiRules['keyToIssue']>>())
route(
  'haze-key-kind-of-first-issue',
  'PKI-ROLE-02',
  'a role that issued once keeps its key_type and key_bits when they are updated (001 4.2: POST roles/:name creates or updates; issue by role)',
  'pki.issue',
  withRules((rules, call) => ({
    keyToIssue: (role) => {
      const name = call.params.name ?? ''
      const kind = kinds(call.state).get(name) ?? rules.keyToIssue(role)
      kinds(call.state).set(name, kind)
      return kind
    },
  })),
)

const seedOf = remembered(() => randomBytes(16))
const counted = withRules((_rules, call) => ({
  serialNumber: () => {
    const hash = createHash('sha1').update(seedOf(call.state)).update(String(call.state.certificates.size)).digest()
    hash[0] = (hash[0]! & 0x3f) | 0x40
    return hash
  },
}))
change(
  'haze-serials-counted-from-store',
  'PKI-NOSTORE-02',
  'serial numbers follow from the number of stored certificates, so that those after a no_store certificate repeat its number (001 2.2: serial_number; readings: serial numbers are unique)',
  { routes: { 'pki.issue': counted, 'pki.sign': counted } },
)

const failed = remembered(() => ({ once: false }))
route(
  'haze-root-locked-by-refusal',
  'PKI-ROOT-01',
  'after a refused root/generate the mount counts as having a CA, so that the corrected request is refused (001 4.2: it refuses to overwrite an existing CA only)',
  'pki.generateRoot',
  (original) => async (call) => {
    const before = failed(call.state)
    if (before.once) throw invalid('this mount has a CA; delete it first')
    try {
      return await original(call)
    } catch (cause) {
      before.once = call.state.authority === undefined
      throw cause
    }
  },
)

const imported = remembered<{ authority?: Authority | undefined }>(() => ({}))
change(
  'haze-imported-ca-overwritten',
  'PKI-ROOT-06',
  'root/generate overwrites a CA that config/ca supplied (001 4.2, root/generate: refuses to overwrite an existing CA)',
  {
    routes: {
      'pki.writeCa': (original) => async (call) => {
        const reply = await original(call)
        imported(call.state).authority = call.state.authority
        return reply
      },
      'pki.generateRoot': withRules((rules, call) => {
        const { authority } = imported(call.state)
        const free = authority !== undefined && authority === call.state.authority
        return {
          mayGenerate: (state) => free || rules.mayGenerate(state),
          stillMayGenerate: (state) => free || rules.stillMayGenerate(state),
        }
      }),
    },
  },
)
