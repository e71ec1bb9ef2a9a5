/** Faults of time and order: what is seen first, used before, destroyed, asked for twice, or asked for at once. */
import { setTimeout } from 'node:timers/promises'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { AgentToken } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import { inPool, keyOf, poolIn, tokenIn } from './frank-help.ts'

const { rule, route, change } = faultsOf(agentTokens)

rule(
  'frank-secret-at-first-show',
  'AGENT-TOKENS-SECRET-02',
  'the first show after the creation still has the secret text (002 8: shown only once, in the create response)',
  {
    secretText: (original) => {
      const fresh = new WeakMap<AgentToken, string>()
      return (token, occasion, secret) => {
        if (occasion === 'created' && secret !== undefined) fresh.set(token, secret)
        const kept = fresh.get(token)
        if (occasion !== 'shown' || kept === undefined) return original(token, occasion, secret)
        fresh.delete(token)
        return kept
      }
    },
  },
)

const destroyedIds = remembered(() => new Set<string>())

change(
  'frank-destroyed-again',
  'AGENT-TOKENS-DESTROY-04',
  'a token that was destroyed can be destroyed again (002 7: destroy, token not found 404)',
  {
    rules: {
      remove: (original) => (world, token) => {
        destroyedIds(world).add(token.id)
        return original(world, token)
      },
    },
    routes: {
      'agentTokens.destroy': (original) => (call) =>
        destroyedIds(call.world).has(call.params.id ?? '') ? { status: call.rules.destroyedStatus() } : original(call),
    },
  },
)

const stillListed = remembered(() => new Set<AgentToken>())

rule(
  'frank-listed-until-next-create',
  'AGENT-TOKENS-LIST-04',
  'a destroyed token is listed until another is created in its pool (002 4: DELETE destroys; list)',
  {
    add: (original) => (world, token) => {
      for (const gone of stillListed(world)) if (gone.poolId === token.poolId) stillListed(world).delete(gone)
      return original(world, token)
    },
    remove: (original) => (world, token) => {
      stillListed(world).add(token)
      return original(world, token)
    },
    tokensOf: (original) => (world, pool) => [...original(world, pool), ...[...stillListed(world)].filter(({ poolId }) => poolId === pool)],
  },
)

const justCreated = remembered(() => new Map<string, { at: number; reply: Reply }>())

route(
  'frank-create-once-for-two',
  'AGENT-TOKENS-CREATE-20',
  'the same create request again within two seconds makes no token, and gives the secret again (002 1.2: returned once, at creation)',
  'agentTokens.create',
  (original) => async (call) => {
    const key = `${keyOf(call.caller)} ${poolIn(call)} ${new TextDecoder().decode(call.body)}`
    const before = justCreated(call.world).get(key)
    if (before && call.now() - before.at < 2) return before.reply
    const reply = await original(call)
    justCreated(call.world).set(key, { at: call.now(), reply })
    return reply
  },
)

rule(
  'frank-created-at-once-lost',
  'AGENT-TOKENS-RACE-01',
  'of two tokens created in a pool at the same time only one is kept (002 4: create; 7: 201 is success)',
  {
    add: (original) => async (world, token) => {
      const read = new Set(inPool(world, token.poolId).map(({ id }) => id))
      await setTimeout(25)
      // The pool's tokens are written back as they were read.
      for (const { id } of inPool(world, token.poolId)) if (!read.has(id)) world.tokens.delete(id)
      return original(world, token)
    },
  },
)

const buried = remembered(() => new Map<string, AgentToken>())

rule(
  'frank-destroyed-comes-back',
  'AGENT-TOKENS-FIELD-15',
  'a new token with the description of a destroyed one gets its id, which works again (002 4: DELETE destroys; 7: 404)',
  {
    remove: (original) => (world, token) => {
      buried(world).set(`${token.poolId} ${token.description}`, token)
      return original(world, token)
    },
    add: (original) => (world, token) => {
      const key = `${token.poolId} ${token.description}`
      const former = buried(world).get(key)
      if (former) Object.assign(token, { id: former.id })
      buried(world).delete(key)
      return original(world, token)
    },
  },
)

route(
  'frank-shown-is-used',
  'AGENT-TOKENS-FIELD-09',
  'a token that was shown counts as used from then on (002 2.2: last-used-at, null until used)',
  'agentTokens.show',
  (original) => {
    return async (call) => {
      const reply = await original(call)
      const token = tokenIn(call)
      if (token) token.lastUsedAt = call.now()
      return reply
    }
  },
)

const latestSizes = remembered(() => new Map<string, string>())

route(
  'frank-size-is-kept',
  'AGENT-TOKENS-PAGE-01',
  'a list without page[size] takes the size that its caller asked for last (002 4: page[size], default 20)',
  'agentTokens.list',
  (original) => async (call) => {
    const query = new URLSearchParams(call.query)
    const caller = keyOf(call.caller)
    const size = query.get('page[size]') ?? latestSizes(call.world).get(caller)
    if (size !== undefined) query.set('page[size]', size)
    const reply = await original({ ...call, query })
    if (size !== undefined) latestSizes(call.world).set(caller, size)
    return reply
  },
)

rule(
  'frank-used-survives',
  'AGENT-TOKENS-SECRET-10',
  'a token that was used is not destroyed, though the answer says so (002 4: DELETE destroys)',
  {
    remove: (original) => (world, token) => token.lastUsedAt !== null || original(world, token),
  },
)

route(
  'frank-refused-leaves-trace',
  'AGENT-TOKENS-CREATE-18',
  'a create request that is refused as malformed leaves a token without description in the list (002 7: create, 422)',
  'agentTokens.create',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const { caller, rules } = call
      if (cause instanceof Refusal && cause.status === 422 && caller.kind === 'user') {
        const id = rules.newId(call.random)
        const kept = rules.keep(rules.newSecret(call.random, null))
        const made = { id, poolId: poolIn(call), createdBy: caller.user.id, createdAt: call.now(), lastUsedAt: null, description: '', kept }
        await rules.add(call.world, made)
      }
      throw cause
    }
  },
)
