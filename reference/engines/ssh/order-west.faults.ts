/** Faults of time and order: second calls, deletion and re-creation, replaced pairs, narrowed roles, ends. */
import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, bySeenRole, remembered } from '../../mutations/remembering.ts'
import { sshEngine } from './engine.ts'
import { publicKeyLine } from './key-formats.ts'
import type { SshRules } from './rules.ts'
import type { CaPair, Role, SshState } from './state.ts'
import { nameIn, roleIn, type SshCall, withRoles, withRules } from './west-help.ts'

const { rule, route, change } = faultsOf(sshEngine, 'ssh')

rule(
  'west-used-twice-at-once',
  'SSH-VERIFY-08',
  'two concurrent verifications of one password both succeed (000 2.7: key, the one-time password)',
  {
    consumeOtp: (original) => async (otps, password) => {
      const otp = otps.get(password)
      // A slow storage between reading and deleting.
      await new Promise((resolve) => setTimeout(resolve, 60))
      await original(otps, password)
      return otp
    },
  },
)

rule(
  'west-own-script-never-uninstalls',
  'SSH-SCRIPT-03',
  'keys that the own script of a role installed stay on the host when they end (000 4.4: install_script, uninstalls public keys)',
  { uninstalls: (original) => (role) => role.install_script === '' && original(role) },
)

route(
  'west-signing-lags-update',
  'SSH-ROLE-02',
  'the first signing after an update goes by the role as it was before (000 4.4: sign/:name, signs a public key per the role)',
  'ssh.signKey',
  bySeenRole<SshState, SshRules>((seen, current) => current && (seen ?? current)),
)

const ghosts = remembered(() => new Map<string, Role>())

change(
  'west-recreated-role-remembers',
  'SSH-ROLE-01',
  'a role that is written again after its deletion has what it had before instead of the defaults (000 4.4: role parameters, default)',
  {
    routes: {
      'ssh.deleteRole': (original) => async (call) => {
        const role = roleIn(call)
        const given = await original(call)
        if (role) ghosts(call.state).set(nameIn(call), role)
        return given
      },
      'ssh.writeRole': (original) => async (call) => {
        const ghost = roleIn(call) ? undefined : ghosts(call.state).get(nameIn(call))
        if (!ghost) return original(call)
        call.state.roles.set(nameIn(call), ghost)
        try {
          return await original(call)
        } catch (cause) {
          call.state.roles.delete(nameIn(call))
          throw cause
        }
      },
    },
  },
)

const lastLines = remembered((): { line?: string } => ({}))

change(
  'west-deleted-ca-still-public',
  'SSH-CA-18',
  'the public key of a deleted CA is still served (000 4.4: DELETE config/ca deletes the CA pair)',
  {
    rules: { publicKeyShown: (original) => (state) => original(state) ?? lastLines(state).line },
    routes: {
      'ssh.deleteCa': (original) => (call) => {
        if (call.state.ca) lastLines(call.state).line = publicKeyLine(call.state.ca.publicKey)
        return original(call)
      },
    },
  },
)

const loadedPairs = remembered((): { pair?: CaPair } => ({}))

rule(
  'west-replaced-ca-signs-on',
  'SSH-LOGIN-04',
  'the pair that has signed goes on signing after its replacement (000 4.4: POST config/ca replaces an existing CA pair)',
  {
    signingPair: (original) => (state) => {
      const loaded = loadedPairs(state)
      const current = original(state)
      loaded.pair = current && (loaded.pair ?? current)
      return loaded.pair
    },
  },
)

const keysAtWrite = new WeakMap<Role, string>()

change(
  'west-key-as-of-role-write',
  'SSH-KEY-09',
  'a named key that is written anew does not serve the roles that exist already (000 4.4: role key, name of a registered key)',
  {
    rules: { entrance: (original) => (role, ip, key) => original(role, ip, keysAtWrite.get(role) ?? key) },
    routes: {
      'ssh.writeRole': (original) => async (call) => {
        const given = await original(call)
        const role = roleIn(call)
        const key = call.state.keys.get(role?.key ?? '')
        if (role && key !== undefined) keysAtWrite.set(role, key)
        return given
      },
    },
  },
)

rule(
  'west-serial-of-the-second',
  'SSH-SIGN-08',
  'certificates that are signed within one second have the same serial number (000 2.7: signed certificate, serial_number)',
  { serial: () => () => BigInt(Math.floor(Date.now() / 1000)) },
)

const approvals = remembered(() => new Set<string>())

route(
  'west-address-approved-for-good',
  'SSH-ZERO-10',
  'an IP that once got a credential of a role gets more after the blocks are narrowed (000 4.4: cidr_list; exclude_cidr_list)',
  'ssh.createCredential',
  (original) => async (call) => {
    const approved = approvals(call.state)
    const pair = `${nameIn(call)} ${String(call.body.ip)}`
    const given = await original(
      withRules(call, { addressAllowed: (...placed) => approved.has(pair) || call.rules.addressAllowed(...placed) }),
    )
    approved.add(pair)
    return given
  },
)

route(
  'west-refused-pair-drops-ca',
  'SSH-CA-07',
  'a refused replacement leaves the mount without a CA (000 4.4: POST config/ca replaces an existing pair; 7: 400 invalid request)',
  'ssh.writeCa',
  (original) => async (call) => {
    call.state.ca = undefined
    return original(call)
  },
)

route(
  'west-host-failure-sticks',
  'SSH-DYNCRED-17',
  'after one failure to enter a host a dynamic role issues nothing more until it is rewritten (000 4.4: creds/:name)',
  'ssh.createCredential',
  brokenAfterFailure<SshCall>(roleIn, 'the host of the role cannot be entered'),
)

const indexed = remembered((): { roles?: Map<string, Role> } => ({}))

change(
  'west-lookup-finds-deleted',
  'SSH-LOOKUP-02',
  'a lookup names a deleted role until the next role is written (000 4.4: DELETE roles/:name deletes the role; lookup, data.roles)',
  {
    routes: {
      'ssh.writeRole': (original) => async (call) => {
        const given = await original(call)
        indexed(call.state).roles = new Map(call.state.roles)
        return given
      },
      'ssh.lookupRoles': (original) => (call) => original(withRoles(call, indexed(call.state).roles ?? call.state.roles)),
    },
  },
)
