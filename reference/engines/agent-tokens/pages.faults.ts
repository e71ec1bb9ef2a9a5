/** Faults in pages: what they hold, and what they say of themselves in links and meta. */
import { faultsOf } from '../../faults/declare.ts'
import { agentTokens } from './engine.ts'

const { rule, declared } = faultsOf(agentTokens)

rule('default-100', 'AGENT-TOKENS-PAGE-01', 'a page holds 100 tokens by default', { defaultPageSize: () => () => 100 })
rule('default-last', 'AGENT-TOKENS-PAGE-02', 'without a number the second page is returned', {
  page: (original) => (query, size) => (query.has('page[number]') ? original(query, size) : { ...original(query, size), number: 2 }),
})
rule('size-ignored', ['AGENT-TOKENS-PAGE-03', 'AGENT-TOKENS-PAGE-18'], 'page[size] is ignored', {
  page: (original) => (query, size) => ({ ...original(query, size), size }),
})
rule('third-page-one-early', 'AGENT-TOKENS-PAGE-04', 'from the third page on, a page begins with the last token of the one before', {
  slice: (original) => (tokens, page) => {
    const { number, size } = page
    return number < 3 ? original(tokens, page) : tokens.slice((number - 1) * size - 1, number * size - 1)
  },
})
rule('number-alone-ten', ['AGENT-TOKENS-PAGE-01', 'AGENT-TOKENS-PAGE-02'], 'page[number] without page[size] gives pages of ten', {
  page: (original) => (query, size) => original(query, query.has('page[number]') ? 10 : size),
})
rule('odd-page-500', 'AGENT-TOKENS-PAGE-21', 'a page other than a number makes the server fail', {
  page: (original) => (query, size) => {
    const number = BigInt(query.get('page[number]') ?? '1')
    return { ...original(query, size), number: Number(number) }
  },
})
rule('count-of-all', ['AGENT-TOKENS-PAGE-15', 'AGENT-TOKENS-MODEL-01'], 'total-count counts the tokens of all pools', {
  total: () => (_tokens, world) => world.tokens.size,
})
rule('pages-extra', ['AGENT-TOKENS-PAGE-17', 'AGENT-TOKENS-PAGE-16'], 'exact multiples have an empty last page', {
  pages: () => (total, size) => Math.floor(total / size) + 1,
})
rule('links-false', 'AGENT-TOKENS-PAGE-07', 'prev and next are false where there is no such page', {
  links: (original) => (path, page, pages) => {
    const links = original(path, page, pages)
    return { ...links, prev: links.prev ?? false, next: links.next ?? false }
  },
})
rule('last-page-has-next', 'AGENT-TOKENS-PAGE-08', 'the last page has a next link where the tokens fill more than one page', {
  links: (original) => (path, page, pages) => {
    const links = original(path, page, pages)
    const beyond = original(path, { ...page, number: page.number + 1 }, pages)
    return pages > 1 && page.number === pages ? { ...links, next: beyond.self! } : links
  },
})
rule('number-before-size', 'AGENT-TOKENS-PAGE-19', 'page[number] behind page[size] in the query is overlooked', {
  page: (original) => (query, defaultSize) => {
    const names = [...query.keys()]
    const kept = new URLSearchParams(query)
    if (names.includes('page[size]') && names.indexOf('page[size]') < names.indexOf('page[number]')) kept.delete('page[number]')
    return original(kept, defaultSize)
  },
})

export const faults = declared
