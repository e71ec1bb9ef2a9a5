/** Faults of time and order: repeated calls, deletion, re-creation, replacement, expiry, updates. */
import { setTimeout as pause } from 'node:timers/promises'
import { empty, secret } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, emptiedListing, remembered } from '../../mutations/remembering.ts'
import { sshEngine } from './engine.ts'
import { decidedPerCall, deciding, nameOf, roleIn } from './north-help.ts'
import type { SshRules } from './rules.ts'
import type { CaPair, Role, SshState } from './state.ts'

const { rule, route, change } = faultsOf(sshEngine, 'ssh')

route(
  'north-emptied-listing-answered',
  'SSH-ROLE-07',
  'a listing is an empty 200 once the last of the roles is deleted (000 1.5: an empty listing returns 404)',
  'ssh.listRoles',
  emptiedListing<SshState, SshRules>(() => secret({ keys: [], key_info: {} })),
)

rule(
  'north-password-used-twice-at-once',
  'SSH-VERIFY-08',
  'two verifications at the same time both accept a password (000 2.7: the one-time password; 4.4: verify)',
  {
    consumeOtp: () => async (otps, password) => {
      const otp = otps.get(password)
      if (otp) await pause(30)
      otps.delete(password)
      return otp
    },
  },
)

const shownFirst = new WeakMap<SshState, string>()
rule(
  'north-public-key-cached',
  'SSH-CA-10',
  'the unauthenticated route goes on showing the key that it showed before the pair was replaced (000 4.4: POST config/ca replaces an existing CA pair)',
  {
    publicKeyShown: (original) => (state) => {
      const current = original(state)
      if (current === undefined) shownFirst.delete(state)
      else if (!shownFirst.has(state)) shownFirst.set(state, current)
      return shownFirst.get(state)
    },
  },
)

const buried = remembered(() => new Map<string, Role>())
change(
  'north-recreated-role-inherits',
  'SSH-ROLE-01',
  'a role that is created again has the fields of the deleted one instead of the defaults (000 4.4: DELETE deletes the role; role parameters: defaults)',
  {
    routes: {
      'ssh.deleteRole': (original) => (call) => {
        const role = roleIn(call)
        if (role) buried(call.state).set(nameOf(call), role)
        return original(call)
      },
      'ssh.writeRole': (original) => (call) => {
        const base: SshRules['base'] = (existing, defaults) => call.rules.base(existing ?? buried(call.state).get(nameOf(call)), defaults)
        return original(deciding(call, { base }))
      },
    },
  },
)

route(
  'north-new-exclusion-comes-late',
  'SSH-ROLE-02',
  'after an update the first request for credentials still goes by the old exclude_cidr_list (000 4.4: roles create or update; exclude_cidr_list, blocks rejected by the role)',
  'ssh.createCredential',
  bySeenRole<SshState, SshRules>((seen, current) => seen && current && { ...current, exclude_cidr_list: seen.exclude_cidr_list }),
)

const marked = remembered(() => new Set<string>())
change(
  'north-zero-address-mark-stays',
  'SSH-ZERO-10',
  'roles once on the zero-address list give credentials for any address after its deletion (000 4.4: DELETE deletes the zero-address configuration)',
  {
    routes: {
      'ssh.writeZeroAddress': (original) => async (call) => {
        const reply = await original(call)
        for (const name of call.state.zeroAddress ?? []) marked(call.state).add(name)
        return reply
      },
      'ssh.createCredential': decidedPerCall((call) => ({ isZeroAddress: (_names, role) => marked(call.state).has(role) })),
    },
  },
)

route(
  'north-key-stays-after-update-of-role',
  'SSH-DYNCRED-13',
  'the key of a dynamic credential stays on the host where its role was written anew meanwhile (000 4.4 role parameters: install_script uninstalls public keys)',
  'ssh.createCredential',
  decidedPerCall((call) => ({ uninstalls: (role) => roleIn(call) === role && call.rules.uninstalls(role) })),
)

route(
  'north-serial-of-the-second',
  'SSH-SIGN-08',
  'certificates signed within one second have the same serial number (000 2.7: serial_number of the signed certificate)',
  'ssh.signKey',
  decidedPerCall((call) => ({ serial: () => BigInt(Math.floor(call.now())) })),
)

const generated = remembered<{ pair: CaPair | undefined }>(() => ({ pair: undefined }))
route(
  'north-generated-once',
  'SSH-CA-01',
  'generating again gives the pair that was generated first (000 4.4: POST config/ca replaces an existing CA pair; an RSA pair is generated)',
  'ssh.writeCa',
  decidedPerCall((call) => ({
    generatePair: () => {
      const known = generated(call.state)
      known.pair ??= call.rules.generatePair()
      return known.pair
    },
  })),
)

route(
  'north-key-in-use-kept',
  'SSH-KEY-05',
  'the deletion of a key that a role uses is answered, but not done (000 4.4: DELETE keys/:name deletes the named key)',
  'ssh.deleteKey',
  (original) => (call) => ([...call.state.roles.values()].some(({ key }) => key === nameOf(call)) ? empty() : original(call)),
)

route(
  'north-default-extensions-pile-up',
  'SSH-ROLE-02',
  'an update adds to default_extensions and takes nothing away (000 4.4: roles create or update; default_extensions, map string to string)',
  'ssh.writeRole',
  (original) => async (call) => {
    const before = roleIn(call)?.default_extensions
    const reply = await original(call)
    const role = roleIn(call)
    if (role) call.state.roles.set(nameOf(call), { ...role, default_extensions: { ...before, ...role.default_extensions } })
    return reply
  },
)
