/** Faults that show in the order of requests: later calls, after a change, a deletion or a refusal. */
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { sshEngine } from './engine.ts'
import { type SshCall, withState } from './loose-wrappers.ts'
import type { SshRules } from './rules.ts'
import type { CaPair, Role } from './state.ts'
import { nameOf } from './wrappers.ts'

const { rule, route, change } = faultsOf(sshEngine, 'ssh')

const withRules = (call: SshCall, rules: Partial<SshRules>): SshCall => ({ ...call, rules: { ...call.rules, ...rules } })

const dataOf = (given: Reply): JsonObject => ((given.body as JsonObject | undefined)?.data ?? {}) as JsonObject

route(
  'fresh-update-skips-key-bits',
  ['SSH-BITS-03'],
  'an update of a role takes key_bits that its creation refuses (000 4.4 and 8: key_bits 1024 or 2048)',
  'ssh.writeRole',
  (original) => (call) => original(call.state.roles.has(nameOf(call)) ? withRules(call, { keyBitsAllowed: () => true }) : call),
)

rule(
  'fresh-requested-extensions-stick',
  ['SSH-DEFEXT-01'],
  'extensions that one request asks for become defaults of the role for later ones (000 4.4: default_extensions when none are provided)',
  {
    extensions: (original) => (role, requested) => {
      const result = { ...original(role, requested) }
      Object.assign(role.default_extensions, requested)
      return result
    },
  },
)

const issuedToDefault = remembered(() => new Set<string>())

change(
  'fresh-verify-shows-new-default-user',
  ['SSH-VERIFY-02'],
  'verify shows the default_user that the role has by now, not the user of the password (000 4.4: verify returns data.username)',
  {
    routes: {
      'ssh.createCredential': (original) => async (call) => {
        const given = await original(call)
        const { key, key_type } = dataOf(given)
        if (key_type === 'otp' && !call.body.username) issuedToDefault(call.state).add(String(key))
        return given
      },
      'ssh.verifyOtp': (original) => async (call) => {
        const password = String(call.body.otp ?? '')
        const otp = call.state.otps.get(password)
        const given = await original(call)
        const role = otp && call.state.roles.get(otp.role)
        if (!role || !issuedToDefault(call.state).has(password)) return given
        return { ...given, body: { ...(given.body as JsonObject), data: { ...dataOf(given), username: role.default_user } } }
      },
    },
  },
)

const signers = remembered(() => new Map<string, CaPair>())

route(
  'fresh-signer-kept-by-role',
  ['SSH-LOGIN-04'],
  'a role that signed before goes on signing with the CA pair that was replaced since (000 4.4: config/ca replaces an existing CA pair)',
  'ssh.signKey',
  (original) => async (call) => {
    const current = call.rules.signingPair(call.state)
    if (!current) return original(call)
    const used = signers(call.state)
    const pair = used.get(nameOf(call)) ?? current
    const given = await original(withRules(call, { signingPair: () => pair }))
    used.set(nameOf(call), pair)
    return given
  },
)

route(
  'fresh-refused-ca-write-drops-ca',
  ['SSH-CA-07'],
  'a refused write of a CA pair loses the pair that was there (000 4.4: config/ca; readings: a refusal changes nothing)',
  'ssh.writeCa',
  (original) => (call) => {
    call.state.ca = undefined
    return original(call)
  },
)

route(
  'fresh-refused-update-half-done',
  ['SSH-USERS-14'],
  'a refused update of a role leaves users, domains and extensions changed (000 7: 400 invalid request; readings: nothing changed)',
  'ssh.writeRole',
  (original) => async (call) => {
    const role = call.state.roles.get(nameOf(call))
    try {
      return await original(call)
    } catch (cause) {
      for (const field of ['default_user', 'allowed_users', 'allowed_domains', 'allowed_extensions'] as const) {
        const value = call.body[field]
        if (role && typeof value === 'string') role[field] = value
      }
      throw cause
    }
  },
)

const deletedRoles = remembered(() => new Map<string, Role>())

change(
  'fresh-recreated-role-inherits',
  ['SSH-ROLE-01'],
  'a role created anew under the name of a deleted one has the settings of that one as defaults (000 4.4: role parameters, defaults)',
  {
    routes: {
      'ssh.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role) deletedRoles(call.state).set(nameOf(call), role)
        return original(call)
      },
      'ssh.writeRole': (original) => (call) => {
        const before = deletedRoles(call.state).get(nameOf(call))
        return original(withRules(call, { base: (existing, defaults) => call.rules.base(existing ?? before, defaults) }))
      },
    },
  },
)

const keyCopies = remembered(() => new Map<string, string>())

change(
  'fresh-key-copied-at-role-write',
  ['SSH-KEY-09'],
  'a dynamic role goes on with the key as it was when the role was written, after the named key has changed (000 4.4: keys/:name)',
  {
    routes: {
      'ssh.writeRole': (original) => async (call) => {
        const given = await original(call)
        const key = call.state.keys.get(call.state.roles.get(nameOf(call))?.key ?? '')
        if (key !== undefined) keyCopies(call.state).set(nameOf(call), key)
        return given
      },
      'ssh.createCredential': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        const copy = keyCopies(call.state).get(nameOf(call))
        if (role?.key_type !== 'dynamic' || copy === undefined) return original(call)
        return original(withState(call, { keys: new Map(call.state.keys).set(role.key, copy) }))
      },
    },
  },
)

const freed = remembered(() => new Set<string>())

route(
  'fresh-zero-address-once-and-for-ever',
  ['SSH-ZERO-10'],
  'a role that issued as a zero-address role goes on ignoring its blocks after it left the list (000 4.4: config/zeroaddress)',
  'ssh.createCredential',
  (original) => (call) => {
    const known = freed(call.state)
    const isZeroAddress: SshRules['isZeroAddress'] = (names, role) => {
      if (call.rules.isZeroAddress(names, role)) known.add(role)
      return known.has(role)
    }
    return original(withRules(call, { isZeroAddress }))
  },
)

const looked = remembered(() => ({ roles: 0, answers: new Map<string, Reply>() }))

route(
  'fresh-lookup-kept-until-roles-come-or-go',
  ['SSH-LOOKUP-02'],
  'lookup answers an address as before although the blocks of a role have changed (000 4.4: role names associated with the IP)',
  'ssh.lookupRoles',
  (original) => async (call) => {
    const seen = looked(call.state)
    if (seen.roles !== call.state.roles.size) seen.answers.clear()
    seen.roles = call.state.roles.size
    const ip = String(call.body.ip ?? '')
    const given = seen.answers.get(ip) ?? (await original(call))
    seen.answers.set(ip, given)
    return given
  },
)

route(
  'fresh-role-delete-drops-zero-address',
  ['SSH-ROLE-08'],
  'deleting one zero-address role drops the list for the others on it (000 4.4: credentials may be requested for any IP)',
  'ssh.deleteRole',
  (original) => (call) => {
    if (call.state.zeroAddress?.includes(nameOf(call))) call.state.zeroAddress = undefined
    return original(call)
  },
)
