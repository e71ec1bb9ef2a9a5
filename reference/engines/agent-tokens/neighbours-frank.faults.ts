/** Faults of what agent tokens do to one another, and to pools, callers and pages beside theirs. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { digest } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import { createdIn, inPool, keyOf, poolIn, tokenIn, withRules } from './frank-help.ts'

const { rule, route, change } = faultsOf(agentTokens)

rule(
  'frank-namesakes-destroyed',
  'AGENT-TOKENS-DESTROY-01',
  'destroying a token takes those of its pool along that have its description (002 4: DELETE of one token)',
  {
    remove: (original) => (world, token) => {
      const namesakes = inPool(world, token.poolId).filter(({ description }) => description === token.description)
      for (const namesake of namesakes) if (namesake !== token) world.tokens.delete(namesake.id)
      return original(world, token)
    },
  },
)

rule(
  'frank-created-in-place',
  'AGENT-TOKENS-CREATE-20',
  'a token takes the place of the one that has its description already (002 4: create; 1.2: only destroy removes)',
  {
    add: (original) => (world, token) => {
      const former = inPool(world, token.poolId).find(({ description }) => description === token.description)
      if (former) world.tokens.delete(former.id)
      return original(world, token)
    },
  },
)

route(
  'frank-pool-in-any-case',
  'AGENT-TOKENS-LIST-03',
  'a pool id in other letter case lists the pool (002 7: list, pool not found)',
  'agentTokens.list',
  (original) => {
    return (call) => {
      const asked = poolIn(call).toLowerCase()
      const pool = [...call.world.pools].find((known) => known.toLowerCase() === asked)
      return original(pool === undefined ? call : { ...call, params: { ...call.params, agent_pool_id: pool } })
    }
  },
)

route(
  'frank-id-by-beginning',
  'AGENT-TOKENS-SHOW-03',
  'an id that lacks its end finds the token (002 7: show, token not found)',
  'agentTokens.show',
  (original) => (call) => {
    const asked = call.params.id ?? ''
    const id = tokenIn(call) || asked.length < 8 ? asked : [...call.world.tokens.keys()].find((known) => known.startsWith(asked))
    return original({ ...call, params: { ...call.params, id: id ?? asked } })
  },
)

rule(
  'frank-all-pools-counted',
  'AGENT-TOKENS-PAGE-15',
  'total-count holds the tokens of other pools too (002 2.3: total-count of the list)',
  {
    total: (original) => (_tokens, world) => original([...world.tokens.values()], world),
  },
)

route(
  'frank-creator-of-pool',
  'AGENT-TOKENS-FIELD-13',
  "reads name whoever created the pool's first token as creator of every later one (002 2.2: relationships.created-by)",
  'agentTokens.create',
  (original) => async (call) => {
    const reply = await original(call)
    const made = createdIn(call, reply)
    const [first] = inPool(call.world, poolIn(call))
    if (made && first) made.createdBy = first.createdBy
    return reply
  },
)

const pagesSeen = remembered(() => new Map<string, Reply>())

change(
  'frank-page-of-first-pool',
  'AGENT-TOKENS-CREATE-05',
  'until the next change, a second pool is answered with the page of the first (002 4: list of the pool)',
  {
    rules: {
      add: (original) => (world, token) => {
        pagesSeen(world).clear()
        return original(world, token)
      },
      remove: (original) => (world, token) => {
        pagesSeen(world).clear()
        return original(world, token)
      },
    },
    routes: {
      'agentTokens.list': (original) => async (call) => {
        const key = `${keyOf(call.caller)} ${call.query}`
        const known = call.world.pools.has(poolIn(call)) && call.rules.mayUsePool(call.caller, poolIn(call))
        const reply = (known && pagesSeen(call.world).get(key)) || (await original(call))
        pagesSeen(call.world).set(key, reply)
        return reply
      },
    },
  },
)

route(
  'frank-description-numbered',
  'AGENT-TOKENS-FIELD-11',
  'a description that a token of another pool has gets a number (002 2.2: attributes.description)',
  'agentTokens.create',
  (original) => (call) => {
    const { description } = call.rules
    return original(
      withRules(call, {
        description: (body, wantedType) => {
          const text = description(body, wantedType)
          const taken = [...call.world.tokens.values()].some((token) => token.poolId !== poolIn(call) && token.description === text)
          return taken ? `${text} (2)` : text
        },
      }),
    )
  },
)

rule(
  'frank-secret-of-body',
  'AGENT-TOKENS-FIELD-09',
  'two tokens with the same description have the same secret (002 1.2: the secret text is returned once)',
  {
    newSecret: () => (_random, body) => {
      const text = digest(JSON.stringify(body))
      return `${text.slice(0, 14)}.${text}`
    },
  },
)

rule(
  'frank-pages-overlap',
  'AGENT-TOKENS-PAGE-18',
  'each page but the first begins with the last token of the page before (002 4: page[number], page[size])',
  {
    slice: () => (items, page) => items.slice(Math.max(0, (page.number - 1) * page.size - 1), page.number * page.size),
  },
)

rule(
  'frank-creator-moves-on',
  'AGENT-TOKENS-CREATE-04',
  'whoever creates a token in another pool takes the earlier ones out of the list (002 4: list of the pool)',
  {
    tokensOf: (original) => (world, pool) => {
      const latest = new Map([...world.tokens.values()].map((token) => [token.createdBy, token.poolId]))
      return original(world, pool).filter((token) => latest.get(token.createdBy) === pool)
    },
  },
)

rule(
  'frank-links-of-first-pool',
  'AGENT-TOKENS-PAGE-11',
  'links of a pool lead to another that was listed before with as many pages (002 2.3: links of the list)',
  {
    links: (original) => {
      const known = new Map<string, ReturnType<typeof original>>()
      return (path, page, pages) => {
        const key = `${page.number} ${page.size} ${pages}`
        const links = known.get(key) ?? original(path, page, pages)
        known.set(key, links)
        return links
      }
    },
  },
)
