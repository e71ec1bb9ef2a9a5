/** Faults in lists as a whole, and while others write. */
import { faultsOf } from '../../faults/declare.ts'
import { replyStatus } from '../../faults/wrappers.ts'
import { changedDocument } from '../../run-management/answer-changes.ts'
import { agentTokens } from './engine.ts'

const { rule, route, declared } = faultsOf(agentTokens)

const LIST = 'agentTokens.list'

rule('page-repeats', 'AGENT-TOKENS-PAGE-24', 'a page shows its first token again at its end', {
  slice: (original) => (items, page) => {
    const found = original(items, page)
    return found.length > 2 ? [...found.slice(0, -1), found[0]!] : found
  },
})
rule('order-random', 'AGENT-TOKENS-PAGE-26', 'the order of the list is left to chance', {
  tokensOf: (original) => {
    let reads = 0
    return (world, pool) => {
      const tokens = original(world, pool)
      reads += 1
      return reads % 2 === 0 ? tokens.toReversed() : tokens
    }
  },
})
rule('reader-misses', 'AGENT-TOKENS-PAGE-23', 'the cursor of a reader moves when others create', {
  slice: (original) => {
    let before = 0
    return (items, page) => {
      const grown = page.number > 1 ? Math.max(0, items.length - before) : 0
      before = page.number === 1 ? items.length : before
      return original(items.slice(grown), page)
    }
  },
})
route(
  'list-null',
  ['AGENT-TOKENS-LIST-06', 'AGENT-TOKENS-LIST-02'],
  'an empty list is null',
  LIST,
  changedDocument((body) => ({ ...body, data: Array.isArray(body.data) && body.data.length === 0 ? null : (body.data ?? null) })),
)
route('list-206', 'AGENT-TOKENS-LIST-01', 'a list answers 206', LIST, replyStatus(206))
rule('list-late', 'AGENT-TOKENS-LIST-07', 'a token is in the list from its second reading on', {
  tokensOf: (original) => {
    const known = new Set<string>()
    return (world, pool) => {
      const tokens = original(world, pool)
      const shown = tokens.filter(({ id }) => known.has(id))
      for (const { id } of tokens) known.add(id)
      return shown
    }
  },
})

export const faults = declared
