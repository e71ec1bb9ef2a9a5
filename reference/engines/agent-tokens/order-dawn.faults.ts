/** Faults of time and order: the second call, after deletion, re-creation, what was remembered from before. */

import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedQuery, objectIn } from '../../run-management/answer-changes.ts'
import type { Refusal } from '../../run-management/documents.ts'
import type { AgentToken, World } from '../../run-management/world.ts'
import { idIn, isObject, onRefusal, poolIn, type Rules, requestDocument, slotted, whoIs } from './dawn-help.ts'
import { agentTokens } from './engine.ts'

const { rule, route, change } = faultsOf(agentTokens)

const isEmpty = (world: World, pool: string): boolean => ![...world.tokens.values()].some(({ poolId }) => poolId === pool)

const indexes = remembered(() => ({ dropped: new Set<string>(), missed: new Set<string>() }))
rule(
  'dawn-first-after-emptying-unlisted',
  'AGENT-TOKENS-FIELD-08',
  'the first token of a pool that was emptied is not listed (002 4: list)',
  {
    remove: (original) => async (world, token) => {
      const removed = await original(world, token)
      if (isEmpty(world, token.poolId)) indexes(world).dropped.add(token.poolId)
      return removed
    },
    add: (original) => (world, token) => {
      if (indexes(world).dropped.delete(token.poolId)) indexes(world).missed.add(token.id)
      return original(world, token)
    },
    tokensOf: (original) => (world, pool) => original(world, pool).filter(({ id }) => !indexes(world).missed.has(id)),
  },
)

const tombs = remembered(() => ({ gone: [] as AgentToken[], risen: [] as AgentToken[] }))
rule(
  'dawn-destroyed-listed-after-create',
  'AGENT-TOKENS-LIST-04',
  'destroyed tokens are listed again once another is created in their pool (002 4: destroy)',
  {
    remove: (original) => (world, token) => {
      tombs(world).gone.push(token)
      return original(world, token)
    },
    add: (original) => (world, token) => {
      const { gone, risen } = tombs(world)
      risen.push(...gone.filter(({ poolId }) => poolId === token.poolId))
      return original(world, token)
    },
    tokensOf: (original) => (world, pool) => [
      ...new Set(tombs(world).risen.filter(({ poolId }) => poolId === pool)),
      ...original(world, pool),
    ],
  },
)

const binned = remembered(() => new Map<string, AgentToken>())
rule(
  'dawn-create-brings-back',
  'AGENT-TOKENS-DESTROY-02',
  'a token described as a destroyed one of its pool gets its id back (002 4: create; 7: show 404)',
  {
    remove: (original) => (world, token) => {
      binned(world).set(`${token.poolId} ${token.description}`, token)
      return original(world, token)
    },
    add: (original) => (world, token) => {
      const place = `${token.poolId} ${token.description}`
      const former = binned(world).get(place)
      binned(world).delete(place)
      if (former) Object.assign(token, { id: former.id, createdAt: former.createdAt })
      return original(world, token)
    },
  },
)

const seen = remembered(() => new Map<string, Reply>())
route(
  'dawn-seen-token-shown-for-ever',
  'AGENT-TOKENS-DESTROY-02',
  'a token that was shown once is shown after it was destroyed (002 7: show 404)',
  'agentTokens.show',
  (original) => async (call) => {
    const before = seen(call.world).get(idIn(call))
    if (before && call.rules.mayManage(call.caller, '')) return before
    const reply = await original(call)
    seen(call.world).set(idIn(call), reply)
    return reply
  },
)

const answered = remembered(() => new Map<string, { at: number; reply: Reply }>())
route(
  'dawn-same-create-within-seconds',
  'AGENT-TOKENS-CREATE-20',
  'the same create request within five seconds gets the first answer, nothing is created (002 4: create)',
  'agentTokens.create',
  (original) => async (call) => {
    const kind = `${whoIs(call.caller)} ${poolIn(call)} ${Buffer.from(call.body).toString()}`
    const before = answered(call.world).get(kind)
    if (before && call.now() - before.at < 5) return before.reply
    const reply = await original(call)
    answered(call.world).set(kind, { at: call.now(), reply })
    return reply
  },
)

