/** Faults of form: list against show, absent against null, texts, escaping, blanks, unicode. */
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { changedAttributes, without } from '../../run-management/answer-changes.ts'
import { document, Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'
import { attributesOf, CREATE, DESTROY, describedAs, idNamed, LIST, SHOW, withRules } from './south-help.ts'

const { rule, route } = faultsOf(agentTokens)

/** Links with the text of some changed. */
const changedLinks = (links: JsonObject, names: readonly string[], change: (address: string) => string): JsonObject =>
  Object.fromEntries(
    Object.entries(links).map(([name, address]): [string, Json] => [
      name,
      typeof address === 'string' && names.includes(name) ? change(address) : address,
    ]),
  )

rule('south-description-trimmed', 'AGENT-TOKENS-FIELD-11', 'blanks around a description are lost (002 2.2: description)', {
  description: (original) => (body, wantedType) => {
    const description = original(body, wantedType)
    return description.trim() || description
  },
})

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
route(
  'south-list-escaped-for-html',
  'AGENT-TOKENS-FIELD-11',
  'a list has descriptions escaped for HTML, unlike show (002 2.2: description)',
  LIST,
  (original) => (call) =>
    original(
      withRules(call, {
        describe: (token) => call.rules.describe(token).replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character),
      }),
    ),
)

route(
  'south-characters-of-four-bytes-lost',
  'AGENT-TOKENS-FIELD-11',
  'list and show leave out the characters beyond the basic plane in a description (002 2.2: description)',
  [LIST, SHOW],
  (original) => (call) =>
    original(withRules(call, { describe: (token) => call.rules.describe(token).replace(/[\u{10000}-\u{10ffff}]/gu, '') })),
)

route(
  'south-digits-become-number',
  'AGENT-TOKENS-FIELD-11',
  'a description of digits only comes back as a number (002 2.2: description, string)',
  [CREATE, LIST, SHOW],
  changedAttributes((attributes) => {
    const { description } = attributes
    return typeof description === 'string' && /^[0-9]{1,15}$/.test(description)
      ? { ...attributes, description: Number(description) }
      : attributes
  }),
)

rule(
  'south-list-of-texts-joined',
  'AGENT-TOKENS-CREATE-11',
  'a list of texts passes as description, joined by commas (002 7: create 422, wrong types)',
  {
    description: (original) => (body, wantedType) => {
      const { description } = attributesOf(body)
      const isTexts = Array.isArray(description) && description.length > 0
      return original(isTexts ? describedAs(body, description.map(String).join(', ')) : body, wantedType)
    },
  },
)

route(
  'south-listed-to-the-second',
  'AGENT-TOKENS-FIELD-03',
  'a list has creation times without milliseconds (002 2.2: created-at, ISO 8601 UTC with milliseconds)',
  LIST,
  (original) => (call) => original(withRules(call, { createdAt: (token) => call.rules.createdAt(token).replace(/\.\d+Z$/, 'Z') })),
)

route(
  'south-unused-left-out-of-list',
  'AGENT-TOKENS-FIELD-04',
  'tokens that were never used are listed without last-used-at (002 2.2: last-used-at, null until used)',
  LIST,
  changedAttributes((attributes) => (attributes['last-used-at'] === null ? without(attributes, 'last-used-at') : attributes)),
)

rule(
  'south-links-without-size',
  'AGENT-TOKENS-PAGE-09',
  'the links to the pages before and after leave out the page size (002 2.3: prev, next; 4: page[size])',
  {
    links: (original) => (path, page, pages) =>
      changedLinks(original(path, page, pages), ['prev', 'next'], (address) => address.replace(/&page%5Bsize%5D=\d+$/, '')),
  },
)

rule(
  'south-brackets-encoded-twice',
  'AGENT-TOKENS-PAGE-10',
  'the brackets in the links to first and last page are encoded twice (002 4: percent-encoded as %5B and %5D)',
  {
    links: (original) => (path, page, pages) =>
      changedLinks(original(path, page, pages), ['first', 'last'], (address) => address.replace(/%5([BD])/g, '%255$1')),
  },
)

route(
  'south-one-error-no-array',
  'AGENT-TOKENS-ERROR-01',
  'the refusal of a show has its error by itself, not in an array (002 7: JSON:API error object)',
  SHOW,
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause
      return document(cause.status, { errors: { status: String(cause.status), title: 'not found', detail: cause.message } })
    }
  },
)

route(
  'south-blanks-around-id',
  'AGENT-TOKENS-SHOW-03',
  'a token is found under its id with blanks around it (002 7: show and destroy 404, token not found)',
  [SHOW, DESTROY],
  (original) => (call) => original({ ...call, params: { ...call.params, id: idNamed(call).trim() } }),
)

rule(
  'south-description-decoded-as-form',
  'AGENT-TOKENS-FIELD-11',
  'plus signs and percent escapes in a description are decoded (002 2.2: description)',
  {
    description: (original) => (body, wantedType) => {
      const description = original(body, wantedType)
      return description.replaceAll('+', ' ').replace(/%[2-7][0-9a-f]/gi, (escaped) => decodeURIComponent(escaped))
    },
  },
)
