/** The core as an engine: the rules of all requests, and the routes below `sys/` and `auth/`. */
import type { Engine } from './engine.ts'
import { type CoreRules, coreRules } from './rules.ts'
import { leaseRoutes } from './sys-leases.ts'
import { mountRoutes } from './sys-mounts.ts'
import { namespaceRoutes } from './sys-namespaces.ts'
import { policyRoutes } from './sys-policies.ts'
import { sealRoutes } from './sys-seal.ts'
import { tokenRoutes } from './token-routes.ts'

export const coreEngine: Engine<undefined, CoreRules> = {
  type: 'core',
  rules: coreRules,
  newState: () => undefined,
  routes: [...mountRoutes, ...policyRoutes, ...namespaceRoutes, ...leaseRoutes, ...sealRoutes, ...tokenRoutes],
}
