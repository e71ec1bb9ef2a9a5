/** Faults of the PKI engine that need a second call: after an update, a deletion, a replacement, or the same once more. */
import { invalid } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered, sharedWithinSecond } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { nameOf, revokedSerial } from './iris-help.ts'
import { noting, onState, withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import type { Role } from './role.ts'
import type { Authority, PkiState } from './state.ts'
import { serialText } from './x509/certificate.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')

const deletedRoots = remembered((): { authority?: Authority } => ({}))
change(
  'iris-intermediates-after-root-deletion',
  'PKI-DELETE-01',
  'sign-intermediate still signs with the key of a deleted root (document 2, 4.2: DELETE root deletes the CA key)',
  {
    routes: {
      'pki.deleteRoot': (original) => (call) => {
        const { authority } = call.state
        if (authority?.key !== undefined) deletedRoots(call.state).authority = authority
        return original(call)
      },
      'pki.signIntermediate': (original) => (call) => {
        const { authority } = deletedRoots(call.state)
        return original(call.state.authority?.key === undefined && authority ? onState(call, { authority }) : call)
      },
    },
  },
)

const supplied = remembered((): { authority?: Authority | undefined } => ({}))
change(
  'iris-root-over-supplied-ca',
  'PKI-ROOT-06',
  'root/generate overwrites a CA that came by config/ca (document 2, 4.2: root/generate refuses to overwrite an existing CA)',
  {
    routes: {
      'pki.writeCa': (original) => async (call) => {
        const reply = await original(call)
        supplied(call.state).authority = call.state.authority
        return reply
      },
      'pki.generateRoot': withRules((rules, call) => {
        const isSupplied = (state: PkiState) => state.authority !== undefined && state.authority === supplied(call.state).authority
        return {
          mayGenerate: (state) => rules.mayGenerate(state) || isSupplied(state),
          stillMayGenerate: (state) => rules.stillMayGenerate(state) || isSupplied(state),
        }
      }),
    },
  },
)

rule(
  'iris-no-root-after-deletion',
  'CORE-NS-02',
  'root/generate is refused as long as the certificate of a deleted root is shown (document 2, 4.2: refuses to overwrite an existing CA, delete first)',
  {
    mayGenerate: (original) => (state) => state.authority === undefined && original(state),
  },
)

const chains = remembered((): { reply?: Reply } => ({}))
route(
  'iris-chain-read-once',
  'PKI-CHAIN-03',
  'ca_chain stays as it was when it was read first, without a CA that came later (document 2, 4.2: GET ca_chain returns the chain including the CA)',
  'pki.readCaChain',
  (original) => async (call) => {
    const kept = chains(call.state)
    const reply = kept.reply ?? (await original(call))
    if (reply.status === 200) kept.reply = reply
    return reply
  },
)

rule(
  'iris-domains-appended-on-update',
  'PKI-ROLE-02',
  'an update adds its allowed_domains to those of before (document 2, 4.2: POST roles/:name updates the role, GET returns its fields)',
  {
    writeRole: (original) => (previous, given, base) => {
      const before = previous?.allowed_domains ?? []
      const domains = given.allowed_domains && [...new Set([...before, ...given.allowed_domains])]
      return original(previous, domains === undefined ? given : { ...given, allowed_domains: domains }, base)
    },
  },
)

rule(
  'iris-flags-never-go-off',
  'PKI-ROLE-02',
  'an update with false leaves a flag on that was on (document 2, 4.2: POST roles/:name updates the role, whose flags are booleans)',
  {
    writeRole: (original) => (previous, given, base) => {
      const fields = Object.entries(given).map(([field, value]) => [
        field,
        value === false && previous?.[field as keyof Role] === true ? true : value,
      ])
      return original(previous, Object.fromEntries(fields) as Partial<Role>, base)
    },
  },
)

const requests = remembered(() => new Map<string, object>())
route(
  'iris-same-request-same-certificate',
  'PKI-ROLE-05',
  'an issue request repeated within a second gets the same certificate and key (document 2, 4.2: issue makes key and certificate, the private key is not stored)',
  'pki.issue',
  sharedWithinSecond<PkiCall>((call) => {
    const known = requests(call.state)
    const kind = `${nameOf(call)} ${call.text}`
    const found = known.get(kind) ?? {}
    known.set(kind, found)
    return found
  }),
)

const issuedBy = noting(nameOf)
change(
  'iris-revoke-refused-after-role-deletion',
  'PKI-REVOKE-01',
  'a certificate cannot be revoked once its role is deleted (document 2, 4.2: revoke takes a serial number; issued certificates outlive their role)',
  {
    routes: {
      'pki.issue': issuedBy.noted,
      'pki.sign': issuedBy.noted,
      'pki.revoke': (original) => (call) => {
        const role = issuedBy.notes(call.state).get(revokedSerial(call))
        if (role !== undefined && !call.state.roles.has(role)) throw invalid('the role of the certificate does not exist')
        return original(call)
      },
    },
  },
)

route(
  'iris-new-root-forgets-old',
  'PKI-DELETE-02',
  'a new root removes the certificate of the deleted one from the store (document 2, 4.2: DELETE root leaves the old certificate readable)',
  'pki.generateRoot',
  (original) => async (call) => {
    const before = call.state.authority
    const reply = await original(call)
    if (before !== undefined) call.state.certificates.delete(serialText(before.certificate.serial))
    return reply
  },
)
