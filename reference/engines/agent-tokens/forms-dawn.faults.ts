/** Faults of form: one thing shown in two ways, texts that do not come back as sent, types, absent against null. */

import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { changedAttributes, changedDocument, changedResources, objectIn } from '../../run-management/answer-changes.ts'
import { document } from '../../run-management/documents.ts'
import { isObject, onRefusal, type Rules, requestDocument } from './dawn-help.ts'
import { agentTokens } from './engine.ts'

const { rule, route } = faultsOf(agentTokens)

rule('dawn-description-trimmed', 'AGENT-TOKENS-FIELD-11', 'blanks around a description are lost (002 2.2: description)', {
  describe: (original) => (token) => original(token).trim(),
})

route(
  'dawn-list-first-line',
  'AGENT-TOKENS-FIELD-11',
  'the list shows the first line of a description (002 2.2: description)',
  'agentTokens.list',
  changedAttributes<Rules>((attributes) => ({
    ...attributes,
    description: String(attributes.description).split('\n', 1)[0] ?? '',
  })),
)

route(
  'dawn-show-escaped',
  'AGENT-TOKENS-FIELD-11',
  'show writes <, > and & of a description as entities (002 2.2: description)',
  'agentTokens.show',
  changedAttributes<Rules>((attributes) => ({
    ...attributes,
    description: String(attributes.description).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  })),
)

route(
  'dawn-create-read-as-latin',
  'AGENT-TOKENS-FIELD-11',
  'a create body is read byte by byte as Latin-1 (002 2.2: description)',
  'agentTokens.create',
  (original) => (call) => original({ ...call, body: Buffer.from(Buffer.from(call.body).toString('latin1')) }),
)

route(
  'dawn-data-in-array',
  'AGENT-TOKENS-CREATE-17',
  'a list of one resource as data creates it (002 4: data.type; 7: create 422)',
  'agentTokens.create',
  requestDocument((body) => {
    const first = Array.isArray(body.data) ? body.data[0] : undefined
    return first === undefined ? body : { ...body, data: first }
  }),
)

route(
  'dawn-description-beside-attributes',
  'AGENT-TOKENS-CREATE-07',
  'a description directly under data is taken where attributes are missing (002 7: create 422, missing attributes)',
  'agentTokens.create',
  requestDocument((body) => {
    const data = objectIn(body, 'data')
    return isObject(body.data) && !('attributes' in data) ? { ...body, data: { ...data, attributes: data } } : body
  }),
)

route(
  'dawn-invalid-errors-by-field',
  'AGENT-TOKENS-ERROR-01',
  'a 422 has errors as an object by field (002 7: create 422, JSON:API error object)',
  'agentTokens.create',
  onRefusal((refusal) => {
    if (refusal.status !== 422) throw refusal
    return document(422, { errors: { [refusal.pointer?.split('/').at(-1) || 'base']: [refusal.message] } })
  }),
)

rule(
  'dawn-next-encoded-twice',
  'AGENT-TOKENS-PAGE-09',
  'the brackets of next are percent-encoded twice (002 4: encoded as %5B and %5D; 2.3: next)',
  {
    links: (original) => (path, page, pages) => {
      const links = original(path, page, pages)
      return { ...links, next: typeof links.next === 'string' ? encodeURI(links.next) : null }
    },
  },
)

route(
  'dawn-list-ids-in-lower-case',
  'AGENT-TOKENS-RACE-01',
  'the list shows ids in lower case, under which nothing is found (002 2.2: id; 4: show)',
  'agentTokens.list',
  changedResources<Rules>((resource) => ({
    ...resource,
    id: String(resource.id).toLowerCase(),
  })),
)

rule(
  'dawn-links-absent-instead-of-null',
  'AGENT-TOKENS-PAGE-05',
  'prev and next are left out where there is no such page (002 2.3: links)',
  {
    links: (original) => (path, page, pages) =>
      Object.fromEntries(Object.entries(original(path, page, pages)).filter(([, link]) => link !== null)),
  },
)

route(
  'dawn-single-token-not-in-array',
  'AGENT-TOKENS-LIST-02',
  'a page of one token has it as data without a list (002 4: list)',
  'agentTokens.list',
  changedDocument<Rules>((body) => (Array.isArray(body.data) && body.data.length === 1 ? { ...body, data: body.data[0] ?? null } : body)),
)

/** What a text says as a JSON scalar; the text itself where it says none. */
const scalarOf = (text: string): Json => {
  try {
    const value = JSON.parse(text) as Json
    return typeof value === 'object' ? text : value
  } catch {
    return text
  }
}

route(
  'dawn-description-as-scalar',
  'AGENT-TOKENS-FIELD-05',
  'a description like 42 or true is shown as a number or boolean (002 2.2: description, string)',
  ['agentTokens.show', 'agentTokens.list'],
  changedAttributes<Rules>((attributes) => ({
    ...attributes,
    description: scalarOf(String(attributes.description)),
  })),
)
