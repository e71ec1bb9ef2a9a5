/** Faults of time and order: what an earlier request, a deletion, an update, a refusal or the end of a lifetime leaves behind. */
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import type { CaPair, Role, SshState } from './state.ts'

const { rule, route, change } = faultsOf(sshEngine)

rule(
  'swift-otp-twice-at-once',
  ['SSH-VERIFY-08'],
  'a password that is verified twice at the same time is good both times (000 2.7, key: the one-time password)',
  {
    consumeOtp: (original) => async (otps, password) => {
      const otp = otps.get(password)
      await new Promise((resolve) => setTimeout(resolve, 15))
      await original(otps, password)
      return otp
    },
  },
)

route(
  'swift-credential-by-role-before',
  ['SSH-CIDR-01'],
  'the first credential after a role’s update goes by the role as it was before (000 4.4, POST roles: create or update)',
  'ssh.createCredential',
  bySeenRole<SshState, typeof sshEngine.rules>((seen, current) => current && (seen ?? current)),
)

const shownBefore = remembered<{ line: string | undefined }>(() => ({ line: undefined }))
rule(
  'swift-public-key-after-deletion',
  ['SSH-CA-18'],
  'public_key shows the key of a deleted CA (000 4.4, DELETE config/ca: deletes the CA pair)',
  {
    publicKeyShown: (original) => (state) => {
      const known = shownBefore(state)
      known.line = original(state) ?? known.line
      return known.line
    },
  },
)

const firstSigner = remembered<{ pair: CaPair | undefined }>(() => ({ pair: undefined }))
rule(
  'swift-replaced-ca-signs',
  ['SSH-CA-11', 'SSH-LOGIN-04'],
  'once it has signed, a pair signs on after it was replaced (000 4.4, POST config/ca: replaces an existing CA pair)',
  {
    signingPair: (original) => (state) => {
      const known = firstSigner(state)
      const current = original(state)
      known.pair = current && (known.pair ?? current)
      return known.pair
    },
  },
)

const ofRole = (state: SshState, name: string | undefined): Role | undefined => state.roles.get(name ?? '')

route(
  'swift-extensions-merged-on-update',
  ['SSH-ROLE-02'],
  'default_extensions of an update are added to those that the role has (000 4.4, POST roles; GET roles: default_extensions)',
  'ssh.writeRole',
  requestBody((body, call) => {
    const wanted = body.default_extensions
    if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return body
    return { ...body, default_extensions: { ...ofRole(call.state, call.params.name)?.default_extensions, ...wanted } }
  }),
)

route(
  'swift-exclusion-never-emptied',
  ['SSH-ROLE-02'],
  'an update with an empty exclude_cidr_list leaves the excluded blocks in force (000 4.4, exclude_cidr_list: blocks rejected by the role)',
  'ssh.writeRole',
  requestBody((body, call) => {
    const kept = ofRole(call.state, call.params.name)?.exclude_cidr_list ?? ''
    return body.exclude_cidr_list === '' ? { ...body, exclude_cidr_list: kept } : body
  }),
)

const zeroBefore = remembered<{ names: string[] | undefined }>(() => ({ names: undefined }))
change(
  'swift-zero-list-in-force-after-deletion',
  ['SSH-ZERO-10'],
  'roles of a deleted zero-address list still issue for any address (000 4.4, DELETE config/zeroaddress: deletes the configuration)',
  {
    routes: {
      'ssh.deleteZeroAddress': (original) => (call) => {
        zeroBefore(call.state).names = call.state.zeroAddress
        return original(call)
      },
      'ssh.createCredential': (original) => (call) => {
        const zeroAddress = call.state.zeroAddress ?? zeroBefore(call.state).names
        return original({ ...call, state: Object.assign(Object.create(call.state) as SshState, { zeroAddress }) })
      },
    },
  },
)

route(
  'swift-refused-update-sticks',
  ['SSH-USERS-14'],
  'a refused update of a role leaves its lists and its user changed (000 7, 400: invalid request)',
  'ssh.writeRole',
  (original) => async (call) => {
    const before = ofRole(call.state, call.params.name)
    try {
      return await original(call)
    } catch (cause) {
      for (const field of ['default_user', 'allowed_users', 'allowed_extensions', 'cidr_list'] as const) {
        const value = call.body[field]
        if (before && typeof value === 'string') before[field] = value
      }
      throw cause
    }
  },
)

route(
  'swift-refused-pair-clears-ca',
  ['SSH-CA-07'],
  'a refused pair takes the configured CA away (000 4.4, POST config/ca: both keys required when generate_signing_key is false)',
  'ssh.writeCa',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      call.state.ca = undefined
      throw cause
    }
  },
)

rule('swift-key-written-once', ['SSH-KEY-09'], 'a named key that is written again keeps its first value (000 4.4, POST keys: key)', {
  registerKey: (original) => (keys, name, text) => {
    if (!keys.has(name)) original(keys, name, text)
  },
})

const deletedRoles = remembered<Map<string, Role>>(() => new Map())
change(
  'swift-role-comes-back',
  ['SSH-ROLE-01'],
  'a role created under the name of a deleted one has that one’s values where it names none (000 4.4, role parameters: defaults)',
  {
    routes: {
      'ssh.deleteRole': (original) => (call) => {
        const role = ofRole(call.state, call.params.name)
        if (role) deletedRoles(call.state).set(call.params.name ?? '', role)
        return original(call)
      },
      'ssh.writeRole': (original) => async (call) => {
        const name = call.params.name ?? ''
        const deleted = deletedRoles(call.state).get(name)
        if (!deleted || call.state.roles.has(name)) return original(call)
        call.state.roles.set(name, deleted)
        try {
          return await original(call)
        } catch (cause) {
          call.state.roles.delete(name)
          throw cause
        }
      },
    },
  },
)

rule(
  'swift-serial-by-second',
  ['SSH-SIGN-08', 'SSH-SIGN-09'],
  'certificates signed within one second have the same serial (000 4.4, sign: data.serial_number)',
  {
    serial: () => () => BigInt(Math.floor(Date.now() / 1000)),
  },
)
