/** Faults that show in what comes second: after an update, a deletion, a failure, or another request at the same time. */
import { createHash } from 'node:crypto'
import { textOf } from '../../core/fields.ts'
import type { Json } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { onState, withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import type { PkiRules } from './rules.ts'
import type { Authority, PkiState } from './state.ts'

const { rule, route, change } = faultsOf(pkiEngine)

const nameOf = (call: PkiCall): string => call.params.name ?? ''

route(
  'sign-by-earlier-role',
  ['PKI-ISSUE-17'],
  'the first sign after an update of a role goes by the role as it was (001 4.2, sign: per role)',
  'pki.sign',
  bySeenRole<PkiState, PkiRules>((seen, current) => current && (seen ?? current)),
)

route(
  'issue-by-deleted-role',
  ['PKI-ROLE-05'],
  'a role that has issued goes on doing so after its deletion (001 4.2, DELETE roles)',
  'pki.issue',
  bySeenRole<PkiState, PkiRules>((seen, current) => current ?? seen),
)

const readRoles = remembered(() => new Map<string, Reply>())
change(
  'deleted-role-readable',
  ['PKI-ROLE-05'],
  'a role that was read before can still be read after its deletion (001 4.2, DELETE roles)',
  {
    routes: {
      'pki.writeRole': (original) => (call) => {
        readRoles(call.state).delete(nameOf(call))
        return original(call)
      },
      'pki.readRole': (original) => async (call) => {
        const reply = readRoles(call.state).get(nameOf(call)) ?? (await original(call))
        readRoles(call.state).set(nameOf(call), reply)
        return reply
      },
    },
  },
)

const roleLists = remembered(() => new Map<string, Reply>())
change(
  'role-list-lags',
  ['PKI-ISSUE-17'],
  'a role made after the roles were listed is missing until one is deleted (001 4.2, LIST roles)',
  {
    routes: {
      'pki.deleteRole': (original) => (call) => {
        roleLists(call.state).clear()
        return original(call)
      },
      'pki.listRoles': (original) => async (call) => {
        const reply = roleLists(call.state).get('') ?? (await original(call))
        roleLists(call.state).set('', reply)
        return reply
      },
    },
  },
)

const shownIssuers = remembered(() => new Map<string, Json>())
route(
  'first-issuing-ca',
  ['PKI-ISSUE-02'],
  'issue answers the first CA as issuing_ca after another has taken its place (001 4.2, issue)',
  'pki.issue',
  replyData((data, call) => {
    const format = textOf(call.body, 'format') === 'der' ? 'der' : 'pem'
    const issuer = shownIssuers(call.state).get(format) ?? data.issuing_ca ?? ''
    shownIssuers(call.state).set(format, issuer)
    return { ...data, issuing_ca: issuer }
  }),
)

rule(
  'concurrent-roots',
  'PKI-ROOT-23',
  'of two roots generated at the same time the second replaces the first (001 4.2: refuses to overwrite)',
  {
    stillMayGenerate: () => () => true,
  },
)

const signers = new WeakMap<PkiState, Authority>()
route(
  'sign-after-root-deletion',
  'PKI-DELETE-01',
  'a mount that has signed a CSR goes on signing after its root is deleted (001 4.2, DELETE root)',
  'pki.sign',
  (original) => (call) => {
    const current = call.state.authority
    if (current?.key !== undefined) signers.set(call.state, current)
    return original(onState(call, { authority: current?.key === undefined ? signers.get(call.state) : current }))
  },
)

route(
  'refused-update-changes-flags',
  'PKI-KEYBITS-04',
  'an update of a role that is refused leaves its flags changed (000 7: 400 invalid request)',
  'pki.writeRole',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const role = call.state.roles.get(nameOf(call))
      const flags = Object.entries(call.body).filter(([field, value]) => typeof value === 'boolean' && role && field in role)
      if (role !== undefined) Object.assign(role, Object.fromEntries(flags))
      throw cause
    }
  },
)

route(
  'serial-of-the-request',
  'PKI-ISSUE-10',
  'a CSR signed twice gets the same serial number twice (001 2.2, serial_number)',
  'pki.sign',
  withRules((_rules, call) => ({
    serialNumber: () => {
      const bytes = createHash('sha1').update(textOf(call.body, 'csr').trim()).digest()
      bytes[0] = (bytes[0]! & 0x3f) | 0x40
      return bytes
    },
  })),
)

route(
  'new-ca-forgets-certificates',
  ['PKI-APART-01'],
  'supplying another CA forgets the certificates issued before (001 4.2, cert/:serial and config/ca)',
  'pki.writeCa',
  (original) => async (call) => {
    const before = [...call.state.certificates.keys()]
    const reply = await original(call)
    for (const serial of before) call.state.certificates.delete(serial)
    return reply
  },
)
