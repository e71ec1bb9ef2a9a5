/** Faults of time and order: what was before, again, after destruction, before the first use. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { document, Refusal } from '../../run-management/documents.ts'
import type { AgentToken } from '../../run-management/world.ts'
import { resourceOf } from './agent-tokens.rules.ts'
import { agentTokens } from './engine.ts'
import { askerOf, CREATE, DESTROY, deciding, idIn, inPool, LIST, poolIn, SHOW } from './north-help.ts'

const { rule, route, change } = faultsOf(agentTokens)

const shown = remembered(() => new Map<string, AgentToken>())
route(
  'north-shown-stays-after-destroy',
  'AGENT-TOKENS-DESTROY-02',
  'a token that was shown once is shown on after it was destroyed (002 7: show 404, token not found)',
  SHOW,
  (original) => (call) => {
    const known = shown(call.world)
    const token = call.world.tokens.get(idIn(call))
    if (token) known.set(token.id, token)
    const kept = known.get(idIn(call))
    if (token || !kept || !call.rules.maySee(call.caller, kept)) return original(call)
    return document(200, { data: resourceOf(call.rules, kept, 'shown') })
  },
)

const destroyed = remembered(() => new Map<string, string>())
change(
  'north-destroyed-again',
  'AGENT-TOKENS-DESTROY-04',
  'destroying a token a second time answers 204 again (002 7: destroy 404, token not found)',
  {
    rules: {
      remove: (original) => (world, token) => {
        destroyed(world).set(token.id, token.poolId)
        return original(world, token)
      },
    },
    routes: {
      [DESTROY]: (original) => (call) => {
        const pool = destroyed(call.world).get(idIn(call))
        const again = pool !== undefined && !call.world.tokens.has(idIn(call)) && call.rules.mayManage(call.caller, pool)
        return again ? { status: call.rules.destroyedStatus() } : original(call)
      },
    },
  },
)

const lists = remembered(() => new Map<string, AgentToken[]>())
rule(
  'north-list-kept-until-create',
  'AGENT-TOKENS-LIST-04',
  'a list that was read before shows a destroyed token until the next one is created (002 4: DELETE, destroy)',
  {
    add: (original) => (world, token) => {
      lists(world).delete(token.poolId)
      return original(world, token)
    },
    tokensOf: (original) => (world, pool) => {
      const tokens = lists(world).get(pool) ?? original(world, pool)
      lists(world).set(pool, tokens)
      return tokens
    },
  },
)

const everCreated = remembered(() => new Map<string, number>())
change(
  'north-total-of-ever-created',
  'AGENT-TOKENS-MODEL-01',
  'the totals of a list count tokens that are destroyed, too (002 2.3: total-count, total-pages)',
  {
    rules: {
      add: (original) => (world, token) => {
        const counts = everCreated(world)
        counts.set(token.poolId, (counts.get(token.poolId) ?? 0) + 1)
        return original(world, token)
      },
    },
    routes: {
      [LIST]: (original) => (call) => original(deciding(call, { total: () => everCreated(call.world).get(poolIn(call)) ?? 0 })),
    },
  },
)

route(
  'north-being-shown-is-use',
  'AGENT-TOKENS-FIELD-09',
  'a token that was shown counts as used from then on (002 2.2: last-used-at, null until used)',
  SHOW,
  (original) => async (call) => {
    const given = await original(call)
    const token = call.world.tokens.get(idIn(call))
    if (token) token.lastUsedAt ??= call.now()
    return given
  },
)

const unseen = new WeakMap<AgentToken, string>()
rule(
  'north-secret-in-first-show',
  'AGENT-TOKENS-SECRET-02',
  'the first show after the creation still has the secret text (002 8: shown only once, in the create response)',
  {
    secretText: (original) => (token, occasion, secret) => {
      if (occasion === 'created' && secret !== undefined) unseen.set(token, secret)
      const kept = occasion === 'shown' ? unseen.get(token) : undefined
      if (kept === undefined) return original(token, occasion, secret)
      unseen.delete(token)
      return kept
    },
  },
)

const latest = remembered(() => new Map<string, { at: number; given: Reply }>())
route(
  'north-equal-creates-are-one',
  'AGENT-TOKENS-CREATE-20',
  'an equal create request of the same caller within five seconds makes no token, but has the answer of the first (002 4: POST, create)',
  CREATE,
  (original) => async (call) => {
    const key = `${askerOf(call)} ${poolIn(call)} ${new TextDecoder().decode(call.body)}`
    const before = latest(call.world).get(key)
    if (before && call.now() - before.at < 5) return before.given
    const given = await original(call)
    latest(call.world).set(key, { at: call.now(), given })
    return given
  },
)

const freed = remembered(() => [] as string[])
change(
  'north-ids-reused',
  'AGENT-TOKENS-DESTROY-02',
  'a new token gets the id of the token that was destroyed last (002 7: show 404 for a token not found)',
  {
    rules: {
      remove: (original) => (world, token) => {
        freed(world).push(token.id)
        return original(world, token)
      },
    },
    routes: {
      [CREATE]: (original) => (call) =>
        original(deciding(call, { newId: (random) => freed(call.world).pop() ?? call.rules.newId(random) })),
    },
  },
)

route(
  'north-stored-before-type-is-checked',
  'AGENT-TOKENS-CREATE-09',
  'a create request with a wrong data.type is refused, but the token is in the list (002 4: data.type; 7: 422)',
  CREATE,
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (!(cause instanceof Refusal && cause.pointer === '/data/type')) throw cause
      await Promise.resolve(original(deciding(call, { wantedType: () => true }))).catch(() => undefined)
      throw cause
    }
  },
)

const holes = remembered(() => new Map<string, AgentToken>())
rule(
  'north-destroyed-keep-their-place',
  'AGENT-TOKENS-DESTROY-05',
  'destroyed tokens keep their places, so that pages come out short (002 4: page[number], page[size])',
  {
    remove: (original) => (world, token) => {
      holes(world).set(token.id, token)
      return original(world, token)
    },
    tokensOf: (original) => (world, pool) => {
      const gone = [...holes(world).values()].filter(({ poolId }) => poolId === pool)
      const marked = gone.map((token) => ({ ...token, id: '' }))
      return [...original(world, pool), ...marked].sort((one, other) => one.createdAt - other.createdAt)
    },
    total: (original) => (tokens, world) =>
      original(
        tokens.filter(({ id }) => id !== ''),
        world,
      ),
    slice: (original) => (items, page) => original(items, page).filter((item) => (item as { id?: string }).id !== ''),
  },
)

route(
  'north-order-turns-with-page-number',
  'AGENT-TOKENS-PAGE-02',
  'a list without page number begins with the newest token, numbered pages count from the oldest (002 4: page[number], default first page)',
  LIST,
  (original) => (call) => {
    const numbered = call.query.has('page[number]')
    return original(numbered ? call : deciding(call, { tokensOf: (world, pool) => call.rules.tokensOf(world, pool).reverse() }))
  },
)

rule(
  'north-emptied-pool-is-gone',
  'AGENT-TOKENS-MODEL-01',
  'a pool whose last token was destroyed is not found any more (002 7: list 200 and create 201, 404 for pool not found)',
  {
    remove: (original) => (world, token) => {
      const removed = original(world, token)
      if (inPool(world, token.poolId).length === 0) world.pools.delete(token.poolId)
      return removed
    },
  },
)
