/** Faults of form: list against show, absent against null, types, escaping, the forms of refusals. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { refusal } from '../../mutations/wrappers.ts'
import { changedAttributes, objectIn, without } from '../../run-management/answer-changes.ts'
import { document, Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'
import { CREATE, DESTROY, deciding, LIST, type TokensCall } from './north-help.ts'

const { rule, route } = faultsOf(agentTokens)

route(
  'north-list-without-milliseconds',
  'AGENT-TOKENS-FIELD-03',
  'the list gives times of creation in whole seconds, without milliseconds (002 2.2: created-at, with milliseconds)',
  LIST,
  (original) => (call) => original(deciding(call, { createdAt: (token) => call.rules.createdAt(token).replace(/\.\d+Z$/, 'Z') })),
)

const endings = new WeakMap<object, string>()
rule(
  'north-list-masks-secret',
  'AGENT-TOKENS-SECRET-03',
  'the list shows the end of a secret behind asterisks (002 2.2: token, non-null only in the create response)',
  {
    secretText: (original) => (token, occasion, secret) => {
      if (secret !== undefined) endings.set(token, secret.slice(-4))
      return occasion === 'listed' ? `****${endings.get(token) ?? ''}` : original(token, occasion, secret)
    },
  },
)

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
route(
  'north-list-escapes-html',
  'AGENT-TOKENS-FIELD-11',
  'the list has descriptions escaped for HTML (002 2.2: attributes.description)',
  LIST,
  (original) => (call) =>
    original(
      deciding(call, {
        describe: (token) => call.rules.describe(token).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character),
      }),
    ),
)

const attributesOf = (data: JsonObject): JsonObject => objectIn(data, 'attributes')

rule(
  'north-object-as-description',
  'AGENT-TOKENS-CREATE-11',
  'an object as description is taken as its JSON text (002 4: description, string; 7: 422 for wrong types)',
  {
    description: (original) => (body, wantedType) => {
      const data = objectIn(objectIn({ body }, 'body'), 'data')
      const { description } = attributesOf(data)
      if (typeof description !== 'object' || description === null || Array.isArray(description)) return original(body, wantedType)
      return original({ data: { ...data, attributes: { description: JSON.stringify(description) } } }, wantedType)
    },
  },
)

rule(
  'north-null-as-description',
  'AGENT-TOKENS-CREATE-18',
  'null as description is taken as an empty one (002 4: description, required string; 7: 422)',
  {
    description: (original) => (body, wantedType) => {
      const data = objectIn(objectIn({ body }, 'body'), 'data')
      if (attributesOf(data).description !== null) return original(body, wantedType)
      // The rest of the body is still checked.
      original({ data: { ...data, attributes: { description: 'none' } } }, wantedType)
      return ''
    },
  },
)

rule(
  'north-data-as-list',
  'AGENT-TOKENS-CREATE-17',
  'a list of one resource is taken as data (002 4: data.type, data.attributes.description; 7: 422 for wrong types)',
  {
    description: (original) => (body, wantedType) => {
      const { data } = objectIn({ body }, 'body')
      return original(Array.isArray(data) && data.length === 1 ? { data: data[0] ?? null } : body, wantedType)
    },
  },
)

rule(
  'north-type-in-any-spelling',
  'AGENT-TOKENS-CREATE-10',
  'data.type is taken in any letter case and with underscores (002 4: must be authentication-tokens)',
  {
    wantedType: (original) => (type) => original(typeof type === 'string' ? type.trim().toLowerCase().replaceAll('_', '-') : type),
  },
)

rule(
  'north-links-forget-size',
  'AGENT-TOKENS-PAGE-11',
  'links to pages do not carry the size that was asked for (002 2.3: links; 4: page[size])',
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
  'north-no-prev-page-on-first',
  'AGENT-TOKENS-PAGE-12',
  'meta.pagination of the first page has no prev-page (002 2.3: carry prev-page)',
  {
    meta: (original) => (page, pages, total) => {
      const given = original(page, pages, total)
      return given['prev-page'] === null ? without(given, 'prev-page') : given
    },
  },
)

route(
  'north-list-leaves-unused-out',
  'AGENT-TOKENS-FIELD-04',
  'the list leaves last-used-at out of tokens that were never used (002 2.2: last-used-at, null until used)',
  LIST,
  changedAttributes((attributes) => (attributes['last-used-at'] === null ? without(attributes, 'last-used-at') : attributes)),
)

route(
  'north-422-by-field',
  'AGENT-TOKENS-ERROR-01',
  'a 422 has its errors as an object of texts by field (002 7: create 422, JSON:API error object)',
  CREATE,
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (!(cause instanceof Refusal) || cause.status !== 422) throw cause
      const field = (cause.pointer ?? '').split('/').at(-1) ?? ''
      return document(422, { errors: { [field === '' ? 'base' : field]: [cause.message] } })
    }
  },
)

route(
  'north-destroy-404-empty',
  'AGENT-TOKENS-ERROR-01',
  'destroying what is not found has an empty body (002 7: destroy 404, error object)',
  DESTROY,
  refusal<TokensCall>((refused) => (refused.status === 404 ? { status: 404 } : refused)),
)
