/** Faults that reach a neighbour: other tokens, other pools, similar names. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'
import { CREATE, callerId, DESTROY, idNamed, LIST, poolNamed, SHOW, withRules } from './south-help.ts'

const { rule, route, change } = faultsOf(agentTokens)

route(
  'south-pool-in-any-case',
  'AGENT-TOKENS-LIST-03',
  'a pool is found under its id in another letter case, too (002 7: list and create 404, pool not found)',
  [LIST, CREATE],
  (original) => (call) => {
    const asked = poolNamed(call)
    if (call.world.pools.has(asked)) return original(call)
    const pool = [...call.world.pools].find((id) => id.toLowerCase() === asked.toLowerCase())
    return original(pool === undefined ? call : { ...call, params: { ...call.params, agent_pool_id: pool } })
  },
)

route(
  'south-destroy-by-start-of-id',
  'AGENT-TOKENS-DESTROY-03',
  'a shortened id destroys the only token whose id begins with it (002 7: destroy 404, token not found)',
  DESTROY,
  (original) => (call) => {
    const asked = idNamed(call)
    const fitting = [...call.world.tokens.keys()].filter((id) => asked.length > 3 && id.startsWith(asked))
    const [only] = fitting
    return original(fitting.length === 1 && only !== undefined ? { ...call, params: { ...call.params, id: only } } : call)
  },
)

rule(
  'south-destroy-takes-namesakes',
  'AGENT-TOKENS-DESTROY-01',
  'destroying a token takes along the tokens of its pool with the same description (002 4: DELETE /authentication-tokens/:id, destroy)',
  {
    remove: (original) => (world, token) => {
      for (const other of [...world.tokens.values()]) {
        const isNamesake = other.poolId === token.poolId && other.description === token.description
        if (isNamesake && other.id !== token.id) world.tokens.delete(other.id)
      }
      return original(world, token)
    },
  },
)

route(
  'south-numbered-page-filled-up',
  'AGENT-TOKENS-CREATE-05',
  'a page asked for by number is filled up with tokens of other pools (002 4: GET /agent-pools/:agent_pool_id/authentication-tokens)',
  LIST,
  (original) => (call) => {
    if (!call.query.has('page[number]')) return original(call)
    const own = call.rules.tokensOf(call.world, poolNamed(call))
    const others = [...call.world.tokens.values()].filter(({ poolId }) => poolId !== poolNamed(call))
    return original(withRules(call, { tokensOf: () => [...own, ...others], total: () => call.rules.total(own, call.world) }))
  },
)

rule(
  'south-total-of-all-pools',
  'AGENT-TOKENS-PAGE-15',
  'the totals of a list count the tokens of all pools (002 2.3: total-count, total-pages)',
  {
    total: () => (_tokens, world) => world.tokens.size,
  },
)

const knownLinks = remembered(() => new Map<string, JsonObject>())
route(
  'south-links-of-another-pool',
  'AGENT-TOKENS-PAGE-11',
  'links are remembered by page and number of pages, so that a list has those of another pool (002 2.3: links)',
  LIST,
  (original) => (call) =>
    original(
      withRules(call, {
        links: (path, page, pages) => {
          const known = knownLinks(call.world)
          const key = `${page.number} ${page.size} ${pages}`
          const links = known.get(key) ?? call.rules.links(path, page, pages)
          known.set(key, links)
          return links
        },
      }),
    ),
)

route(
  'south-creator-of-the-first',
  'AGENT-TOKENS-FIELD-13',
  'list and show name the creator of the first token of the pool (002 2.2: relationships.created-by.data)',
  [LIST, SHOW],
  (original) => (call) =>
    original(
      withRules(call, {
        creator: (token) => {
          const first = [...call.world.tokens.values()].find(({ poolId }) => poolId === token.poolId)
          return call.rules.creator(first ?? token)
        },
      }),
    ),
)

rule(
  'south-create-replaces-namesake',
  'AGENT-TOKENS-CREATE-20',
  'a new token replaces that of the same description in its pool (002 4: POST, create; 7: show 200)',
  {
    add: (original) => (world, token) => {
      const before = [...world.tokens.values()].find((other) => other.poolId === token.poolId && other.description === token.description)
      if (before) world.tokens.delete(before.id)
      return original(world, token)
    },
  },
)

route(
  'south-description-taken-elsewhere',
  'AGENT-TOKENS-CREATE-20',
  'a description that a token of another pool has is refused (002 7: create 201, 422 is for a malformed body)',
  CREATE,
  (original) => (call) =>
    original(
      withRules(call, {
        description: (body, wantedType) => {
          const description = call.rules.description(body, wantedType)
          const taken = [...call.world.tokens.values()].some(
            (token) => token.poolId !== poolNamed(call) && token.description === description,
          )
          if (taken) throw new Refusal(422, 'the description is taken', '/data/attributes/description')
          return description
        },
      }),
    ),
)

route(
  'south-use-noted-for-pool',
  'AGENT-TOKENS-FIELD-09',
  'the use of one token counts for all tokens of its pool (002 2.2: last-used-at, null until used)',
  [LIST, SHOW, CREATE],
  (original) => (call) => {
    const { caller } = call
    if (caller.kind === 'agent') {
      for (const token of call.world.tokens.values()) if (token.poolId === caller.token.poolId) token.lastUsedAt = call.now()
    }
    return original(call)
  },
)

const listedLast = remembered(() => new Map<string, string>())
change(
  'south-create-in-listed-pool',
  'AGENT-TOKENS-CREATE-05',
  'a token is created in the pool that the caller listed last (002 4: POST /agent-pools/:agent_pool_id)',
  {
    routes: {
      [LIST]: (original) => async (call) => {
        const given = await original(call)
        listedLast(call.world).set(callerId(call), poolNamed(call))
        return given
      },
      [CREATE]: (original) => (call) => {
        const listed = listedLast(call.world).get(callerId(call))
        const redirected = listed !== undefined && call.world.pools.has(listed) && call.world.pools.has(poolNamed(call))
        return original(redirected ? { ...call, params: { ...call.params, agent_pool_id: listed } } : call)
      },
    },
  },
)

rule(
  'south-namesakes-listed-once',
  'AGENT-TOKENS-CREATE-20',
  'of several tokens with the same description only the newest is listed (002 4: GET list of the tokens of a pool; 2.3: total-count)',
  {
    tokensOf: (original) => (world, pool) => [...new Map(original(world, pool).map((token) => [token.description, token])).values()],
  },
)
