/** Faults at the edges of agent tokens: empty pools, the last token, first and last pages, sizes at their limits, long and short texts. */
import { faultsOf } from '../../mutations/declare.ts'
import { changedDocument, without } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'
import { inPool, poolIn } from './frank-help.ts'

const { rule, route } = faultsOf(agentTokens)

route(
  'frank-empty-pool-missing',
  'AGENT-TOKENS-MODEL-01',
  'a pool without tokens counts as one that does not exist (002 7: list, 404 is for pool not found)',
  'agentTokens.list',
  (original) => async (call) => {
    const reply = await original(call)
    if (inPool(call.world, poolIn(call)).length === 0) throw new Refusal(404, call.rules.hiddenDetail('agent pool', poolIn(call), false))
    return reply
  },
)

rule(
  'frank-last-token-stays',
  'AGENT-TOKENS-DESTROY-02',
  'the only token of a pool is not destroyed, though the answer says so (002 4: DELETE destroys)',
  {
    remove: (original) => (world, token) => inPool(world, token.poolId).length === 1 || original(world, token),
  },
)

rule(
  'frank-full-page-opens-another',
  'AGENT-TOKENS-PAGE-16',
  'a list that fills its last page exactly has one page more (002 2.3: total-pages, last, next)',
  {
    pages: () => (total, size) => Math.floor(total / size) + 1,
  },
)

rule('frank-last-page-unlinked', 'AGENT-TOKENS-PAGE-08', 'next is null on the page before the last (002 2.3: links.next)', {
  links: (original) => (path, page, pages) => {
    const links = original(path, page, pages)
    return page.number < pages - 1 ? links : { ...links, next: null }
  },
})

rule(
  'frank-default-is-largest',
  'AGENT-TOKENS-PAGE-03',
  'a page never holds more than the default of 20, whatever size is asked for (002 4: page[size])',
  {
    page: (original) => (query, defaultSize) => {
      const page = original(query, defaultSize)
      return { ...page, size: Math.min(page.size, defaultSize) }
    },
  },
)

rule(
  'frank-description-of-255',
  'AGENT-TOKENS-FIELD-11',
  'a description is cut after 255 characters (002 2.2: attributes.description; 8 has no such limit)',
  {
    description: (original) => (body, wantedType) => original(body, wantedType).slice(0, 255),
  },
)

rule(
  'frank-description-too-short',
  'AGENT-TOKENS-CREATE-01',
  'a description of one or two characters is refused (002 4: data.attributes.description, string)',
  {
    description: (original) => (body, wantedType) => {
      const text = original(body, wantedType)
      if (text.length < 3) throw new Refusal(422, 'the description is too short', '/data/attributes/description')
      return text
    },
  },
)

rule('frank-count-from-here', 'AGENT-TOKENS-PAGE-15', 'total-count of later pages leaves out the pages before (002 2.3: total-count)', {
  meta: (original) => (page, pages, total) => original(page, pages, Math.max(0, total - (page.number - 1) * page.size)),
})

rule(
  'frank-pages-compared-as-text',
  'AGENT-TOKENS-PAGE-14',
  'of ten pages or more, the second to ninth have no next page (002 2.3: links.next, next-page)',
  {
    links: (original) => (path, page, pages) => {
      const links = original(path, page, pages)
      return String(page.number) < String(pages) ? links : { ...links, next: null }
    },
    meta: (original) => (page, pages, total) => {
      const meta = original(page, pages, total)
      return String(page.number) < String(pages) ? meta : { ...meta, 'next-page': null }
    },
  },
)

route(
  'frank-list-of-one-bare',
  'AGENT-TOKENS-LIST-02',
  'a page that holds one token has it as data, without an array (002 4: list)',
  'agentTokens.list',
  changedDocument((body) => (Array.isArray(body.data) && body.data.length === 1 ? { ...body, data: body.data[0] ?? null } : body)),
)

route(
  'frank-empty-list-bare',
  'AGENT-TOKENS-PAGE-05',
  'the list of a pool without tokens lacks links and meta (002 2.3: list responses carry links and meta.pagination)',
  'agentTokens.list',
  changedDocument((body, call) => (inPool(call.world, poolIn(call)).length === 0 ? without(body, 'links', 'meta') : body)),
)
