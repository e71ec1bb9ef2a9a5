/** Faults of what a request does to its neighbours: other tokens, other pools, ids that resemble one. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { AgentToken } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import { callerId, inPool, sentData } from './keen-help.ts'

const { rule, route, change } = faultsOf(agentTokens)

rule(
  'keen-description-unique-over-pools',
  'AGENT-TOKENS-CREATE-20',
  "a description that the creator's token of another pool has is refused with 422 (002 7: create 201)",
  {
    add: (original) => (world, token) => {
      const taken = [...world.tokens.values()].some(
        (other) => other.poolId !== token.poolId && other.createdBy === token.createdBy && other.description === token.description,
      )
      if (taken) throw new Refusal(422, 'the description has already been taken', '/data/attributes/description')
      return original(world, token)
    },
  },
)

rule(
  'keen-list-one-per-description',
  'AGENT-TOKENS-CREATE-20',
  'of tokens with the same description a list has the latest only (002 4: list of the tokens of a pool)',
  {
    tokensOf: (original) => (world, pool) => [...new Map(original(world, pool).map((token) => [token.description, token])).values()],
  },
)

route(
  'keen-destroy-any-case',
  'AGENT-TOKENS-DESTROY-03',
  'an id in other letter case destroys the token (002 7: destroy 404, token not found)',
  'agentTokens.destroy',
  (original) => (call) => {
    const asked = call.params.id?.toLowerCase()
    const id = [...call.world.tokens.keys()].find((known) => known.toLowerCase() === asked)
    return original(id === undefined ? call : { ...call, params: { ...call.params, id } })
  },
)

const latestCreators = remembered(() => new Map<string, { creator: string }>())
const sharedCreators = new WeakMap<AgentToken, { creator: string }>()

rule(
  'keen-creator-of-the-pool',
  'AGENT-TOKENS-FIELD-13',
  'tokens show who created the latest one of their pool as creator (002 2.2: relationships.created-by)',
  {
    add: (original) => (world, token) => {
      const ofPool = latestCreators(world).get(token.poolId) ?? { creator: '' }
      ofPool.creator = token.createdBy
      latestCreators(world).set(token.poolId, ofPool)
      sharedCreators.set(token, ofPool)
      return original(world, token)
    },
    creator: (original) => (token) => sharedCreators.get(token)?.creator ?? original(token),
  },
)

rule(
  'keen-same-description-numbered',
  'AGENT-TOKENS-FIELD-11',
  'a description that the pool has already gets a number (002 2.2: attributes.description)',
  {
    add: (original) => (world, token) => {
      const alike = inPool(world, token.poolId).filter(({ description }) => description === token.description).length
      if (alike > 0) token.description = `${token.description} (${alike + 1})`
      return original(world, token)
    },
  },
)

const answeredLists = remembered(() => new Map<string, { at: number; reply: Reply }>())

change(
  'keen-list-of-pool-before',
  'AGENT-TOKENS-CREATE-05',
  'the same page of another pool is answered from the list asked a moment ago (002 4: list of a pool)',
  {
    routes: {
      'agentTokens.list': (original) => async (call) => {
        const fresh = await original(call)
        const known = answeredLists(call.world)
        const key = `${callerId(call)}?${call.query}`
        const before = known.get(key)
        if (before && call.now() - before.at < 1) return before.reply
        known.set(key, { at: call.now(), reply: fresh })
        return fresh
      },
      'agentTokens.create': (original) => (call) => {
        answeredLists(call.world).clear()
        return original(call)
      },
      'agentTokens.destroy': (original) => (call) => {
        answeredLists(call.world).clear()
        return original(call)
      },
    },
  },
)

route(
  'keen-id-from-body',
  'AGENT-TOKENS-FIELD-15',
  'an id in the body is taken, so that it replaces the token of that id (002 2.2: id has the shape at-..., 4: create)',
  'agentTokens.create',
  (original) => (call) => {
    const { id } = sentData(call)
    return original(typeof id === 'string' && id !== '' ? { ...call, rules: { ...call.rules, newId: () => id } } : call)
  },
)

route(
  'keen-destroy-by-pool-id',
  'AGENT-TOKENS-DESTROY-03',
  'the id of a pool in the place of a token id destroys all its tokens (002 7: destroy 404, token not found)',
  'agentTokens.destroy',
  (original) => (call) => {
    const pool = call.params.id ?? ''
    if (!call.world.pools.has(pool) || !call.rules.mayManage(call.caller, pool)) return original(call)
    for (const { id } of inPool(call.world, pool)) call.world.tokens.delete(id)
    return { status: call.rules.destroyedStatus() }
  },
)

const described = (item: unknown): string => (item as AgentToken).description

rule(
  'keen-pages-by-description',
  'AGENT-TOKENS-PAGE-04',
  'a page begins behind the last description of the page before and skips its like (002 4: page[number])',
  {
    tokensOf: (original) => (world, pool) =>
      original(world, pool).sort((one, other) => Number(one.description > other.description) - Number(one.description < other.description)),
    slice: (original) => (items, page) => {
      let rest = [...items]
      for (let number = 1; number < page.number && rest.length > 0; number++) {
        const last = described(rest[Math.min(page.size, rest.length) - 1])
        rest = rest.filter((item) => described(item) > last)
      }
      return original(rest, { ...page, number: 1 })
    },
  },
)

route(
  'keen-list-by-token-id',
  'AGENT-TOKENS-LIST-03',
  'the id of a token in the place of a pool lists the pool of the token (002 7: list 404, pool not found)',
  'agentTokens.list',
  (original) => (call) => {
    const token = call.world.tokens.get(call.params.agent_pool_id ?? '')
    return original(token ? { ...call, params: { ...call.params, agent_pool_id: token.poolId } } : call)
  },
)

rule(
  'keen-attributes-shared',
  'AGENT-TOKENS-CREATE-20',
  "a new token's description is written to the creator's earlier tokens of the pool, too (002 2.2: description)",
  {
    add: (original) => (world, token) => {
      for (const earlier of inPool(world, token.poolId)) if (earlier.createdBy === token.createdBy) earlier.description = token.description
      return original(world, token)
    },
  },
)

route(
  'keen-show-abbreviated-id',
  'AGENT-TOKENS-SHOW-03',
  'the beginning of an id shows the token (002 7: show 404, token not found)',
  'agentTokens.show',
  (original) => (call) => {
    const asked = call.params.id ?? ''
    const fits = [...call.world.tokens.keys()].filter((known) => known.startsWith(asked))
    return original(asked.length >= 8 && fits.length === 1 ? { ...call, params: { ...call.params, id: fits[0]! } } : call)
  },
)
