/** Faults in what a page says of itself: links and meta. */
import { fault } from '../../core/mutation.ts'
import { agentTokens } from '../../run-management/agent-tokens/index.ts'

const engine = 'agent-tokens'

export const linksFaults = [
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
]
