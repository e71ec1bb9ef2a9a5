/** Dynamic credentials: a key pair of their own, installed on the host when issued and removed when they end. */

import type { Call } from '../../core/engine.ts'
import { secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { remoteProgram } from './install-script.ts'
import { publicKeyLine, publicKeyOf } from './key-formats.ts'
import { runOnHost } from './remote-host.ts'
import type { SshRules } from './rules.ts'
import type { Role, SshState } from './state.ts'

/** Issues one. Throws 400 where the role's key is gone, 502 where the host cannot be entered. */
export const dynamicCredential = async (call: Call<SshState, SshRules>, role: Role, ip: string, user: string): Promise<Reply> => {
  const { rules, state, services } = call
  const registered = state.keys.get(role.key)
  if (registered === undefined) throw invalid('the key of the role is not registered')
  const { privateKey } = rules.newDynamicKey(role)
  const line = rules.authorizedLine(role, publicKeyLine(publicKeyOf(privateKey)))
  const script = rules.installScript(role)
  const entrance = rules.entrance(role, ip, registered)
  const onHost = (action: 'install' | 'uninstall') => runOnHost(entrance, remoteProgram(action, { user, line, script }))
  try {
    await onHost('install')
  } catch (cause) {
    throw new ApiError(502, `the key could not be installed: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
  const lease = services.leases.issue(call, {
    ttl: role.ttl || call.mount.defaultLeaseTtl,
    renewable: true,
    revoke: async () => {
      if (rules.uninstalls(role)) await onHost('uninstall')
    },
  })
  return secret(rules.dynamicCredential(role, String(privateKey.export({ type: 'pkcs1', format: 'pem' }))), lease)
}
