/** Faults in which a request reaches further than what it names. */

import { faultsOf } from '../../faults/declare.ts'
import { sshEngine } from './engine.ts'
import type { CaPair } from './state.ts'
import { nameOf } from './wrappers.ts'

const { rule, route, declared } = faultsOf(sshEngine)

route('key-takes-roles', 'SSH-APART-01', 'deleting a named key deletes the roles that use it', 'ssh.deleteKey', (original) => (call) => {
  for (const [name, role] of [...call.state.roles]) if (role.key === nameOf(call)) call.state.roles.delete(name)
  return original(call)
})
let lastWritten: CaPair | undefined
rule('ca-of-last-mount', 'SSH-APART-01', 'a mount with a CA signs with the CA that any mount was given last', {
  replaceCa: (original) => (existing, pair) => {
    lastWritten = original(existing, pair)
    return lastWritten
  },
  signingPair: (original) => (state) => (original(state) ? (lastWritten ?? original(state)) : undefined),
})
rule('revoke-ends-all', 'SSH-APART-01', 'the end of one lease ends the passwords of all leases', {
  revokeOtp: () => (otps) => otps.clear(),
})

export const faults = declared
