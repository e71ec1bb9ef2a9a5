/** Faults at the edges: one, none, exactly full, the last, one digit more, long and short texts. */
import { faultsOf } from '../../mutations/declare.ts'
import { changedDocument, changedQuery, objectIn } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { Rules } from './dawn-help.ts'
import { agentTokens } from './engine.ts'

const { rule, route } = faultsOf(agentTokens)

rule('dawn-size-one-is-none', 'AGENT-TOKENS-PAGE-18', 'a page[size] of 1 counts as not given (002 4: page[size])', {
  page: (original) => (query, defaultSize) => {
    const page = original(query, defaultSize)
    return page.size > 1 ? page : { ...page, size: defaultSize }
  },
})

rule(
  'dawn-full-last-page-has-next',
  'AGENT-TOKENS-PAGE-16',
  'tokens that fill their pages exactly count as one page more (002 2.3: total-pages, next, last)',
  {
    pages: () => (total, size) => Math.floor(total / size) + 1,
  },
)

rule(
  'dawn-lone-item-of-later-page-lost',
  'AGENT-TOKENS-PAGE-03',
  'a later page that would hold a single token is empty (002 4: page[number])',
  {
    slice: (original) => (items, page) => {
      const part = original(items, page)
      return page.number > 1 && part.length === 1 ? [] : part
    },
  },
)

rule(
  'dawn-description-cut-at-255',
  'AGENT-TOKENS-FIELD-11',
  'of a long description 255 characters are kept, the create answer shows all (002 2.2: description)',
  {
    add: (original) => (world, token) => original(world, { ...token, description: token.description.slice(0, 255) }),
  },
)

rule('dawn-description-of-one-letter', 'AGENT-TOKENS-CREATE-01', 'a description of one character is refused (002 7: create 201)', {
  description: (original) => (body, wantedType) => {
    const text = original(body, wantedType)
    if (text.length < 2) throw new Refusal(422, 'the description is too short', '/data/attributes/description')
    return text
  },
})

rule(
  'dawn-offset-of-default-pages',
  'AGENT-TOKENS-PAGE-03',
  'later pages start where pages of 20 would, whatever page[size] says (002 4: page[size])',
  {
    slice:
      () =>
      (items, { number, size }) =>
        items.slice((number - 1) * 20, (number - 1) * 20 + size),
  },
)

rule('dawn-number-needs-size', 'AGENT-TOKENS-PAGE-01', 'page[number] without page[size] gives the first page (002 4: page[number])', {
  page: (original) => (query, defaultSize) => {
    const page = original(query, defaultSize)
    return query.has('page[size]') ? page : { ...page, number: 1 }
  },
})

rule('dawn-second-page-without-prev', 'AGENT-TOKENS-PAGE-09', 'the second page has no prev, the third has (002 2.3: links.prev)', {
  links: (original) => (path, page, pages) => {
    const links = original(path, page, pages)
    return page.number === 2 ? { ...links, prev: null } : links
  },
})

route(
  'dawn-last-by-items',
  'AGENT-TOKENS-PAGE-10',
  'last leads to the page whose number is the count of tokens (002 2.3: links.last)',
  'agentTokens.list',
  changedDocument<Rules>((body, call) => {
    const { rules } = call
    const total = Number(objectIn(objectIn(body, 'meta'), 'pagination')['total-count'] ?? 1)
    const page = rules.page(call.query, rules.defaultPageSize())
    const { last } = rules.links(call.path, page, Math.max(1, total))
    return { ...body, links: { ...objectIn(body, 'links'), last: last ?? null } }
  }),
)

route(
  'dawn-size-of-one-digit',
  'AGENT-TOKENS-PAGE-03',
  'of page[size] the first digit counts (002 4: page[size])',
  'agentTokens.list',
  changedQuery<Rules>((query) => {
    const size = query.get('page[size]')
    if (size !== null) query.set('page[size]', size.slice(0, 1))
    return query
  }),
)

route(
  'dawn-total-of-page',
  'AGENT-TOKENS-PAGE-15',
  'total-count counts the tokens of the page (002 2.3: total-count)',
  'agentTokens.list',
  changedDocument<Rules>((body) => {
    const shown = Array.isArray(body.data) ? body.data.length : 0
    return { ...body, meta: { pagination: { ...objectIn(objectIn(body, 'meta'), 'pagination'), 'total-count': shown } } }
  }),
)

rule('dawn-pool-ends-with-last-token', 'AGENT-TOKENS-MODEL-01', 'the pool is gone with its last token (002 4: destroy; 7: list 200)', {
  remove: (original) => async (world, token) => {
    const removed = await original(world, token)
    if (![...world.tokens.values()].some(({ poolId }) => poolId === token.poolId)) world.pools.delete(token.poolId)
    return removed
  },
})
