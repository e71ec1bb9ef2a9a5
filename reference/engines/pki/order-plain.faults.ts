/** Faults of time and order: the second call, after deletion and re-creation, after a refusal, after a replacement. */
import type { KeyObject } from 'node:crypto'
import { createHash } from 'node:crypto'
import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { refusal } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { type Handler, noting, onState, withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import type { Role } from './role.ts'
import type { PkiRules } from './rules.ts'
import type { Authority, PkiState } from './state.ts'
import { randomSerial, serialText } from './x509/certificate.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')

const keysMade = remembered(() => new Map<string, KeyObject>())
route(
  'plain-key-kept-for-role',
  'PKI-ISSUE-14',
  'the second certificate of a role comes with the key of the first (001 4.2: issue key and certificate, the private key is not stored)',
  'pki.issue',
  withRules((rules, call) => ({
    newKey: async (type, bits) => {
      const kept = keysMade(call.state)
      const kind = `${call.params.name}/${type}/${bits}`
      const key = kept.get(kind) ?? (await rules.newKey(type, bits))
      kept.set(kind, key)
      return key
    },
  })),
)

route(
  'plain-update-counts-later',
  'PKI-ISSUE-17',
  'the first request after a role was updated goes by the role as it was (001 4.2: POST roles/:name, create or update role)',
  ['pki.issue', 'pki.sign'],
  bySeenRole<PkiState, PkiRules>((seen, current) => current && (seen ?? current)),
)

const deletedRoles = remembered(() => new Map<string, Role>())
change(
  'plain-role-returns-with-its-past',
  'PKI-ROLE-05',
  'a role that is created again after deletion has its old fields (001 4.2: role parameters, default)',
  {
    routes: {
      'pki.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(call.params.name!)
        if (role !== undefined) deletedRoles(call.state).set(call.params.name!, role)
        return original(call)
      },
      'pki.writeRole': (original) => (call) => {
        const past = call.state.roles.has(call.params.name!) ? undefined : deletedRoles(call.state).get(call.params.name!)
        return original(past === undefined ? call : { ...call, body: { ...(past as unknown as JsonObject), ...call.body } })
      },
    },
  },
)

rule(
  'plain-emptied-list-kept',
  'PKI-ROLE-02',
  'a list that an update empties stays as it was (001 4.2: POST roles/:name, create or update role)',
  {
    writeRole: (original) => (previous, given, base) => {
      const kept = Object.entries(given).map(([field, value]) => {
        const before = previous?.[field as keyof Role]
        return [field, Array.isArray(value) && value.length === 0 && before !== undefined ? before : value]
      })
      return original(previous, Object.fromEntries(kept) as Partial<Role>, base)
    },
  },
)

const issuedBy = noting((call) => call.params.name!)
change(
  'plain-certificates-go-with-role',
  'PKI-ROLE-06',
  'the certificates of a deleted role are gone, too (001 4.2: DELETE roles/:name, previously issued certificates stay valid)',
  {
    routes: {
      'pki.issue': issuedBy.noted,
      'pki.sign': issuedBy.noted,
      'pki.deleteRole': (original) => (call) => {
        for (const [serial, role] of issuedBy.notes(call.state)) if (role === call.params.name) call.state.certificates.delete(serial)
        return original(call)
      },
    },
  },
)

route(
  'plain-old-root-nowhere',
  'PKI-DELETE-02',
  'the certificate of a deleted root is shown nowhere (001 4.2: DELETE root, old certificate stays readable)',
  'pki.deleteRoot',
  (original) => async (call) => {
    const { authority } = call.state
    const reply = await original(call)
    if (authority !== undefined) call.state.certificates.delete(serialText(authority.certificate.serial))
    call.state.authority = undefined
    return reply
  },
)

const lastSigner = remembered((): { authority?: Authority } => ({}))
route(
  'plain-signs-with-deleted-key',
  'PKI-DELETE-01',
  'a mount that has signed a request goes on signing after its root is deleted (001 4.2: DELETE root deletes the CA key)',
  'pki.sign',
  (original) => (call) => {
    const last = lastSigner(call.state)
    if (call.state.authority?.key !== undefined) last.authority = call.state.authority
    return original(last.authority === undefined ? call : onState(call, { authority: last.authority }))
  },
)

const pemShown = remembered((): { reply?: Reply } => ({}))
const forgetPem =
  (original: Handler): Handler =>
  async (call: PkiCall) => {
    const reply = await original(call)
    delete pemShown(call.state).reply
    return reply
  }
change(
  'plain-old-ca-in-pem',
  'PKI-CONFIG-02',
  'ca/pem shows the CA that it showed before config/ca replaced it (001 4.2: config/ca overrides existing CA)',
  {
    routes: {
      'pki.generateRoot': forgetPem,
      'pki.setSigned': forgetPem,
      'pki.readCaPem': (original) => async (call) => {
        const shown = pemShown(call.state)
        if (call.state.authority !== undefined) shown.reply ??= await original(call)
        return shown.reply ?? original(call)
      },
    },
  },
)

const supplied = new WeakSet<PkiState>()
change(
  'plain-supplied-ca-overwritten',
  'PKI-ROOT-06',
  'root/generate overwrites a CA that config/ca set (001 4.2: refuses to overwrite an existing CA)',
  {
    rules: {
      mayGenerate: (original) => (state) => original(state) || supplied.has(state),
      stillMayGenerate: (original) => (state) => original(state) || supplied.has(state),
    },
    routes: {
      'pki.writeCa': (original) => async (call) => {
        const reply = await original(call)
        supplied.add(call.state)
        return reply
      },
      'pki.generateRoot': (original) => async (call) => {
        const reply = await original(call)
        supplied.delete(call.state)
        return reply
      },
    },
  },
)

route(
  'plain-refused-request-listed',
  'PKI-CN-02',
  'a request that the role refuses leaves a serial number in the list (001 4.2: a name not matching denies the whole request)',
  ['pki.issue', 'pki.sign'],
  refusal((refused, { state, params }) => {
    if (state.authority === undefined || !state.roles.has(params.name!)) return refused
    const { der, notAfter } = state.authority.certificate
    const serial = randomSerial()
    state.certificates.set(serialText(serial), { serial, der, notAfter })
    return refused
  }),
)

route(
  'plain-same-request-same-serial',
  'PKI-ISSUE-10',
  'a request that is signed again gets the same serial number (001 2.2: serial_number; readings: uniqueness of serials)',
  'pki.sign',
  withRules((_rules, call) => ({
    serialNumber: () => {
      const bytes = createHash('sha1').update(textOf(call.body, 'csr')).digest()
      bytes[0] = (bytes[0]! & 0x3f) | 0x40
      return bytes
    },
  })),
)

rule(
  'plain-no-root-after-deletion',
  'PKI-APART-01',
  'after DELETE root no root can be generated (001 4.2: refuses to overwrite an existing CA, delete first)',
  {
    mayGenerate: (original) => (state) => original(state) && state.authority === undefined,
    stillMayGenerate: (original) => (state) => original(state) && state.authority === undefined,
  },
)
