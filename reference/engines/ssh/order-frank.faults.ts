/** Faults of time and order: second calls, replacement, deletion, re-creation, what came before and what comes later. */
import { setTimeout as later } from 'node:timers/promises'
import { secret } from '../../core/envelope.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { roleOfCall, type SshHandler } from './frank-help.ts'
import { publicKeyLine } from './key-formats.ts'
import { entriesOf } from './networks.ts'
import type { SshRules } from './rules.ts'
import type { CaPair, Otp, Role, SshState } from './state.ts'

const { rule, route, change } = faultsOf(sshEngine)

rule(
  'frank-password-deleted-late',
  'SSH-VERIFY-08',
  'two verifications at the same time both succeed with one password (000 2.7: the one-time password; readings SSH: exactly one succeeds)',
  {
    consumeOtp: (original) => async (otps, password) => {
      const found = otps.get(password)
      await later(30)
      await original(otps, password)
      return found
    },
  },
)

const firstPair = new WeakMap<SshState, CaPair>()

rule(
  'frank-signs-with-the-first-pair',
  'SSH-LOGIN-04',
  'the pair that signed first goes on signing after it was replaced (000 4.4: POST /ssh/config/ca replaces an existing CA pair)',
  {
    signingPair: (original) => (state) => {
      const current = original(state)
      if (!current) return current
      const pair = firstPair.get(state) ?? current
      firstPair.set(state, pair)
      return pair
    },
  },
)

const binned = new WeakMap<SshState, CaPair>()

change(
  'frank-deleted-pair-comes-back',
  'SSH-CA-01',
  'generating a pair after a deletion brings the deleted one back (000 4.4: DELETE /ssh/config/ca)',
  {
    routes: {
      'ssh.deleteCa': (original) => (call) => {
        if (call.state.ca) binned.set(call.state, call.state.ca)
        return original(call)
      },
      'ssh.writeCa': (original) => async (call) => {
        const { state, body } = call
        const existing = state.ca
        const given = await original(call)
        const old = binned.get(state)
        if (existing || !old || body.private_key) return given
        state.ca = old
        return given.status === 200 ? secret({ public_key: publicKeyLine(old.publicKey) }) : given
      },
    },
  },
)

const tombstones = remembered(() => new Map<string, Role>())

change(
  'frank-deleted-role-comes-back',
  'SSH-ROLE-01',
  'a role that is created again after its deletion has the old values where the request is silent (000 4.4: defaults of the role parameters)',
  {
    routes: {
      'ssh.deleteRole': (original) => (call) => {
        const role = roleOfCall(call)
        if (role) tombstones(call.state).set(call.params.name ?? '', role)
        return original(call)
      },
      'ssh.writeRole': (original) => async (call) => {
        const name = call.params.name ?? ''
        const { roles } = call.state
        const old = tombstones(call.state).get(name)
        if (roles.has(name) || !old || !call.body.key_type) return original(call)
        roles.set(name, old)
        try {
          return await original(call)
        } catch (cause) {
          roles.delete(name)
          throw cause
        }
      },
    },
  },
)

const copiedKeys = new WeakMap<Role, string>()

change(
  'frank-key-copied-into-the-role',
  'SSH-KEY-09',
  'a dynamic role enters hosts with the key as it was when the role was written, not as it is now (000 4.4: key, name of a registered key)',
  {
    routes: {
      'ssh.writeRole': (original) => async (call) => {
        const given = await original(call)
        const role = roleOfCall(call)
        const key = call.state.keys.get(role?.key ?? '')
        if (role && key !== undefined) copiedKeys.set(role, key)
        return given
      },
    },
    rules: { entrance: (original) => (role, ip, key) => original(role, ip, copiedKeys.get(role) ?? key) },
  },
)

const earlierBlocks = new WeakMap<Role, string[]>()

