/** The PKI engine: a certificate authority with roles. */
import type { Engine } from '../../core/engine.ts'
import { authorityRoutes } from './authority.ts'
import { issueRoutes } from './issue.ts'
import { revocationRoutes } from './revocation.ts'
import { roleRoutes } from './roles.ts'
import { rootRoutes } from './root.ts'
import { type PkiRules, pkiRules } from './rules.ts'
import { newState, type PkiState } from './state.ts'

export const pkiEngine: Engine<PkiState, PkiRules> = {
  type: 'pki',
  rules: pkiRules,
  newState,
  routes: [...authorityRoutes, ...revocationRoutes, ...roleRoutes, ...issueRoutes, ...rootRoutes],
}

export const mountTypes = [pkiEngine]
