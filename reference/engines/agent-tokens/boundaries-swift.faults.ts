/** Faults at the ends of lists and texts: an empty pool, full pages, the last page, short and long descriptions. */
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { changedDocument } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { AgentTokenRules } from './agent-tokens.rules.ts'
import { agentTokens } from './engine.ts'

const { rule, route } = faultsOf(agentTokens)

rule(
  'default-page-of-thirty',
  ['AGENT-TOKENS-PAGE-16', 'AGENT-TOKENS-PAGE-01'],
  'a list without page[size] has up to 30 tokens (002 8, default page size 20)',
  {
    defaultPageSize: () => () => 30,
  },
)

rule('full-pages-one-more', ['AGENT-TOKENS-PAGE-16'], 'a list that fills its last page counts one page more (002 2.3, total-pages)', {
  pages: () => (total, size) => Math.floor(total / size) + 1,
})

rule('second-page-without-prev', ['AGENT-TOKENS-PAGE-09', 'AGENT-TOKENS-PAGE-08'], 'page 2 has null as prev (002 2.3, links.prev)', {
  links: (original) => (path, page, pages) => ({ ...original(path, page, pages), ...(page.number === 2 ? { prev: null } : {}) }),
})

rule(
  'no-next-before-last',
  ['AGENT-TOKENS-PAGE-09', 'AGENT-TOKENS-PAGE-08'],
  'the last page but one has null as next (002 2.3, links.next)',
  {
    links: (original) => (path, page, pages) => ({ ...original(path, page, pages), ...(page.number === pages - 1 ? { next: null } : {}) }),
  },
)

rule('last-link-one-short', ['AGENT-TOKENS-PAGE-10'], 'of three pages and more, last leads to the last but one (002 2.3, links.last)', {
  links: (original) => (path, page, pages) => ({
    ...original(path, page, pages),
    ...(pages > 2 ? { last: original(path, page, pages - 1).last ?? null } : {}),
  }),
})

rule('links-of-default-size', ['AGENT-TOKENS-PAGE-11'], 'page links ask for 20 tokens, whatever page[size] was (002 2.3, links)', {
  links: (original) => (path, page, pages) => original(path, { ...page, size: 20 }, pages),
})

route(
  'empty-pool-null-anew',
  ['AGENT-TOKENS-LIST-02'],
  'a list without tokens has null as data (002 4, list; JSON:API document)',
  'agentTokens.list',
  changedDocument<AgentTokenRules>((body) => ({ ...body, data: ((body.data ?? []) as Json[]).length === 0 ? null : (body.data ?? null) })),
)

rule(
  'empty-pool-missing',
  ['AGENT-TOKENS-MODEL-01'],
  'a pool without tokens is answered as an unknown one (002 7, list: 404 pool not found)',
  {
    tokensOf: (original) => (world, pool) => {
      const own = original(world, pool)
      if (own.length === 0) throw new Refusal(404, 'no such agent pool, or it is not yours')
      return own
    },
  },
)

rule('last-page-dropped', ['AGENT-TOKENS-PAGE-03'], 'a last page that is not full is empty (002 4, page[number])', {
  slice: (original) => (items, page) => {
    const own = original(items, page)
    return page.number > 1 && own.length < page.size ? [] : own
  },
})

rule(
  'page-one-too-many',
  ['AGENT-TOKENS-PAGE-03', 'AGENT-TOKENS-PAGE-18'],
  'a page that is not the last holds one token more than page[size] (002 4, page[size])',
  {
    slice: () => (items, page) => items.slice((page.number - 1) * page.size, page.number * page.size + 1),
  },
)

rule('third-page-is-second', ['AGENT-TOKENS-PAGE-04'], 'page 3 and those after it show page 2 (002 4, page[number])', {
  slice: (original) => (items, page) => original(items, { ...page, number: Math.min(2, page.number) }),
})

rule('total-ends-at-page', ['AGENT-TOKENS-PAGE-15'], 'total-count is at most as large as a page (002 2.3, total-count)', {
  meta: (original) => (page, pages, total) => original(page, pages, Math.min(total, page.size)),
})