change(
  'frank-blocks-only-grow',
  'SSH-LOOKUP-02',
  'an address stays allowed after an update took its block off cidr_list (000 4.4: cidr_list, update of a role)',
  {
    routes: {
      'ssh.writeRole': (original) => async (call) => {
        const before = roleOfCall(call)
        const given = await original(call)
        const after = roleOfCall(call)
        if (before && after) earlierBlocks.set(after, [...(earlierBlocks.get(before) ?? []), ...entriesOf(before.cidr_list)])
        return given
      },
    },
    rules: { includedBlocks: (original) => (role) => [...original(role), ...(earlierBlocks.get(role) ?? [])] },
  },
)

const isMap = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

route(
  'frank-default-options-merged',
  'SSH-ROLE-02',
  'an update of default_critical_options keeps the options that it no longer names (000 4.4: POST /ssh/roles/:name, default_critical_options)',
  'ssh.writeRole',
  requestBody((body, call) => {
    const options = body.default_critical_options
    return isMap(options) ? { ...body, default_critical_options: { ...roleOfCall(call)?.default_critical_options, ...options } } : body
  }),
)

const indexed = remembered(() => new Map<string, Role>())

route(
  'frank-lookup-of-deleted-roles',
  'SSH-LOOKUP-02',
  'lookup goes on naming a role that it named once and that was deleted since (000 4.4: POST /ssh/lookup, roles associated with the IP)',
  'ssh.lookupRoles',
  (original) => (call) => {
    const index = indexed(call.state)
    for (const [name, role] of call.state.roles) index.set(name, role)
    return original({ ...call, state: { ...call.state, roles: index } })
  },
)

const deletedRoles = new WeakSet<Role>()

change(
  'frank-key-outlives-its-role',
  'SSH-DYNCRED-13',
  'a dynamic key stays on the host when its lease ends after the role was deleted (000 4.4: install_script, uninstalls public keys)',
  {
    routes: {
      'ssh.deleteRole': (original) => (call) => {
        const role = roleOfCall(call)
        if (role) deletedRoles.add(role)
        return original(call)
      },
    },
    rules: { uninstalls: (original) => (role) => original(role) && !deletedRoles.has(role) },
  },
)

const forDefaultUser = new WeakSet<Otp>()

const noteDefaultUser =
  (original: SshHandler): SshHandler =>
  async (call) => {
    const given = await original(call)
    const data = ((given.body ?? {}) as JsonObject).data as JsonObject | undefined
    const otp = call.state.otps.get(String(data?.key))
    if (otp && !call.body.username) forDefaultUser.add(otp)
    return given
  }

change(
  'frank-default-user-resolved-late',
  'SSH-VERIFY-02',
  'verify tells the default user that the role has now, not the one that the password was issued for (000 4.4: POST /ssh/verify, data.username)',
  {
    routes: {
      'ssh.createCredential': noteDefaultUser,
      'ssh.verifyOtp': (original) => async (call) => {
        const otp = call.state.otps.get(String(call.body.otp))
        const role = otp && forDefaultUser.has(otp) ? call.state.roles.get(otp.role) : undefined
        const given = await original(call)
        return role && otp ? secret({ ip: otp.ip, username: role.default_user || otp.username }) : given
      },
    },
  },
)

route(
  'frank-refused-pair-deletes-the-old',
  'SSH-CA-07',
  'a refused POST config/ca leaves the mount without the pair that it had (000 7: 400 invalid data; readings principle 2: nothing changed)',
  'ssh.writeCa',
  (original) => (call) => {
    call.state.ca = undefined
    return original(call)
  },
)

route(
  'frank-signs-by-the-role-of-last-time',
  'SSH-ROLE-02',
  'the first signing after an update goes by the role as it was at the signing before (000 4.4: POST /ssh/sign/:name signs per the role)',
  'ssh.signKey',
  bySeenRole<SshState, SshRules>((seen, current) => (current ? (seen ?? current) : undefined)),
)
