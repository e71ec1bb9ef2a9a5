/** Faults of a second time, of afterwards, and of what stays in a cache. */
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, emptiedListing } from '../../mutations/remembering.ts'
import { sshEngine } from './engine.ts'
import type { SshRules } from './rules.ts'
import type { CaPair, Otp, Role, SshState } from './state.ts'
import { type Handle, nameOf } from './wrappers.ts'

const { rule, route, change } = faultsOf(sshEngine)

const spent = new Map<string, Otp>()

rule(
  'time-otp-second-after-refusal',
  ['SSH-VERIFY-03'],
  'a used password is good again after some other password was refused (000 2.7, one-time password)',
  {
    consumeOtp: (original) => async (otps, password) => {
      const otp = await original(otps, password)
      if (otp) spent.set(password, otp)
      else for (const [used, what] of spent) if (used !== password) otps.set(used, what)
      return otp
    },
  },
)

const pairs = new WeakMap<SshState, CaPair>()

rule(
  'time-signs-with-first-pair',
  ['SSH-CA-11'],
  'the pair of the first signature signs on after it was replaced (000 4.4, config/ca replaces)',
  {
    signingPair: (original) => (state) => {
      const now = original(state)
      if (!now) return undefined
      const first = pairs.get(state) ?? now
      pairs.set(state, first)
      return first
    },
  },
)

const lastPair = new WeakMap<SshState, CaPair>()

rule('time-signs-after-deletion', ['SSH-CA-17'], 'a pair that signed once signs on after it was deleted (000 4.4, DELETE config/ca)', {
  signingPair: (original) => (state) => {
    const now = original(state)
    if (now) lastPair.set(state, now)
    return now ?? lastPair.get(state)
  },
})

const replacedBy = new WeakMap<CaPair, CaPair>()

rule('time-deletion-restores', ['SSH-CA-16'], 'deleting a pair that replaced another brings the other back (000 4.4, DELETE config/ca)', {
  replaceCa: (original) => (existing, pair) => {
    const next = original(existing, pair)
    if (existing) replacedBy.set(next, existing)
    return next
  },
  deleteCa: () => (existing) => existing && replacedBy.get(existing),
})

const shownOnce = new WeakMap<SshState, string>()

rule('time-public-key-cached', ['SSH-CA-10'], 'public_key shows what it showed first, also after a replacement (000 4.4, GET public_key)', {
  publicKeyShown: (original) => (state) => {
    const line = original(state)
    if (line === undefined) return undefined
    const first = shownOnce.get(state) ?? line
    shownOnce.set(state, first)
    return first
  },
})

const buried = new WeakMap<Map<string, Role>, Map<string, Role>>()

let remembered: Role | undefined

change(
  'time-recreated-role-remembers',
  ['SSH-ROLE-08'],
  'a role that is made again has the old fields where the new write is silent (000 4.4, DELETE roles)',
  {
    rules: {
      deleteRole: (original) => (roles, name) => {
        const graves = buried.get(roles) ?? new Map<string, Role>()
        const role = roles.get(name)
        if (role) graves.set(name, role)
        buried.set(roles, graves)
        return original(roles, name)
      },
      base: (original) => (existing, defaults) => original(existing, remembered ?? defaults),
    },
    routes: {
      'ssh.writeRole': (original: Handle) => (call) => {
        remembered = buried.get(call.state.roles)?.get(nameOf(call))
        return original(call)
      },
    },
  },
)

rule(
  'time-zero-list-grows',
  ['SSH-ZERO-11'],
  'a second write of the zero-address list adds to the first (000 4.4, POST config/zeroaddress)',
  {
    nextZeroAddress: (original) => (existing, names) => [...new Set([...(existing ?? []), ...original(existing, names)])],
  },
)

const onceListed = new Set<string>()

rule(
  'time-zero-role-stays',
  ['SSH-ZERO-10'],
  'a role that got a credential by the zero-address list gets more after the list is deleted (000 4.4, DELETE config/zeroaddress)',
  {
    isZeroAddress: (original) => (names, role) => {
      const isListed = original(names, role)
      if (isListed) onceListed.add(role)
      return isListed || (names === undefined && onceListed.has(role))
    },
  },
)

/** By the role as it was when this route used it last. */
const byLastRole = bySeenRole<SshState, SshRules>((seen, current) => current && (seen ?? current))

route(
  'time-sign-after-update',
  ['SSH-ROLE-02'],
  'the first signature after an update of the role still follows the old role (000 4.4, sign per the role)',
  'ssh.signKey',
  byLastRole,
)

route(
  'time-creds-after-update',
  ['SSH-ROLE-02'],
  'the first credential after an update of the role still follows the old role (000 4.4, creds and roles)',
  'ssh.createCredential',
  byLastRole,
)

rule('time-not-yet-valid', ['SSH-SIGN-36'], 'a certificate begins twenty seconds after it was signed (000 4.4, sign ttl)', {
  validAfter: () => (now) => now + 20,
})

rule('time-serial-by-second', ['SSH-SIGN-08'], 'serial numbers are the second of the signature (000 2.7, serial_number)', {
  serial: () => () => BigInt(Math.floor(Date.now() / 1000)),
})

route(
  'time-list-emptied',
  ['SSH-ROLE-07'],
  'a listing that had names once is an empty 200 when the last is deleted (000 1.5, empty listing)',
  'ssh.listRoles',
  emptiedListing(() => secret({ keys: [], key_info: {} })),
)

route(
  'time-delete-twice',
  ['SSH-ROLE-08'],
  'a second deletion of a role is answered with 500 (000 7, 500 is an internal error)',
  'ssh.deleteRole',
  (original) => {
    const gone = new WeakMap<SshState, Set<string>>()
    return (call) => {
      const names = gone.get(call.state) ?? new Set<string>()
      gone.set(call.state, names)
      if (names.has(nameOf(call)) && !call.state.roles.has(nameOf(call))) throw new ApiError(500, 'no such entry')
      names.add(nameOf(call))
      return original(call)
    }
  },
)
