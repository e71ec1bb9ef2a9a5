/** Faults of form: links, null and absent, the list against show, types and texts of what is sent. */
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { changedAttributes, changedResources, objectIn, without } from '../../run-management/answer-changes.ts'
import { errorDocument, Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'

const { rule, route } = faultsOf(agentTokens)

const mapLinks = (links: JsonObject, change: (address: string) => string): JsonObject =>
  Object.fromEntries(Object.entries(links).map(([name, address]) => [name, typeof address === 'string' ? change(address) : address]))

/** A body whose description is another, everything else as it was sent. */
const withDescription = (body: Json, description: Json): Json => {
  const document = objectIn({ body }, 'body')
  const data = objectIn(document, 'data')
  return { ...document, data: { ...data, attributes: { ...objectIn(data, 'attributes'), description } } }
}

const sentAttributes = (body: Json): JsonObject => objectIn(objectIn(objectIn({ body }, 'body'), 'data'), 'attributes')

rule(
  'east-links-encoded-twice',
  'AGENT-TOKENS-PAGE-11',
  'brackets in links are percent-encoded twice, so whoever follows next gets the first page (002 2.3: next; 4: %5B)',
  {
    links: (original) => (path, page, pages) => mapLinks(original(path, page, pages), (address) => address.replaceAll('%5', '%255')),
  },
)

rule(
  'east-links-lose-size',
  'AGENT-TOKENS-PAGE-11',
  'links leave the page size out, so the next page is one of 20 (002 2.3: next, last; 4: page[size])',
  {
    links: (original) => (path, page, pages) =>
      mapLinks(original(path, page, pages), (address) => address.replace(/&page%5Bsize%5D=\d+$/, '')),
  },
)

rule(
  'east-null-links-absent',
  'AGENT-TOKENS-PAGE-05',
  'prev and next are left out where they are null (002 2.3: links self, first, prev, next, last)',
  {
    links: (original) => (path, page, pages) =>
      Object.fromEntries(Object.entries(original(path, page, pages)).filter(([, address]) => address !== null)),
  },
)

route(
  'east-listed-zero-time',
  'AGENT-TOKENS-FIELD-09',
  'the list shows the zero time as last-used-at of tokens that were never used (002 2.2: last-used-at null until used)',
  'agentTokens.list',
  changedAttributes((attributes) => ({ ...attributes, 'last-used-at': attributes['last-used-at'] ?? '0001-01-01T00:00:00.000Z' })),
)

route(
  'east-listed-without-milliseconds',
  'AGENT-TOKENS-FIELD-03',
  'the list shows created-at without milliseconds, show and create with them (002 2.2: created-at, UTC with milliseconds)',
  'agentTokens.list',
  changedAttributes((attributes) => ({ ...attributes, 'created-at': String(attributes['created-at']).replace(/\.\d+Z$/, 'Z') })),
)

rule('east-description-trimmed', 'AGENT-TOKENS-FIELD-11', 'blanks around a description are lost (002 2.2, 4: description of the token)', {
  description: (original) => (body, wantedType) => original(body, wantedType).trim(),
})

rule(
  'east-description-three-bytes',
  'AGENT-TOKENS-FIELD-11',
  'characters outside the basic plane of Unicode become question marks (002 2.2, 4: description of the token)',
  {
    description: (original) => (body, wantedType) => original(body, wantedType).replace(/[\u{10000}-\u{10FFFF}]/gu, '?'),
  },
)

rule(
  'east-missing-type-passes',
  'AGENT-TOKENS-CREATE-09',
  'a create without data.type is taken as of the right type (002 4: data.type required; 7: create, 422)',
  {
    wantedType: (original) => (type) => type === undefined || original(type),
  },
)

rule(
  'east-object-as-description',
  'AGENT-TOKENS-CREATE-11',
  'an object as description is stored as its JSON text (002 4: description, a string; 7: create, 422 wrong types)',
  {
    description: (original) => (body, wantedType) => {
      const { description = null } = sentAttributes(body)
      const nested = description !== null && typeof description === 'object' && !Array.isArray(description)
      return original(nested ? withDescription(body, JSON.stringify(description)) : body, wantedType)
    },
  },
)

route(
  'east-error-not-in-array',
  'AGENT-TOKENS-ERROR-01',
  'the 404 of show has a single error as errors, not an array (002 7: show, 404 JSON:API error object)',
  'agentTokens.show',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause
      const reply = errorDocument(cause)
      return { ...reply, body: { errors: ([objectIn({ body: reply.body ?? null }, 'body').errors ?? null].flat()[0] ?? null) as Json } }
    }
  },
)

route(
  'east-listed-without-creator',
  'AGENT-TOKENS-FIELD-07',
  'tokens in the list have no relationships unless they are asked for with include (002 2.2: relationships.created-by.data)',
  'agentTokens.list',
  changedResources((resource, { query }) => (query.has('include') ? resource : without(resource, 'relationships'))),
)

rule(
  'east-description-unescaped',
  'AGENT-TOKENS-FIELD-11',
  'percent-encoded characters in a description are decoded (002 2.2, 4: description of the token)',
  {
    description: (original) => (body, wantedType) =>
      original(body, wantedType).replace(/%[0-7][0-9a-f]/gi, (escaped) => decodeURIComponent(escaped)),
  },
)
