/** A list that shows what happened a moment late, as an index does that is kept beside the store. */

import type { AgentToken, World } from '../../run-management/world.ts'
import type { agentTokens } from './engine.ts'

type Rules = typeof agentTokens.rules

interface History {
  /** When a token came, and when it went, in ms. */
  came: Map<string, number>
  gone: Map<AgentToken, number>
}

/** The rules of a list that is `lag` ms late. */
export const laggingList = (lag: number) => {
  const histories = new WeakMap<World, History>()
  const historyOf = (world: World): History => {
    const known = histories.get(world) ?? { came: new Map(), gone: new Map() }
    histories.set(world, known)
    return known
  }
  return {
    add: (original: Rules['add']): Rules['add'] => {
      return (world, token) => {
        historyOf(world).came.set(token.id, Date.now())
        return original(world, token)
      }
    },
    remove: (original: Rules['remove']): Rules['remove'] => {
      return (world, token) => {
        historyOf(world).gone.set(token, Date.now())
        return original(world, token)
      }
    },
    tokensOf: (original: Rules['tokensOf']): Rules['tokensOf'] => {
      return (world, pool) => {
        const { came, gone } = historyOf(world)
        const then = Date.now() - lag
        const leaving = [...gone].filter(([token, at]) => token.poolId === pool && at > then).map(([token]) => token)
        const there = original(world, pool).filter((token) => !leaving.includes(token))
        return [...there, ...leaving].filter(({ id }) => (came.get(id) ?? 0) <= then).sort((one, other) => one.createdAt - other.createdAt)
      }
    },
  }
}
