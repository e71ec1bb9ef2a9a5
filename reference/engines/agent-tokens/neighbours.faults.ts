/** Faults in which something else changes than the token that was asked for. */
import { faultsOf } from '../../mutations/declare.ts'
import type { AgentToken, World } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import { ofPool } from './wrappers.ts'

const { rule } = faultsOf(agentTokens)

rule(
  'neighbour-delete-next',
  ['AGENT-TOKENS-LIST-04', 'AGENT-TOKENS-DESTROY-05'],
  'destroying a token destroys the next one of its pool too',
  {
    remove: (original) => async (world, token) => {
      const all = ofPool(world, token)
      const next = all[all.indexOf(token) + 1]
      if (next) world.tokens.delete(next.id)
      return original(world, token)
    },
  },
)

rule(
  'neighbour-delete-same-description',
  'AGENT-TOKENS-DESTROY-05',
  'destroying a token destroys all of its pool that have its description',
  {
    remove: (original) => async (world, token) => {
      for (const other of ofPool(world, token))
        if (other.description === token.description && other !== token) world.tokens.delete(other.id)
      return original(world, token)
    },
  },
)

rule(
  'neighbour-create-replaces-description',
  'AGENT-TOKENS-CREATE-20',
  'a token with a description that its pool has already replaces the older one',
  {
    add: (original) => async (world, token) => {
      for (const other of ofPool(world, token)) if (other.description === token.description) world.tokens.delete(other.id)
      return original(world, token)
    },
  },
)

const worldOf = new WeakMap<AgentToken, World>()

rule('neighbour-use-marks-pool', 'AGENT-TOKENS-FIELD-09', 'using a token marks every token of its pool as used', {
  caller: (original) => (world, bearer, recognises) => {
    const caller = original(world, bearer, recognises)
    if (caller?.kind === 'agent') worldOf.set(caller.token, world)
    return caller
  },
  used: (original) => (token, now) => {
    const world = worldOf.get(token)
    for (const other of world ? ofPool(world, token) : []) original(other, now)
    original(token, now)
  },
})

rule('neighbour-total-of-all-pools', ['AGENT-TOKENS-PAGE-15', 'AGENT-TOKENS-PAGE-16'], 'total-count counts the tokens of all pools', {
  total: () => (_tokens, world) => world.tokens.size,
})

rule(
  'neighbour-links-of-first-pool',
  ['AGENT-TOKENS-PAGE-09', 'AGENT-TOKENS-PAGE-10', 'AGENT-TOKENS-PAGE-11'],
  'links of a list name the pool that was listed first',
  {
    links: (original) => {
      let first: string | undefined
      return (path, page, pages) => {
        first ??= path
        return original(first, page, pages)
      }
    },
  },
)
