/** Faults of time and order: the second call, after deletion or re-creation, at the end, after an update, after a refusal. */
import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { sshEngine } from './engine.ts'
import { nameOf, roleOfCall } from './plain-help.ts'
import type { SshRules } from './rules.ts'
import type { CaPair, Role, SshState } from './state.ts'

const { rule, route, change } = faultsOf(sshEngine, 'ssh')

const recentCredentials = remembered(() => new Map<string, { at: number; given: Reply }>())

route(
  'plain-same-password-within-second',
  'SSH-CREDS-13',
  'a second request within a second gets the same password again (000 2.7: the one-time password)',
  'ssh.createCredential',
  (original) => async (call) => {
    const recent = recentCredentials(call.state)
    const kind = JSON.stringify([nameOf(call), call.body.ip ?? null, call.body.username ?? null])
    const before = recent.get(kind)
    if (before && call.now() - before.at < 1) return before.given
    const given = await original(call)
    if (roleOfCall(call)?.key_type === 'otp') recent.set(kind, { at: call.now(), given })
    return given
  },
)

rule('plain-two-uses-at-once', 'SSH-VERIFY-08', 'two concurrent verifications of one password both succeed (000 2.7: one-time password)', {
  consumeOtp: (original) => async (otps, password) => {
    const otp = otps.get(password)
    if (otp) await pause(150)
    await original(otps, password)
    return otp
  },
})

route(
  'plain-first-after-update',
  'SSH-CIDR-01',
  'the first credential after an update of the role goes by the role as it was (000 4.4: POST roles/:name, create or update)',
  'ssh.createCredential',
  bySeenRole<SshState, SshRules>((seen, current) => current && (seen ?? current)),
)

route(
  'plain-deleted-role-signs',
  'SSH-ROLE-10',
  'a role that has signed before goes on signing after its deletion (000 4.4: DELETE roles/:name deletes the role)',
  'ssh.signKey',
  bySeenRole<SshState, SshRules>((seen, current) => current ?? seen),
)

const deletedRoles = remembered(() => new Map<string, Role>())

change(
  'plain-recreated-role-remembers',
  'SSH-ROLE-01',
  'a role created anew after deletion keeps old fields instead of defaults (000 4.4: role parameters, Default)',
  {
    routes: {
      'ssh.deleteRole': (original) => (call) => {
        const role = roleOfCall(call)
        if (role) deletedRoles(call.state).set(nameOf(call), role)
        return original(call)
      },
      'ssh.writeRole': (original) => async (call) => {
        const old = deletedRoles(call.state).get(nameOf(call))
        if (!old || roleOfCall(call)) return original(call)
        call.state.roles.set(nameOf(call), old)
        try {
          return await original(call)
        } catch (cause) {
          call.state.roles.delete(nameOf(call))
          throw cause
        }
      },
    },
  },
)

const lineShownFirst = new WeakMap<SshState, string>()

rule(
  'plain-public-key-remembered',
  'SSH-CA-10',
  'after a replacement of the pair public_key shows the one before (000 4.4: config/ca replaces an existing pair)',
  {
    publicKeyShown: (original) => (state) => {
      const line = original(state)
      if (line === undefined) lineShownFirst.delete(state)
      else if (!lineShownFirst.has(state)) lineShownFirst.set(state, line)
      return lineShownFirst.get(state)
    },
  },
)

const generatedPairs = new WeakSet<CaPair>()

rule(
  'plain-generated-only-once',
  'SSH-CA-01',
  'generating while there is a pair keeps that one (000 4.4: config/ca replaces an existing CA pair)',
  {
    generatePair: (original) => () => {
      const pair = original()
      generatedPairs.add(pair)
      return pair
    },
    replaceCa: (original) => (existing, pair) => (existing && generatedPairs.has(pair) ? existing : original(existing, pair)),
  },
)

rule(
  'plain-extensions-stay',
  'SSH-DEFEXT-01',
  'requested extensions become the defaults of the role (000 4.4: default_extensions, used when none are provided)',
  {
    extensions: (original) => (role, requested) => {
      if (Object.keys(requested).length > 0) role.default_extensions = requested
      return original(role, requested)
    },
  },
)

rule('plain-serial-of-the-second', 'SSH-SIGN-08', 'certificates signed within one second share a serial number (000 2.7: serial_number)', {
  serial: () => () => BigInt(Math.floor(Date.now() / 1000)),
})

const textsOf = (body: JsonObject): Partial<Role> =>
  Object.fromEntries(
    ['default_user', 'allowed_users', 'allowed_extensions', 'cidr_list'].flatMap((field) => {
      const value = body[field]
      return typeof value === 'string' ? [[field, value]] : []
    }),
  )

route(
  'plain-refused-update-applied',
  'SSH-KEYTYPE-03',
  'an update that is refused for one field has changed others already (000 7: 400 invalid request)',
  'ssh.writeRole',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const role = roleOfCall(call)
      if (role) Object.assign(role, textsOf(call.body))
      throw cause
    }
  },
)

rule(
  'plain-key-with-options-stays',
  'SSH-DYNCRED-13',
  'a dynamic key with options stays on the host when it ends (000 4.4: install_script, installs and uninstalls)',
  {
    uninstalls: (original) => (role) => role.key_option_specs === '' && original(role),
  },
)
