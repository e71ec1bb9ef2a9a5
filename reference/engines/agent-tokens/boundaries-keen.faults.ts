/** Faults at the edges: no token, one, the last, full pages, short and long descriptions. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { changedDocument, objectIn } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import { pagesFor } from '../../run-management/paging.ts'
import { agentTokens } from './engine.ts'
import { inPool, type Rules } from './keen-help.ts'

const { rule, route } = faultsOf(agentTokens)

const paginationIn = (body: JsonObject): JsonObject => objectIn(objectIn(body, 'meta'), 'pagination')

route(
  'keen-empty-list-without-pagination',
  'AGENT-TOKENS-PAGE-12',
  'the list of a pool without tokens lacks meta.pagination (002 2.3: list responses carry links and meta.pagination)',
  'agentTokens.list',
  changedDocument<Rules>((body) => (paginationIn(body)['total-count'] === 0 ? { ...body, meta: {} } : body)),
)

rule(
  'keen-next-page-of-one-item',
  'AGENT-TOKENS-FIELD-13',
  'meta.pagination.next-page is null where the next page has a single token (002 2.3: next-page)',
  {
    meta: (original) => (page, pages, total) => {
      const meta = original(page, pages, total)
      return total - page.number * page.size === 1 ? { ...meta, 'next-page': null } : meta
    },
  },
)

rule('keen-size-one-ignored', 'AGENT-TOKENS-PAGE-18', 'page[size] of 1 counts as not given (002 4: page[size])', {
  page: (original) => (query, defaultSize) => {
    const page = original(query, defaultSize)
    return page.size > 1 ? page : { ...page, size: defaultSize }
  },
})

rule(
  'keen-pages-compared-as-text',
  'AGENT-TOKENS-PAGE-09',
  'from ten pages on links.next is null where the page number is behind the last as text (002 2.3: links.next)',
  {
    links: (original) => (path, page, pages) => {
      const links = original(path, page, pages)
      return String(page.number) < String(pages) ? links : { ...links, next: null }
    },
  },
)

rule(
  'keen-description-column-of-255',
  'AGENT-TOKENS-FIELD-11',
  'what is stored of a description ends after 255 characters (002 2.2: attributes.description)',
  {
    add: (original) => (world, token) => original(world, { ...token, description: token.description.slice(0, 255) }),
  },
)

rule(
  'keen-one-letter-refused',
  'AGENT-TOKENS-CREATE-01',
  'a description of one character is refused (002 7: create 201, 422 for malformed bodies only)',
  {
    description: (original) => (body, wantedType) => {
      const description = original(body, wantedType)
      if (description.length > 1) return description
      throw new Refusal(422, 'the description is too short', '/data/attributes/description')
    },
  },
)

rule(
  'keen-twenty-tokens-kept',
  'AGENT-TOKENS-PAGE-15',
  'the 21st token of a pool pushes the oldest one out (002 1.2: create and destroy, 4: list)',
  {
    add: (original) => async (world, token) => {
      await original(world, token)
      const [oldest, ...others] = inPool(world, token.poolId)
      if (oldest && others.length >= 20) world.tokens.delete(oldest.id)
    },
  },
)

route(
  'keen-total-of-short-page',
  'AGENT-TOKENS-PAGE-15',
  'total-count on a last page that is not full counts this page only (002 2.3: total-count)',
  'agentTokens.list',
  changedDocument<Rules>((body, call) => {
    const { size } = call.rules.page(call.query, call.rules.defaultPageSize())
    const held = [body.data ?? []].flat().length
    if (held === 0 || held >= size) return body
    return { ...body, meta: { pagination: { ...paginationIn(body), 'total-count': held } } }
  }),
)

rule(
  'keen-last-page-filled-up',
  'AGENT-TOKENS-PAGE-01',
  'a last page that is not full is filled up with tokens of the page before (002 4: page[number], page[size])',
  {
    slice: (original) => (items, page) => {
      const start = (page.number - 1) * page.size
      const overlap = start < items.length ? Math.max(0, start + page.size - items.length) : 0
      return original(items.slice(Math.max(0, start - overlap)), { ...page, number: 1 }).slice(start < items.length ? 0 : items.length)
    },
  },
)

route(
  'keen-single-token-not-in-array',
  'AGENT-TOKENS-LIST-02',
  'the list of a pool with one token has the token itself as data (002 4: list, 7: JSON:API document)',
  'agentTokens.list',
  changedDocument<Rules>((body) => {
    const [only, ...others] = [body.data ?? []].flat()
    return only !== undefined && others.length === 0 && paginationIn(body)['total-count'] === 1 ? { ...body, data: only } : body
  }),
)

rule(
  'keen-pages-of-twenty-at-most',
  'AGENT-TOKENS-PAGE-03',
  'total-pages and links count pages of 20 where page[size] is larger (002 2.3: total-pages, 4: page[size])',
  {
    pages: () => (total, size) => pagesFor(total, Math.min(size, 20)),
  },
)

rule(
  'keen-last-token-stays',
  'AGENT-TOKENS-DESTROY-04',
  'the last token of a pool is still there after its destruction (002 4: DELETE destroys)',
  {
    remove: (original) => (world, token) => (inPool(world, token.poolId).length > 1 ? original(world, token) : true),
  },
)
