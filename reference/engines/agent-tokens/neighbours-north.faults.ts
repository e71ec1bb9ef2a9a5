/** Faults that show at a neighbour: another token, pool, caller or page, a similar id. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { Refusal } from '../../run-management/documents.ts'
import { type AgentToken, digest, type World } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import { about, askerOf, CREATE, DESTROY, deciding, idIn, inPool, LIST, poolIn, SHOW } from './north-help.ts'

const { rule, route, change } = faultsOf(agentTokens)

rule(
  'north-destroy-takes-namesakes',
  'AGENT-TOKENS-DESTROY-01',
  'destroying a token takes along the tokens of its pool that have the same description (002 4: DELETE /authentication-tokens/:id)',
  {
    remove: (original) => (world, token) => {
      for (const namesake of inPool(world, token.poolId)) {
        if (namesake !== token && namesake.description === token.description) world.tokens.delete(namesake.id)
      }
      return original(world, token)
    },
  },
)

route(
  'north-description-taken-elsewhere',
  'AGENT-TOKENS-CREATE-20',
  'a description that a token of another pool has is refused as taken (002 7: create 201, 422 for a malformed body only)',
  CREATE,
  (original) => (call) =>
    original(
      deciding(call, {
        description: (body, wantedType) => {
          const text = call.rules.description(body, wantedType)
          const others = [...call.world.tokens.values()].filter(({ poolId }) => poolId !== poolIn(call))
          if (others.some(({ description }) => description === text)) {
            throw new Refusal(422, 'the description is taken', '/data/attributes/description')
          }
          return text
        },
      }),
    ),
)

route(
  'north-show-folds-case',
  'AGENT-TOKENS-SHOW-03',
  'an id that differs from the id of a token by its letter case shows that token (002 7: show 404, token not found)',
  SHOW,
  (original) => (call) => {
    const id = idIn(call)
    const ids = [...call.world.tokens.keys()]
    const folded = ids.find((known) => known.toLowerCase() === id.toLowerCase())
    return original(call.world.tokens.has(id) || folded === undefined ? call : about(call, folded))
  },
)

route(
  'north-destroy-by-beginning',
  'AGENT-TOKENS-DESTROY-03',
  'the beginning of an id destroys the token whose id begins so (002 7: destroy 404, token not found)',
  DESTROY,
  (original) => (call) => {
    const id = idIn(call)
    const found = id.length > 8 ? [...call.world.tokens.keys()].find((known) => known.startsWith(id)) : undefined
    return original(found === undefined ? call : about(call, found))
  },
)

route(
  'north-id-from-description',
  'AGENT-TOKENS-CREATE-20',
  'tokens of one creator with the same description get the same id, so that the later one replaces the earlier one (002 2.2: id; 4: create)',
  CREATE,
  (original) => (call) => {
    let text = ''
    return original(
      deciding(call, {
        description: (body, wantedType) => {
          text = call.rules.description(body, wantedType)
          return text
        },
        newId: () => `at-${digest(`${askerOf(call)} ${text}`).slice(0, 16)}`,
      }),
    )
  },
)

rule(
  'north-empty-pool-lists-all',
  'AGENT-TOKENS-LIST-06',
  'the list of a pool without tokens has the tokens of all pools (002 4: list of an agent pool)',
  {
    tokensOf: (original) => (world, pool) => {
      const own = original(world, pool)
      return own.length > 0 ? own : [...world.tokens.values()]
    },
  },
)

route(
  'north-later-pages-count-all-pools',
  'AGENT-TOKENS-PAGE-15',
  'on pages after the first the totals count the tokens of all pools (002 2.3: total-count, total-pages)',
  LIST,
  (original) => (call) => {
    const later = Number(call.query.get('page[number]') ?? 1) > 1
    return original(later ? deciding(call, { total: (_tokens, world) => world.tokens.size }) : call)
  },
)

const listed = remembered(() => new Map<string, AgentToken[]>())
change(
  'north-list-kept-without-pool',
  'AGENT-TOKENS-CREATE-05',
  'until the next write, a list with the same query parameters has the tokens of the pool that was listed before (002 4: list of an agent pool)',
  {
    rules: {
      add: (original) => (world, token) => {
        listed(world).clear()
        return original(world, token)
      },
      remove: (original) => (world, token) => {
        listed(world).clear()
        return original(world, token)
      },
    },
    routes: {
      [LIST]: (original) => (call) =>
        original(
          deciding(call, {
            tokensOf: (world, pool) => {
              const key = call.query.toString()
              const tokens = listed(world).get(key) ?? call.rules.tokensOf(world, pool)
              listed(world).set(key, tokens)
              return tokens
            },
          }),
        ),
    },
  },
)

route(
  'north-creator-of-the-oldest',
  'AGENT-TOKENS-FIELD-13',
  "list and show name the creator of the pool's oldest token as the creator of each (002 2.2: relationships.created-by.data)",
  [LIST, SHOW],
  (original) => (call) =>
    original(deciding(call, { creator: (token) => call.rules.creator(inPool(call.world, token.poolId)[0] ?? token) })),
)

const worldOf = new WeakMap<AgentToken, World>()
rule(
  'north-use-of-one-is-use-of-all',
  'AGENT-TOKENS-FIELD-09',
  'the use of one token counts as use of all tokens of its pool (002 2.2: last-used-at, null until used)',
  {
    caller: (original) => (world, bearer, recognises) => {
      const found = original(world, bearer, recognises)
      if (found?.kind === 'agent') worldOf.set(found.token, world)
      return found
    },
    used: (original) => (token, now) => {
      const world = worldOf.get(token)
      for (const one of world ? inPool(world, token.poolId) : [token]) original(one, now)
    },
  },
)

route(
  'north-descriptions-by-second',
  'AGENT-TOKENS-FIELD-11',
  'in the list, tokens of a pool that were created within one second have the description of the first of them (002 2.2: description)',
  LIST,
  (original) => (call) => {
    const secondOf = ({ createdAt }: AgentToken): number => Math.floor(createdAt)
    return original(
      deciding(call, {
        describe: (token) =>
          call.rules.describe(inPool(call.world, token.poolId).find((one) => secondOf(one) === secondOf(token)) ?? token),
      }),
    )
  },
)

const firstPools = remembered(() => new Map<string, string>())
route(
  'north-first-pool-of-caller-stays',
  'AGENT-TOKENS-CREATE-05',
  'what a caller creates in a second pool lands in the pool in which this caller created before (002 4: POST /agent-pools/:agent_pool_id/...)',
  CREATE,
  (original) => async (call) => {
    const pools = firstPools(call.world)
    const before = pools.get(askerOf(call))
    const diverted = before !== undefined && [before, poolIn(call)].every((pool) => call.world.pools.has(pool))
    const pool = diverted ? before : poolIn(call)
    const given = await original({ ...call, params: { ...call.params, agent_pool_id: pool } })
    pools.set(askerOf(call), pool)
    return given
  },
)
