/** Faults of agent tokens at the edges: no token, one, a full page, the page after it, the first and the last. */
import { faultsOf } from '../../mutations/declare.ts'
import { changedDocument, changedQuery, objectIn } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'

type Rules = typeof agentTokens.rules

const { rule, route, change } = faultsOf(agentTokens)

rule(
  'number-alone-halves',
  ['AGENT-TOKENS-PAGE-01', 'AGENT-TOKENS-PAGE-02'],
  'a page asked for by its number alone has 10 items (002 4, page[size] 20)',
  {
    page: (original) => (query, size) => original(query, query.has('page[number]') && !query.has('page[size]') ? 10 : size),
  },
)

route('size-one-ignored', [], 'page[size]=1 counts as not given (002 4, page[size])', 'agentTokens.list', (original) =>
  changedQuery<Rules>((query) => {
    if (query.get('page[size]') === '1') query.delete('page[size]')
    return query
  })(original),
)

rule('size-up-to-default', ['AGENT-TOKENS-PAGE-03'], 'a page never has more than the default of 20 items (002 4, page[size])', {
  page: (original) => (query, size) => {
    const page = original(query, size)
    return { ...page, size: Math.min(page.size, size) }
  },
})

rule('size-up-to-thirty', [], 'a page never has more than 30 items, whatever was asked for (002 4, page[size])', {
  page: (original) => (query, size) => {
    const page = original(query, size)
    return { ...page, size: Math.min(page.size, 30) }
  },
})

rule('full-page-has-next', ['AGENT-TOKENS-PAGE-16'], 'a list whose last page is full counts one page more (002 2.3, total-pages)', {
  pages: (original) => (total, size) => (total > 0 && total % size === 0 ? total / size + 1 : original(total, size)),
})

rule('pages-rounded-down', [], 'a last page that is not full is not counted where there are full ones (002 2.3, total-pages)', {
  pages: (original) => (total, size) => (total > size ? Math.floor(total / size) : original(total, size)),
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
  'empty-pool-missing',
  [],
  'the list of a pool without tokens is 404 (002 7: pool not found or caller unauthorized)',
  'agentTokens.list',
  (original) => async (call) => {
    const given = await original(call)
    const known = [...call.world.tokens.values()].some(({ poolId }) => poolId === call.params.agent_pool_id)
    if (!known) throw new Refusal(404, 'no such agent pool, or it is not yours')
    return given
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

route('one-token-bare', [], 'data of a list with one token is that token (002 4, list)', 'agentTokens.list', (original) =>
  changedDocument<Rules>((body) => ({
    ...body,
    data: Array.isArray(body.data) && body.data.length === 1 ? (body.data[0] ?? null) : (body.data ?? null),
  }))(original),
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

rule('later-pages-one-early', [], 'pages after the first begin with the last token of the page before (002 4, page[number])', {
  slice:
    (original) =>
    <T>(items: readonly T[], page: { number: number; size: number }) => {
      const start = (page.number - 1) * page.size
      return page.number > 1 ? items.slice(start - 1, start - 1 + page.size) : original(items, page)
    },
})

rule('later-pages-one-late', ['AGENT-TOKENS-PAGE-03'], 'pages after the first skip a token (002 4, page[number])', {
  slice:
    (original) =>
    <T>(items: readonly T[], page: { number: number; size: number }) => {
      const start = (page.number - 1) * page.size + 1
      return page.number > 1 ? items.slice(start, start + page.size) : original(items, page)
    },
})

rule('third-page-is-second', [], 'pages from the third on show the second (002 4, page[number])', {
  slice:
    (original) =>
    <T>(items: readonly T[], page: { number: number; size: number }) =>
      original(items, { ...page, number: Math.min(page.number, 2) }),
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

rule('no-next-before-last', [], 'the page before the last has no next (002 2.3, links)', {
  links: (original) => (path, page, pages) => ({ ...original(path, page, pages), ...(page.number === pages - 1 ? { next: null } : {}) }),
})

rule('no-prev-on-second', ['AGENT-TOKENS-PAGE-09'], 'the second page has no prev (002 2.3, links)', {
  links: (original) => (path, page, pages) => ({ ...original(path, page, pages), ...(page.number === 2 ? { prev: null } : {}) }),
})

rule('prev-page-zero', [], 'prev-page of the first page is 0 and next-page of the last one more than there are (002 2.3)', {
  meta: (original) => (page, pages, total) => ({
    ...original(page, pages, total),
    'prev-page': page.number - 1,
    'next-page': page.number + 1,
  }),
})

rule('first-is-self', ['AGENT-TOKENS-PAGE-10'], 'the link to the first page leads to the page that was asked for (002 2.3, links)', {
  links: (original) => (path, page, pages) => {
    const links = original(path, page, pages)
    return { ...links, first: links.self ?? null }
  },
})

rule('last-is-next', [], 'the link to the last page leads to the next one (002 2.3, links)', {
  links: (original) => (path, page, pages) => {
    const links = original(path, page, pages)
    return { ...links, last: links.next ?? links.last ?? null }
  },
})

rule('oldest-falls-out', ['AGENT-TOKENS-PAGE-15'], 'a pool lists its newest 20 tokens only (002 4, list)', {
  tokensOf: (original) => (world, pool) => original(world, pool).slice(-20),
})

route('count-of-page-anew', [], 'total-count is the number of tokens on the page (002 2.3)', 'agentTokens.list', (original) =>
  changedDocument<Rules>((body) => {
    const pagination = objectIn(objectIn(body, 'meta'), 'pagination')
    return { ...body, meta: { pagination: { ...pagination, 'total-count': Array.isArray(body.data) ? body.data.length : 0 } } }
  })(original),
)

rule('description-short-refused', ['AGENT-TOKENS-CREATE-01'], 'a description of one letter is refused (002 4, description: string)', {
  description: (original) => (body, wanted) => {
    const description = original(body, wanted)
    if (description.length < 2) throw new Refusal(422, 'the description is too short', '/data/attributes/description')
    return description
  },
})

rule('description-cut-anew', [], 'a description keeps its first 100 characters (002 4, description of the token)', {
  description: (original) => (body, wanted) => original(body, wanted).slice(0, 100),
})

change('description-first-line', [], 'of a description of several lines the first is kept (002 4, description of the token)', {
  rules: { description: (original) => (body, wanted) => original(body, wanted).split('\n')[0] ?? '' },
})
