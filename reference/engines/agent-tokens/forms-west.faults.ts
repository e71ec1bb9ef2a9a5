/** Faults of form: the same token in another answer, texts and their characters, absent and null, links. */
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { changedAttributes, changedResources, without } from '../../run-management/answer-changes.ts'
import { errorDocument, Refusal } from '../../run-management/documents.ts'
import type { AgentToken } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import { membersOf, withRules } from './west-help.ts'

const { rule, route } = faultsOf(agentTokens)

rule(
  'west-list-without-milliseconds',
  'AGENT-TOKENS-FIELD-03',
  'a list tells the date of creation in whole seconds (002 2.2: created-at, with milliseconds)',
  {
    extras: (original) => (token, occasion) => ({
      ...original(token, occasion),
      ...(occasion === 'listed' ? { 'created-at': `${new Date(token.createdAt * 1000).toISOString().slice(0, 19)}Z` } : {}),
    }),
  },
)

rule('west-description-trimmed', 'AGENT-TOKENS-FIELD-11', 'blanks around a description are lost (002 2.2: description)', {
  description: (original) => (body, wantedType) => original(body, wantedType).trim(),
})

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

rule('west-description-escaped', 'AGENT-TOKENS-FIELD-11', 'a description is read back with HTML entities (002 2.2: description)', {
  extras: (original) => (token, occasion) => ({
    ...original(token, occasion),
    ...(occasion === 'created' ? {} : { description: token.description.replace(/[&<>"']/g, (character) => ENTITIES[character]!) }),
  }),
})

rule(
  'west-description-typed',
  'AGENT-TOKENS-FIELD-05',
  'a description that looks like a number or a truth value is read back as one (002 2.2: description, string)',
  {
    extras: (original) => (token, occasion) => ({
      ...original(token, occasion),
      ...(/^(true|false|0|[1-9]\d*)$/.test(token.description) ? { description: JSON.parse(token.description) as Json } : {}),
    }),
  },
)

route(
  'west-created-without-creator',
  'AGENT-TOKENS-FIELD-07',
  'the answer of a creation has no relationships (002 2.2: relationships.created-by)',
  'agentTokens.create',
  changedResources((resource) => without(resource, 'relationships')),
)

const endings = new WeakMap<AgentToken, string>()

rule(
  'west-list-shows-ending',
  'AGENT-TOKENS-SECRET-03',
  'a list shows the last four characters of each secret (002 4: list, metadata only; 2.2: token)',
  {
    secretText: (original) => (token, occasion, secret) => {
      if (secret !== undefined) endings.set(token, `****${secret.slice(-4)}`)
      return (occasion === 'listed' ? endings.get(token) : undefined) ?? original(token, occasion, secret)
    },
  },
)

route(
  'west-errors-not-a-list',
  'AGENT-TOKENS-ERROR-01',
  'the errors of a creation refused with 422 are one object (002 7: JSON:API error object)',
  'agentTokens.create',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (!(cause instanceof Refusal) || cause.status !== 422) throw cause
      const reply = errorDocument(cause)
      return { ...reply, body: { errors: [membersOf(reply.body).errors ?? null].flat()[0] ?? null } }
    }
  },
)

rule(
  'west-links-encoded-twice',
  'AGENT-TOKENS-PAGE-11',
  'brackets in links are encoded twice, so that each leads to the first page (002 2.3: links; 4: %5B and %5D)',
  {
    links: (original) => (path, page, pages) =>
      Object.fromEntries(
        Object.entries(original(path, page, pages)).map(([name, link]) => [
          name,
          typeof link === 'string' ? link.replace(/%(5[BD])/g, '%25$1') : link,
        ]),
      ),
  },
)

/** A create body with other members of `data`. */
const withData = (body: Json, change: (data: JsonObject) => JsonObject): Json => {
  const members = membersOf(body)
  return 'data' in members ? { ...members, data: change(membersOf(members.data)) } : body
}

rule(
  'west-description-list-joined',
  'AGENT-TOKENS-CREATE-11',
  'a list of texts as description is joined by commas (002 7: create, 422 wrong types)',
  {
    description: (original) => (body, wantedType) =>
      original(
        withData(body, (data) => {
          const attributes = membersOf(data.attributes)
          const { description } = attributes
          return Array.isArray(description) ? { ...data, attributes: { ...attributes, description: description.join(',') } } : data
        }),
        wantedType,
      ),
  },
)

rule(
  'west-flat-body-accepted',
  'AGENT-TOKENS-CREATE-07',
  'a description beside the type, without attributes, is accepted (002 7: create, 422 missing attributes)',
  {
    description: (original) => (body, wantedType) =>
      original(
        withData(body, (data) => ('attributes' in data ? data : { ...data, attributes: without(data, 'type') })),
        wantedType,
      ),
  },
)

const instantOf = (body: Uint8Array): number => {
  try {
    const sent = JSON.parse(new TextDecoder().decode(body)) as Json
    return Date.parse(String(membersOf(membersOf(membersOf(sent).data).attributes)['last-used-at']))
  } catch {
    return Number.NaN
  }
}

route(
  'west-last-use-from-body',
  'AGENT-TOKENS-FIELD-09',
  'a token copied with its attributes is taken as used when they say (002 2.2: last-used-at, null until used)',
  'agentTokens.create',
  (original) => (call) => {
    const instant = instantOf(call.body)
    const add = call.rules.add
    if (Number.isNaN(instant)) return original(call)
    return original(withRules(call, { add: (world, token) => add(world, Object.assign(token, { lastUsedAt: instant / 1000 })) }))
  },
)

route(
  'west-unused-left-out',
  'AGENT-TOKENS-FIELD-04',
  'a list leaves last-used-at out of tokens that were never used (002 2.2: last-used-at, null until used)',
  'agentTokens.list',
  changedAttributes((attributes) => (attributes['last-used-at'] === null ? without(attributes, 'last-used-at') : attributes)),
)