const unread = new WeakMap<AgentToken, string>()
rule('dawn-secret-in-first-show', 'AGENT-TOKENS-SECRET-02', 'the first show of a token has the secret text once more (002 2.2: token; 8)', {
  secretText: (original) => (token, occasion, secret) => {
    if (occasion === 'created' && secret !== undefined) unread.set(token, secret)
    const kept = occasion === 'shown' ? unread.get(token) : undefined
    if (kept !== undefined) unread.delete(token)
    return kept ?? original(token, occasion, secret)
  },
})

const places = remembered(() => [] as string[])
const bySlots = slotted((world, pool) =>
  places(world)
    .filter((place) => place.startsWith(`${pool} `))
    .map((place) => place.slice(pool.length + 1)),
)
rule('dawn-destroyed-keep-their-places', 'AGENT-TOKENS-LIST-04', 'destroyed tokens leave holes in the pages (002 4: page[size])', {
  ...bySlots,
  add: (original) => (world, token) => {
    places(world).push(`${token.poolId} ${token.id}`)
    return original(world, token)
  },
})

route(
  'dawn-show-touches-created-at',
  'AGENT-TOKENS-FIELD-14',
  'showing a token sets its created-at anew for later answers (002 2.2: created-at)',
  'agentTokens.show',
  (original) => async (call) => {
    const reply = await original(call)
    const token = call.world.tokens.get(idIn(call))
    if (token) token.createdAt = call.now()
    return reply
  },
)

const snapshots = remembered(() => new Map<string, World['tokens']>())
change(
  'dawn-list-misses-changes-of-others',
  'AGENT-TOKENS-CREATE-04',
  'who has listed a pool sees it unchanged until a change of his own (002 4: list)',
  {
    routes: {
      'agentTokens.list': (original) => (call) => {
        const key = `${whoIs(call.caller)} ${poolIn(call)}`
        const tokens = snapshots(call.world).get(key) ?? new Map(call.world.tokens)
        snapshots(call.world).set(key, tokens)
        return original({ ...call, world: { ...call.world, tokens } })
      },
      'agentTokens.create': (original) => async (call) => {
        forget(call.world, whoIs(call.caller))
        return original(call)
      },
      'agentTokens.destroy': (original) => async (call) => {
        forget(call.world, whoIs(call.caller))
        return original(call)
      },
    },
  },
)
const forget = (world: World, caller: string): void => {
  for (const key of snapshots(world).keys()) if (key.startsWith(`${caller} `)) snapshots(world).delete(key)
}

const lastErrors = remembered(() => new Map<string, Refusal>())
route(
  'dawn-validation-error-stays',
  'AGENT-TOKENS-CREATE-01',
  'after a malformed create the next one in the pool is refused, too (002 7: create 201)',
  'agentTokens.create',
  (original) => async (call) => {
    const errors = lastErrors(call.world)
    const key = `${whoIs(call.caller)} ${poolIn(call)}`
    const left = errors.get(key)
    errors.delete(key)
    if (left) throw left
    return onRefusal((refusal) => {
      if (refusal.status === 422) errors.set(key, refusal)
      throw refusal
    })(original)(call)
  },
)

const lastTexts = remembered(() => new Map<string, string>())
route(
  'dawn-description-of-request-before',
  'AGENT-TOKENS-CREATE-06',
  "a missing description is taken from the caller's create before (002 4: description required; 7: 422)",
  'agentTokens.create',
  requestDocument((body, call) => {
    const data = objectIn(body, 'data')
    if (!isObject(data.attributes)) return body
    const texts = lastTexts(call.world)
    const { description } = data.attributes
    if (typeof description === 'string') texts.set(whoIs(call.caller), description)
    const left = texts.get(whoIs(call.caller))
    if ('description' in data.attributes || left === undefined) return body
    return { ...body, data: { ...data, attributes: { ...data.attributes, description: left } } }
  }),
)

const lastSizes = remembered(() => new Map<string, string>())
route(
  'dawn-size-of-list-before',
  'AGENT-TOKENS-PAGE-01',
  'a list without page[size] has the size that the caller asked for before (002 4: 20 items per page)',
  'agentTokens.list',
  changedQuery<Rules>((query, call) => {
    const sizes = lastSizes(call.world)
    const size = query.get('page[size]') ?? sizes.get(whoIs(call.caller))
    if (size !== undefined) {
      sizes.set(whoIs(call.caller), size)
      query.set('page[size]', size)
    }
    return query
  }),
)
