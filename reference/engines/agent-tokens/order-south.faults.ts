/** Faults of time and order: what was asked before, the second time, at the same time, after destruction. */
import { setTimeout as sleep } from 'node:timers/promises'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { AgentToken } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import { CREATE, callerAtPool, callerId, idNamed, LIST, noToken, pageAsked, poolNamed, SHOW, tokenNamed, withRules } from './south-help.ts'

const { rule, route, change } = faultsOf(agentTokens)

const rebuilt = remembered(() => ({ at: new Map<string, number>(), left: [] as AgentToken[] }))
rule(
  'south-second-destroy-not-indexed',
  'AGENT-TOKENS-CREATE-20',
  'of two tokens of a pool destroyed within five seconds the second stays in the list (002 4: destroy)',
  {
    remove: (original) => (world, token) => {
      const { at, left } = rebuilt(world)
      const before = at.get(token.poolId)
      if (before !== undefined && Date.now() - before < 5000) left.push(token)
      else at.set(token.poolId, Date.now())
      return original(world, token)
    },
    tokensOf: (original) => (world, pool) => {
      const left = rebuilt(world).left.filter(({ poolId }) => poolId === pool)
      return [...original(world, pool), ...left].sort((one, other) => one.createdAt - other.createdAt)
    },
  },
)

const takenFor = remembered(() => new Set<string>())
change(
  'south-description-stays-taken',
  'AGENT-TOKENS-CREATE-20',
  'the description of a destroyed token is refused for a new one in its pool (002 7: create 201)',
  {
    rules: {
      remove: (original) => (world, token) => {
        takenFor(world).add(`${token.poolId} ${token.description}`)
        return original(world, token)
      },
    },
    routes: {
      [CREATE]: (original) => (call) =>
        original(
          withRules(call, {
            description: (body, wantedType) => {
              const description = call.rules.description(body, wantedType)
              if (!takenFor(call.world).has(`${poolNamed(call)} ${description}`)) return description
              throw new Refusal(422, 'the description is taken', '/data/attributes/description')
            },
          }),
        ),
    },
  },
)

rule(
  'south-superseded-counts-as-used',
  'AGENT-TOKENS-CREATE-20',
  'a token counts as used once another is created in its pool (002 2.2: last-used-at, null until used)',
  {
    add: (original) => (world, token) => {
      const before = [...world.tokens.values()].filter(({ poolId }) => poolId === token.poolId).at(-1)
      if (before) before.lastUsedAt ??= token.createdAt
      return original(world, token)
    },
  },
)

const touched = remembered(() => new Map<string, number>())
change(
  'south-listing-touches',
  'AGENT-TOKENS-DESTROY-03',
  'a show after a list has the time of the list as created-at (002 2.2: created-at)',
  {
    routes: {
      [LIST]: (original) => async (call) => {
        const given = await original(call)
        for (const token of call.rules.tokensOf(call.world, poolNamed(call))) touched(call.world).set(token.id, call.now())
        return given
      },
      [SHOW]: (original) => (call) =>
        original(
          withRules(call, {
            createdAt: (token) => call.rules.createdAt({ ...token, createdAt: touched(call.world).get(token.id) ?? token.createdAt }),
          }),
        ),
    },
  },
)

const sizes = remembered(() => new Map<string, string>())
route(
  'south-page-size-remembered',
  'AGENT-TOKENS-PAGE-01',
  'a list without page size has the size that the caller named last (002 4: page[size], default 20 items per page)',
  LIST,
  (original) => (call) => {
    const named = call.query.get('page[size]')
    if (named !== null && /^[1-9][0-9]*$/.test(named)) sizes(call.world).set(callerId(call), named)
    const before = sizes(call.world).get(callerId(call))
    if (named !== null || before === undefined) return original(call)
    const query = new URLSearchParams(call.query)
    query.set('page[size]', before)
    return original({ ...call, query })
  },
)

const emptyPools = remembered(() => new Set<string>())
rule(
  'south-empty-stays-empty',
  'AGENT-TOKENS-MODEL-01',
  'a pool listed while it was empty is listed as empty until a token of it is destroyed (002 4: list, create)',
  {
    tokensOf: (original) => (world, pool) => {
      const tokens = original(world, pool)
      if (tokens.length === 0) emptyPools(world).add(pool)
      return emptyPools(world).has(pool) ? [] : tokens
    },
    remove: (original) => (world, token) => {
      emptyPools(world).delete(token.poolId)
      return original(world, token)
    },
  },
)

const missed = remembered(() => new Set<string>())
route(
  'south-refusal-remembered-for-all',
  'AGENT-TOKENS-HIDE-04',
  'a token that a caller without permission asked for is not shown to anybody afterwards (002 7: show 200; 5: caller without permission)',
  SHOW,
  (original) => async (call) => {
    if (missed(call.world).has(idNamed(call))) throw noToken(call)
    try {
      return await original(call)
    } catch (cause) {
      if (tokenNamed(call)) missed(call.world).add(idNamed(call))
      throw cause
    }
  },
)

const complaints = remembered(() => new Map<string, Refusal>())
route(
  'south-complaints-pile-up',
  'AGENT-TOKENS-CREATE-01',
  'after a malformed create the well-formed ones of that caller in that pool are refused, too (002 7: create 201, 422 malformed body)',
  CREATE,
  (original) => async (call) => {
    const before = complaints(call.world).get(callerAtPool(call))
    if (before) throw before
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof Refusal && cause.status === 422) complaints(call.world).set(callerAtPool(call), cause)
      throw cause
    }
  },
)

rule(
  'south-simultaneous-creates-lost',
  'AGENT-TOKENS-PAGE-03',
  'of tokens created in a pool at the same time only the last is kept (002 4: create; 7: show 200)',
  {
    add: (original) => async (world, token) => {
      const before = new Set(world.tokens.keys())
      await sleep(30)
      for (const other of [...world.tokens.values()]) {
        if (other.poolId === token.poolId && !before.has(other.id)) world.tokens.delete(other.id)
      }
      await original(world, token)
    },
  },
)

const lastPage = remembered(() => new Map<string, number>())
route(
  'south-pages-forward-only',
  'AGENT-TOKENS-PAGE-09',
  'a page that does not follow the one that the caller had last is answered as the first, so that no list goes back (002 4: page[number]; 2.3: prev)',
  LIST,
  (original) => (call) => {
    const { number } = pageAsked(call)
    const last = lastPage(call.world).get(callerAtPool(call)) ?? 0
    const shown = number === last || number === last + 1 ? number : 1
    lastPage(call.world).set(callerAtPool(call), shown)
    return original(withRules(call, { page: (query, defaultSize) => ({ ...call.rules.page(query, defaultSize), number: shown }) }))
  },
)

const snapshots = remembered(() => new Map<string, AgentToken[]>())
route(
  'south-later-pages-as-of-the-first',
  'AGENT-TOKENS-LIST-04',
  'later pages show the tokens as they were when the first page was asked for, whatever was created or destroyed since (002 4: list, destroy)',
  LIST,
  (original) => (call) => {
    const { number } = pageAsked(call)
    return original(
      withRules(call, {
        tokensOf: (world, pool) => {
          const kept = number === 1 ? undefined : snapshots(world).get(pool)
          const tokens = kept ?? call.rules.tokensOf(world, pool)
          snapshots(world).set(pool, tokens)
          return tokens
        },
      }),
    )
  },
)
