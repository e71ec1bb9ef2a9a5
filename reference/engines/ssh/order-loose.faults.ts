/** Faults that show in an order of requests: the second call, after a deletion, an update, a replacement or a failure. */

import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, bySeenRole, emptiedListing, remembered } from '../../mutations/remembering.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { publicKeyLine } from './key-formats.ts'
import { type SshCall, withState } from './loose-wrappers.ts'
import type { SshRules } from './rules.ts'
import type { CaPair, Role, SshState } from './state.ts'

const { rule, route, change } = faultsOf(sshEngine)

rule(
  'verify-knows-last-only',
  ['SSH-VERIFY-03'],
  'a used password is good again once another one was verified (000 2.7, Credential (otp): the one-time password)',
  {
    consumeOtp: () => {
      let last = ''
      return (otps, password) => {
        const otp = password === last ? undefined : otps.get(password)
        if (otp) last = password
        return otp
      }
    },
  },
)

rule(
  'verify-late-removal',
  ['SSH-VERIFY-08'],
  'a password is removed only after its answer was prepared, so that two at a time succeed (000 2.7, the one-time password)',
  {
    consumeOtp: () => async (otps, password) => {
      const otp = otps.get(password)
      await new Promise((resolve) => setTimeout(resolve, 30))
      otps.delete(password)
      return otp
    },
  },
)

route(
  'sign-late-by-one',
  ['SSH-ROLE-02'],
  'the first signature after an update goes by the role as it was (000 4.4, POST roles: create or update; sign: per the role)',
  'ssh.signKey',
  bySeenRole<SshState, SshRules>((seen, current) => current && (seen ?? current)),
)

route(
  'creds-of-deleted-role',
  ['SSH-ROLE-09'],
  'a role that has issued credentials goes on issuing them after its deletion (000 4.4, DELETE roles: deletes the role)',
  'ssh.createCredential',
  bySeenRole<SshState, SshRules>((seen, current) => current ?? seen),
)

const graves = remembered(() => new Map<string, Role>())

change(
  'role-rises-again',
  ['SSH-ROLE-08'],
  'a role created under the name of a deleted one inherits its fields instead of the defaults (000 4.4, role parameters: Default)',
  {
    routes: {
      'ssh.deleteRole': (original) => (call) => {
        const { name = '' } = call.params
        const role = call.state.roles.get(name)
        if (role) graves(call.state).set(name, role)
        return original(call)
      },
      'ssh.writeRole': (original) => async (call) => {
        const { name = '' } = call.params
        const buried = graves(call.state).get(name)
        if (!buried || call.state.roles.has(name)) return original(call)
        call.state.roles.set(name, buried)
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

route(
  'update-cannot-empty',
  ['SSH-ROLE-02'],
  'an update ignores empty texts and false, so that nothing can be emptied or switched off (000 4.4, POST roles: create or update)',
  'ssh.writeRole',
  requestBody((body, call) =>
    call.state.roles.has(call.params.name ?? '')
      ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '' && value !== false))
      : body,
  ),
)

const joined = (before: Record<string, string>, value: Json | undefined): Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...before, ...value } : (value ?? null)

route(
  'update-adds-to-maps',
  ['SSH-ROLE-02'],
  'an update adds to default_extensions and default_critical_options what it should put in their place (000 4.4, POST roles: update)',
  'ssh.writeRole',
  requestBody((body, call) => {
    const role = call.state.roles.get(call.params.name ?? '')
    if (!role) return body
    return {
      ...body,
      default_extensions: joined(role.default_extensions, body.default_extensions),
      default_critical_options: joined(role.default_critical_options, body.default_critical_options),
    }
  }),
)

rule(
  'ca-signs-with-first-anew',
  ['SSH-CA-11', 'SSH-LOGIN-04'],
  'once a pair has signed, a new one is shown but does not sign (000 4.4, POST config/ca: replaces an existing CA pair)',
  {
    signingPair: (original) => {
      const loaded = new WeakMap<SshState, CaPair>()
      return (state) => {
        const current = original(state)
        const pair = current && (loaded.get(state) ?? current)
        if (pair) loaded.set(state, pair)
        return pair
      }
    },
  },
)

rule(
  'public-key-after-deletion',
  ['SSH-CA-18'],
  'public_key shows the last pair that it has shown after the pair was deleted (000 4.4, DELETE config/ca: deletes the CA pair)',
  {
    publicKeyShown: (original) => {
      const shown = new WeakMap<SshState, string>()
      return (state) => {
        const line = original(state) ?? shown.get(state)
        if (line !== undefined) shown.set(state, line)
        return line
      }
    },
  },
)

route(
  'ca-generated-once',
  ['SSH-LOGIN-04'],
  'a demand to generate a pair keeps the one that is there and shows that (000 4.4, POST config/ca: replaces an existing CA pair)',
  'ssh.writeCa',
  (original) => async (call) => {
    const before = call.state.ca
    const given = await original(call)
    if (!before || call.body.private_key) return given
    call.state.ca = before
    return replyData<typeof call>((data) => ({ ...data, public_key: publicKeyLine(before.publicKey) }))(() => given)(call)
  },
)

const zeroWritten = remembered((): { names: string[] | undefined } => ({ names: undefined }))

change(
  'zero-address-after-deletion',
  ['SSH-ZERO-10'],
  'roles count as zero-address roles after the list was deleted (000 4.4, DELETE config/zeroaddress: deletes the configuration)',
  {
    routes: {
      'ssh.writeZeroAddress': (original) => async (call) => {
        const given = await original(call)
        zeroWritten(call.state).names = call.state.zeroAddress
        return given
      },
      'ssh.createCredential': (original) => (call) =>
        original(withState(call, { zeroAddress: call.state.zeroAddress ?? zeroWritten(call.state).names })),
    },
  },
)

rule(
  'key-keeps-first',
  ['SSH-KEY-09'],
  'a key that is posted under a name in use is dropped with success (000 4.4, POST keys/:name: key)',
  {
    registerKey: (original) => (keys, name, text) => {
      if (!keys.has(name)) original(keys, name, text)
    },
  },
)

rule(
  'verify-failure-clears',
  'SSH-VERIFY-01',
  'an unknown password makes all open ones invalid (000 4.4, POST verify; 2.7, the one-time password)',
  {
    consumeOtp: (original) => (otps, password) => {
      if (!otps.has(password)) otps.clear()
      return original(otps, password)
    },
  },
)

route(
  'refused-update-deletes',
  ['SSH-KEYTYPE-02', 'SSH-PORT-06'],
  'an update of a role that is refused deletes the role (000 7, 400: invalid request)',
  'ssh.writeRole',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof ApiError) call.state.roles.delete(call.params.name ?? '')
      throw cause
    }
  },
)

