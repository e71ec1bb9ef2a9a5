/** Faults at the edges: empty and full lists, first and last pages, short and long texts. */
import { faultsOf } from '../../mutations/declare.ts'
import { changedDocument } from '../../run-management/answer-changes.ts'
import { document, Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'
import { membersOf, poolTokens, withRules } from './west-help.ts'

const { rule, route } = faultsOf(agentTokens)

rule(
  'west-full-page-counts-another',
  'AGENT-TOKENS-PAGE-16',
  'a total that fills its pages exactly gives one page too many (002 2.3: total-pages, last)',
  {
    pages: () => (total, size) => Math.floor(total / size) + 1,
  },
)

rule(
  'west-full-last-page-short',
  'AGENT-TOKENS-FIELD-13',
  'a page that ends exactly with the list lacks the last token (002 4: list, page[size])',
  {
    slice: (original) => (items, page) => {
      const part = original(items, page)
      return page.number * page.size === items.length ? part.slice(0, -1) : part
    },
  },
)

rule('west-size-one-is-none', 'AGENT-TOKENS-PAGE-18', 'a page size of one counts as not given (002 4: page[size])', {
  page: (original) => (query, defaultSize) => {
    const page = original(query, defaultSize)
    return page.size > 1 ? page : { ...page, size: defaultSize }
  },
})

route(
  'west-limit-before-count',
  'AGENT-TOKENS-PAGE-14',
  'without a page size only the tokens of the first page are counted (002 2.3: total-count, next)',
  'agentTokens.list',
  (original) => (call) => {
    if (call.query.has('page[size]')) return original(call)
    const { total, defaultPageSize } = call.rules
    return original(withRules(call, { total: (tokens, world) => Math.min(total(tokens, world), defaultPageSize()) }))
  },
)

rule('west-number-needs-size', 'AGENT-TOKENS-PAGE-01', 'a page number without a page size is ignored (002 4: page[number], optional)', {
  page: (original) => (query, defaultSize) => (query.has('page[size]') ? original(query, defaultSize) : { number: 1, size: defaultSize }),
})

rule('west-empty-pool-unknown', 'AGENT-TOKENS-MODEL-01', 'the list of a pool without tokens is 404 (002 7: list, 200)', {
  tokensOf: (original) => (world, pool) => {
    const tokens = original(world, pool)
    if (tokens.length === 0) throw new Refusal(404, 'no such agent pool, or it is not yours')
    return tokens
  },
})

route(
  'west-empty-list-bare',
  'AGENT-TOKENS-PAGE-05',
  'a list without items has neither links nor meta (002 2.3: list responses carry links and meta.pagination)',
  'agentTokens.list',
  changedDocument((body) => (Array.isArray(body.data) && body.data.length === 0 ? { data: [] } : body)),
)

rule(
  'west-last-null-at-end',
  'AGENT-TOKENS-PAGE-06',
  'on the last page the link to the last is null (002 2.3: links, only prev and next may be null)',
  {
    links: (original) => (path, page, pages) => {
      const links = original(path, page, pages)
      return page.number >= pages ? { ...links, last: null } : links
    },
  },
)

rule('west-long-description-cut', 'AGENT-TOKENS-FIELD-11', 'a description is cut after 255 characters (002 2.2: description)', {
  description: (original) => (body, wantedType) => original(body, wantedType).slice(0, 255),
})

rule(
  'west-null-description',
  'AGENT-TOKENS-CREATE-18',
  'a description of null makes a token with an empty one (002 7: create, 422 missing attributes, wrong types)',
  {
    description: (original) => (body, wantedType) => {
      const data = membersOf(membersOf(body).data)
      const missing = wantedType(data.type) && membersOf(data.attributes).description === null
      return missing ? '' : original(body, wantedType)
    },
  },
)

rule(
  'west-stride-of-default',
  'AGENT-TOKENS-PAGE-03',
  'pages begin at multiples of 20 whatever their size (002 4: page[number], page[size])',
  {
    slice:
      () =>
      (items, { number, size }) =>
        items.slice((number - 1) * 20, (number - 1) * 20 + size),
  },
)

route(
  'west-last-destroyed-200',
  'AGENT-TOKENS-DESTROY-01',
  'destroying the last token of a pool answers 200 with a document (002 7: destroy, 204 empty)',
  'agentTokens.destroy',
  (original) => async (call) => {
    const pool = call.world.tokens.get(call.params.id!)?.poolId
    const reply = await original(call)
    return pool !== undefined && poolTokens(call.world, pool).length === 0 ? document(200, { data: null }) : reply
  },
)
