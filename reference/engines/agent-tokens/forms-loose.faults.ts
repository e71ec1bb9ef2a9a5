/** Faults of agent tokens in the form of what is shown or taken: descriptions, times, members, documents, statuses. */
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { refusalStatus, replyStatus } from '../../mutations/wrappers.ts'
import { changedAttributes, changedDocument, changedResources, objectIn, without } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'

type Rules = typeof agentTokens.rules
type Describe = (text: string) => string

const { rule, route, change } = faultsOf(agentTokens)

const READS = ['agentTokens.list', 'agentTokens.show']

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
  'description-blanks-joined',
  [],
  'several blanks in a description become one (002 4)',
  keeps((text) => text.replace(/ +/g, ' ')),
)

rule(
  'description-escaped-anew',
  [],
  'a description is kept with entities for what HTML reserves (002 4)',
  keeps((text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')),
)

rule(
  'description-tags-stripped',
  ['AGENT-TOKENS-FIELD-11'],
  'what looks like a tag is cut from a description (002 4)',
  keeps((text) => text.replace(/<[^>]*>/g, '')),
)

rule(
  'description-ascii',
  [],
  'letters beyond ASCII become question marks (002 4)',
  keeps((text) => text.replace(/\P{ASCII}/gu, '?')),
)

rule(
  'description-decomposed',
  [],
  'a description is kept with accents apart (002 4)',
  keeps((text) => text.normalize('NFD')),
)

rule(
  'description-no-astral',
  ['AGENT-TOKENS-FIELD-11'],
  'characters beyond 16 bits are lost (002 4)',
  keeps((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '')),
)

rule(
  'description-decoded',
  [],
  'a description is decoded as a form field is: plus signs and percent signs are lost (002 4)',
  keeps((text) => text.replace(/\+/g, ' ').replace(/%20/g, ' ').replace(/%25/g, '%')),
)

route(
  'list-description-lower',
  [],
  'the list has descriptions in lower case (002 2.2)',
  'agentTokens.list',
  shows((text) => text.toLowerCase()),
)

route(
  'list-description-cut',
  ['AGENT-TOKENS-FIELD-11'],
  'the list cuts descriptions after 40 characters (002 2.2)',
  'agentTokens.list',
  shows((text) => text.slice(0, 40)),
)

route(
  'number-description',
  [],
  'a description of digits is shown as a number (002 2.2: string)',
  READS,
  shows((text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : text)),
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
  'description-number-taken',
  [],
  'a number or a truth value is taken as description (002 7: 422 wrong types)',
  coerced((value) => typeof value === 'number' || typeof value === 'boolean'),
)

rule(
  'description-list-taken',
  [],
  'a list is taken as description (002 7: 422 wrong types)',
  coerced((value) => Array.isArray(value)),
)

rule(
  'description-null-taken',
  ['AGENT-TOKENS-CREATE-18'],
  'null is taken as description (002 7: 422 wrong types)',
  coerced((value) => value === null),
)

rule(
  'description-object-taken',
  [],
  'an object is taken as description (002 7: 422 wrong types)',
  coerced((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
)

route(
  'missing-is-400',
  [],
  'a create without attributes is 400 (002 7: 422 missing attributes)',
  'agentTokens.create',
  refusalStatus(400, (refused) => (refused as Refusal).pointer === '/data/attributes'),
)

route(
  'data-list-fails',
  ['AGENT-TOKENS-CREATE-08'],
  'a create whose data is no object is 500 (002 7: 422 wrong types)',
  'agentTokens.create',
  refusalStatus(500, (refused) => (refused as Refusal).pointer === '/data'),
)

route(
  'wrong-type-fails',
  [],
  'a description of a wrong type is 500 (002 7: 422 wrong types)',
  'agentTokens.create',
  refusalStatus(500, (refused) => (refused as Refusal).pointer === '/data/attributes/description'),
)

rule('type-optional-anew', [], 'data.type may be missing (002 4: required)', {
  wantedType: (original) => (type) => type === undefined || original(type),
})

rule('type-any-text', ['AGENT-TOKENS-CREATE-10'], 'data.type may be any text (002 4: must be authentication-tokens)', {
  wantedType: () => (type) => typeof type === 'string',
})

rule('created-at-whole-seconds', [], 'created-at lacks the milliseconds (002 2.2: with milliseconds)', {
  createdAt: (original) => (token) => original(token).replace(/\.\d+Z$/, 'Z'),
})

route(
  'created-at-rounded',
  [],
  'created-at of lists and shows is cut to the second that the create answer has (002 2.2)',
  READS,
  (original) =>
    changedAttributes<Rules>((all) => ({ ...all, 'created-at': String(all['created-at']).replace(/\.\d+Z$/, '.000Z') }))(original),
)

route(
  'created-at-number',
  ['AGENT-TOKENS-FIELD-03'],
  'the list has created-at as a number (002 2.2: string)',
  'agentTokens.list',
  (original) => changedAttributes<Rules>((all) => ({ ...all, 'created-at': Date.parse(String(all['created-at'])) }))(original),
)

route(
  'unused-is-empty',
  [],
  'last-used-at of a token that was not used is an empty text in lists (002 2.2: null until used)',
  'agentTokens.list',
  (original) => changedAttributes<Rules>((all) => ({ ...all, 'last-used-at': all['last-used-at'] ?? '' }))(original),
)

const hides =
  (mask: (text: string) => string) =>
  (original: Rules['secretText']): Rules['secretText'] => {
    const secrets = new Map<string, string>()
    return (token, occasion, secret) => {
      if (secret) secrets.set(token.id, secret)
      return occasion === 'created' ? original(token, occasion, secret) : mask(secrets.get(token.id) ?? '')
    }
  }

rule('token-empty-later', [], 'token is an empty text in lists and shows (002 2.2: non-null only in the create response)', {
  secretText: hides(() => ''),
})

rule('token-masked-later', [], 'token has the last four characters of the secret in lists and shows (002 2.2, token)', {
  secretText: hides((text) => `****${text.slice(-4)}`),
})

route('list-type', ['AGENT-TOKENS-FIELD-02'], 'the type of listed tokens is agent-tokens (002 2.2, type)', 'agentTokens.list', (original) =>
  changedResources<Rules>((resource) => ({ ...resource, type: 'agent-tokens' }))(original),
)

route('list-id-bare', [], 'ids in lists lack their prefix (002 2.2: at-<alphanumeric>)', 'agentTokens.list', (original) =>
  changedResources<Rules>((resource) => ({ ...resource, id: String(resource.id).replace(/^at-/, '') }))(original),
)

route('list-no-creator', [], 'lists lack created-by (002 2.2, relationships)', 'agentTokens.list', (original) =>
  changedResources<Rules>((resource) => without(resource, 'relationships'))(original),
)

route(
  'created-no-creator',
  ['AGENT-TOKENS-FIELD-07'],
  'created-by of a create answer has no id (002 2.2, relationships)',
  'agentTokens.create',
  (original) =>
    changedResources<Rules>((resource) => ({ ...resource, relationships: { 'created-by': { data: { type: 'users' } } } }))(original),
)

rule('creator-type-bare', [], 'created-by is the name of the user where an id is due (002 2.2, relationships)', {
  creator: () => () => 'owner',
})

route('show-data-list', [], 'data of a show is a list of one (002 4: one agent token)', 'agentTokens.show', (original) =>
  changedDocument<Rules>((body) => ({ ...body, data: [body.data ?? null] }))(original),
)

rule('links-null-absent', ['AGENT-TOKENS-PAGE-05'], 'prev and next are absent where there is no such page (002 2.3: may be null)', {
  links: (original) => (path, page, pages) =>
    Object.fromEntries(Object.entries(original(path, page, pages)).filter(([, link]) => link !== null)),
})

rule('next-without-size', [], 'the link to the next page has lost the page size (002 2.3, links)', {
  links: (original) => (path, page, pages) => {
    const links = original(path, page, pages)
    return { ...links, next: typeof links.next === 'string' ? links.next.replace(/&page%5Bsize%5D=\d+/, '') : null }
  },
})

rule('links-encoded-twice', [], 'brackets in links are encoded twice (002 4: percent-encoded as %5B and %5D)', {
  links: (original) => (path, page, pages) => JSON.parse(JSON.stringify(original(path, page, pages)).replace(/%5/g, '%255')) as JsonObject,
})

rule('meta-texts-anew', ['AGENT-TOKENS-PAGE-25'], 'the numbers of meta.pagination are texts (002 2.3)', {
  meta: (original) => (page, pages, total) => {
    const meta = original(page, pages, total)
    return Object.fromEntries(Object.entries(meta).map(([name, value]) => [name, value === null ? null : String(value)]))
  },
})

route('created-200-anew', [], 'a create is answered with 200 (002 7: 201)', 'agentTokens.create', replyStatus(200))

route(
  'destroyed-shown',
  [],
  'a destroy answers 200 with the token that was destroyed (002 7: 204 empty)',
  'agentTokens.destroy',
  (original) => async (call) => {
    const token = call.world.tokens.get(call.params.id ?? '')
    const given = await original(call)
    return { ...given, status: 200, body: { data: { id: token?.id ?? '', type: 'authentication-tokens' } } }
  },
)

change('errors-as-object', [], 'the errors of a 422 are no list but an object (002 7: JSON:API error object)', {
  routes: {
    'agentTokens.create': (original) => async (call) => {
      try {
        return await original(call)
      } catch (cause) {
        if (!(cause instanceof Refusal) || cause.status !== 422) throw cause
        return { status: 422, body: { errors: { description: [cause.message] } }, headers: { 'content-type': 'application/vnd.api+json' } }
      }
    },
  },
})
