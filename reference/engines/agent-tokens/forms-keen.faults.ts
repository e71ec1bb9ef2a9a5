/** Faults of form: the same token by another route, types in bodies, text that needs care, addresses. */
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { changedAttributes, changedResources, objectIn } from '../../run-management/answer-changes.ts'
import { Refusal, toOne } from '../../run-management/documents.ts'
import type { AgentToken } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import { dataIn, onMissing, type Rules, withAttributes } from './keen-help.ts'

const { rule, route, change } = faultsOf(agentTokens)

rule(
  'keen-null-description',
  'AGENT-TOKENS-CREATE-18',
  'null passes as a description and becomes an empty text (002 4: description required, a string, 7: 422)',
  {
    description: (original) => (body, wantedType) => {
      if (objectIn(dataIn(body), 'attributes').description !== null) return original(body, wantedType)
      original(withAttributes(body, { description: '-' }), wantedType)
      return ''
    },
  },
)

const secrets = new WeakMap<AgentToken, string>()

change(
  'keen-sparse-fields-show-secret',
  'AGENT-TOKENS-SECRET-02',
  'a show that asks for the field token by fields[...] gets the secret text (002 2.2: never recoverable later)',
  {
    rules: {
      secretText: (original) => (token, occasion, secret) => {
        if (secret !== undefined) secrets.set(token, secret)
        return original(token, occasion, secret)
      },
    },
    routes: {
      'agentTokens.show': changedAttributes<Rules>((attributes, call) => {
        const fields = call.query.get('fields[authentication-tokens]')?.split(',') ?? []
        const token = call.world.tokens.get(call.params.id ?? '')
        return fields.includes('token') && token ? { ...attributes, token: secrets.get(token) ?? null } : attributes
      }),
    },
  },
)

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

route(
  'keen-list-escapes-description',
  'AGENT-TOKENS-FIELD-11',
  'a list shows descriptions escaped for HTML (002 2.2: attributes.description)',
  'agentTokens.list',
  changedAttributes<Rules>((attributes) => ({
    ...attributes,
    description: String(attributes.description).replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign),
  })),
)

rule(
  'keen-description-composed',
  'AGENT-TOKENS-FIELD-11',
  'letters with combining marks come back composed (002 2.2: attributes.description)',
  {
    describe: (original) => (token) => original(token).normalize('NFC'),
  },
)

rule(
  'keen-description-three-byte-column',
  'AGENT-TOKENS-FIELD-11',
  'what is stored of a description ends before the first sign beyond U+FFFF (002 2.2: description)',
  {
    add: (original) => (world, token) => original(world, { ...token, description: token.description.split(/[\u{10000}-\u{10FFFF}]/u)[0]! }),
  },
)

rule(
  'keen-links-encoded-twice',
  'AGENT-TOKENS-PAGE-09',
  'the brackets of links.prev and links.last are percent-encoded twice (002 2.3: links, 4: encoded as %5B and %5D)',
  {
    links: (original) => (path, page, pages) => {
      const { prev = null, last = null, ...others } = original(path, page, pages)
      const again = (link: Json): Json => (typeof link === 'string' ? link.replaceAll('%', '%25') : link)
      return { ...others, prev: again(prev), last: again(last) }
    },
  },
)

route(
  'keen-created-by-user',
  'AGENT-TOKENS-FIELD-07',
  'the answer to a create calls the creator by the type user (002 2.2: created-by has type users)',
  'agentTokens.create',
  changedResources<Rules>((resource) => {
    const { id = '' } = objectIn(objectIn(objectIn(resource, 'relationships'), 'created-by'), 'data')
    return { ...resource, relationships: { 'created-by': toOne('user', String(id)) } }
  }),
)

rule(
  'keen-type-with-underscore',
  'AGENT-TOKENS-CREATE-10',
  'authentication_tokens passes as the type (002 4: data.type must be authentication-tokens)',
  {
    wantedType: (original) => (type) => original(typeof type === 'string' ? type.replaceAll('_', '-') : type),
  },
)

route(
  'keen-missing-destroy-empty',
  'AGENT-TOKENS-ERROR-01',
  'the 404 of a destroy is as empty as its 204 (002 7: destroy 404, error object)',
  'agentTokens.destroy',
  (original) => (call) =>
    onMissing(
      () => original(call),
      () => ({ status: 404 }),
    ),
)

rule(
  'keen-description-form-decoded',
  'AGENT-TOKENS-FIELD-11',
  'a description is decoded as a form field: plus is a blank, a lone percent is refused (002 2.2, 7: create 201)',
  {
    description: (original) => (body, wantedType) => {
      try {
        return decodeURIComponent(original(body, wantedType).replaceAll('+', ' '))
      } catch (cause) {
        if (!(cause instanceof URIError)) throw cause
        throw new Refusal(422, 'the description is malformed', '/data/attributes/description')
      }
    },
  },
)

route(
  'keen-digits-shown-as-number',
  'AGENT-TOKENS-FIELD-11',
  'a show gives a description of digits only as a number (002 2.2: description is a string)',
  'agentTokens.show',
  changedAttributes<Rules>((attributes) =>
    /^\d+$/.test(String(attributes.description)) ? { ...attributes, description: Number(attributes.description) } : attributes,
  ),
)

rule(
  'keen-number-before-size',
  'AGENT-TOKENS-PAGE-19',
  'page[number] behind page[size] in the query is overlooked (002 4: page[number], page[size])',
  {
    page: (original) => (query, defaultSize) => {
      const names = [...query.keys()]
      const size = names.indexOf('page[size]')
      const kept = new URLSearchParams(query)
      if (size >= 0 && size < names.indexOf('page[number]')) kept.delete('page[number]')
      return original(kept, defaultSize)
    },
  },
)
