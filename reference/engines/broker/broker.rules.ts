/** The decisions of the broker engine. */

import type { Call } from '../../core/engine.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { flagOf, integerOf, textOf } from '../../core/fields.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import type { BrokerAddress } from './management.ts'
import type { BrokerRole, BrokerState, TopicRights, VhostRights } from './state.ts'

const REQUIRED = ['connection_uri', 'username', 'password']

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object that a JSON text stands for; empty text stands for none. Throws 400 where it is something else. */
const objectIn = (text: string, field: string): JsonObject => {
  if (text === '') return {}
  let value: Json
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid(`${field} is not JSON`)
  }
  if (!isObject(value)) throw invalid(`${field} must hold a JSON object`)
  return value
}

const pattern = (rights: Json | undefined, name: string, field: string): string => {
  const value = isObject(rights) ? (rights[name] ?? '') : undefined
  if (typeof value !== 'string') throw invalid(`${field}: ${name} must be a string`)
  return value
}

export const brokerRules = {
  connectionComplete(body: JsonObject): void {
    for (const field of REQUIRED) if (textOf(body, field) === '') throw invalid(`${field} is required`)
  },
  connectionOf: (body: JsonObject): BrokerAddress => ({
    uri: textOf(body, 'connection_uri'),
    username: textOf(body, 'username'),
    password: textOf(body, 'password'),
  }),
  verifies: (body: JsonObject): boolean => flagOf(body, 'verify_connection', true),
  storesUnverified: (): boolean => false,
  replaced: (_previous: BrokerAddress | undefined, next: BrokerAddress): BrokerAddress => next,
  failureText: (error: unknown, _connection: BrokerAddress): string => (error instanceof ApiError ? error.message : String(error)),

  leaseOf(body: JsonObject): BrokerState['lease'] {
    const [ttl, maxTtl] = [integerOf(body, 'ttl', 0), integerOf(body, 'max_ttl', 0)]
    if (ttl < 0 || maxTtl < 0) throw invalid('ttl and max_ttl must not be negative')
    return { ttl, maxTtl }
  },
  leaseTimes(lease: BrokerState['lease'], mount: Call<unknown, unknown>['mount']): { ttl: number; maxTtl: number } {
    const maxTtl = Math.min(lease.maxTtl || mount.maxLeaseTtl, mount.maxLeaseTtl)
    return { ttl: Math.min(lease.ttl || mount.defaultLeaseTtl, maxTtl), maxTtl }
  },

  roleOf: (body: JsonObject): BrokerRole => ({
    tags: textOf(body, 'tags'),
    vhosts: textOf(body, 'vhosts'),
    vhostTopics: textOf(body, 'vhost_topics'),
  }),
  vhostsOf: (text: string): Map<string, VhostRights> =>
    new Map(
      Object.entries(objectIn(text, 'vhosts')).map(([vhost, rights]) => [
        vhost,
        {
          configure: pattern(rights, 'configure', 'vhosts'),
          write: pattern(rights, 'write', 'vhosts'),
          read: pattern(rights, 'read', 'vhosts'),
        },
      ]),
    ),
  topicsOf: (text: string): Map<string, Map<string, TopicRights>> =>
    new Map(
      Object.entries(objectIn(text, 'vhost_topics')).map(([vhost, exchanges]) => [
        vhost,
        new Map(
          Object.entries(isObject(exchanges) ? exchanges : {}).map(([exchange, rights]) => [
            exchange,
            { write: pattern(rights, 'write', 'vhost_topics'), read: pattern(rights, 'read', 'vhost_topics') },
          ]),
        ),
      ]),
    ),
  shownRole: (role: BrokerRole): JsonObject => ({ tags: role.tags, vhosts: role.vhosts, vhost_topics: role.vhostTopics }),
  forgetsRole: (): boolean => true,

  unknownRoleStatus: (): number => 400,
  username: (role: string, random: Random): string => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 12)}-${random.word(20)}`,
  password: (random: Random): string => random.word(32),
  tagsOfUser: (role: BrokerRole): string => role.tags,
  rightsOfUser: (rights: Map<string, VhostRights>): Map<string, VhostRights> => rights,
  topicsOfUser: (topics: Map<string, Map<string, TopicRights>>): Map<string, Map<string, TopicRights>> => topics,
  removesAfterFailure: (): boolean => true,
  leased: (): boolean => true,
  deletesUser: (): boolean => true,
  /** Whom the end of a lease removes. */
  revokedUser: (username: string): string => username,
  shownCredential: (username: string, password: string): JsonObject => ({ username, password }),
}

export type BrokerRules = typeof brokerRules
