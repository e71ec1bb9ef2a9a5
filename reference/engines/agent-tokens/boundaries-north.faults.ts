/** Faults at boundaries: none, one, the last, exactly full pages, long and short texts. */
import { faultsOf } from '../../mutations/declare.ts'
import { Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'
import { CREATE, deciding, inPool, LIST, notFound, poolIn } from './north-help.ts'

const { rule, route } = faultsOf(agentTokens)

rule(
  'north-page-too-many-when-full',
  'AGENT-TOKENS-PAGE-16',
  'a list that fills its last page exactly counts one more page (002 2.3: total-pages)',
  {
    pages: () => (total, size) => Math.floor(total / size) + 1,
  },
)

rule(
  'north-no-next-for-one-left',
  'AGENT-TOKENS-FIELD-13',
  'next-page is null where just one token is left for the next page (002 2.3: next-page)',
  {
    meta: (original) => (page, pages, total) => {
      const given = original(page, pages, total)
      return page.number * page.size + 1 === total ? { ...given, 'next-page': null } : given
    },
  },
)

route(
  'north-empty-pool-not-found',
  'AGENT-TOKENS-MODEL-01',
  'the list of a pool that has no tokens is refused with 404 (002 7: list 200; 404 for pool not found or caller unauthorized)',
  LIST,
  (original) => (call) =>
    original(
      deciding(call, {
        tokensOf: (world, pool) => {
          const tokens = call.rules.tokensOf(world, pool)
          if (tokens.length === 0) throw notFound(call, 'agent pool', pool)
          return tokens
        },
      }),
    ),
)

rule(
  'north-size-at-most-default',
  'AGENT-TOKENS-PAGE-03',
  'a page size above 20 is taken as 20 (002 4: page[size], of which 20 is the default)',
  {
    page: (original) => (query, defaultSize) => {
      const { number, size } = original(query, defaultSize)
      return { number, size: Math.min(size, defaultSize) }
    },
  },
)

rule(
  'north-numbered-pages-of-25',
  'AGENT-TOKENS-PAGE-16',
  'a page that is asked for by number alone has 25 items (002 4: page[size], default 20 items per page)',
  {
    page: (original) => (query, defaultSize) => original(query, query.has('page[number]') ? 25 : defaultSize),
  },
)

rule(
  'north-description-cut',
  'AGENT-TOKENS-FIELD-11',
  'a description of more than 255 characters is cut without a word (002 2.2: attributes.description; 4: create)',
  {
    description: (original) => (body, wantedType) => original(body, wantedType).slice(0, 255),
  },
)

rule(
  'north-description-of-one-refused',
  'AGENT-TOKENS-CREATE-01',
  'a description of a single character is refused with 422 (002 7: 422 for missing and wrong types)',
  {
    description: (original) => (body, wantedType) => {
      const text = original(body, wantedType)
      if ([...text].length < 2) throw new Refusal(422, 'the description is too short', '/data/attributes/description')
      return text
    },
  },
)

rule('north-last-token-stays', 'AGENT-TOKENS-DESTROY-01', 'the last token of a pool cannot be destroyed (002 7: destroy 204)', {
  remove: (original) => (world, token) => {
    if (inPool(world, token.poolId).length === 1) throw new Refusal(422, 'a pool needs a token')
    return original(world, token)
  },
})

rule(
  'north-prev-of-first-is-first',
  'AGENT-TOKENS-PAGE-08',
  'the first page of several has itself as its previous page (002 2.3: links.prev may be null)',
  {
    links: (original) => (path, page, pages) => {
      const given = original(path, page, pages)
      return pages > 1 && page.number === 1 ? { ...given, prev: given.self ?? null } : given
    },
  },
)

route(
  'north-last-by-default-size',
  'AGENT-TOKENS-PAGE-10',
  'the link to the last page counts pages of 20 items whatever size was asked for (002 2.3: links.last; 4: page[size])',
  LIST,
  (original) => (call) => {
    const { rules } = call
    return original(
      deciding(call, {
        links: (path, page, pages) => {
          const total = rules.total(rules.tokensOf(call.world, poolIn(call)), call.world)
          const last = rules.pages(total, rules.defaultPageSize())
          return { ...rules.links(path, page, pages), last: rules.links(path, { ...page, number: last }, pages).self ?? null }
        },
      }),
    )
  },
)

rule(
  'north-twenty-tokens-a-pool',
  'AGENT-TOKENS-CREATE-01',
  'a pool takes no more than 20 tokens, the next one is refused (002 7: create 201, 422 for a malformed body only)',
  {
    add: (original) => (world, token) => {
      if (inPool(world, token.poolId).length >= 20) throw new Refusal(422, 'the pool has its 20 tokens')
      return original(world, token)
    },
  },
)

route(
  'north-unknown-pool-is-made',
  'AGENT-TOKENS-CREATE-19',
  'creating the first token of a pool that does not exist makes the pool (002 7: create 404, pool not found)',
  CREATE,
  (original) => (call) => {
    if (call.rules.mayManage(call.caller, poolIn(call))) call.world.pools.add(poolIn(call))
    return original(call)
  },
)