route(
  'refused-pair-deletes',
  ['SSH-CA-07'],
  'a pair that is refused has deleted the one that was there (000 7, 400: invalid request)',
  'ssh.writeCa',
  (original) => (call) => {
    call.state.ca = undefined
    return original(call)
  },
)

const infos = remembered(() => new Map<string, Json>())

route(
  'key-info-remembered',
  ['SSH-ROLE-06'],
  'key_info shows the key_type that a name had when it was listed first (000 4.4, LIST roles: object with key_type)',
  'ssh.listRoles',
  replyData((data, call) => {
    const known = infos(call.state)
    for (const [name, info] of Object.entries(data.key_info as JsonObject)) if (!known.has(name)) known.set(name, info)
    return { ...data, key_info: Object.fromEntries((data.keys as string[]).map((name) => [name, known.get(name) ?? null])) }
  }),
)

route(
  'list-emptied-200',
  ['SSH-ROLE-07'],
  'after the last role was deleted the list is 200 with no keys (000 1, Listing: an empty listing returns 404)',
  'ssh.listRoles',
  emptiedListing<SshState, SshRules>(() => secret({ keys: [], key_info: {} })),
)

route(
  'creds-same-password',
  ['SSH-CREDS-13'],
  'a second credential for the same role, address and user is the first one, still open (000 4.4, POST creds; 2.7, one-time password)',
  'ssh.createCredential',
  (original) => async (call) => {
    const before = [...call.state.otps]
    return replyData<SshCall>((data) => {
      const { name } = call.params
      const open = before.find(([, { ip, username, role }]) => role === name && ip === data.ip && username === data.username)?.[0]
      if (open === undefined || data.key_type !== 'otp') return data
      call.state.otps.delete(String(data.key))
      return { ...data, key: open }
    })(original)(call)
  },
)

route(
  'creds-broken-by-failure',
  ['SSH-DYNCRED-17'],
  'a role whose host could not be entered once fails ever after, though the host is back (000 4.4, POST creds: returns the credential)',
  'ssh.createCredential',
  brokenAfterFailure<SshCall>((call) => call.state.roles.get(call.params.name ?? ''), 'the host cannot be entered'),
)
