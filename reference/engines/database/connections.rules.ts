/** Decisions about connections and their root users. */
import { ApiError } from '../../core/errors.ts'
import { flagOf, listOf, textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import { plugins } from './plugins.ts'
import type { Connection, DatabaseState } from './state.ts'
import { fill } from './statements.ts'
import { missing, newPassword, statementsOf } from './values.ts'

export const connectionRules = {
  connectionComplete(body: JsonObject, previous: Connection | undefined): void {
    if (previous === undefined) missing(body, ['plugin_name'])
  },
  pluginOf: (name: string) => plugins[name],
  verifies: (body: JsonObject): boolean => flagOf(body, 'verify_connection', true),
  /** Whether the connection is stored although its verification failed. */
  storesUnverified: (): boolean => false,
  allowedRolesOf: (body: JsonObject, previous: string[] | undefined): string[] => listOf(body, 'allowed_roles', previous ?? []),
  connectionText: (body: JsonObject, field: string, previous: string | undefined): string => textOf(body, field, previous ?? ''),
  rootStatementsOf: (body: JsonObject, previous: string[] | undefined): string[] =>
    statementsOf(body, 'root_rotation_statements', previous ?? []),
  filledUrl(connection: Connection, encoded: boolean): string {
    const spelt = (value: string): string => (encoded ? encodeURIComponent(value) : value)
    return fill(connection.url, { username: spelt(connection.username), password: spelt(connection.password) })
  },
  shownConnection: (connection: Connection): JsonObject => ({
    plugin_name: connection.pluginName,
    allowed_roles: connection.allowedRoles,
    connection_details: { connection_url: connection.url, username: connection.username },
    root_credentials_rotate_statements: connection.rootRotationStatements,
    password_policy: connection.passwordPolicy,
  }),
  connectionNames: (state: DatabaseState): string[] => [...state.connections.keys()],
  roleAllowed: (allowed: string[], role: string): boolean => allowed.includes('*') || allowed.includes(role),
  staticRoleAllowed: (allowed: string[], role: string): boolean => allowed.includes('*') || allowed.includes(role),
  closesOnReset: (): boolean => true,
  forgetsOnDelete: (): boolean => true,
  rootRotation: (connection: Connection): string[] =>
    connection.rootRotationStatements.length > 0 ? connection.rootRotationStatements : connection.link.plugin.rotation,
  /** What is stored after the database took the new root password. */
  rotatedRoot: (_connection: Connection, password: string): string => password,
  /** What is stored when the database refused it. */
  unrotatedRoot: (connection: Connection, _password: string): string => connection.password,
  rootRotated: (_password: string): JsonObject | null => null,
  failureText: (error: unknown, _connection: Connection): string => (error instanceof ApiError ? error.message : String(error)),
  connectionOf: (state: DatabaseState, dbName: string): Connection | undefined => state.connections.get(dbName),
  rootPassword: (random: Random): string => newPassword(random),
}
