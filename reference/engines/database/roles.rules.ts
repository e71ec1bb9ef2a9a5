/** Decisions about dynamic roles and their credentials. */
import { durationOf } from '../../core/durations.ts'
import type { Call } from '../../core/engine.ts'
import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import type { DatabaseState, Role, UserValues } from './state.ts'
import { missing, newPassword, statementsOf } from './values.ts'

export const roleRules = {
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
  unknownRoleStatus: (): number => 400,
  leaseTimes(role: Role, mount: Call<unknown, unknown>['mount']): { ttl: number; maxTtl: number } {
    const maxTtl = Math.min(role.maxTtl || mount.maxLeaseTtl, mount.maxLeaseTtl)
    return { ttl: Math.min(role.defaultTtl || mount.defaultLeaseTtl, maxTtl), maxTtl }
  },
  leased: (): boolean => true,
  /** At most 32 characters: MariaDB's limit leaves room for no more in older versions. */
  username: (role: string, random: Random): string => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 8)}-${random.word(20)}`,
  password: (random: Random): string => newPassword(random),
  creation: (role: Role): string[] => role.creation,
  /** What is run when a creation failed; without any, whatever the default revocation finds is removed. */
  rollback: (role: Role, standard: string[]): string[] => (role.rollback.length > 0 ? role.rollback : standard),
  revocation: (role: Role, standard: string[]): string[] => (role.revocation.length > 0 ? role.revocation : standard),
  renewal: (role: Role, standard: string[]): string[] => (role.renewal.length > 0 ? role.renewal : standard),
  shownCredential: (user: UserValues): JsonObject => ({ username: user.username, password: user.password }),
}
