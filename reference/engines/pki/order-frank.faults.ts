/** Faults of time and order: what was before, what comes again, what is replaced or gone. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { noting, onState, withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import type { Role } from './role.ts'
import type { Authority } from './state.ts'
import { serialText } from './x509/certificate.ts'

const { route, change } = faultsOf(pkiEngine, 'pki')

const nameOf = (call: PkiCall): string => call.params.name ?? ''

const deletedRoles = remembered(() => new Map<string, Role>())

change(
  'frank-recreated-role-remembers',
  'PKI-ROLE-05',
  'a role that is created again after its deletion has the old values where it gives none (001 4.2: DELETE deletes role; defaults)',
  {
    routes: {
      'pki.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role !== undefined) deletedRoles(call.state).set(nameOf(call), role)
        return original(call)
      },
      'pki.writeRole': withRules((rules, call) => ({
        roleDefaults: () => {
          const before = call.state.roles.has(nameOf(call)) ? undefined : deletedRoles(call.state).get(nameOf(call))
          return { ...rules.roleDefaults(), ...before }
        },
      })),
    },
  },
)

const keysIssued = remembered(() => new Map<string, ReturnType<PkiCall['rules']['keyToIssue']>>())

route(
  'frank-key-of-first-issue',
  'PKI-ROLE-02',
  'a role goes on issuing keys of the type and size of its first one after an update (001 4.2: create or update role; key_type, key_bits)',
  'pki.issue',
  withRules((rules, call) => ({
    keyToIssue: (role) => {
      const known = keysIssued(call.state)
      const wanted = known.get(nameOf(call)) ?? rules.keyToIssue(role)
      known.set(nameOf(call), wanted)
      return wanted
    },
  })),
)

route(
  'frank-new-root-forgets-old',
  'PKI-DELETE-02',
  'once a new root is generated, the certificate of the deleted one is gone (001 4.2: DELETE /pki/root, old certificate stays readable)',
  'pki.generateRoot',
  (original) => async (call) => {
    const before = call.state.authority?.certificate
    const reply = await original(call)
    if (before !== undefined) call.state.certificates.delete(serialText(before.serial))
    return reply
  },
)

route(
  'frank-deleted-key-comes-back',
  'PKI-DELETE-01',
  'the key of a deleted root is back when its certificate is set as signed (001 4.2: DELETE /pki/root deletes the CA key)',
  'pki.deleteRoot',
  (original) => (call) => {
    const key = call.state.authority?.key
    if (key !== undefined) call.state.pendingKey = key
    return original(call)
  },
)

const lastSigner = remembered((): { authority?: Authority } => ({}))

change(
  'frank-signing-outlives-root',
  'PKI-DELETE-01',
  'requests are signed with the CA key that was deleted (001 4.2: DELETE /pki/root deletes the CA key)',
  {
    routes: {
      'pki.deleteRoot': (original) => (call) => {
        const { authority } = call.state
        if (authority?.key !== undefined) lastSigner(call.state).authority = { ...authority }
        return original(call)
      },
      'pki.sign': (original) => (call) => {
        const { authority } = lastSigner(call.state)
        return original(call.state.authority?.key === undefined && authority !== undefined ? onState(call, { authority }) : call)
      },
    },
  },
)

const chainShown = remembered((): { reply?: Reply } => ({}))

route(
  'frank-chain-as-first-read',
  'PKI-CHAIN-01',
  'ca_chain stays as it was read first after the CA was replaced (001 4.2: config/ca overrides existing CA; chain including the CA)',
  'pki.readCaChain',
  (original) => async (call) => {
    const shown = chainShown(call.state)
    if (shown.reply !== undefined) return shown.reply
    const reply = await original(call)
    if (reply.status === 200) shown.reply = reply
    return reply
  },
)

const imported = remembered(() => new Set<string>())

const isImported = (call: PkiCall): boolean => {
  const certificate = call.state.authority?.certificate
  return certificate !== undefined && imported(call.state).has(serialText(certificate.serial))
}

change(
  'frank-root-over-imported-ca',
  'PKI-ROOT-06',
  'a root is generated over a CA that came by config/ca (001 4.2: root/generate refuses to overwrite an existing CA)',
  {
    routes: {
      'pki.writeCa': (original) => async (call) => {
        const reply = await original(call)
        if (call.state.authority !== undefined) imported(call.state).add(serialText(call.state.authority.certificate.serial))
        return reply
      },
      'pki.generateRoot': withRules((rules, call) => ({
        mayGenerate: (state) => isImported(call) || rules.mayGenerate(state),
        stillMayGenerate: (state) => isImported(call) || rules.stillMayGenerate(state),
      })),
    },
  },
)

const issuedBy = noting(nameOf)

change(
  'frank-role-deletion-forgets',
  'PKI-ROLE-06',
  'certificates signed by a role are unknown once the role is deleted (001 4.2: DELETE role, previously issued certificates stay valid)',
  {
    routes: {
      'pki.sign': issuedBy.noted,
      'pki.deleteRole': (original) => (call) => {
        for (const [serial, role] of issuedBy.notes(call.state)) if (role === nameOf(call)) call.state.certificates.delete(serial)
        return original(call)
      },
    },
  },
)

const lastUsed = remembered((): { authority?: Authority } => ({}))

route(
  'frank-replaced-ca-issues-once-more',
  'PKI-ISSUE-02',
  'the first certificate after the CA was replaced is still issued by the one before (001 4.2: config/ca overrides existing CA)',
  'pki.issue',
  (original) => (call) => {
    const used = lastUsed(call.state)
    const before = used.authority
    const now = call.state.authority
    if (now?.key === undefined) return original(call)
    used.authority = now
    return original(before?.key === undefined ? call : onState(call, { authority: before }))
  },
)
