/** Decisions about static roles and their rotation. */
import { durationOf } from '../../core/durations.ts'
import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import type { DatabaseState, StaticRole } from './state.ts'
import { missing, newPassword, statementsOf } from './values.ts'

const MINIMUM_PERIOD = 5

export const staticRoleRules = {
  unknownNameStatus: (): number => 404,
  staticPassword: (random: Random): string => newPassword(random),
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
  /** A database user belongs to one static role of a connection. */
  userAvailable: (state: DatabaseState, dbName: string, username: string): boolean =>
    ![...state.staticRoles.values()].some((role) => role.dbName === dbName && role.username === username),
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
