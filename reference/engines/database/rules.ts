/** Every decision of the database engine, small and named, so that a fault or a variant can replace one of them. */
import { connectionRules } from './connections.rules.ts'
import { roleRules } from './roles.rules.ts'
import { statementRules } from './statements.rules.ts'
import { staticRoleRules } from './static-roles.rules.ts'

export const databaseRules = { ...connectionRules, ...roleRules, ...staticRoleRules, ...statementRules }

export type DatabaseRules = typeof databaseRules
