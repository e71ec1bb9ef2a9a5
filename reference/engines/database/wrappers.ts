/** What faults and variants of the database engine share. */
import type { DatabaseRoute } from './engine.ts'
import type { DatabaseRules } from './rules.ts'
import type { Connection, StaticRole } from './state.ts'

export type Handle = DatabaseRoute['handle']

export type DatabaseCall = Parameters<Handle>[0]

export const nameOf = (call: DatabaseCall): string => call.params.name ?? ''

/** The connection that the path names. */
export const connectionAt = (call: DatabaseCall): Connection | undefined => call.state.connections.get(nameOf(call))

/** The static role that the path names. */
export const staticRoleAt = (call: DatabaseCall): StaticRole | undefined => call.state.staticRoles.get(nameOf(call))

/** The call with some other rules. */
export const withRules = (call: DatabaseCall, rules: Partial<DatabaseRules>): DatabaseCall => ({
  ...call,
  rules: { ...call.rules, ...rules },
})
