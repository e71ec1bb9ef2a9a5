/** Faults of forms: the same token by another route, absent against null, types, texts with unusual characters, bodies and errors. */
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { changedAttributes, changedQuery, changedResources, objectIn, without } from '../../run-management/answer-changes.ts'
import { document, Refusal } from '../../run-management/documents.ts'
import type { AgentToken } from '../../run-management/world.ts'
import type { AgentTokenRules } from './agent-tokens.rules.ts'
import { agentTokens } from './engine.ts'
import { documentOf } from './frank-help.ts'

const { rule, route } = faultsOf(agentTokens)

/** A request body with other members under `data`. */
const withData = (body: Json, change: (data: Record<string, Json>) => Json): Json => {
  const document = documentOf(body)
  return { ...document, data: change(objectIn(document, 'data')) }
}

route(
  'frank-listed-to-the-second',
  'AGENT-TOKENS-FIELD-03',
  'created-at has milliseconds when shown, but not in the list (002 2.2: ISO 8601 UTC with milliseconds)',
  'agentTokens.list',
  changedAttributes<AgentTokenRules>((attributes) => ({
    ...attributes,
    'created-at': String(attributes['created-at']).replace(/\.\d+Z$/, 'Z'),
  })),
)

route(
  'frank-unused-left-out',
  'AGENT-TOKENS-FIELD-04',
  'show leaves last-used-at out as long as it is null (002 2.2: last-used-at, null until used)',
  'agentTokens.show',
  changedAttributes<AgentTokenRules>((attributes) =>
    attributes['last-used-at'] === null ? without(attributes, 'last-used-at') : attributes,
  ),
)

rule(
  'frank-description-trimmed',
  'AGENT-TOKENS-FIELD-11',
  'blanks and line ends around a description are cut off (002 2.2: attributes.description)',
  {
    description: (original) => (body, wantedType) => {
      const text = original(body, wantedType)
      return text.trim() || text
    },
  },
)

rule(
  'frank-emoji-lost',
  'AGENT-TOKENS-FIELD-11',
  'characters beyond the basic plane are kept as question marks (002 2.2: attributes.description, string)',
  {
    add: (original) => (world, token) => {
      token.description = token.description.replace(/[\u{10000}-\u{10ffff}]/gu, '?')
      return original(world, token)
    },
  },
)

rule(
  'frank-links-without-size',
  'AGENT-TOKENS-PAGE-11',
  'links carry no page[size], so that those of a list with a size lead elsewhere (002 2.3: first, next; 4: page[size])',
  {
    links: (original) => (path, page, pages) =>
      Object.fromEntries(
        Object.entries(original(path, page, pages)).map(([name, link]) => [
          name,
          typeof link === 'string' ? link.replace(/&page%5Bsize%5D=\d+/, '') : link,
        ]),
      ),
  },
)

rule(
  'frank-texts-joined',
  'AGENT-TOKENS-CREATE-11',
  'a description that is an array of texts is taken as one text (002 7: create, 422 for wrong types)',
  {
    description: (original) => (body, wantedType) =>
      original(
        withData(body, (data) => {
          const attributes = objectIn(data, 'attributes')
          const { description } = attributes
          return Array.isArray(description) ? { ...data, attributes: { ...attributes, description: description.join(', ') } } : data
        }),
        wantedType,
      ),
  },
)

route(
  'frank-number-needs-size',
  'AGENT-TOKENS-PAGE-01',
  'page[number] without page[size] gives the first page (002 4: page[number] and page[size] are optional each)',
  'agentTokens.list',
  changedQuery<AgentTokenRules>((query) => {
    if (!query.has('page[size]')) query.delete('page[number]')
    return query
  }),
)

rule(
  'frank-flat-attributes',
  'AGENT-TOKENS-CREATE-07',
  'a description beside data.type is accepted without data.attributes (002 7: create, 422 for missing attributes)',
  {
    description: (original) => (body, wantedType) =>
      original(
        withData(body, (data) => {
          const { description } = data
          return data.attributes === undefined && description !== undefined ? { ...data, attributes: { description } } : data
        }),
        wantedType,
      ),
  },
)

route(
  'frank-destroy-answers-json',
  'AGENT-TOKENS-DESTROY-01',
  'destroy answers 200 with a document to clients that name a JSON media type (002 4: DELETE, 204 empty)',
  'agentTokens.destroy',
  (original) => async (call) => {
    const reply = await original(call)
    const { accept = '', 'content-type': contentType = '' } = call.headers
    return /json/.test(`${accept} ${contentType}`) ? document(200, { data: null }) : reply
  },
)

route(
  'frank-creator-as-link',
  'AGENT-TOKENS-FIELD-07',
  'the list has created-by as a link instead of data (002 2.2: relationships.created-by.data)',
  'agentTokens.list',
  changedResources<AgentTokenRules>((resource) => {
    const { id = '' } = objectIn(objectIn(objectIn(resource, 'relationships'), 'created-by'), 'data')
    return { ...resource, relationships: { 'created-by': { links: { related: `/api/v2/users/${id}` } } } }
  }),
)

rule(
  'frank-secret-hinted',
  'AGENT-TOKENS-SECRET-03',
  'the list has the end of the secret behind asterisks as token (002 2.2: token, non-null only in the create response)',
  {
    secretText: (original) => {
      const ends = new WeakMap<AgentToken, string>()
      return (token, occasion, secret) => {
        if (secret !== undefined) ends.set(token, `****${secret.slice(-4)}`)
        return (occasion === 'listed' && ends.get(token)) || original(token, occasion, secret)
      }
    },
  },
)

route(
  'frank-errors-by-field',
  'AGENT-TOKENS-ERROR-01',
  'a malformed create request is answered with errors as an object by field, not as an array (002 7: create, 422, JSON:API error object)',
  'agentTokens.create',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (!(cause instanceof Refusal) || cause.status !== 422) throw cause
      return document(422, { errors: { [cause.pointer?.split('/').at(-1) || 'body']: [cause.message] } })
    }
  },
)
