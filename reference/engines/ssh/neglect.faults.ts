/** Faults of what lies beside a request: other roles, passwords and keys, and who may ask. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import type { SshCall } from './wrappers.ts'

const { rule, route } = faultsOf(sshEngine)
const core = faultsOf(coreEngine, 'ssh')

route(
  'neighbour-zero-address-empties-blocks',
  'SSH-ROLE-03',
  'putting a role on the zero-address list empties its blocks for good',
  'ssh.writeZeroAddress',
  (original) => async (call) => {
    const reply = await original(call)
    for (const name of call.state.zeroAddress ?? []) {
      const role = call.state.roles.get(name)
      if (role) call.state.roles.set(name, { ...role, cidr_list: '', exclude_cidr_list: '' })
    }
    return reply
  },
)
route(
  'neighbour-role-clears-zero-address',
  ['SSH-ROLE-03', 'SSH-ROLE-08'],
  'deleting a role empties the whole zero-address list',
  'ssh.deleteRole',
  (original) => async (call) => {
    const reply = await original(call)
    call.state.zeroAddress = undefined
    return reply
  },
)
rule('neighbour-verify-same-address', ['SSH-VERIFY-01', 'SSH-VERIFY-02'], 'using a password uses up the others for that address', {
  consumeOtp: (original) => async (otps, password) => {
    const used = await original(otps, password)
    for (const [other, otp] of [...otps]) if (used !== undefined && otp.ip === used.ip) otps.delete(other)
    return used
  },
})
route(
  'neighbour-creds-replace',
  'SSH-VERIFY-03',
  'a new password for a user and an address ends the one before',
  'ssh.createCredential',
  replyData((data: JsonObject, call: SshCall) => {
    const { otps } = call.state
    const made = otps.get(String(data.key))
    for (const [password, otp] of [...otps])
      if (made && otp !== made && otp.ip === made.ip && otp.username === made.username) otps.delete(password)
    return data
  }),
)
route('neighbour-ca-takes-roles', 'SSH-APART-01', 'deleting the CA deletes the roles that sign', 'ssh.deleteCa', (original) => (call) => {
  for (const [name, role] of [...call.state.roles]) if (role.key_type === 'ca') call.state.roles.delete(name)
  return original(call)
})

core.rule('access-lookup-open', ['CORE-AUTH-01', 'CORE-AUTH-03'], 'lookups need no token', {
  needsToken: (original) => (found) => found?.id !== 'ssh.lookupRoles' && original(found),
})
core.rule('access-list-by-read', 'CORE-CAP-11', 'listing roles asks for read instead of list', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed === 'list' && call !== undefined && call.path.endsWith('/roles') ? 'read' : needed, call),
})
