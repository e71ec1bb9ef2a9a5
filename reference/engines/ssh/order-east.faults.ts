/** Faults of time and order: second calls, updates that narrow, deletion and re-creation, races. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { dataOf, nameIn, overlaid, roleIn } from './east-help.ts'
import { sshEngine } from './engine.ts'
import type { CaPair, Otp, Role, SshState } from './state.ts'

const { rule, route, change } = faultsOf(sshEngine, 'ssh')

route(
  'east-flags-never-taken-back',
  'SSH-ROLE-02',
  'an update of a role to false leaves a flag true (000 4.4: POST roles/:name, create or update)',
  'ssh.writeRole',
  requestBody((body, call) =>
    call.state.roles.has(call.params.name ?? '') ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== false)) : body,
  ),
)

route(
  'east-role-keeps-its-ca',
  'SSH-LOGIN-04',
  'a role that has signed goes on signing with the pair of then after the CA is replaced (000 4.4: config/ca replaces an existing pair)',
  'ssh.signKey',
  (original) => {
    const pairs = new WeakMap<Role, CaPair>()
    return async (call) => {
      const role = roleIn(call)
      const pair = (role && pairs.get(role)) ?? call.state.ca
      const reply = await original(call.state.ca ? overlaid(call, { ca: pair }) : call)
      if (role && pair) pairs.set(role, pair)
      return reply
    }
  },
)

rule(
  'east-signs-after-ca-deletion',
  'SSH-CA-17',
  'a mount that has signed goes on signing after its CA is deleted (000 4.4: DELETE config/ca)',
  {
    signingPair: (original) => {
      const last = new WeakMap<SshState, CaPair>()
      return (state) => {
        const pair = original(state) ?? last.get(state)
        if (pair) last.set(state, pair)
        return pair
      }
    },
  },
)

rule(
  'east-racing-verifications',
  'SSH-VERIFY-08',
  'two verifications at once both accept a password (000 2.7: key is a one-time password)',
  {
    consumeOtp: () => async (otps, password) => {
      const otp = otps.get(password)
      await sleep(40)
      otps.delete(password)
      return otp
    },
  },
)

const everZeroAddress = remembered(() => new Set<string>())
change(
  'east-zero-address-never-narrowed',
  'SSH-ZERO-09',
  'a role that a new zero-address list leaves out goes on issuing for any address (000 4.4: cidr_list required unless registered)',
  {
    routes: {
      'ssh.writeZeroAddress': (original) => async (call) => {
        const reply = await original(call)
        for (const name of call.state.zeroAddress ?? []) everZeroAddress(call.state).add(name)
        return reply
      },
      'ssh.createCredential': (original) => (call) =>
        original(call.state.zeroAddress ? overlaid(call, { zeroAddress: [...everZeroAddress(call.state)] }) : call),
    },
  },
)

const copiedKeys = remembered(() => new Map<string, string>())
change(
  'east-key-copied-into-role',
  'SSH-KEY-09',
  'a dynamic role uses the named key as it was when the role was written (000 4.4: key, name of a key)',
  {
    routes: {
      'ssh.writeRole': (original) => async (call) => {
        const reply = await original(call)
        const text = call.state.keys.get(roleIn(call)?.key ?? '')
        if (text !== undefined) copiedKeys(call.state).set(nameIn(call), text)
        return reply
      },
      'ssh.createCredential': (original) => (call) => {
        const copy = copiedKeys(call.state).get(nameIn(call))
        const role = roleIn(call)
        if (copy === undefined || role?.key_type !== 'dynamic' || !call.state.keys.has(role.key)) return original(call)
        return original(overlaid(call, { keys: new Map(call.state.keys).set(role.key, copy) }))
      },
    },
  },
)

const deletedRoles = remembered(() => new Map<string, Role>())
change(
  'east-recreated-role-inherits',
  'SSH-ROLE-01',
  'a role created again after its deletion begins with the old fields (000 4.4: role parameters, defaults)',
  {
    routes: {
      'ssh.deleteRole': (original) => (call) => {
        const role = roleIn(call)
        if (role) deletedRoles(call.state).set(nameIn(call), role)
        return original(call)
      },
      'ssh.writeRole': (original) => async (call) => {
        const { roles } = call.state
        const name = nameIn(call)
        const old = deletedRoles(call.state).get(name)
        const revives = old !== undefined && !roles.has(name) && call.body.key_type === old.key_type
        if (revives) roles.set(name, old)
        try {
          return await original(call)
        } catch (cause) {
          if (revives) roles.delete(name)
          throw cause
        }
      },
    },
  },
)

const lookups = remembered(() => new Map<Json | undefined, Reply>())
change(
  'east-lookups-remembered',
  'SSH-LOOKUP-02',
  'a lookup still names a role after its deletion if it was asked before (000 4.4: lookup, associated roles)',
  {
    routes: {
      'ssh.lookupRoles': (original) => async (call) => {
        const known = lookups(call.state)
        const reply = known.get(call.body.ip) ?? (await original(call))
        known.set(call.body.ip, reply)
        return reply
      },
      'ssh.writeRole': (original) => (call) => {
        lookups(call.state).clear()
        return original(call)
      },
    },
  },
)

route(
  'east-refused-update-in-part',
  'SSH-KEYTYPE-03',
  'of an update that is refused the users are stored nevertheless (000 7: 400, invalid request; 4.4: POST roles/:name)',
  'ssh.writeRole',
  (original) => async (call) => {
    const before = roleIn(call)
    try {
      return await original(call)
    } catch (cause) {
      const { allowed_users: users, default_user: user } = call.body
      if (before && typeof users === 'string') before.allowed_users = users
      if (before && typeof user === 'string') before.default_user = user
      throw cause
    }
  },
)

route(
  'east-refused-pair-ends-the-old',
  'SSH-CA-07',
  'a pair that is refused takes away the one that was there (000 7: 400, invalid data; 4.4: config/ca)',
  'ssh.writeCa',
  (original) => (call) => {
    call.state.ca = undefined
    return original(call)
  },
)

rule(
  'east-last-used-password-only',
  'SSH-VERIFY-03',
  'a used password is good again once another one has been used (000 2.7: one-time password)',
  {
    consumeOtp: () => {
      const last = new WeakMap<Map<string, Otp>, string>()
      return (otps, password) => {
        const otp = otps.get(password)
        if (!otp || last.get(otps) === password) return undefined
        last.set(otps, password)
        return otp
      }
    },
  },
)

const withDefaultUser = remembered(() => new Set<string>())
change(
  'east-default-user-of-verification',
  'SSH-VERIFY-02',
  'a password for the default user stands for the one of the time of its use (000 4.4: verify, username)',
  {
    routes: {
      'ssh.createCredential': (original) => async (call) => {
        const reply = await original(call)
        const { key } = dataOf(reply)
        if (!call.body.username && typeof key === 'string') withDefaultUser(call.state).add(key)
        return reply
      },
      'ssh.verifyOtp': (original) => async (call) => {
        const password = String(call.body.otp)
        const otp = call.state.otps.get(password)
        const role = otp && call.state.roles.get(otp.role)
        if (otp && role && withDefaultUser(call.state).has(password)) otp.username = role.default_user
        return original(call)
      },
    },
  },
)
