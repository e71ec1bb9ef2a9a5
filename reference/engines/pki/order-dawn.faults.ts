/** Faults of time and order: what was true before, second calls, deletion, re-creation, replacement. */

import type { KeyObject } from 'node:crypto'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { nameOf } from './dawn-help.ts'
import { pkiEngine } from './engine.ts'
import { onState, withRules } from './overlays.ts'
import type { Role } from './role.ts'
import type { PkiRules } from './rules.ts'
import type { Authority, PkiState } from './state.ts'
import { serialText } from './x509/certificate.ts'
import { describeKey, generateKey } from './x509/key-forms.ts'

const own = faultsOf(pkiEngine, 'pki')

const { route, change } = own

const signedBefore = remembered(() => new Map<string, Reply>())

route(
  'dawn-same-request-same-certificate',
  'PKI-ISSUE-10',
  'the same sign request by an unchanged role gets the certificate of the first time (001 4.2: sign; readings: serials are unique)',
  'pki.sign',
  (original) => async (call) => {
    const role = call.state.roles.get(nameOf(call))
    if (role === undefined) return original(call)
    const given = signedBefore(role)
    const reply = given.get(call.text) ?? (await original(call))
    given.set(call.text, reply)
    return reply
  },
)

route(
  'dawn-issue-by-role-of-last-time',
  'PKI-ISSUE-17',
  'the first issue after an update of the role goes by the role as it was at the issue before (001 4.2: create or update role)',
  'pki.issue',
  bySeenRole<PkiState, PkiRules>((seen, current) => (current === undefined ? undefined : (seen ?? current))),
)

const goneRoles = remembered(() => new Map<string, JsonObject>())

change(
  'dawn-recreated-role-inherits',
  'PKI-ROLE-05',
  'a role that is created again after its deletion takes what it leaves out from the deleted one (001 4.2: defaults of role parameters)',
  {
    routes: {
      'pki.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role !== undefined) {
          const { key_type: _type, key_bits: _bits, ...rest } = call.rules.showRole(role)
          goneRoles(call.state).set(nameOf(call), rest)
        }
        return original(call)
      },
      'pki.writeRole': (original) => (call) => {
        const gone = call.state.roles.has(nameOf(call)) ? undefined : goneRoles(call.state).get(nameOf(call))
        return original({ ...call, body: { ...gone, ...call.body } })
      },
    },
  },
)

route(
  'dawn-new-root-forgets-old',
  'PKI-DELETE-02',
  'once a new root is generated, the certificate of the deleted one cannot be read (001 4.2: DELETE root, old certificate stays readable)',
  'pki.generateRoot',
  (original) => async (call) => {
    const { authority } = call.state
    const reply = await original(call)
    if (authority !== undefined) call.state.certificates.delete(serialText(authority.certificate.serial))
    return reply
  },
)

const lastSigner = remembered((): { authority: Authority | undefined } => ({ authority: undefined }))

route(
  'dawn-sign-intermediate-with-deleted-key',
  'PKI-DELETE-01',
  'a mount that signed an intermediate before signs further ones after its CA key is deleted (001 4.2: DELETE root deletes the CA key)',
  'pki.signIntermediate',
  (original) => (call) => {
    const held = lastSigner(call.state)
    if (call.state.authority?.key !== undefined) held.authority = call.state.authority
    return original(held.authority === undefined ? call : onState(call, { authority: held.authority }))
  },
)

const pemShown = remembered((): { reply: Reply | undefined } => ({ reply: undefined }))

route(
  'dawn-ca-pem-as-first-read',
  'PKI-DELETE-04',
  'ca/pem shows the CA that it showed first, whatever replaced it (001 4.2: GET ca/pem; config/ca overrides existing CA)',
  'pki.readCaPem',
  (original) => async (call) => {
    const shown = pemShown(call.state)
    const reply = shown.reply ?? (await original(call))
    if (reply.raw !== undefined) shown.reply = reply
    return reply
  },
)

const generated = new WeakSet<PkiState>()

change(
  'dawn-generated-root-not-overridden',
  'PKI-CONFIG-02',
  'config/ca refuses to replace a CA that was generated (001 4.2: overrides existing CA)',
  {
    routes: {
      'pki.generateRoot': (original) => async (call) => {
        const reply = await original(call)
        generated.add(call.state)
        return reply
      },
      'pki.writeCa': (original) => async (call) => {
        if (generated.has(call.state) && call.state.authority?.key !== undefined) throw invalid('this mount has a CA; delete it first')
        const reply = await original(call)
        generated.delete(call.state)
        return reply
      },
    },
  },
)

route(
  'dawn-refused-root-changes-key',
  'PKI-ROOT-06',
  'a refused root/generate leaves the mount with a new key under the old certificate (001 4.2: refuses to overwrite an existing CA)',
  'pki.generateRoot',
  (original) => async (call) => {
    const { authority } = call.state
    if (authority?.key !== undefined) {
      const { type, bits } = describeKey(authority.key)
      authority.key = await generateKey(type, bits)
    }
    return original(call)
  },
)

const keysOf = new WeakMap<Role, Promise<KeyObject>>()

route(
  'dawn-role-keeps-its-key',
  'PKI-ISSUE-14',
  'every issue by an unchanged role returns the key of the first one (001 4.2: issue key and certificate; the private key is not stored)',
  'pki.issue',
  withRules((rules, call) => ({
    newKey: (type, bits) => {
      const role = call.state.roles.get(nameOf(call))
      const key = (role && keysOf.get(role)) ?? rules.newKey(type, bits)
      if (role) keysOf.set(role, key)
      return key
    },
  })),
)

route(
  'dawn-second-root-deletion-purges',
  'PKI-DELETE-02',
  'a second DELETE of the root takes the old certificate, too (001 4.2: DELETE root, old certificate stays readable)',
  'pki.deleteRoot',
  (original) => (call) => {
    const { authority, certificates } = call.state
    if (authority !== undefined && authority.key === undefined) {
      certificates.delete(serialText(authority.certificate.serial))
      call.state.authority = undefined
    }
    return original(call)
  },
)

const issuerAtWrite = remembered(() => new Map<string, Authority>())

change(
  'dawn-role-keeps-its-ca',
  'PKI-CONFIG-02',
  'issue by a role that was written under an earlier CA is signed by that one (001 4.2: config/ca overrides existing CA; issuing_ca)',
  {
    routes: {
      'pki.writeRole': (original) => (call) => {
        if (call.state.authority !== undefined) issuerAtWrite(call.state).set(nameOf(call), call.state.authority)
        return original(call)
      },
      'pki.issue': (original) => (call) => {
        const pinned = issuerAtWrite(call.state).get(nameOf(call))
        const usable = pinned?.key !== undefined && call.state.authority?.key !== undefined
        return original(usable ? onState(call, { authority: pinned }) : call)
      },
    },
  },
)
