/** Legal alternatives of the agent tokens: one per branch that the document or its readings leave open. */
import { variantsOf } from '../../faults/declare.ts'
import { refusal, refusalStatus, reply } from '../../faults/wrappers.ts'
import { document, Refusal } from '../../run-management/documents.ts'
import type { PartCall } from '../../run-management/part.ts'
import type { AgentTokenRules } from './agent-tokens.rules.ts'
import { agentTokens } from './engine.ts'
import { laggingList } from './lagging-list.ts'
import { uniqueDescriptions } from './unique-descriptions.ts'

const { rule, route, change, declared } = variantsOf(agentTokens)

const operations = agentTokens.routes.map(({ id }) => id)

const moreMembers = reply<PartCall<AgentTokenRules>>((given, call) => {
  const location: Record<string, string> = given.status === 201 ? { location: `${call.path}/x` } : {}
  if (given.body === undefined) return given
  return { ...given, headers: { ...given.headers, ...location }, body: { ...(given.body as object), jsonapi: { version: '1.1' } } }
})

rule('client-type', 'never use agent-tokens as the wrong type', 'the type that known clients send is accepted', {
  wantedType: (original) => (type) => original(type) || type === 'agent-tokens',
})
rule('type-conflict', 'a wrong data.type: 422 or 409', 'another type is a conflict', {
  description: (original) => (body, wantedType) => {
    const { data } = (body ?? {}) as { data?: { type?: unknown } }
    if (typeof data?.type === 'string' && !wantedType(data.type)) throw new Refusal(409, 'another type than the list has')
    return original(body, wantedType)
  },
})
route(
  'syntax-422',
  'broken JSON: 400 or 422',
  'broken JSON is answered with 422',
  'agentTokens.create',
  refusalStatus(422, ({ status }) => status === 400),
)
rule('number-description', 'values that can be coerced are open', 'numbers and the empty text are descriptions', {
  description: (original) => (body, wantedType) => {
    const { data } = (body ?? {}) as { data?: { type?: string; attributes?: { description?: unknown } } }
    const given = data?.attributes?.description
    if (wantedType(data?.type) && (typeof given === 'number' || typeof given === 'boolean' || given === '')) return String(given)
    return original(body, wantedType)
  },
})
rule('token-absent', 'absent: advised only', 'show and list leave attributes.token out', {
  secretText: (original) => (token, occasion, secret) => (occasion === 'created' ? original(token, occasion, secret) : undefined),
})
const hints = new Map<string, string>()
rule('secret-hinted', 'a hint does not recover a secret: advised', 'show and list have the last ten letters of a secret', {
  secretText: (original) => (token, occasion, secret) => {
    if (secret !== undefined) hints.set(token.id, secret.slice(-10))
    return original(token, occasion, secret)
  },
  extras: (original) => (token, occasion) => {
    const hint = occasion === 'created' ? undefined : hints.get(token.id)
    return { ...original(token, occasion), ...(hint === undefined ? {} : { hint }) }
  },
})
rule('newest-first', 'the order is not stated', 'the newest token is listed first', {
  tokensOf: (original) => (world, pool) => original(world, pool).toReversed(),
})
rule('whole-links', 'the form of links is not stated', 'links are whole addresses, and first and last have raw brackets', {
  links: (original) => (path, page, pages) =>
    Object.fromEntries(
      Object.entries(original(path, page, pages)).map(([name, link]) => [
        name,
        typeof link === 'string' ? `https://runs.example.test${link.replaceAll('%5B', '[').replaceAll('%5D', ']')}` : link,
      ]),
    ),
})
rule('query-links', 'the form of links is not stated', 'links are only a query', {
  links: (original) => (path, page, pages) =>
    Object.fromEntries(
      Object.entries(original(path, page, pages)).map(([name, link]) => [
        name,
        typeof link === 'string' ? link.slice(link.indexOf('?')) : link,
      ]),
    ),
})
rule(
  'list-lags',
  'nothing says that a list shows at once what was done',
  'lists show creations and destructions 150 ms late',
  laggingList(150),
)
rule('empty-no-pages', 'total-pages of an empty pool is open', 'an empty pool has no pages', {
  meta: (original) => (page, pages, total) =>
    total === 0 ? { ...original(page, pages, total), 'total-pages': 0 } : original(page, pages, total),
})
rule('odd-pages-clamped', 'out of range, zero and non-numeric values are open', 'paging values that make no sense are replaced', {
  page: (original) => (query, size) => {
    try {
      return original(query, size)
    } catch {
      return { number: 1, size }
    }
  },
})
rule('agents-see-nothing', 'what a token may do is not shown', 'an agent may not read its pool', {
  mayUsePool: (original) => (caller, pool) => caller.kind === 'user' && original(caller, pool),
  maySee: (original) => (caller, token) => caller.kind === 'user' && original(caller, token),
})
rule('unauthenticated-404', '401 or 404 advised', 'a missing bearer is answered with 404', { unauthenticatedStatus: () => () => 404 })
rule('use-not-noted', 'what counts as use is not shown', 'last-used-at is not kept up to date', { used: () => () => undefined })
change(
  'more-members',
  'additional members are allowed',
  'answers have members that the document does not name, and these change from one reading to the next',
  {
    rules: { extras: () => () => ({ 'expired-at': null, 'age-ns': Number(process.hrtime.bigint() % 1_000_000_000n) }) },
    routes: Object.fromEntries(operations.map((operation) => [operation, moreMembers])),
  },
)
route(
  'errors-detailed',
  'error ids, request ids and timestamps are taken out',
  'errors have ids, times and traces of their own',
  operations,
  refusal(({ status, message }, { random }) => {
    const meta = { timestamp: new Date().toISOString(), 'trace-id': random.word(16) }
    const errors = [{ id: random.uuid(), status: String(status), title: message, meta }]
    return document(status, { errors, meta: { request_id: random.word(20) } })
  }),
)
rule('any-media-type', 'other media types are open', 'bodies of any media type are read', { acceptsMediaType: () => () => true })
route(
  'validates-first',
  'no row says which of the two refusals wins',
  'a body is judged before permission',
  'agentTokens.create',
  (original) => (call) => {
    let body: Parameters<typeof call.rules.description>[0] = null
    try {
      body = JSON.parse(new TextDecoder().decode(call.body))
    } catch {
      return original(call)
    }
    call.rules.description(body, call.rules.wantedType)
    return original(call)
  },
)
rule('type-in-any-case', 'letter-case: accepted or refused', 'the type is taken in any letter case', {
  wantedType: (original) => (type) => original(typeof type === 'string' ? type.toLowerCase() : type),
})
route(
  'description-once',
  'that two tokens share a description is advised',
  'a description is taken once in a pool',
  'agentTokens.create',
  uniqueDescriptions,
)

