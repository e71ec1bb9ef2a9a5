/** Faults of agent tokens that come with time and order: after a destruction, on a second call, after a failure. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { Refusal } from '../../run-management/documents.ts'
import { type AgentToken, digest } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'

const { route, change } = faultsOf(agentTokens)

const removed = remembered(() => new Map<string, AgentToken>())
const shownOnce = remembered(() => new Set<string>())
const listedOnce = remembered(() => new Set<string>())

const keepsRemoved =
  (original: typeof agentTokens.rules.remove): typeof agentTokens.rules.remove =>
  (world, token) => {
    removed(world).set(token.id, token)
    return original(world, token)
  }

/** Handles a request as if the tokens of `ghosts` were there. */
const withGhosts =
  (ghosts: (call: Parameters<Show>[0]) => Iterable<AgentToken>) =>
  (original: Show): Show =>
  (call) => {
    const tokens = new Map(call.world.tokens)
    for (const ghost of ghosts(call)) tokens.set(ghost.id, ghost)
    return original({ ...call, world: { ...call.world, tokens } })
  }

type Show = (typeof agentTokens.routes)[number]['handle']

change(
  'destroyed-still-shown',
  ['AGENT-TOKENS-DESTROY-02'],
  'a destroyed token that was shown before is still shown (002 7: token not found)',
  {
    rules: { remove: keepsRemoved },
    routes: {
      'agentTokens.show': (original) => (call) => {
        const ghosts = [...removed(call.world).values()].filter(({ id }) => shownOnce(call.world).has(id))
        if (call.world.tokens.has(call.params.id ?? '')) shownOnce(call.world).add(call.params.id ?? '')
        return withGhosts(() => ghosts)(original)(call)
      },
    },
  },
)

change('destroyed-still-listed', ['AGENT-TOKENS-LIST-04'], 'a destroyed token that was listed before stays in the list (002 4, DELETE)', {
  rules: { remove: keepsRemoved },
  routes: {
    'agentTokens.list': (original) => async (call) => {
      const ghosts = [...removed(call.world).values()].filter(({ id }) => listedOnce(call.world).has(id))
      const given = await withGhosts(() => ghosts)(original)(call)
      for (const { id, poolId } of call.world.tokens.values()) if (poolId === call.params.agent_pool_id) listedOnce(call.world).add(id)
      return given
    },
  },
})

change('destroyed-gone', ['AGENT-TOKENS-DESTROY-02'], 'a show of a destroyed token is 410 (002 7: 404 token not found)', {
  rules: { remove: keepsRemoved },
  routes: {
    'agentTokens.show': (original) => (call) => {
      if (removed(call.world).has(call.params.id ?? '')) throw new Refusal(410, 'the token was destroyed')
      return original(call)
    },
  },
})

change('count-never-shrinks', ['AGENT-TOKENS-MODEL-01'], 'total-count still counts destroyed tokens (002 2.3)', {
  rules: {
    remove: keepsRemoved,
    total: (original) => (tokens, world) => {
      const pools = new Set(tokens.map(({ poolId }) => poolId))
      return original(tokens, world) + [...removed(world).values()].filter(({ poolId }) => pools.has(poolId)).length
    },
  },
})

change('emptied-pool-missing', ['AGENT-TOKENS-MODEL-01'], 'a pool whose last token was destroyed is not found (002 7, list: 200)', {
  rules: { remove: keepsRemoved },
  routes: {
    'agentTokens.list': (original) => async (call) => {
      const given = await original(call)
      const pool = call.params.agent_pool_id
      const had = [...removed(call.world).values()].some(({ poolId }) => poolId === pool)
      const has = [...call.world.tokens.values()].some(({ poolId }) => poolId === pool)
      if (had && !has) throw new Refusal(404, 'no such agent pool, or it is not yours')
      return given
    },
  },
})

route(
  'create-idempotent',
  ['AGENT-TOKENS-CREATE-20'],
  'a second create with the same body answers with the first token (002 4, create)',
  'agentTokens.create',
  (original) => {
    const answers = new Map<string, Awaited<ReturnType<Show>>>()
    return async (call) => {
      const key = `${call.params.agent_pool_id} ${digest(new TextDecoder().decode(call.body))}`
      const before = answers.get(key)
      const id = (before?.body as { data: { id: string } } | undefined)?.data.id ?? ''
      if (before && call.caller.kind === 'user' && call.world.tokens.has(id)) return before
      const given = await original(call)
      answers.set(key, given)
      return given
    }
  },
)

route(
  'list-is-use',
  ['AGENT-TOKENS-FIELD-09', 'AGENT-TOKENS-LIST-05'],
  'listing a pool counts as use of its tokens (002 2.2: last-used-at null until used)',
  'agentTokens.list',
  (original) => async (call) => {
    const given = await original(call)
    for (const token of call.world.tokens.values()) if (token.poolId === call.params.agent_pool_id) token.lastUsedAt ??= call.now()
    return given
  },
)

change(
  'first-show-has-secret',
  ['AGENT-TOKENS-SECRET-02'],
  'the first show of a token still has its secret (002 8: only in the create response)',
  {
    rules: {
      secretText: (original) => {
        const secrets = new Map<string, string>()
        return (token, occasion, secret) => {
          if (occasion === 'created' && secret) secrets.set(token.id, secret)
          const kept = occasion === 'shown' ? secrets.get(token.id) : undefined
          if (occasion === 'shown') secrets.delete(token.id)
          return kept ?? original(token, occasion, secret)
        }
      },
    },
  },
)

const saveFirst =
  (when: (refused: Refusal) => boolean) =>
  (original: Show): Show =>
  async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const { caller } = call
      if (cause instanceof Refusal && when(cause) && caller.kind === 'user' && call.world.pools.has(call.params.agent_pool_id ?? '')) {
        const id = call.rules.newId(call.random)
        const times = { createdAt: call.now(), lastUsedAt: null }
        const token = {
          id,
          poolId: call.params.agent_pool_id ?? '',
          createdBy: caller.user.id,
          description: '',
          kept: digest(id),
          ...times,
        }
        call.world.tokens.set(id, token)
      }
      throw cause
    }
  }

route(
  'refused-body-leaves-token',
  ['AGENT-TOKENS-CREATE-07', 'AGENT-TOKENS-CREATE-18'],
  'a create that is refused with 422 leaves a token behind (002 7: 422)',
  'agentTokens.create',
  saveFirst(({ status }) => status === 422),
)

route(
  'denied-create-leaves-token',
  ['AGENT-TOKENS-HIDE-03'],
  'a create that is refused with 404 leaves a token in the pool (002 5.2)',
  'agentTokens.create',
  saveFirst(({ status }) => status === 404),
)

route(
  'list-late-anew',
  ['AGENT-TOKENS-LIST-07'],
  'the list does not have a new token until the pool was listed again (002 4, list)',
  'agentTokens.list',
  (original) => {
    const known = remembered(() => new Set<string>())
    return async (call) => {
      const there = known(call.world)
      const fresh = [...call.world.tokens.values()].filter(({ id, poolId }) => poolId === call.params.agent_pool_id && !there.has(id))
      const tokens = new Map([...call.world.tokens].filter(([id]) => !fresh.some((token) => token.id === id)))
      const first = ![...call.world.tokens.values()].some(({ id, poolId }) => poolId === call.params.agent_pool_id && there.has(id))
      const given = await original(first ? call : { ...call, world: { ...call.world, tokens } })
      for (const { id } of fresh) there.add(id)
      return given
    }
  },
)
