/** Faults of time and order: second calls, after use, after destruction, created again, before the first. */
import type { Json } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { AgentToken } from '../../run-management/world.ts'
import { callerId, withRules } from './east-help.ts'
import { agentTokens } from './engine.ts'

const { rule, route, change } = faultsOf(agentTokens)

const submitted = remembered(() => new Map<string, { at: number; given: Reply }>())
route(
  'east-double-submit',
  'AGENT-TOKENS-CREATE-20',
  'an equal create of the same caller within two seconds makes no token but gets the first answer again (002 4: POST creates a token)',
  'agentTokens.create',
  (original) => async (call) => {
    const key = [callerId(call.caller), call.path, new TextDecoder().decode(call.body)].join('\n')
    const before = submitted(call.world).get(key)
    if (before && call.now() - before.at < 2) return before.given
    const given = await original(call)
    submitted(call.world).set(key, { at: call.now(), given })
    return given
  },
)

route(
  'east-show-counts-as-use',
  'AGENT-TOKENS-FIELD-09',
  'showing a token counts as use, so that the next answer has a last-used-at (002 2.2: last-used-at null until used)',
  'agentTokens.show',
  (original) => async (call) => {
    const given = await original(call)
    const token = call.world.tokens.get(call.params.id ?? '')
    if (token) call.rules.used(token, call.now())
    return given
  },
)

const poolOfGone = remembered(() => new Map<string, string>())
change(
  'east-destroyed-twice',
  'AGENT-TOKENS-DESTROY-04',
  'a token that is gone is destroyed once more with 204 (002 7: destroy, 404 token not found)',
  {
    rules: {
      remove: (original) => (world, token) => {
        poolOfGone(world).set(token.id, token.poolId)
        return original(world, token)
      },
    },
    routes: {
      'agentTokens.destroy': (original) => (call) => {
        const id = call.params.id ?? ''
        const pool = poolOfGone(call.world).get(id)
        const again = pool !== undefined && !call.world.tokens.has(id) && call.rules.mayManage(call.caller, pool)
        return again ? { status: call.rules.destroyedStatus() } : original(call)
      },
    },
  },
)

const shown = remembered(() => new Map<string, Reply>())
route(
  'east-shown-stays-shown',
  'AGENT-TOKENS-DESTROY-02',
  'whoever was shown a token is shown it after its destruction, too (002 7: show, 404 token not found)',
  'agentTokens.show',
  (original) => async (call) => {
    const id = call.params.id ?? ''
    const key = `${callerId(call.caller)} ${id}`
    const seen = shown(call.world).get(key)
    if (seen && !call.world.tokens.has(id)) return seen
    const given = await original(call)
    shown(call.world).set(key, given)
    return given
  },
)

const goneOf = remembered(() => new Map<string, number>())
rule(
  'east-total-with-destroyed',
  'AGENT-TOKENS-MODEL-01',
  'total-count and total-pages count destroyed tokens of the pool, too (002 2.3: total-count, total-pages)',
  {
    remove: (original) => (world, token) => {
      goneOf(world).set(token.poolId, (goneOf(world).get(token.poolId) ?? 0) + 1)
      return original(world, token)
    },
    total: (original) => (tokens, world) => original(tokens, world) + (goneOf(world).get(tokens[0]?.poolId ?? '') ?? 0),
  },
)

const freeIds = remembered((): string[] => [])
rule(
  'east-id-used-again',
  'AGENT-TOKENS-DESTROY-02',
  'the next token gets the id of the one destroyed last, so the old id is found again (002 7: show, 404 token not found)',
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

const snapshots = remembered(() => new Map<string, AgentToken[]>())
route(
  'east-later-pages-from-snapshot',
  'AGENT-TOKENS-LIST-04',
  'later pages come from what was there when the first page was read, however long ago (002 4: list, DELETE destroys)',
  'agentTokens.list',
  withRules(({ caller, query, rules }) => ({
    tokensOf: (world, pool) => {
      const key = `${callerId(caller)} ${pool}`
      const first = (query.get('page[number]') ?? '1') === '1'
      const tokens = (first ? undefined : snapshots(world).get(key)) ?? rules.tokensOf(world, pool)
      if (first) snapshots(world).set(key, tokens)
      return tokens
    },
  })),
)

route(
  'east-type-checked-after-storing',
  'AGENT-TOKENS-CREATE-09',
  'the type is looked at after the token was stored, so a refused create leaves one behind (002 4: data.type required; 7: create, 422)',
  'agentTokens.create',
  (original) => async (call) => {
    let right = true
    const wantedType = (type: Json | undefined): boolean => {
      right = call.rules.wantedType(type)
      return true
    }
    const given = await original({ ...call, rules: { ...call.rules, wantedType } })
    if (!right) throw new Refusal(422, 'data.type has to be authentication-tokens', '/data/type')
    return given
  },
)

rule(
  'east-first-page-newest-first',
  'AGENT-TOKENS-PAGE-14',
  'the first page has the newest tokens, later ones go on from the oldest, so some are listed twice and some never (002 4: list, page[number])',
  {
    slice: (original) => (items, page) => original(page.number === 1 ? items.toReversed() : items, page),
  },
)

rule(
  'east-used-not-destroyed',
  'AGENT-TOKENS-DESTROY-01',
  'a token that was used is not destroyed but answered with 404 (002 7: destroy, 204 success)',
  {
    remove: (original) => (world, token) => token.lastUsedAt === null && original(world, token),
  },
)

const knownEmpty = remembered(() => new Set<string>())
rule(
  'east-known-empty',
  'AGENT-TOKENS-MODEL-01',
  'a pool that was listed while empty is listed as empty until its second token comes (002 4: list of the pool)',
  {
    tokensOf: (original) => (world, pool) => {
      const tokens = original(world, pool)
      if (tokens.length === 0) knownEmpty(world).add(pool)
      if (tokens.length > 1) knownEmpty(world).delete(pool)
      return knownEmpty(world).has(pool) ? [] : tokens
    },
  },
)
