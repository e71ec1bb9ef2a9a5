/** Faults at limits: none, one, many, the first and the last, exactly full. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedDocument, objectIn } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { AgentToken } from '../../run-management/world.ts'
import { inPool } from './east-help.ts'
import { agentTokens } from './engine.ts'

const { rule, route } = faultsOf(agentTokens)

const stuck = remembered(() => new Map<string, AgentToken>())
rule(
  'east-first-stays-listed',
  'AGENT-TOKENS-LIST-04',
  'the first token of a pool stays in the list after it was destroyed, for its index is 0 (002 4: DELETE destroys)',
  {
    remove: (original) => (world, token) => {
      const first = !stuck(world).has(token.poolId) && inPool(world, token.poolId)[0] === token
      if (first) stuck(world).set(token.poolId, token)
      return original(world, token)
    },
    tokensOf: (original) => (world, pool) => {
      const first = stuck(world).get(pool)
      return first ? [first, ...original(world, pool)] : original(world, pool)
    },
  },
)

rule(
  'east-page-behind-full-one',
  'AGENT-TOKENS-PAGE-16',
  'where the last page is exactly full, one more page is announced (002 2.3: total-pages, next, last)',
  {
    pages: () => (total, size) => Math.floor(total / size) + 1,
  },
)

rule(
  'east-orphan-joins-last-page',
  'AGENT-TOKENS-PAGE-03',
  'a single token left for a page of its own joins the page before (002 4: page[size], 20 items per page)',
  {
    pages: (original) => (total, size) => original(size > 1 && total > size && total % size === 1 ? total - 1 : total, size),
    slice: (original) => (items, page) => {
      const { number, size } = page
      const orphaned = size > 1 && items.length > size && items.length % size === 1
      if (!orphaned) return original(items, page)
      const last = (items.length - 1) / size
      if (number > last) return []
      return number === last ? items.slice((number - 1) * size) : original(items, page)
    },
  },
)

route(
  'east-empty-list-without-ends',
  'AGENT-TOKENS-PAGE-06',
  'the list of a pool without tokens has null for first and last (002 2.3: only prev and next may be null)',
  'agentTokens.list',
  changedDocument((body) => {
    const { pagination } = objectIn(body, 'meta')
    const empty = (pagination as JsonObject)['total-count'] === 0
    return empty ? { ...body, links: { ...objectIn(body, 'links'), first: null, last: null } } : body
  }),
)

rule(
  'east-empty-pool-missing',
  'AGENT-TOKENS-MODEL-01',
  'the list of a pool without tokens is refused as if the pool were missing (002 7: list, 200 success)',
  {
    tokensOf: (original) => (world, pool) => {
      const tokens = original(world, pool)
      if (tokens.length === 0) throw new Refusal(404, 'no such agent pool, or it is not yours')
      return tokens
    },
  },
)

rule(
  'east-description-column-of-255',
  'AGENT-TOKENS-FIELD-11',
  'a description is cut to 255 characters without a word (002 2.2, 4: description of the token)',
  {
    description: (original) => (body, wantedType) => original(body, wantedType).slice(0, 255),
  },
)

rule(
  'east-one-letter-refused',
  'AGENT-TOKENS-CREATE-01',
  'a description of one letter counts as missing (002 4: description, a string; 7: create, 201)',
  {
    description: (original) => (body, wantedType) => {
      const description = original(body, wantedType)
      if (description.length > 1) return description
      throw new Refusal(422, 'the description has to be a text', '/data/attributes/description')
    },
  },
)

route(
  'east-single-item-bare',
  'AGENT-TOKENS-LIST-02',
  'a page with a single token has it as data itself, not in an array (002 4: list; 1: JSON:API)',
  'agentTokens.list',
  changedDocument((body) => (Array.isArray(body.data) && body.data.length === 1 ? { ...body, data: body.data[0]! } : body)),
)

rule(
  'east-default-is-largest',
  'AGENT-TOKENS-PAGE-03',
  'page sizes above the default are cut to 20 (002 4: page[size], 20 is the default, not the limit)',
  {
    page: (original) => (query, defaultSize) => {
      const page = original(query, defaultSize)
      return { ...page, size: Math.min(page.size, defaultSize) }
    },
  },
)

rule(
  'east-last-token-survives',
  'AGENT-TOKENS-DESTROY-04',
  'the only token of a pool survives its destruction, which is answered with 204 (002 7: destroy, 204 success)',
  {
    remove: (original) => (world, token) => inPool(world, token.poolId).length === 1 || original(world, token),
  },
)

rule(
  'east-number-alone-unlimited',
  'AGENT-TOKENS-PAGE-01',
  'page[number] without page[size] leaves the default size out (002 4: page[size], default 20 items per page)',
  {
    page: (original) => (query, defaultSize) => original(query, query.has('page[number]') ? 100 : defaultSize),
  },
)

rule(
  'east-total-up-to-page',
  'AGENT-TOKENS-PAGE-15',
  'total-count counts the tokens up to the end of the page that was asked for (002 2.3: total-count)',
  {
    meta: (original) => (page, pages, total) => ({
      ...original(page, pages, total),
      'total-count': Math.min(total, page.number * page.size),
    }),
  },
)
