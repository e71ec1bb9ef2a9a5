/** The decisions of the database engine. */

import { durationOf } from '../../core/durations.ts'
import type { Call } from '../../core/engine.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { flagOf, listOf, textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import { plugins } from './plugins.ts'
import type { Connection, DatabaseState, Role, StaticRole, UserValues } from './state.ts'
import { fill, splitStatements, timestamp } from './statements.ts'

const MINIMUM_PERIOD = 5
const LENGTH = 20

const present = (body: JsonObject, field: string): boolean => body[field] !== undefined && body[field] !== null && body[field] !== ''

/** A statement list: one text is a list of one, for a statement may hold commas. */
const statementsOf = (body: JsonObject, field: string, fallback: string[]): string[] =>
  typeof body[field] === 'string' ? (body[field] === '' ? [] : [body[field]]) : listOf(body, field, fallback)

const missing = (body: JsonObject, fields: string[]): void => {
  for (const field of fields) if (!present(body, field)) throw invalid(`${field} is required`)
}

export const databaseRules = {
  // Connections
  connectionComplete(body: JsonObject, previous: Connection | undefined): void {
    if (previous === undefined) missing(body, ['plugin_name'])
  },
  pluginOf: (name: string) => plugins[name],
  verifies: (body: JsonObject): boolean => flagOf(body, 'verify_connection', true),
  /** Whether the connection is stored all the same when its verification failed. */
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

  // Roles
  roleComplete(body: JsonObject, previous: Role | undefined): void {
    if (previous === undefined) missing(body, ['db_name', 'creation_statements'])
  },
  roleOf(body: JsonObject, previous: Role | undefined): Role {
    return {
      dbName: textOf(body, 'db_name', previous?.dbName ?? ''),
      defaultTtl: Math.floor(durationOf(body.default_ttl, 'default_ttl', previous?.defaultTtl ?? 0)),
      maxTtl: Math.floor(durationOf(body.max_ttl, 'max_ttl', previous?.maxTtl ?? 0)),
      creation: statementsOf(body, 'creation_statements', previous?.creation ?? []),
      revocation: statementsOf(body, 'revocation_statements', previous?.revocation ?? []),
      rollback: statementsOf(body, 'rollback_statements', previous?.rollback ?? []),
      renewal: statementsOf(body, 'renew_statements', previous?.renewal ?? []),
    }
  },
  connectionOf: (state: DatabaseState, dbName: string): Connection | undefined => state.connections.get(dbName),
  /** Whether a role may name this connection; one that does not exist may come later. */
  connectionKnownAtWrite: (state: DatabaseState, dbName: string): boolean => state.connections.has(dbName),
  shownRole: (role: Role): JsonObject => ({
    db_name: role.dbName,
    default_ttl: role.defaultTtl,
    max_ttl: role.maxTtl,
    creation_statements: role.creation,
    revocation_statements: role.revocation,
    rollback_statements: role.rollback,
    renew_statements: role.renewal,
  }),
  roleNames: (state: DatabaseState): string[] => [...state.roles.keys()],
  forgetsRole: (): boolean => true,

  // Credentials
  unknownRoleStatus: (): number => 400,
  unknownNameStatus: (): number => 404,
  leaseTimes(role: Role, mount: Call<unknown, unknown>['mount']): { ttl: number; maxTtl: number } {
    const maxTtl = Math.min(role.maxTtl || mount.maxLeaseTtl, mount.maxLeaseTtl)
    return { ttl: Math.min(role.defaultTtl || mount.defaultLeaseTtl, maxTtl), maxTtl }
  },
  leased: (): boolean => true,
  /** At most 32 characters: MariaDB's limit leaves room for no more in older versions. */
  username: (role: string, random: Random): string => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 8)}-${random.word(20)}`,
  password(random: Random): string {
    for (;;) {
      const word = random.word(LENGTH - 1)
      const at = 1 + ((random.bytes(1)[0] ?? 0) % (LENGTH - 2))
      const password = `${word.slice(0, at)}-${word.slice(at)}`
      if (/[A-Z]/.test(password) && /[a-z]/.test(password) && /\d/.test(password)) return password
    }
  },
  staticPassword: (random: Random): string => databaseRules.password(random),
  rootPassword: (random: Random): string => databaseRules.password(random),
  templateValues: (user: UserValues): Record<string, string> => ({
    name: user.username,
    username: user.username,
    password: user.password,
    expiration: timestamp(user.expiresAt),
  }),
  prepared: (statements: string[], values: Record<string, string>): string[] =>
    statements.flatMap(splitStatements).map((statement) => fill(statement, values)),
  creation: (role: Role): string[] => role.creation,
  /** What is run when a creation failed; without any, whatever the default revocation finds is removed. */
  rollback: (role: Role, standard: string[]): string[] => (role.rollback.length > 0 ? role.rollback : standard),
  revocation: (role: Role, standard: string[]): string[] => (role.revocation.length > 0 ? role.revocation : standard),
  renewal: (role: Role, standard: string[]): string[] => (role.renewal.length > 0 ? role.renewal : standard),
  shownCredential: (user: UserValues): JsonObject => ({ username: user.username, password: user.password }),

  // Static roles
  staticRoleComplete(body: JsonObject, previous: StaticRole | undefined): void {
    if (previous === undefined) missing(body, ['db_name', 'username', 'rotation_period'])
  },
  staticRoleOf(body: JsonObject, previous: StaticRole | undefined): Pick<StaticRole, 'dbName' | 'username' | 'rotation' | 'period'> {
    return {
      dbName: textOf(body, 'db_name', previous?.dbName ?? ''),
      username: textOf(body, 'username', previous?.username ?? ''),
      rotation: statementsOf(body, 'rotation_statements', previous?.rotation ?? []),
      period: Math.floor(durationOf(body.rotation_period, 'rotation_period', previous?.period ?? 0)),
    }
  },
  periodAllowed: (period: number): boolean => period >= MINIMUM_PERIOD,
  userAvailable: (_state: DatabaseState, _username: string): boolean => true,
  shownStaticRole: (role: StaticRole): JsonObject => ({
    db_name: role.dbName,
    username: role.username,
    rotation_statements: role.rotation,
    rotation_period: role.period,
  }),
  staticRoleNames: (state: DatabaseState): string[] => [...state.staticRoles.keys()],
  staticTtl: (role: StaticRole, now: number): number => Math.max(0, Math.floor(role.rotatedAt + role.period - now)),
  shownTime: (seconds: number): string => new Date(seconds * 1000).toISOString(),
  shownStaticCredential: (role: StaticRole, ttl: number, rotatedAt: string): JsonObject => ({
    username: role.username,
    password: role.password,
    last_service_rotation: rotatedAt,
    rotation_period: role.period,
    ttl,
  }),
  rotation: (role: Pick<StaticRole, 'rotation'>, standard: string[]): string[] => (role.rotation.length > 0 ? role.rotation : standard),
  /** Seconds until the next rotation by schedule; undefined for never. */
  nextRotation: (role: StaticRole, now: number): number | undefined => Math.max(0, role.rotatedAt + role.period - now),
  rotatesInDatabase: (_role: StaticRole): boolean => true,
  /** When the role counts as rotated after a rotation by hand. */
  rotatedByHandAt: (_role: StaticRole, now: number): number => now,
  rotatedAt: (_role: StaticRole, now: number): number => now,
  /** The password that is kept when the database refused a new one. */
  unrotated: (role: StaticRole, _password: string): string => role.password,
  revokesStaticUser: (): boolean => true,
  forgetsStaticRole: (): boolean => true,
}

export type DatabaseRules = typeof databaseRules
