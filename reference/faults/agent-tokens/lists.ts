/** Faults in lists as a whole, and while others write. */
import { fault } from '../../core/mutation.ts'
import { agentTokens } from '../../run-management/agent-tokens/index.ts'

const engine = 'agent-tokens'

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15))

export const listsFaults = [
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
    { id: 'agent-tokens-list-late', engine, title: 'a token is in the list from its second reading on', clauses: ['AGENT-LIST-07'] },
    {
      rules: {
        tokensOf: (original) => {
          const known = new Set<string>()
          return (world, pool) => {
            const tokens = original(world, pool)
            const shown = tokens.filter(({ id }) => known.has(id))
            for (const { id } of tokens) known.add(id)
            return shown
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
      title: 'items of the list shorten the description',
      clauses: ['AGENT-LIST-05'],
    },
    {
      routes: {
        'agentTokens.list': (original) => (call) =>
          original({ ...call, rules: { ...call.rules, describe: (token) => call.rules.describe(token).slice(0, 10) } }),
      },
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
