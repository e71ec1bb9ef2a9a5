/** Decisions about roles: what their texts stand for. */
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { BrokerRole, TopicRights, VhostRights } from './state.ts'

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

export const roleRules = {
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
}