rule('neighbours-zero', 'null is said of links only', 'the number of a page that is not there is 0', {
  meta: (original) => (page, pages, total) => {
    const meta = original(page, pages, total)
    return { ...meta, 'prev-page': meta['prev-page'] ?? 0, 'next-page': meta['next-page'] ?? 0 }
  },
})
/** The id of what is there, for another spelling of it. */
const respelt = (asked: string, known: Iterable<string>): string => {
  const plain = (id: string) =>
    id
      .trim()
      .replace(/[.]json$/, '')
      .toLowerCase()
  return [...known].find((id) => plain(id) === plain(asked)) ?? asked
}
route(
  'ids-respelt',
  'how ids are compared is not said',
  'letter case, blanks around it and an ending of a format do not count in the id of a token',
  ['agentTokens.show', 'agentTokens.destroy'],
  (original) => (call) => original({ ...call, params: { ...call.params, id: respelt(call.params.id ?? '', call.world.tokens.keys()) } }),
)
rule('pages-of-twenty', 'the document names no largest page', 'a page holds twenty tokens at most', {
  page: (original) => (query, size) => {
    const page = original(query, size)
    return { ...page, size: Math.min(page.size, 20) }
  },
})

rule('data-409', 'of two mistakes either counts', 'missing data is a conflict of types', {
  description: (original) => (body, wantedType) => {
    if ((body as { data?: unknown } | undefined)?.data === undefined) throw new Refusal(409, 'another type than the list has')
    return original(body, wantedType)
  },
})

export const variants = declared
