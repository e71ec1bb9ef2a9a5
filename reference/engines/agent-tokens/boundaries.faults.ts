/** Faults at the limits of pages and texts: none, exactly full, too long. */
import { faultsOf } from '../../mutations/declare.ts'
import { Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'

const { rule } = faultsOf(agentTokens)

rule('boundary-pages-when-exact', 'AGENT-TOKENS-PAGE-16', 'total-pages is one too high where the last page is exactly full', {
  pages: () => (total, size) => Math.floor(total / size) + 1,
})

rule('boundary-last-page-has-next', 'AGENT-TOKENS-PAGE-08', 'the last page has a next link where the tokens fill more than one page', {
  links: (original) => (path, page, pages) => {
    const links = original(path, page, pages)
    const beyond = original(path, { ...page, number: page.number + 1 }, pages)
    return pages > 1 && page.number === pages ? { ...links, next: beyond.self! } : links
  },
})

rule('boundary-empty-pool-404', 'AGENT-TOKENS-MODEL-01', 'the list of a pool without tokens is 404', {
  tokensOf: (original) => (world, pool) => {
    const found = original(world, pool)
    if (found.length === 0) throw new Refusal(404, 'no such agent pool, or it is not yours')
    return found
  },
})

rule('boundary-second-page-no-prev', ['AGENT-TOKENS-PAGE-09', 'AGENT-TOKENS-PAGE-08'], 'prev of the second page is null', {
  links: (original) => (path, page, pages) =>
    page.number === 2 ? { ...original(path, page, pages), prev: null } : original(path, page, pages),
})

rule('boundary-number-alone-ten', ['AGENT-TOKENS-PAGE-01', 'AGENT-TOKENS-PAGE-02'], 'page[number] without page[size] gives pages of ten', {
  page: (original) => (query, size) => original(query, query.has('page[number]') ? 10 : size),
})

rule('boundary-description-cut', 'AGENT-TOKENS-FIELD-11', 'a description is cut after 255 characters', {
  description: (original) => (body, wantedType) => original(body, wantedType).slice(0, 255),
})
