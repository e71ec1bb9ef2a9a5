/** Faults in what a page says of itself: links and meta. */

import { faultsOf } from '../../mutations/declare.ts'
import { agentTokens } from './engine.ts'

const { rule } = faultsOf(agentTokens)

rule('page-from-0', 'AGENT-TOKENS-PAGE-13', 'pages are counted from 0 in meta', {
  meta: (original) => (page, pages, total) => ({ ...original(page, pages, total), 'current-page': page.number - 1 }),
})
rule('prev-zero', 'AGENT-TOKENS-PAGE-14', 'the first page has 0 as its prev-page', {
  meta: (original) => (page, pages, total) => ({ ...original(page, pages, total), 'prev-page': page.number - 1 }),
})
rule('count-of-page', 'AGENT-TOKENS-PAGE-15', 'total-count is the number of items of the page', {
  meta: (original) => (page, pages, total) => ({ ...original(page, pages, total), 'total-count': Math.min(page.size, total) }),
})
rule('count-of-all', ['AGENT-TOKENS-PAGE-15', 'AGENT-TOKENS-MODEL-01'], 'total-count counts the tokens of all pools', {
  total: () => (_tokens, world) => world.tokens.size,
})
rule('pages-floor', 'AGENT-TOKENS-PAGE-16', 'total-pages is rounded down', {
  meta: (original) => (page, pages, total) => ({ ...original(page, pages, total), 'total-pages': Math.floor(total / page.size) }),
})
rule('pages-extra', ['AGENT-TOKENS-PAGE-17', 'AGENT-TOKENS-PAGE-16'], 'exact multiples have an empty last page', {
  pages: () => (total, size) => Math.floor(total / size) + 1,
})
rule('meta-missing', 'AGENT-TOKENS-PAGE-12', 'meta.pagination has no total-pages', {
  meta: (original) => (page, pages, total) => {
    const { 'total-pages': _, ...rest } = original(page, pages, total)
    return rest
  },
})
rule('meta-texts', 'AGENT-TOKENS-PAGE-25', 'total-count is a text', {
  meta: (original) => (page, pages, total) => ({ ...original(page, pages, total), 'total-count': String(total) }),
})
rule('links-missing', 'AGENT-TOKENS-PAGE-05', 'links has no first and no last', {
  links: (original) => (path, page, pages) => {
    const { first: _, last: __, ...rest } = original(path, page, pages)
    return rest
  },
})
rule('links-self-null', 'AGENT-TOKENS-PAGE-06', 'self is null', {
  links: (original) => (path, page, pages) => ({ ...original(path, page, pages), self: null }),
})
rule('links-false', 'AGENT-TOKENS-PAGE-07', 'prev and next are false where there is no such page', {
  links: (original) => (path, page, pages) => {
    const links = original(path, page, pages)
    return { ...links, prev: links.prev ?? false, next: links.next ?? false }
  },
})
rule('next-always', 'AGENT-TOKENS-PAGE-08', 'the last page links to itself as next', {
  links: (original) => (path, page, pages) => {
    const links = original(path, page, pages)
    return { ...links, next: links.next ?? links.self ?? null }
  },
})
rule('links-lose-size', 'AGENT-TOKENS-PAGE-09', 'next and prev forget the page size', {
  links: (original) => (path, page, pages) => {
    const links = original(path, page, pages)
    const cut = (link: unknown) => (typeof link === 'string' ? link.replace(/&page%5Bsize%5D=\d+/, '') : null)
    return { ...links, prev: cut(links.prev), next: cut(links.next) }
  },
})
rule('last-off', 'AGENT-TOKENS-PAGE-10', 'last leads to the page before the last', {
  links: (original) => (path, page, pages) => ({
    ...original(path, page, pages),
    last: original(path, { ...page, number: Math.max(1, pages - 1) }, pages).self ?? null,
  }),
})
rule('self-first', 'AGENT-TOKENS-PAGE-11', 'self always is the first page', {
  links: (original) => (path, page, pages) => ({ ...original(path, page, pages), self: original(path, page, pages).first ?? null }),
})
