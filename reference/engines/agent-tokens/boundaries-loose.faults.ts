/** Faults of agent tokens at the edges: no token, one, a full page, the page after it, the first and the last. */
import { faultsOf } from '../../mutations/declare.ts'
import { changedDocument } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'

type Rules = typeof agentTokens.rules

const { rule, route } = faultsOf(agentTokens)

rule(
  'number-alone-halves',
  ['AGENT-TOKENS-PAGE-01', 'AGENT-TOKENS-PAGE-02'],
  'a page asked for by its number alone has 10 items (002 4, page[size] 20)',
  {
    page: (original) => (query, size) => original(query, query.has('page[number]') && !query.has('page[size]') ? 10 : size),
  },
)

rule('size-up-to-default', ['AGENT-TOKENS-PAGE-03'], 'a page never has more than the default of 20 items (002 4, page[size])', {
  page: (original) => (query, size) => {
    const page = original(query, size)
    return { ...page, size: Math.min(page.size, size) }
  },
})

rule('full-page-has-next', ['AGENT-TOKENS-PAGE-16'], 'a list whose last page is full counts one page more (002 2.3, total-pages)', {
  pages: (original) => (total, size) => (total > 0 && total % size === 0 ? total / size + 1 : original(total, size)),
})

rule(
  'pages-of-default-size',
  ['AGENT-TOKENS-DESTROY-05', 'AGENT-TOKENS-PAGE-09'],
  'total-pages and last go by 20 items even where another size was asked for (002 2.3)',
  {
    pages: (original) => (total) => original(total, 20),
  },
)

route(
  'empty-pool-null',
  ['AGENT-TOKENS-LIST-02'],
  'data of an empty list is null (002 7: 200 with a document that lists)',
  'agentTokens.list',
  (original) =>
    changedDocument<Rules>((body) => ({ ...body, data: Array.isArray(body.data) && body.data.length === 0 ? null : (body.data ?? null) }))(
      original,
    ),
)

rule(
  'last-page-short',
  ['AGENT-TOKENS-PAGE-03'],
  'a last page that is not full lacks its last token where it is not the only page (002 4, list)',
  {
    slice:
      (original) =>
      <T>(items: readonly T[], page: { number: number; size: number }) => {
        const cut = original(items, page)
        return page.number > 1 && cut.length < page.size ? cut.slice(0, -1) : cut
      },
  },
)

rule('later-pages-one-late', ['AGENT-TOKENS-PAGE-03'], 'pages after the first skip a token (002 4, page[number])', {
  slice:
    (original) =>
    <T>(items: readonly T[], page: { number: number; size: number }) => {
      const start = (page.number - 1) * page.size + 1
      return page.number > 1 ? items.slice(start, start + page.size) : original(items, page)
    },
})

rule(
  'number-ignored-with-size',
  ['AGENT-TOKENS-PAGE-18'],
  'page[number] is not looked at where page[size] is given (002 4, page[number])',
  {
    page: (original) => (query, size) => {
      const page = original(query, size)
      return query.has('page[size]') ? { ...page, number: 1 } : page
    },
  },
)

rule('no-prev-on-second', ['AGENT-TOKENS-PAGE-09'], 'the second page has no prev (002 2.3, links)', {
  links: (original) => (path, page, pages) => ({ ...original(path, page, pages), ...(page.number === 2 ? { prev: null } : {}) }),
})

rule('first-is-self', ['AGENT-TOKENS-PAGE-10'], 'the link to the first page leads to the page that was asked for (002 2.3, links)', {
  links: (original) => (path, page, pages) => {
    const links = original(path, page, pages)
    return { ...links, first: links.self ?? null }
  },
})

rule('oldest-falls-out', ['AGENT-TOKENS-PAGE-15'], 'a pool lists its newest 20 tokens only (002 4, list)', {
  tokensOf: (original) => (world, pool) => original(world, pool).slice(-20),
})

rule('description-short-refused', ['AGENT-TOKENS-CREATE-01'], 'a description of one letter is refused (002 4, description: string)', {
  description: (original) => (body, wanted) => {
    const description = original(body, wanted)
    if (description.length < 2) throw new Refusal(422, 'the description is too short', '/data/attributes/description')
    return description
  },
})
