/** The core as an engine: the rules of all requests, and the routes below `sys/` and `auth/`. */
import { coreRules } from './rules.ts'
import type { CoreEngine } from './server.ts'
import { leaseRoutes } from './sys-leases.ts'
import { mountRoutes } from './sys-mounts.ts'
import { namespaceRoutes } from './sys-namespaces.ts'
import { policyRoutes } from './sys-policies.ts'
import { sealRoutes } from './sys-seal.ts'
import { tokenRoutes } from './token-routes.ts'

export const coreEngine: CoreEngine = {
  type: 'core',
  rules: coreRules,
  routes: [...mountRoutes, ...policyRoutes, ...namespaceRoutes, ...leaseRoutes, ...sealRoutes, ...tokenRoutes],
}
