/** Faults of the SSH engine that somebody wrote who knows the contract and nothing of the checks. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import type { CaPair, Role, SshState } from './state.ts'
import { nameOf, type SshCall } from './wrappers.ts'

const { rule, route } = faultsOf(sshEngine)

rule('slip-zero-address-by-substring', ['SSH-ZERO-09'], 'a role counts as a zero-address role when its name is part of a listed name', {
  isZeroAddress: () => (names, role) => names?.join(',').includes(role) ?? false,
})

route(
  'slip-new-otp-ends-older',
  ['SSH-APART-01'],
  'a new one-time password ends an unused one for the same user and address',
  'ssh.createCredential',
  (original) => async (call) => {
    const { otps, roles } = call.state
    const before = new Set(otps.keys())
    const reply = await original(call)
    if (roles.get(nameOf(call))?.key_type !== 'otp') return reply
    const { key } = (reply.body as { data: JsonObject }).data
    const made = otps.get(String(key))
    for (const [password, otp] of otps) {
      if (before.has(password) && otp.ip === made?.ip && otp.username === made.username) otps.delete(password)
    }
    return reply
  },
)

rule(
  'slip-cidr-zero-prefix',
  ['SSH-CIDR-07'],
  'a block of all IPv4 addresses holds its own address only, for a shift by 32 bits shifts nothing',
  {
    blockContains: (original) => (block, address) =>
      block.family === 'ipv4' && block.prefix === 0 ? address === block.address : original(block, address),
  },
)

rule(
  'slip-key-length-as-minimum',
  ['SSH-KEYLEN-02'],
  'the size in allowed_user_key_lengths is taken for the least, so that longer keys are signed',
  {
    keyLengthAllowed: (original) => (lengths, key) => {
      const raised = Object.entries(lengths).map(([name, bits]): [string, number] => [name, bits > 0 && key.bits > bits ? key.bits : bits])
      return original(Object.fromEntries(raised), key)
    },
  },
)

rule('slip-deleted-ca-still-signs', ['SSH-CA-17'], 'a pair that has signed before goes on signing when it is deleted', {
  signingPair: (original) => {
    const loaded = new WeakMap<SshState, CaPair>()
    return (state) => {
      const pair = original(state)
      if (pair) loaded.set(state, pair)
      return pair ?? loaded.get(state)
    }
  },
})

rule(
  'slip-key-id-of-first-caller',
  ['SSH-KEYID-03'],
  'the default key id is kept with the role, so that all callers get that of the first',
  {
    defaultKeyId: (original) => {
      const kept = new WeakMap<Role, string>()
      return (role, facts) => {
        if (role.key_id_format !== '') return original(role, facts)
        const id = kept.get(role) ?? original(role, facts)
        kept.set(role, id)
        return id
      }
    },
  },
)

/** Whether the caller's token comes in the header Authorization alone. */
const byBearer = ({ headers, token }: SshCall): boolean =>
  headers.authorization !== undefined && !Object.entries(headers).some(([name, value]) => name !== 'authorization' && value === token?.id)

route(
  'slip-bearer-has-no-name',
  ['SSH-KEYID-03'],
  'the display name of a token is looked up by the own header, so that the key id is empty for a bearer',
  'ssh.signKey',
  (original) => (call) => original(call.token && byBearer(call) ? { ...call, token: { ...call.token, displayName: '' } } : call),
)

rule('slip-extension-values-lost', ['SSH-DEFEXT-03'], 'extensions are written as flags, without their values', {
  extensions: (original) => (role, requested) => Object.fromEntries(Object.keys(original(role, requested)).map((name) => [name, ''])),
})

route(
  'slip-get-list-without-key-info',
  ['SSH-ROLE-06'],
  'a listing by GET with list=true lacks key_info',
  'ssh.listRoles',
  replyData((data, call) => (call.query.get('list') === 'true' ? { keys: data.keys ?? null } : data)),
)
