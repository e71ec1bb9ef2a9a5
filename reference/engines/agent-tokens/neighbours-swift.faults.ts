/** Faults in which an agent token, a pool or a page gets what belongs to another. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { changedResources, objectIn } from '../../run-management/answer-changes.ts'
import type { AgentToken, World } from '../../run-management/world.ts'
import type { AgentTokenRules } from './agent-tokens.rules.ts'
import { agentTokens } from './engine.ts'

const { rule, route } = faultsOf(agentTokens)

const inPool = (world: World, { poolId }: AgentToken): AgentToken[] => [...world.tokens.values()].filter((other) => other.poolId === poolId)

rule(
  'destroy-takes-namesakes-anew',
  ['AGENT-TOKENS-DESTROY-01', 'AGENT-TOKENS-DESTROY-05'],
  'destroying a token destroys those of its pool with the same description (002 4, DELETE /authentication-tokens/:id)',
  {
    remove: (original) => async (world, token) => {
      for (const other of inPool(world, token))
        if (other.description === token.description && other.id !== token.id) await original(world, other)
      return original(world, token)
    },
  },
)

rule(
  'destroy-takes-newest',
  ['AGENT-TOKENS-LIST-04'],
  'a destroy takes the newest token of the pool, whichever is named (002 4, DELETE /authentication-tokens/:id)',
  {
    remove: (original) => (world, token) => original(world, inPool(world, token).at(-1) ?? token),
  },
)

rule(
  'create-replaces-namesake',
  ['AGENT-TOKENS-CREATE-20'],
  'a new token takes the place of one in its pool with the same description (002 4, create)',
  {
    add: (original) => (world, token) => {
      for (const other of inPool(world, token)) if (other.description === token.description) world.tokens.delete(other.id)
      return original(world, token)
    },
  },
)

rule(
  'empty-pool-lists-all-anew',
  'AGENT-TOKENS-LIST-06',
  'a pool without tokens lists those of all pools (002 4, list of /agent-pools/:agent_pool_id)',
  {
    tokensOf: (original) => (world, pool) => {
      const own = original(world, pool)
      return own.length > 0 ? own : [...world.tokens.values()]
    },
  },
)

rule(
  'total-of-all-pools',
  ['AGENT-TOKENS-PAGE-15', 'AGENT-TOKENS-PAGE-16'],
  'total-count counts the tokens of all pools (002 2.3, meta.pagination.total-count)',
  {
    total: () => (_tokens, world) => world.tokens.size,
  },
)

route(
  'list-creators-of-first',
  ['AGENT-TOKENS-FIELD-13'],
  'a list shows the creator of its first token for all (002 2.2, created-by)',
  'agentTokens.list',
  changedResources<AgentTokenRules>((resource, _call, _index, all) => ({
    ...resource,
    relationships: objectIn(all[0] ?? {}, 'relationships'),
  })),
)

route(
  'show-description-shown-before',
  ['AGENT-TOKENS-LIST-05'],
  'a token is shown with the description of the one shown before it (002 2.2, description)',
  'agentTokens.show',
  (original) => {
    let before: JsonObject['description'] = null
    return changedResources<AgentTokenRules>((resource) => {
      const attributes = objectIn(resource, 'attributes')
      const description = before ?? attributes.description ?? null
      before = attributes.description ?? null
      return { ...resource, attributes: { ...attributes, description } }
    })(original)
  },
)

route(
  'creator-of-pool-first',
  ['AGENT-TOKENS-FIELD-13'],
  'tokens of a pool are all created by whoever created its first (002 2.2, created-by)',
  'agentTokens.create',
  (original) => async (call) => {
    const first = [...call.world.tokens.values()].find(({ poolId }) => poolId === call.params.agent_pool_id)
    const add: AgentTokenRules['add'] = (world, token) =>
      call.rules.add(world, Object.assign(token, { createdBy: first?.createdBy ?? token.createdBy }))
    return original({ ...call, rules: { ...call.rules, add } })
  },
)

rule('pages-overlap-anew', ['AGENT-TOKENS-PAGE-18'], 'each page begins with the last token of the page before (002 4, page[number])', {
  slice:
    () =>
    (items, { number, size }) =>
      items.slice(Math.max(0, (number - 1) * size - 1), number * size - Number(number > 1)),
})

rule('pages-skip-one', ['AGENT-TOKENS-PAGE-03'], 'between two pages one token is skipped (002 4, page[number])', {
  slice:
    () =>
    (items, { number, size }) =>
      items.slice((number - 1) * (size + 1), (number - 1) * (size + 1) + size),
})

rule(
  'links-of-first-pool-anew',
  ['AGENT-TOKENS-PAGE-11', 'AGENT-TOKENS-PAGE-10'],
  'the page links of all pools lead to the pool that was listed first (002 2.3, links)',
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

rule(
  'use-marks-pool',
  ['AGENT-TOKENS-FIELD-09'],
  'the use of one token sets last-used-at of its whole pool (002 2.2, last-used-at: null until used)',
  {
    caller: (original) => (world, bearer, recognises) => {
      const found = original(world, bearer, recognises)
      if (found?.kind === 'agent') for (const other of inPool(world, found.token)) other.lastUsedAt = Date.now() / 1000
      return found
    },
  },
)
