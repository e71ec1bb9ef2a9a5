/** Faults in what stays or moves after a use or a destruction. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import type { AgentToken, World } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'

const { rule, route, change } = faultsOf(agentTokens)

route(
  'time-destroy-twice',
  'AGENT-TOKENS-DESTROY-04',
  'destroying a token that was destroyed is 204 again',
  'agentTokens.destroy',
  (original) => {
    const gone = new Set<string>()
    return async (call) => {
      const id = call.params.id!
      if (gone.has(id)) return { status: 204 }
      const given = await original(call)
      gone.add(id)
      return given
    }
  },
)

const removed = new WeakMap<World, Set<AgentToken>>()
const removedOf = (world: World): Set<AgentToken> => {
  const known = removed.get(world) ?? new Set()
  removed.set(world, known)
  return known
}

rule('time-destroyed-still-works', 'AGENT-TOKENS-SECRET-10', 'the secret of a destroyed token is still taken as a bearer', {
  remove: (original) => (world, token) => {
    removedOf(world).add(token)
    return original(world, token)
  },
  caller: (original) => (world, bearer, recognises) => {
    const token = [...removedOf(world)].find((candidate) => recognises(candidate, bearer))
    return original(world, bearer, recognises) ?? (token && { kind: 'agent', token })
  },
})

route(
  'time-destroyed-still-shown',
  'AGENT-TOKENS-DESTROY-02',
  'a token that was shown once is still shown after it was destroyed',
  'agentTokens.show',
  (original) => {
    const shown = new Map<string, Reply>()
    return async (call) => {
      const id = call.params.id!
      const before = shown.get(id)
      if (before && !call.world.tokens.has(id)) return before
      const given = await original(call)
      shown.set(id, given)
      return given
    }
  },
)

change('time-total-with-destroyed', 'AGENT-TOKENS-MODEL-01', 'total-count counts tokens of the pool that were destroyed', {
  rules: {
    remove: (original) => (world, token) => {
      removedOf(world).add(token)
      return original(world, token)
    },
    total: (original) => (tokens, world) =>
      original(tokens, world) + [...removedOf(world)].filter(({ poolId }) => poolId === tokens[0]?.poolId).length,
  },
})

rule('time-use-moves-created-at', 'AGENT-TOKENS-FIELD-14', 'using a token moves its created-at', {
  used: (original) => (token, now) => {
    original(token, now)
    token.createdAt = now
  },
})

route(
  'time-show-counts-as-use',
  'AGENT-TOKENS-FIELD-09',
  'showing a token counts as its use',
  'agentTokens.show',
  (original) => async (call) => {
    const given = await original(call)
    const token = call.world.tokens.get(call.params.id!)
    if (token) call.rules.used(token, call.now())
    return given
  },
)
