/** Faults of agent tokens in the form of what is shown or taken: descriptions, times, members, documents, statuses. */
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { refusalStatus } from '../../mutations/wrappers.ts'
import { changedAttributes, changedResources, objectIn } from '../../run-management/answer-changes.ts'
import type { Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'

type Rules = typeof agentTokens.rules
type Describe = (text: string) => string

const { rule, route } = faultsOf(agentTokens)

const keeps = (form: Describe) => ({
  description:
    (original: Rules['description']): Rules['description'] =>
    (body, wanted) =>
      form(original(body, wanted)) || ' ',
})

const shows = (form: (text: string) => Json) => changedAttributes<Rules>((all) => ({ ...all, description: form(String(all.description)) }))

rule(
  'description-trimmed',
  ['AGENT-TOKENS-FIELD-11'],
  'blanks at the ends of a description are lost (002 4, description of the token)',
  keeps((text) => text.trim()),
)

rule(
  'description-tags-stripped',
  ['AGENT-TOKENS-FIELD-11'],
  'what looks like a tag is cut from a description (002 4)',
  keeps((text) => text.replace(/<[^>]*>/g, '')),
)

rule(
  'description-no-astral',
  ['AGENT-TOKENS-FIELD-11'],
  'characters beyond 16 bits are lost (002 4)',
  keeps((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '')),
)

route(
  'list-description-cut',
  ['AGENT-TOKENS-FIELD-11'],
  'the list cuts descriptions after 40 characters (002 2.2)',
  'agentTokens.list',
  shows((text) => text.slice(0, 40)),
)

const coerced = (fits: (value: Json | undefined) => boolean) => ({
  description:
    (original: Rules['description']): Rules['description'] =>
    (body, wanted) => {
      const data = objectIn(body as JsonObject, 'data')
      const { description } = objectIn(data, 'attributes')
      if (!fits(description)) return original(body, wanted)
      return original(
        {
          data: { ...data, attributes: { description: `${typeof description === 'object' ? JSON.stringify(description) : description}` } },
        },
        wanted,
      )
    },
})

rule(
  'description-null-taken',
  ['AGENT-TOKENS-CREATE-18'],
  'null is taken as description (002 7: 422 wrong types)',
  coerced((value) => value === null),
)

route(
  'data-list-fails',
  ['AGENT-TOKENS-CREATE-08'],
  'a create whose data is no object is 500 (002 7: 422 wrong types)',
  'agentTokens.create',
  refusalStatus(500, (refused) => (refused as Refusal).pointer === '/data'),
)

rule('type-any-text', ['AGENT-TOKENS-CREATE-10'], 'data.type may be any text (002 4: must be authentication-tokens)', {
  wantedType: () => (type) => typeof type === 'string',
})

route(
  'created-at-number',
  ['AGENT-TOKENS-FIELD-03'],
  'the list has created-at as a number (002 2.2: string)',
  'agentTokens.list',
  (original) => changedAttributes<Rules>((all) => ({ ...all, 'created-at': Date.parse(String(all['created-at'])) }))(original),
)

route('list-type', ['AGENT-TOKENS-FIELD-02'], 'the type of listed tokens is agent-tokens (002 2.2, type)', 'agentTokens.list', (original) =>
  changedResources<Rules>((resource) => ({ ...resource, type: 'agent-tokens' }))(original),
)

route(
  'created-no-creator',
  ['AGENT-TOKENS-FIELD-07'],
  'created-by of a create answer has no id (002 2.2, relationships)',
  'agentTokens.create',
  (original) =>
    changedResources<Rules>((resource) => ({ ...resource, relationships: { 'created-by': { data: { type: 'users' } } } }))(original),
)

rule('links-null-absent', ['AGENT-TOKENS-PAGE-05'], 'prev and next are absent where there is no such page (002 2.3: may be null)', {
  links: (original) => (path, page, pages) =>
    Object.fromEntries(Object.entries(original(path, page, pages)).filter(([, link]) => link !== null)),
})

rule('meta-texts-anew', ['AGENT-TOKENS-PAGE-25'], 'the numbers of meta.pagination are texts (002 2.3)', {
  meta: (original) => (page, pages, total) => {
    const meta = original(page, pages, total)
    return Object.fromEntries(Object.entries(meta).map(([name, value]) => [name, value === null ? null : String(value)]))
  },
})
