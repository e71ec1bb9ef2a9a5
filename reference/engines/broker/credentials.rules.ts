/** Decisions about credentials: users, their rights, their leases. */
import type { Call } from '../../core/engine.ts'
import { invalid } from '../../core/errors.ts'
import { integerOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import type { BrokerRole, BrokerState, TopicRights, VhostRights } from './state.ts'

export const credentialRules = {
  leaseOf(body: JsonObject): BrokerState['lease'] {
    const [ttl, maxTtl] = [integerOf(body, 'ttl', 0), integerOf(body, 'max_ttl', 0)]
    if (ttl < 0 || maxTtl < 0) throw invalid('ttl and max_ttl must not be negative')
    return { ttl, maxTtl }
  },
  leaseTimes(lease: BrokerState['lease'], mount: Call<unknown, unknown>['mount']): { ttl: number; maxTtl: number } {
    const maxTtl = Math.min(lease.maxTtl || mount.maxLeaseTtl, mount.maxLeaseTtl)
    return { ttl: Math.min(lease.ttl || mount.defaultLeaseTtl, maxTtl), maxTtl }
  },
  unknownRoleStatus: (): number => 400,
  username: (role: string, random: Random): string => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 12)}-${random.word(20)}`,
  password: (random: Random): string => random.word(32),
  tagsOfUser: (role: BrokerRole): string => role.tags,
  rightsOfUser: (rights: Map<string, VhostRights>): Map<string, VhostRights> => rights,
  topicsOfUser: (topics: Map<string, Map<string, TopicRights>>): Map<string, Map<string, TopicRights>> => topics,
  removesAfterFailure: (): boolean => true,
  leased: (): boolean => true,
  deletesUser: (): boolean => true,
  /** Whether the end of a lease leaves the user, with a password that nobody knows. */
  locksUser: (): boolean => false,
  /** Whom the end of a lease removes. */
  revokedUser: (username: string): string => username,
  shownCredential: (username: string, password: string): JsonObject => ({ username, password }),
}
