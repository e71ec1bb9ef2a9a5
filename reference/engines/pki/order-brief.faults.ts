/** Faults of time and order: what went before decides what it should not. */
import type { KeyObject } from 'node:crypto'
import { secret } from '../../core/envelope.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { kindOf } from './brief-help.ts'
import { pkiEngine } from './engine.ts'
import { onState, withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import type { Role } from './role.ts'
import type { Authority, PkiState } from './state.ts'
import { serialText } from './x509/certificate.ts'
import { describeKey, generateKey } from './x509/key-forms.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')

const buried = remembered(() => new Map<string, Role>())

change(
  'brief-recreated-role-remembers',
  'PKI-ROLE-05',
  'a role that is created again after its deletion has the old values where the write gives none (001 4.2: defaults of role parameters)',
  {
    routes: {
      'pki.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(call.params.name!)
        if (role !== undefined) buried(call.state).set(call.params.name!, role)
        return original(call)
      },
      'pki.writeRole': withRules((_rules, call) => {
        const name = call.params.name!
        const old = call.state.roles.has(name) ? undefined : buried(call.state).get(name)
        return old === undefined ? {} : { roleDefaults: () => ({ ...old }) }
      }),
    },
  },
)

rule(
  'brief-no-root-after-deletion',
  'CORE-NS-02',
  'once a CA was there, no root can be generated, even after its deletion (001 4.2: root/generate refuses to overwrite, delete first)',
  { mayGenerate: () => (state) => state.authority === undefined },
)

const firstSigner = remembered((): { authority: Authority | undefined } => ({ authority: undefined }))

route(
  'brief-requests-signed-by-first-ca',
  'PKI-SIGN-02',
  'requests are signed by the CA that signed the first one, after another was configured, too (001 4.2: config/ca overrides existing CA)',
  'pki.sign',
  (original) => (call) => {
    const { authority } = call.state
    if (authority?.key === undefined) return original(call)
    const first = firstSigner(call.state)
    first.authority ??= authority
    return original(onState(call, { authority: first.authority }))
  },
)

route(
  'brief-deleted-root-is-gone',
  'PKI-DELETE-02',
  'deleting the root takes its certificate from every route (001 4.2: DELETE /pki/root, old certificate stays readable)',
  'pki.deleteRoot',
  (original) => async (call) => {
    const given = await original(call)
    const { state } = call
    if (state.authority !== undefined) state.certificates.delete(serialText(state.authority.certificate.serial))
    state.authority = undefined
    return given
  },
)

route(
  'brief-refused-root-leaves-its-key',
  'PKI-ROOT-06',
  'a second root/generate is refused, but its new key replaces that of the CA (001 4.2: root/generate refuses to overwrite)',
  'pki.generateRoot',
  (original) => async (call) => {
    const { authority } = call.state
    if (authority?.key !== undefined) {
      const { type, bits } = describeKey(authority.key)
      call.state.authority = { ...authority, key: await generateKey(type, bits) }
    }
    return original(call)
  },
)

const underWay = remembered(() => new Map<string, Promise<Reply>>())

route(
  'brief-issue-under-way-is-shared',
  'PKI-ISSUE-10',
  'requests of the same role and name that arrive while one is under way get its certificate and key (001 4.2: issue key and certificate)',
  'pki.issue',
  (original) => (call) => {
    const running = underWay(call.state)
    const kind = kindOf(call)
    const before = running.get(kind)
    if (before !== undefined) return before
    const own = Promise.resolve(original(call)).finally(() => running.delete(kind))
    running.set(kind, own)
    return own
  },
)

const keptKeys = remembered(() => new Map<string, KeyObject>())

route(
  'brief-key-kept-for-renewal',
  'PKI-ISSUE-14',
  'issuing again for the same role and name gives the same key (001 4.2: issue, the private key is not stored)',
  'pki.issue',
  withRules((rules, call) => ({
    newKey: async (type, bits) => {
      const keys = keptKeys(call.state)
      const kind = `${kindOf(call)} ${type} ${bits}`
      const key = keys.get(kind) ?? (await rules.newKey(type, bits))
      keys.set(kind, key)
      return key
    },
  })),
)

const hadRoles = new WeakSet<PkiState>()

change(
  'brief-emptied-roles-listed',
  'PKI-ROLE-04',
  'once the last role is deleted the listing answers 200 with no keys (000 1.5: an empty listing returns 404)',
  {
    routes: {
      'pki.writeRole': (original) => async (call) => {
        const given = await original(call)
        hadRoles.add(call.state)
        return given
      },
      'pki.listRoles': insteadOfRefusal<PkiCall>(
        () => secret({ keys: [] }),
        (call) => hadRoles.has(call.state),
      ),
    },
  },
)

const signedBefore = remembered(() => new Map<string, Reply>())

route(
  'brief-intermediate-answered-from-memory',
  'PKI-INTER-03',
  'a second request for an intermediate of the same parameters gets the first certificate, whatever its CSR (001 4.2: sign-intermediate)',
  'pki.signIntermediate',
  (original) => async (call) => {
    const signed = signedBefore(call.state)
    const { csr, ...rest } = call.body
    const kind = JSON.stringify(rest)
    const before = csr === undefined ? undefined : signed.get(kind)
    if (before !== undefined) return before
    const given = await original(call)
    signed.set(kind, given)
    return given
  },
)
