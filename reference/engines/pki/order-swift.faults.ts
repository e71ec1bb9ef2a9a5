/** Faults of order: what comes after an update, a deletion, a refusal or a first time goes by what was true before. */
import type { KeyObject } from 'node:crypto'
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, emptiedListing, remembered } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { noting, onState, withRules } from './overlays.ts'
import type { Role } from './role.ts'
import type { PkiRules } from './rules.ts'
import type { Authority, PkiState } from './state.ts'

const { rule, route, change } = faultsOf(pkiEngine)

rule(
  'swift-domains-pile-up',
  ['PKI-ROLE-02'],
  'an update adds to `allowed_domains` instead of replacing them (4.2, POST /pki/roles/:name: "update role")',
  {
    writeRole: (original) => (previous, given, base) => {
      const role = original(previous, given, base)
      return { ...role, allowed_domains: [...new Set([...(previous?.allowed_domains ?? []), ...role.allowed_domains])] }
    },
  },
)

route(
  'swift-deleted-role-issues',
  ['PKI-ROLE-05'],
  'a role that has issued before goes on issuing once it is deleted (4.2, DELETE /pki/roles/:name: "deletes role")',
  'pki.issue',
  bySeenRole<PkiState, PkiRules>((seen, current) => current ?? seen),
)

const dropped = remembered(() => new Map<string, Partial<Role>>())

change(
  'swift-recreated-role',
  ['PKI-ROLE-05'],
  "a role created after the deletion of its namesake takes over the other's fields (4.2, role: defaults)",
  {
    routes: {
      'pki.deleteRole': (original) => (call) => {
        const name = call.params.name ?? ''
        const role = call.state.roles.get(name)
        if (role !== undefined) {
          const { allowed_domains, allow_subdomains, allow_any_name, organization, key_usage, client_flag } = role
          dropped(call.state).set(name, { allowed_domains, allow_subdomains, allow_any_name, organization, key_usage, client_flag })
        }
        return original(call)
      },
      'pki.writeRole': (original) => (call) => {
        const name = call.params.name ?? ''
        const before = call.state.roles.has(name) ? undefined : dropped(call.state).get(name)
        return original(before === undefined ? call : { ...call, body: { ...before, ...call.body } })
      },
    },
  },
)

rule('swift-no-second-root', ['PKI-APART-01'], 'no root can be generated once the first was deleted (4.2, root/generate: "delete first")', {
  mayGenerate: () => (state) => state.authority === undefined,
})

const supplied = new WeakSet<PkiState>()

change(
  'swift-root-over-supplied',
  ['PKI-ROOT-06'],
  'root/generate replaces a CA that came by config/ca (4.2, root/generate: "refuses to overwrite an existing CA")',
  {
    routes: {
      'pki.writeCa': (original) => async (call) => {
        const reply = await original(call)
        supplied.add(call.state)
        return reply
      },
      'pki.generateRoot': withRules((rules) => ({
        mayGenerate: (state) => supplied.has(state) || rules.mayGenerate(state),
        stillMayGenerate: (state) => supplied.has(state) || rules.stillMayGenerate(state),
      })),
    },
  },
)

const used = remembered(() => ({ authority: undefined as Authority | undefined }))

route(
  'swift-sign-after-delete',
  ['PKI-DELETE-01'],
  'a mount that has signed requests goes on signing them once its root is deleted (4.2, DELETE /pki/root: "deletes the CA key")',
  'pki.sign',
  (original) => async (call) => {
    const { authority } = call.state
    const last = used(call.state)
    if (authority?.key === undefined) return original(last.authority === undefined ? call : onState(call, { authority: last.authority }))
    const reply = await original(call)
    last.authority = authority
    return reply
  },
)

const shown = remembered(() => ({ reply: undefined as Reply | undefined }))

route(
  'swift-ca-pem-kept',
  ['PKI-DELETE-04'],
  'ca/pem shows the first CA that it showed, though config/ca has replaced it (4.2, config/ca: "overrides existing CA")',
  'pki.readCaPem',
  (original) => async (call) => {
    const kept = shown(call.state)
    const reply = kept.reply ?? (await original(call))
    if (reply.raw !== undefined) kept.reply = reply
    return reply
  },
)

route(
  'swift-refused-update-deletes',
  ['PKI-KEYBITS-04'],
  'an update of a role that is refused leaves no role (001, 7: 400 "invalid request"; a refusal changes nothing)',
  'pki.writeRole',
  (original) => (call) => {
    call.state.roles.delete(call.params.name ?? '')
    return original(call)
  },
)

route(
  'swift-emptied-listing',
  ['PKI-ROLE-04'],
  'the listing of roles is a 200 without names once the last role is deleted (000, 1: "An empty listing returns 404")',
  'pki.listRoles',
  emptiedListing<PkiState, PkiRules>(() => secret({ keys: [] })),
)

const keys = remembered(() => new Map<string, Promise<KeyObject>>())

route(
  'swift-key-again',
  ['PKI-ISSUE-14'],
  'a role hands out the key that it made first to everybody (4.2, issue/:name: "the private key is not stored")',
  'pki.issue',
  withRules((rules, call) => ({
    newKey: (type, bits) => {
      const id = `${call.params.name ?? ''}/${type}/${bits}`
      const key = keys(call.state).get(id) ?? rules.newKey(type, bits)
      keys(call.state).set(id, key)
      return key
    },
  })),
)

const early = new WeakSet<Role>()

change(
  'swift-role-before-ca',
  ['PKI-ISSUE-01'],
  'a role written before its mount had a CA never issues (4.2, issue/:name: "issue key and certificate by role")',
  {
    routes: {
      'pki.writeRole': (original) => async (call) => {
        const reply = await original(call)
        const role = call.state.roles.get(call.params.name ?? '')
        if (role !== undefined && call.state.authority === undefined) early.add(role)
        return reply
      },
      'pki.issue': (original) => (call) => {
        const role = call.state.roles.get(call.params.name ?? '')
        if (role !== undefined && early.has(role)) throw invalid('the role has no issuer')
        return original(call)
      },
    },
  },
)

const issued = noting((call) => call.params.name ?? '')

change(
  'swift-role-takes-certificates',
  ['PKI-ROLE-06'],
  'deleting a role drops what it issued (4.2, DELETE /pki/roles/:name: "previously issued certificates stay valid")',
  {
    routes: {
      'pki.issue': issued.noted,
      'pki.deleteRole': (original) => (call) => {
        for (const [serial, name] of issued.notes(call.state)) if (name === call.params.name) call.state.certificates.delete(serial)
        return original(call)
      },
    },
  },
)
