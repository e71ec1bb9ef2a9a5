/** Faults of what came before: destroyed tokens, repeated and simultaneous requests, lists that were asked for earlier. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import type { AgentToken, Caller } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import { callerId, dataIn, inPool, onMissing, sentData, withAttributes } from './keen-help.ts'

const { rule, route } = faultsOf(agentTokens)

const buried = remembered(() => new Map<string, AgentToken>())

rule(
  'keen-undeleted-by-description',
  'AGENT-TOKENS-FIELD-08',
  'a token with the description of a destroyed one of its pool takes over its created-at (002 2.2: created-at)',
  {
    remove: (original) => (world, token) => {
      buried(world).set(`${token.poolId} ${token.description}`, token)
      return original(world, token)
    },
    add: (original) => (world, token) => {
      const before = buried(world).get(`${token.poolId} ${token.description}`)
      if (before) token.createdAt = before.createdAt
      return original(world, token)
    },
  },
)

const destroyedIn = remembered(() => new Map<string, number>())

rule(
  'keen-destroyed-in-total',
  'AGENT-TOKENS-MODEL-01',
  'total-count and total-pages go on counting destroyed tokens while others are left (002 2.3: total-count, total-pages)',
  {
    remove: (original) => (world, token) => {
      destroyedIn(world).set(token.poolId, (destroyedIn(world).get(token.poolId) ?? 0) + 1)
      return original(world, token)
    },
    total: (original) => (tokens, world) => original(tokens, world) + (destroyedIn(world).get(tokens[0]?.poolId ?? '') ?? 0),
  },
)

const softDeleted = remembered(() => new Set<AgentToken>())
const flagged = new WeakSet<object>()

rule(
  'keen-destroyed-leave-holes',
  'AGENT-TOKENS-PAGE-03',
  'destroyed tokens are dropped after a page was cut, so that pages have too few (002 4: page[size], page[number])',
  {
    remove: (original) => (world, token) => {
      softDeleted(world).add(token)
      flagged.add(token)
      return original(world, token)
    },
    tokensOf: (original) => (world, pool) =>
      [...original(world, pool), ...[...softDeleted(world)].filter(({ poolId }) => poolId === pool)].sort(
        (one, other) => one.createdAt - other.createdAt,
      ),
    total: (original) => (tokens, world) =>
      original(
        tokens.filter((token) => !flagged.has(token)),
        world,
      ),
    slice: (original) => (items, page) => original(items, page).filter((item) => !flagged.has(item as object)),
  },
)

const sessions = remembered(() => new Map<string, Caller>())

rule(
  'keen-session-outlives-token',
  'AGENT-TOKENS-SECRET-10',
  'a token that was used once is a good bearer after its destruction (002 4: DELETE destroys, 5.1: bearer token)',
  {
    caller: (original) => (world, bearer, recognises) => {
      const found = original(world, bearer, recognises)
      if (found?.kind === 'agent') sessions(world).set(bearer, found)
      return found ?? sessions(world).get(bearer)
    },
  },
)

const sizes = remembered(() => new Map<string, string>())

route(
  'keen-page-size-sticks',
  'AGENT-TOKENS-PAGE-01',
  "without page[size] the size of the caller's list of the pool before is taken (002 4: page[size] default 20)",
  'agentTokens.list',
  (original) => (call) => {
    const key = `${callerId(call)} ${call.params.agent_pool_id}`
    const query = new URLSearchParams(call.query)
    const size = query.get('page[size]')
    const before = sizes(call.world).get(key)
    if (size !== null) sizes(call.world).set(key, size)
    else if (before !== undefined) query.set('page[size]', before)
    return original({ ...call, query })
  },
)

route(
  'keen-refused-create-leaves-pool',
  'AGENT-TOKENS-LIST-03',
  'a create for a pool that is not there is refused, and the pool is there from then on (002 7: list and create 404, pool not found)',
  'agentTokens.create',
  (original) => (call) => {
    const pool = call.params.agent_pool_id ?? ''
    const permitted = call.rules.mayManage(call.caller, pool)
    return onMissing(
      () => original(call),
      () => {
        if (permitted) call.world.pools.add(pool)
        return undefined
      },
    )
  },
)

rule(
  'keen-new-token-used',
  'AGENT-TOKENS-FIELD-09',
  'a token of a pool of which another was used begins with its last-used-at (002 2.2: null until used)',
  {
    add: (original) => (world, token) => {
      const uses = inPool(world, token.poolId).flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
      if (uses.length > 0) token.lastUsedAt = Math.max(...uses)
      return original(world, token)
    },
  },
)

const submitted = remembered(() => new Map<string, { at: number; reply: Reply }>())

route(
  'keen-double-submission',
  'AGENT-TOKENS-CREATE-20',
  'the same create again within two seconds makes no token and shows the secret again (002 1.2: returned once, 8: shown only once)',
  'agentTokens.create',
  (original) => async (call) => {
    const key = JSON.stringify([callerId(call), call.params.agent_pool_id, sentData(call)])
    const before = submitted(call.world).get(key)
    if (before && call.now() - before.at < 2) return before.reply
    const reply = await original(call)
    submitted(call.world).set(key, { at: call.now(), reply })
    return reply
  },
)

rule(
  'keen-simultaneous-creates',
  'AGENT-TOKENS-PAGE-03',
  'of tokens that are created in a pool at the same time one is left (002 7: create 201, show 200)',
  {
    add: (original) => async (world, token) => {
      const before = new Set(inPool(world, token.poolId).map(({ id }) => id))
      await new Promise((resolve) => setTimeout(resolve, 20))
      // The pool is written back as it was read.
      for (const { id } of inPool(world, token.poolId)) if (!before.has(id)) world.tokens.delete(id)
      return original(world, token)
    },
  },
)

const freeIds = remembered((): string[] => [])

rule(
  'keen-ids-reused',
  'AGENT-TOKENS-DESTROY-04',
  'a new token gets the id of the one destroyed last, which is found again (002 7: show and destroy 404, token not found)',
  {
    remove: (original) => (world, token) => {
      freeIds(world).push(token.id)
      return original(world, token)
    },
    add: (original) => (world, token) => {
      token.id = freeIds(world).pop() ?? token.id
      return original(world, token)
    },
  },
)

const emptySeen = remembered(() => ({ pools: new Set<string>(), unlisted: new Map<string, string>() }))

rule(
  'keen-empty-list-kept',
  'AGENT-TOKENS-MODEL-01',
  'the first token after a list without tokens is not listed until the next one is there (002 4: list)',
  {
    tokensOf: (original) => (world, pool) => {
      const { pools, unlisted } = emptySeen(world)
      const there = original(world, pool)
      if (there.length === 0) pools.add(pool)
      return there.filter(({ id }) => unlisted.get(pool) !== id)
    },
    add: (original) => (world, token) => {
      const { pools, unlisted } = emptySeen(world)
      if (pools.delete(token.poolId)) unlisted.set(token.poolId, token.id)
      else unlisted.delete(token.poolId)
      return original(world, token)
    },
  },
)

const drafts = remembered(() => new Map<string, string>())

route(
  'keen-description-of-create-before',
  'AGENT-TOKENS-CREATE-06',
  "a create without description takes that of the caller's create before (002 4: description required, 7: 422)",
  'agentTokens.create',
  (original) => async (call) => {
    const { rules, world } = call
    const before = drafts(world).get(callerId(call))
    const description: typeof rules.description = (body, wantedType) => {
      const attributes = dataIn(body).attributes
      const bare = typeof attributes === 'object' && attributes !== null && !Array.isArray(attributes) && !('description' in attributes)
      const given = rules.description(bare && before !== undefined ? withAttributes(body, { description: before }) : body, wantedType)
      drafts(world).set(callerId(call), given)
      return given
    }
    return original({ ...call, rules: { ...rules, description } })
  },
)
