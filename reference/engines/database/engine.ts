/** The database engine: credentials made in PostgreSQL and MariaDB, on demand or by rotation. */
import type { Engine, Route } from '../../core/engine.ts'
import { connectionRoutes } from './connections.ts'
import { roleRoutes } from './roles.ts'
import { type DatabaseRules, databaseRules } from './rules.ts'
import type { DatabaseState } from './state.ts'
import { staticRoleRoutes } from './static-roles.ts'

export type DatabaseRoute = Route<DatabaseState, DatabaseRules>

export const databaseEngine: Engine<DatabaseState, DatabaseRules> = {
  type: 'database',
  rules: databaseRules,
  newState: () => ({ connections: new Map(), roles: new Map(), staticRoles: new Map() }),
  routes: [...connectionRoutes, ...roleRoutes, ...staticRoleRoutes],
  async close(state) {
    for (const role of state.staticRoles.values()) role.cancel()
    await Promise.allSettled([...state.staticRoles.values()].map((role) => role.busy))
    await Promise.allSettled([...state.connections.values()].map((connection) => connection.link.close()))
  },
}

export const mountTypes = [databaseEngine]
