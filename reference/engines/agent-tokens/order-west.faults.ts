/** Faults of time and order: second calls, deletion and what comes after, first reads. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { AgentToken } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import { callerId, poolTokens } from './west-help.ts'

const { rule, route } = faultsOf(agentTokens)

const graves = remembered(() => new Map<string, AgentToken>())

rule(
  'west-recreated-is-revived',
  'AGENT-TOKENS-DESTROY-02',
  'a token with the description of a destroyed one gets its id and date (002 4: DELETE, destroy; 2.2: created-at)',
  {
    remove: (original) => (world, token) => {
      graves(world).set(`${token.poolId} ${token.description}`, token)
      return original(world, token)
    },
    add: (original) => (world, token) => {
      const key = `${token.poolId} ${token.description}`
      const { id, createdAt } = graves(world).get(key) ?? token
      graves(world).delete(key)
      Object.assign(token, { id, createdAt })
      return original(world, token)
    },
  },
)

const unlisted = new WeakSet<AgentToken>()

rule(
  'west-used-survives-destroy',
  'AGENT-TOKENS-DESTROY-02',
  'a token that was used is only unlisted when destroyed, and still shown (002 7: show, 404 token not found)',
  {
    remove: (original) => (world, token) => {
      if (token.lastUsedAt === null) return original(world, token)
      if (unlisted.has(token)) return false
      unlisted.add(token)
      return true
    },
    tokensOf: (original) => (world, pool) => original(world, pool).filter((token) => !unlisted.has(token)),
  },
)

const everCreated = remembered(() => new Map<string, number>())

rule('west-count-never-falls', 'AGENT-TOKENS-MODEL-01', 'destroyed tokens of a pool that has others still count (002 2.3: total-count)', {
  add: (original) => (world, token) => {
    const counts = everCreated(world)
    counts.set(token.poolId, (counts.get(token.poolId) ?? 0) + 1)
    return original(world, token)
  },
  total: (original) => (tokens, world) => everCreated(world).get(tokens[0]?.poolId ?? '') ?? original(tokens, world),
})

route(
  'west-shown-counts-as-used',
  'AGENT-TOKENS-FIELD-09',
  'a token counts as used once it was shown (002 2.2: last-used-at, null until used)',
  'agentTokens.show',
  (original) => async (call) => {
    const reply = await original(call)
    const token = call.world.tokens.get(call.params.id!)
    if (token) token.lastUsedAt ??= call.now()
    return reply
  },
)

const snapshots = remembered(() => new Map<string, AgentToken[]>())

rule(
  'west-list-until-next-create',
  'AGENT-TOKENS-LIST-04',
  'a destroyed token stays in a list that was read before, until the next is created (002 4: DELETE, destroy)',
  {
    add: (original) => (world, token) => {
      snapshots(world).delete(token.poolId)
      return original(world, token)
    },
    tokensOf: (original) => (world, pool) => {
      const tokens = snapshots(world).get(pool) ?? original(world, pool)
      snapshots(world).set(pool, tokens)
      return tokens
    },
  },
)

route(
  'west-show-stamps-creation',
  'AGENT-TOKENS-FIELD-14',
  'showing a token saves it with the present as its date of creation (002 2.2: created-at)',
  'agentTokens.show',
  (original) => async (call) => {
    const reply = await original(call)
    const token = call.world.tokens.get(call.params.id!)
    if (token) token.createdAt = call.now()
    return reply
  },
)

const knownEmpty = remembered(() => new Set<string>())

rule(
  'west-once-empty-stays-empty',
  'AGENT-TOKENS-MODEL-01',
  'a pool that was listed before its first token stays empty in the list (002 4: list)',
  {
    tokensOf: (original) => (world, pool) => {
      const empty = knownEmpty(world)
      const tokens = empty.has(pool) ? [] : original(world, pool)
      if (tokens.length === 0) empty.add(pool)
      return tokens
    },
  },
)

const submitted = remembered(() => new Map<string, { at: number; reply: Reply }>())

route(
  'west-double-submit-guard',
  'AGENT-TOKENS-CREATE-20',
  'the same creation within a second answers the first token and makes none (002 4: POST, create)',
  'agentTokens.create',
  (original) => async (call) => {
    const key = `${callerId(call.caller)} ${call.path} ${new TextDecoder().decode(call.body)}`
    const before = submitted(call.world).get(key)
    if (before && call.now() - before.at < 1) return before.reply
    const reply = await original(call)
    submitted(call.world).set(key, { at: call.now(), reply })
    return reply
  },
)

const unread = new WeakMap<AgentToken, string>()

rule(
  'west-first-show-reveals',
  'AGENT-TOKENS-SECRET-02',
  'the first time that a token is shown its secret is, too (002 2.2: token, non-null only in the create response)',
  {
    secretText: (original) => (token, occasion, secret) => {
      if (occasion === 'created' && secret !== undefined) unread.set(token, secret)
      if (occasion !== 'shown') return original(token, occasion, secret)
      const text = unread.get(token)
      unread.delete(token)
      return text ?? original(token, occasion, secret)
    },
  },
)

route(
  'west-stored-before-validated',
  'AGENT-TOKENS-CREATE-18',
  'a creation that is refused with 422 leaves a token without description behind (002 7: create, 422)',
  'agentTokens.create',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (!(cause instanceof Refusal) || cause.status !== 422) throw cause
      const { rules, caller, world, random } = call
      await rules.add(world, {
        id: rules.newId(random),
        poolId: call.params.agent_pool_id!,
        createdBy: callerId(caller),
        createdAt: call.now(),
        lastUsedAt: null,
        description: '',
        kept: rules.keep(rules.newSecret(random, null)),
      })
      throw cause
    }
  },
)

const everListed = remembered(() => new Set<AgentToken>())
const rowsBehind = new WeakMap<readonly unknown[], { rows: readonly unknown[]; living: ReadonlySet<unknown> }>()

rule(
  'west-destroyed-rows-take-places',
  'AGENT-TOKENS-LIST-04',
  'destroyed tokens keep their places on the pages, so that the last ones are on none (002 4: list, page[number])',
  {
    remove: (original) => (world, token) => {
      for (const row of poolTokens(world, token.poolId)) everListed(world).add(row)
      return original(world, token)
    },
    tokensOf: (original) => (world, pool) => {
      const tokens = original(world, pool)
      const rows = new Set([...everListed(world)].filter(({ poolId }) => poolId === pool))
      for (const token of tokens) rows.add(token)
      rowsBehind.set(tokens, { rows: [...rows], living: new Set(tokens) })
      return tokens
    },
    slice:
      (original) =>
      <T>(items: readonly T[], page: { number: number; size: number }) => {
        const behind = rowsBehind.get(items)
        return behind ? original(behind.rows as readonly T[], page).filter((row) => behind.living.has(row)) : original(items, page)
      },
  },
)
