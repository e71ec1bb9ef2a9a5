/** Faults in lists, pages and links. */
import { fault } from '../../core/mutation.ts'
import { agentTokens } from '../../run-management/agent-tokens/index.ts'

const engine = 'agent-tokens'

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15))

export const pagesFaults = [
  fault(
    agentTokens,
    { id: 'agent-tokens-default-100', engine, title: 'a page holds 100 tokens by default', clauses: ['AGENT-PAGE-01'] },
    {
      rules: { defaultPageSize: () => () => 100 },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-default-last', engine, title: 'without a number the second page is returned', clauses: ['AGENT-PAGE-02'] },
    {
      rules: {
        page: (original) => (query, size) => (query.has('page[number]') ? original(query, size) : { ...original(query, size), number: 2 }),
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-size-ignored', engine, title: 'page[size] is ignored', clauses: ['AGENT-PAGE-03'] },
    {
      rules: { page: (original) => (query, size) => ({ ...original(query, size), size }) },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-brackets-encoded', engine, title: 'percent-encoded brackets are refused', clauses: ['AGENT-PAGE-18'] },
    {
      routes: {
        'agentTokens.list': (original) => (call) =>
          call.query.has('page[number]') && call.query.has('page[size]') ? { status: 400, body: { errors: [] } } : original(call),
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-number-ignored', engine, title: 'page[number] is ignored', clauses: ['AGENT-PAGE-04', 'AGENT-PAGE-09'] },
    {
      rules: { slice: (original) => (items, page) => original(items, { ...page, number: 1 }) },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-pages-overlap', engine, title: 'a page begins with the last token of the one before', clauses: ['AGENT-PAGE-04'] },
    {
      rules: {
        slice:
          () =>
          (items, { number, size }) =>
            items.slice((number - 1) * (size - 1), (number - 1) * (size - 1) + size),
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-page-from-0', engine, title: 'pages are counted from 0 in meta', clauses: ['AGENT-PAGE-13'] },
    {
      rules: { meta: (original) => (page, pages, total) => ({ ...original(page, pages, total), 'current-page': page.number - 1 }) },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-prev-zero', engine, title: 'the first page has 0 as its prev-page', clauses: ['AGENT-PAGE-14'] },
    {
      rules: { meta: (original) => (page, pages, total) => ({ ...original(page, pages, total), 'prev-page': page.number - 1 }) },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-count-of-page', engine, title: 'total-count is the number of items of the page', clauses: ['AGENT-PAGE-15'] },
    {
      rules: {
        meta: (original) => (page, pages, total) => ({ ...original(page, pages, total), 'total-count': Math.min(page.size, total) }),
      },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-count-of-all',
      engine,
      title: 'total-count counts the tokens of all pools',
      clauses: ['AGENT-PAGE-15', 'AGENT-MODEL-01'],
    },
    {
      rules: { total: () => (_tokens, world) => world.tokens.size },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-pages-floor', engine, title: 'total-pages is rounded down', clauses: ['AGENT-PAGE-16'] },
    {
      rules: {
        meta: (original) => (page, pages, total) => ({ ...original(page, pages, total), 'total-pages': Math.floor(total / page.size) }),
      },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-pages-extra',
      engine,
      title: 'exact multiples have an empty last page',
      clauses: ['AGENT-PAGE-17', 'AGENT-PAGE-16'],
    },
    {
      rules: { pages: () => (total, size) => Math.floor(total / size) + 1 },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-meta-missing', engine, title: 'meta.pagination has no total-pages', clauses: ['AGENT-PAGE-12'] },
    {
      rules: {
        meta: (original) => (page, pages, total) => {
          const { 'total-pages': _, ...rest } = original(page, pages, total)
          return rest
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-meta-texts', engine, title: 'total-count is a text', clauses: ['AGENT-PAGE-25'] },
    {
      rules: { meta: (original) => (page, pages, total) => ({ ...original(page, pages, total), 'total-count': String(total) }) },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-links-missing', engine, title: 'links has no first and no last', clauses: ['AGENT-PAGE-05'] },
    {
      rules: {
        links: (original) => (path, page, pages) => {
          const { first: _, last: __, ...rest } = original(path, page, pages)
          return rest
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-links-self-null', engine, title: 'self is null', clauses: ['AGENT-PAGE-06'] },
    {
      rules: { links: (original) => (path, page, pages) => ({ ...original(path, page, pages), self: null }) },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-links-false', engine, title: 'prev and next are false where there is no such page', clauses: ['AGENT-PAGE-07'] },
    {
      rules: {
        links: (original) => (path, page, pages) => {
          const links = original(path, page, pages)
          return { ...links, prev: links.prev ?? false, next: links.next ?? false }
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-next-always', engine, title: 'the last page links to itself as next', clauses: ['AGENT-PAGE-08'] },
    {
      rules: {
        links: (original) => (path, page, pages) => {
          const links = original(path, page, pages)
          return { ...links, next: links.next ?? links.self ?? null }
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-links-lose-size', engine, title: 'next and prev forget the page size', clauses: ['AGENT-PAGE-09'] },
    {
      rules: {
        links: (original) => (path, page, pages) => {
          const links = original(path, page, pages)
          const cut = (link: unknown) => (typeof link === 'string' ? link.replace(/&page%5Bsize%5D=\d+/, '') : null)
          return { ...links, prev: cut(links.prev), next: cut(links.next) }
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-last-off', engine, title: 'last leads to the page before the last', clauses: ['AGENT-PAGE-10'] },
    {
      rules: {
        links: (original) => (path, page, pages) => ({
          ...original(path, page, pages),
          last: original(path, { ...page, number: Math.max(1, pages - 1) }, pages).self ?? null,
        }),
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-self-first', engine, title: 'self always is the first page', clauses: ['AGENT-PAGE-11'] },
    {
      rules: {
        links: (original) => (path, page, pages) => ({ ...original(path, page, pages), self: original(path, page, pages).first ?? null }),
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-odd-page-500', engine, title: 'a page that is no number makes the server fail', clauses: ['AGENT-PAGE-21'] },
    {
      rules: {
        page: (original) => (query, size) => {
          const number = BigInt(query.get('page[number]') ?? '1')
          return { ...original(query, size), number: Number(number) }
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-page-repeats', engine, title: 'a page shows its first token again at its end', clauses: ['AGENT-PAGE-24'] },
    {
      rules: {
        slice: (original) => (items, page) => {
          const found = original(items, page)
          return found.length > 2 ? [...found.slice(0, -1), found[0]!] : found
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-order-random', engine, title: 'the order of the list is left to chance', clauses: ['AGENT-PAGE-26'] },
    {
      rules: {
        tokensOf: (original) => {
          let reads = 0
          return (world, pool) => {
            const tokens = original(world, pool)
            reads += 1
            return reads % 2 === 0 ? tokens.toReversed() : tokens
          }
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-reader-misses', engine, title: 'the cursor of a reader moves when others create', clauses: ['AGENT-PAGE-23'] },
    {
      rules: {
        slice: (original) => {
          let before = 0
          return (items, page) => {
            const grown = page.number > 1 ? Math.max(0, items.length - before) : 0
            before = page.number === 1 ? items.length : before
            return original(items.slice(grown), page)
          }
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-list-null', engine, title: 'an empty list is null', clauses: ['AGENT-LIST-06', 'AGENT-LIST-02'] },
    {
      routes: {
        'agentTokens.list': (original) => async (call) => {
          if (call.rules.tokensOf(call.world, call.params.agent_pool_id ?? '').length > 0) return original(call)
          const reply = await original({ ...call, rules: { ...call.rules, slice: () => [] } })
          return { ...reply, body: { ...(reply.body as object), data: null } }
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-list-206', engine, title: 'a list answers 206', clauses: ['AGENT-LIST-01'] },
    {
      routes: { 'agentTokens.list': (original) => async (call) => ({ ...(await original(call)), status: 206 }) },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-list-stale', engine, title: 'a destroyed token stays in the list', clauses: ['AGENT-LIST-04', 'AGENT-MODEL-01'] },
    {
      rules: {
        tokensOf: (original) => {
          const seen = new Map<string, ReturnType<typeof original>>()
          return (world, pool) => {
            const known = (seen.get(pool) ?? []).filter((token) => !world.tokens.has(token.id))
            const tokens = [...original(world, pool), ...known]
            seen.set(pool, tokens)
            return tokens
          }
        },
      },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-list-differs',
      engine,
      title: 'items of the list have a member that show lacks',
      clauses: ['AGENT-LIST-05'],
    },
    {
      rules: { extras: (original) => (token, occasion) => (occasion === 'listed' ? { summary: true } : original(token, occasion)) },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-lost-create',
      engine,
      title: 'of tokens created at once only the last is kept',
      clauses: ['AGENT-RACE-01', 'AGENT-RACE-02'],
    },
    {
      rules: {
        add: () => async (world, token) => {
          const snapshot = new Map(world.tokens)
          await pause()
          for (const [id, known] of world.tokens) if (known.poolId === token.poolId && !snapshot.has(id)) world.tokens.delete(id)
          world.tokens.set(token.id, token)
        },
      },
    },
  ),
]
