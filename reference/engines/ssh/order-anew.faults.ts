/** Faults of the SSH engine: time and order. */
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { sshEngine } from './engine.ts'
import { publicKeyLine } from './key-formats.ts'
import { withState } from './loose-wrappers.ts'
import type { SshRules } from './rules.ts'
import type { CaPair, Role, SshState } from './state.ts'
import { nameOf } from './wrappers.ts'

const { rule, route, change } = faultsOf(sshEngine, 'ssh')

rule(
  'anew-password-read-then-deleted',
  ['SSH-VERIFY-08'],
  'Two verifications of a password at the same time both succeed (000 2.7: `key` is "the one-time password")',
  {
    consumeOtp: () => async (otps, password) => {
      const otp = otps.get(password)
      await new Promise((resolve) => setTimeout(resolve, 20))
      otps.delete(password)
      return otp
    },
  },
)

const listed = remembered(() => ({ reply: undefined as Reply | undefined }))

change(
  'anew-listing-kept-over-deletion',
  ['SSH-ROLE-07'],
  'Once listed, a deleted role stays in the listing until the next role is written (000 4.4: "deletes the role")',
  {
    routes: {
      'ssh.listRoles': (original) => async (call) => {
        const kept = listed(call.state)
        kept.reply ??= await original(call)
        return kept.reply
      },
      'ssh.writeRole': (original) => async (call) => {
        const reply = await original(call)
        listed(call.state).reply = undefined
        return reply
      },
    },
  },
)

const indexed = remembered(() => new Map<string, Role>())

route(
  'anew-lookup-by-first-blocks',
  ['SSH-LOOKUP-02'],
  'A lookup goes by the blocks that a role had at the first lookup, without its updates (000 4.4: "names associated with the IP")',
  'ssh.lookupRoles',
  (original) => (call) => {
    const index = indexed(call.state)
    for (const name of [...index.keys()]) if (!call.state.roles.has(name)) index.delete(name)
    for (const [name, role] of call.state.roles) if (!index.has(name)) index.set(name, role)
    return original(withState(call, { roles: new Map(index) }))
  },
)

const zeroOnce = remembered(() => new Set<string>())

route(
  'anew-zero-address-for-ever',
  ['SSH-ZERO-10'],
  'A role that issued as a zero-address role keeps doing so after the list is deleted (000 4.4: "deletes the zero-address configuration")',
  'ssh.createCredential',
  (original) => (call) => {
    const once = zeroOnce(call.state)
    if (call.state.zeroAddress?.includes(nameOf(call))) once.add(nameOf(call))
    return original(once.size === 0 ? call : withState(call, { zeroAddress: [...(call.state.zeroAddress ?? []), ...once] }))
  },
)

rule(
  'anew-public-key-of-replaced-pair',
  ['SSH-CA-10'],
  'Once read, `public_key` shows the same key after the pair is replaced (000 4.4: POST config/ca "Replaces an existing CA pair")',
  {
    publicKeyShown: (original) => {
      const shown = new WeakMap<SshState, string>()
      return (state) => {
        const line = original(state)
        if (line === undefined) shown.delete(state)
        else if (!shown.has(state)) shown.set(state, line)
        return shown.get(state)
      }
    },
  },
)

rule(
  'anew-deleted-pair-signs-on',
  ['SSH-CA-17'],
  'A pair that has signed before goes on signing after it is deleted (000 4.4: DELETE config/ca "deletes the CA pair")',
  {
    signingPair: (original) => {
      const latest = new WeakMap<SshState, CaPair>()
      return (state) => {
        const pair = original(state) ?? latest.get(state)
        if (pair) latest.set(state, pair)
        return pair
      }
    },
  },
)

route(
  'anew-generation-shows-pair-before',
  ['SSH-CA-01'],
  'Generating a pair in the place of another answers with the public key of the old one (000 4.4: "200 returns `data.public_key`")',
  'ssh.writeCa',
  (original) => async (call) => {
    const before = call.state.ca
    const reply = await original(call)
    if (!before || reply.body === undefined) return reply
    return { ...reply, body: { ...(reply.body as JsonObject), data: { public_key: publicKeyLine(before.publicKey) } } }
  },
)

route(
  'anew-refused-update-half-applied',
  ['SSH-CIDR-10'],
  'A refused update of a role leaves its new users and blocks in the role (000 7: 400 "invalid request"; a refusal changes nothing)',
  'ssh.writeRole',
  (original) => async (call) => {
    const existing = call.state.roles.get(nameOf(call))
    try {
      return await original(call)
    } catch (cause) {
      for (const field of ['default_user', 'allowed_users', 'cidr_list'] as const) {
        const value = call.body[field]
        if (existing && cause instanceof ApiError && typeof value === 'string') existing[field] = value
      }
      throw cause
    }
  },
)

const buried = remembered(() => new Map<string, Role>())

change(
  'anew-role-comes-back',
  ['SSH-ROLE-01'],
  'A role written anew under the name of a deleted one has the old values where none are given (000 4.4: "deletes the role")',
  {
    routes: {
      'ssh.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role) buried(call.state).set(nameOf(call), role)
        return original(call)
      },
      'ssh.writeRole': (original) => (call) => {
        const old = call.state.roles.has(nameOf(call)) ? undefined : buried(call.state).get(nameOf(call))
        return original(old ? { ...call, body: { ...old, ...call.body } as JsonObject } : call)
      },
    },
  },
)

const keysUsed = remembered(() => new Map<string, string>())

route(
  'anew-deleted-key-still-enters',
  ['SSH-KEY-05'],
  'A dynamic role that was used before issues on after its key is deleted (000 4.4: DELETE keys/:name "deletes the named key")',
  'ssh.createCredential',
  (original) => (call) => {
    const used = keysUsed(call.state)
    const name = call.state.roles.get(nameOf(call))?.key ?? ''
    const text = call.state.keys.get(name)
    if (text !== undefined) used.set(name, text)
    return original(withState(call, { keys: new Map([...used, ...call.state.keys]) }))
  },
)

route(
  'anew-same-certificate-again',
  ['SSH-SIGN-17'],
  'Signing the same key for the same principals again returns the first certificate, whatever else is asked (000 4.4: sign parameters)',
  'ssh.signKey',
  (original) => {
    const signed = new WeakMap<Role, Map<string, Reply>>()
    return async (call) => {
      const role = call.state.roles.get(nameOf(call))
      if (!role) return original(call)
      const known = signed.get(role) ?? new Map<string, Reply>()
      signed.set(role, known)
      const asked = JSON.stringify([call.body.public_key, call.body.valid_principals, call.body.cert_type])
      const reply = known.get(asked) ?? (await original(call))
      known.set(asked, reply)
      return reply
    }
  },
)

route(
  'anew-lifetimes-one-use-late',
  ['SSH-ROLE-02'],
  'After an update the first certificate still goes by the old `ttl` and `max_ttl` (000 4.4: sign `ttl`)',
  'ssh.signKey',
  bySeenRole<SshState, SshRules>((seen, current) => (seen && current ? { ...current, ttl: seen.ttl, max_ttl: seen.max_ttl } : current)),
)

rule(
  'anew-key-with-options-stays',
  ['SSH-DYNCRED-13'],
  'At the end of a dynamic credential a key with options stays on the host (000 4.4: the script "installs and uninstalls public keys")',
  { uninstalls: (original) => (role) => role.key_option_specs === '' && original(role) },
)
