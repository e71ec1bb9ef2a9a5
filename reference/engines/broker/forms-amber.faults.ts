/** Faults of the broker in forms: read against written, absent against null, types, escapes, blanks, error bodies. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply, requestNestedAs } from '../../mutations/wrappers.ts'
import { brokerRequests } from './amber-help.ts'
import { brokerEngine } from './engine.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

const mapped = (object: JsonObject, change: (value: Json) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))

rule('amber-several-tags-as-list', 'BROKER-TAGS-03', 'a role with several tags shows them as a list (001 4.3: tags, string)', {
  shownRole: (original) => (role) => ({ ...original(role), ...(role.tags.includes(',') ? { tags: role.tags.split(',') } : {}) }),
})

rule(
  'amber-no-topics-left-out',
  'BROKER-TOPICS-04',
  'a role without topic rights is read without vhost_topics (001 4.3: GET roles/:name, data.vhost_topics)',
  {
    shownRole: (original) => (role) => {
      const { vhost_topics, ...shown } = original(role)
      return vhost_topics === '' || vhost_topics === undefined ? shown : { ...shown, vhost_topics }
    },
  },
)

rule('amber-backslashes-lost', 'BROKER-VHOSTS-04', 'patterns reach the broker without their backslashes (001 4.3: vhosts, regex strings)', {
  rightsOfUser: (original) => (rights) => {
    const unescaped = (pattern: string): string => pattern.replaceAll(/\\(.)/g, '$1')
    return new Map(
      [...original(rights)].map(([vhost, { configure, write, read }]) => [
        vhost,
        { configure: unescaped(configure), write: unescaped(write), read: unescaped(read) },
      ]),
    )
  },
})

rule(
  'amber-topic-patterns-anchored',
  'BROKER-TOPICS-02',
  'topic patterns that are not anchored are given as if they were (001 4.3: vhost_topics, write and read)',
  {
    topicsOfUser: (original) => (topics) => {
      const anchored = (pattern: string): string => (pattern === '' || pattern.startsWith('^') ? pattern : `^${pattern}$`)
      return new Map(
        [...original(topics)].map(([vhost, exchanges]) => [
          vhost,
          new Map([...exchanges].map(([exchange, { write, read }]) => [exchange, { write: anchored(write), read: anchored(read) }])),
        ]),
      )
    },
  },
)

rule(
  'amber-blanks-stripped-from-vhosts',
  'BROKER-VHOSTS-04',
  'blanks inside names of vhosts and patterns are dropped (001 4.3: vhosts, JSON-encoded map)',
  {
    vhostsOf: (original) => (text) => original(text.replaceAll(/\s+/g, '')),
  },
)

route(
  'amber-nested-max-ttl-as-none',
  'BROKER-LEASE-05',
  'an object for max_ttl is taken as if it were left out (001 4.3: config/lease, max_ttl, int; 000 7: 400)',
  'broker.writeLease',
  requestNestedAs('max_ttl'),
)

rule(
  'amber-broken-topics-as-none',
  'BROKER-TOPICS-05',
  'vhost_topics that are not JSON are taken as none (001 4.3: vhost_topics, JSON-encoded map; 000 7: 400)',
  {
    topicsOf: (original) => (text) => {
      try {
        return original(text)
      } catch {
        return new Map()
      }
    },
  },
)

rule(
  'amber-pattern-lists-joined',
  'BROKER-VHOSTS-08',
  'a list in the place of a pattern is taken as its alternatives (001 4.3: vhosts, regex strings; 000 7: 400)',
  {
    vhostsOf: (original) => (text) => {
      let vhosts: Json
      try {
        vhosts = JSON.parse(text) as Json
      } catch {
        return original(text)
      }
      if (!isObject(vhosts)) return original(text)
      const joined = (pattern: Json): Json => (Array.isArray(pattern) ? pattern.join('|') : pattern)
      return original(JSON.stringify(mapped(vhosts, (rights) => (isObject(rights) ? mapped(rights, joined) : rights))))
    },
  },
)

rule('amber-topic-patterns-as-text', 'BROKER-TOPICS-08', 'a number or a truth value in the place of a topic pattern is taken as its text', {
  topicsOf: (original) => (text) => {
    const read = (value: string): string => value.replace(/:\s*(true|false|-?\d+)\s*(?=[,}])/g, ':"$1"')
    return original(read(text))
  },
})

const { methodOf, marking } = brokerRequests()

core.rule('amber-not-found-as-text', 'CORE-ERROR-01', 'errors of a 404 is a text instead of an array (000 2.4: errors, array of strings)', {
  ...marking,
  failure: (original) => (status, body, request) => {
    const given = original(status, body, request)
    if (status !== 404 || methodOf(request) === undefined) return given
    return withBody(given, ({ errors, ...rest }) => ({ ...rest, errors: Array.isArray(errors) ? errors.join('; ') : (errors ?? '') }))
  },
})

route(
  'amber-no-lease-is-null',
  'CORE-ENV-10',
  'the read of a role shows null for its lease (000 2.3: lease_id, empty string when no lease)',
  'broker.readRole',
  reply((given) => withBody(given, (body) => ({ ...body, lease_id: null }))),
)

core.rule('amber-content-type-demanded', 'CORE-MEDIA-02', 'a body without Content-Type is refused (000 2.1: clients need not send it)', {
  check: (original) => (call, facts) => {
    original(call, facts)
    if (facts.id.startsWith('broker.') && call.method === 'POST' && !call.headers['content-type'])
      throw new ApiError(415, 'a Content-Type is needed')
  },
})

rule(
  'amber-only-ascii-kept',
  'BROKER-VHOSTS-05',
  'what is not ASCII in the texts of a role is stored as question marks (001 4.3: vhosts, JSON-encoded map)',
  {
    roleOf: (original) => (body) => {
      const ascii = (text: string): string => text.replaceAll(/[^ -~\s]/gu, '?')
      const { tags, vhosts, vhostTopics } = original(body)
      return { tags: ascii(tags), vhosts: ascii(vhosts), vhostTopics: ascii(vhostTopics) }
    },
  },
)
