/** Faults that show later: after a use, after a destroy, after a refusal, in the second look. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedAttributes } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { AgentToken, Caller, World } from '../../run-management/world.ts'
import type { AgentTokenRules } from './agent-tokens.rules.ts'
import { agentTokens } from './engine.ts'

const { rule, route, change } = faultsOf(agentTokens)

const destroyed = remembered(() => new Map<string, AgentToken>())
const emptied = remembered(() => new Set<string>())
const secrets = remembered(() => new Map<string, string>())

/** The world with destroyed tokens still in it. */
const asBefore = (world: World): World => ({ ...world, tokens: new Map([...world.tokens, ...destroyed(world)]) })

const remembering: { remove: (original: AgentTokenRules['remove']) => AgentTokenRules['remove'] } = {
  remove: (original) => (world, token) => {
    destroyed(world).set(token.id, token)
    return original(world, token)
  },
}

change(
  'destroy-again-204',
  ['AGENT-TOKENS-DESTROY-04'],
  'a token that is destroyed already is destroyed again with 204 (002 7, destroy: 404 token not found)',
  {
    rules: remembering,
    routes: {
      'agentTokens.destroy': (original) => (call) =>
        destroyed(call.world).has(call.params.id ?? '') ? { status: call.rules.destroyedStatus() } : original(call),
    },
  },
)

change('destroyed-still-shown-anew', ['AGENT-TOKENS-DESTROY-02'], 'a destroyed token is still shown (002 7, show: 404 token not found)', {
  rules: remembering,
  routes: { 'agentTokens.show': (original) => (call) => original({ ...call, world: asBefore(call.world) }) },
})

change('destroyed-still-listed-anew', ['AGENT-TOKENS-LIST-04'], 'a destroyed token stays in the list of its pool (002 4, DELETE)', {
  rules: remembering,
  routes: { 'agentTokens.list': (original) => (call) => original({ ...call, world: asBefore(call.world) }) },
})

rule('destroyed-still-counted', ['AGENT-TOKENS-MODEL-01'], 'total-count still counts destroyed tokens (002 2.3, total-count)', {
  ...remembering,
  total: (original) => (tokens, world) => {
    const gone = [...destroyed(world).values()].filter(({ poolId }) => poolId === tokens[0]?.poolId)
    return original(tokens, world) + gone.length
  },
})

rule('destroyed-still-signs-in', ['AGENT-TOKENS-SECRET-10'], 'the secret of a destroyed token goes on being accepted (002 4, DELETE)', {
  ...remembering,
  caller: (original) => (world, bearer, recognises) => {
    const found = original(world, bearer, recognises)
    const gone = [...destroyed(world).values()].find((token) => recognises(token, bearer))
    return found ?? (gone && ({ kind: 'agent', token: gone } satisfies Caller))
  },
})

change(
  'secret-in-first-show',
  ['AGENT-TOKENS-SECRET-02'],
  'the secret is shown once more when the token is read first (002 2.2, non-null only in the create response)',
  {
    routes: {
      'agentTokens.create': (original) => async (call) => {
        const reply = await original(call)
        const { data } = reply.body as { data: { id: string; attributes: { token: string } } }
        secrets(call.world).set(data.id, data.attributes.token)
        return reply
      },
      'agentTokens.show': (original) =>
        changedAttributes<AgentTokenRules>((attributes, call, resource) => {
          const token = secrets(call.world).get(String(resource.id)) ?? null
          secrets(call.world).delete(String(resource.id))
          return { ...attributes, token }
        })(original),
    },
  },
)

rule('used-at-creation', ['AGENT-TOKENS-FIELD-09'], 'last-used-at of a new token is the time of its creation (002 2.2, null until used)', {
  add: (original) => (world, token) => original(world, Object.assign(token, { lastUsedAt: token.createdAt })),
})

route(
  'showing-is-using',
  ['AGENT-TOKENS-FIELD-09', 'AGENT-TOKENS-LIST-05'],
  'showing a token sets its last-used-at (002 2.2, null until used)',
  'agentTokens.show',
  (original) => async (call) => {
    const reply = await original(call)
    const token = call.world.tokens.get(call.params.id ?? '')
    if (token) token.lastUsedAt = call.now()
    return reply
  },
)

route(
  'list-as-first-listed',
  ['AGENT-TOKENS-LIST-04'],
  'a page of a list stays as it was listed first (002 4, list)',
  'agentTokens.list',
  (original) => {
    const firstOf = remembered(() => new Map<string, Reply>())
    return async (call) => {
      const kept = firstOf(call.caller.kind === 'user' ? call.caller.user : call.caller.token)
      const key = `${call.path}?${call.query}`
      const reply = kept.get(key) ?? (await original(call))
      kept.set(key, reply)
      return reply
    }
  },
)

change(
  'pool-gone-with-last-token',
  ['AGENT-TOKENS-MODEL-01'],
  'once its last token is destroyed, a pool is answered as unknown (002 7, list: 404 pool not found)',
  {
    routes: {
      'agentTokens.destroy': (original) => async (call) => {
        const pool = call.world.tokens.get(call.params.id ?? '')?.poolId
        const reply = await original(call)
        if (pool && [...call.world.tokens.values()].every(({ poolId }) => poolId !== pool)) emptied(call.world).add(pool)
        return reply
      },
      'agentTokens.list': (original) => (call) => {
        if (emptied(call.world).has(call.params.agent_pool_id ?? '')) throw new Refusal(404, 'no such agent pool, or it is not yours')
        return original(call)
      },
    },
  },
)

route(
  'refused-create-stored',
  ['AGENT-TOKENS-CREATE-18', 'AGENT-TOKENS-CREATE-09'],
  'a create that is refused with 422 leaves a token in the pool (002 7, create: 422; readings: nothing changed)',
  'agentTokens.create',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const poolId = call.params.agent_pool_id ?? ''
      if (cause instanceof Refusal && cause.status === 422 && call.caller.kind === 'user') {
        const [createdBy, id] = [call.caller.user.id, call.rules.newId(call.random)]
        const kept = call.rules.keep(call.random.word(40))
        await call.rules.add(call.world, { id, poolId, createdBy, createdAt: call.now(), lastUsedAt: null, description: '', kept })
      }
      throw cause
    }
  },
)
