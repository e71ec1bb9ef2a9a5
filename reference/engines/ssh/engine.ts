/** The SSH engine: one-time passwords, dynamic keys and signed certificates. */
import type { Engine } from '../../core/engine.ts'
import { caRoutes } from './ca.ts'
import { credentialRoutes } from './credentials.ts'
import { roleRoutes } from './roles.ts'
import { type SshRules, sshRules } from './rules.ts'
import { signRoutes } from './sign.ts'
import { newState, type SshState } from './state.ts'

export const sshEngine: Engine<SshState, SshRules> = {
  type: 'ssh',
  rules: sshRules,
  newState,
  routes: [...roleRoutes, ...credentialRoutes, ...caRoutes, ...signRoutes],
}

export const mountTypes = [sshEngine]
