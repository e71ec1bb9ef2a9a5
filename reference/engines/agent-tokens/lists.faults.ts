/** Faults in lists as a whole, and while others write. */

import { faultsOf } from '../../mutations/declare.ts'
import { replyStatus } from '../../mutations/wrappers.ts'
import { agentTokens } from './engine.ts'

const { rule, route } = faultsOf(agentTokens)

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15))

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
  'agentTokens.list',
  (original) => async (call) => {
    if (call.rules.tokensOf(call.world, call.params.agent_pool_id ?? '').length > 0) return original(call)
    const reply = await original({ ...call, rules: { ...call.rules, slice: () => [] } })
    return { ...reply, body: { ...(reply.body as object), data: null } }
  },
)
route('list-206', 'AGENT-TOKENS-LIST-01', 'a list answers 206', 'agentTokens.list', replyStatus(206))
rule('list-stale', ['AGENT-TOKENS-LIST-04', 'AGENT-TOKENS-MODEL-01'], 'a destroyed token stays in the list', {
  tokensOf: (original) => {
    const seen = new Map<string, ReturnType<typeof original>>()
    return (world, pool) => {
      const known = (seen.get(pool) ?? []).filter((token) => !world.tokens.has(token.id))
      const tokens = [...original(world, pool), ...known]
      seen.set(pool, tokens)
      return tokens
    }
  },
})
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
route(
  'list-differs',
  'AGENT-TOKENS-LIST-05',
  'items of the list shorten the description',
  'agentTokens.list',
  (original) => (call) => original({ ...call, rules: { ...call.rules, describe: (token) => call.rules.describe(token).slice(0, 10) } }),
)
rule('lost-create', ['AGENT-TOKENS-RACE-01', 'AGENT-TOKENS-RACE-02'], 'of tokens created at once only the last is kept', {
  add: () => async (world, token) => {
    const snapshot = new Map(world.tokens)
    await pause()
    for (const [id, known] of world.tokens) if (known.poolId === token.poolId && !snapshot.has(id)) world.tokens.delete(id)
    world.tokens.set(token.id, token)
  },
})
