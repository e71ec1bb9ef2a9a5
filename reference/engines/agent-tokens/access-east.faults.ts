/** Faults of who may ask: bearers, permission on pools and tokens, what a refusal tells, the end of a token. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { anybody } from '../../run-management/answer-changes.ts'
import { Refusal, readDocument } from '../../run-management/documents.ts'
import type { Caller } from '../../run-management/world.ts'
import { type Handle, inPool, withRules } from './east-help.ts'
import { agentTokens } from './engine.ts'

const { rule, route, change } = faultsOf(agentTokens)

rule(
  'east-scheme-overlooked',
  'AGENT-TOKENS-AUTH-10',
  'the scheme before the token is not looked at and may be missing (002 5.1: a bearer token; head: Authorization: Bearer)',
  {
    bearer: (original) => (header) => original(header) ?? /^(?:\S+ +)?(\S+)$/.exec(header ?? '')?.[1],
  },
)

const anonymous = anybody({ readRuns: false, overrideChecks: false, managePools: true })
const notAnonymous =
  (original: Handle): Handle =>
  (call) => {
    if (call.caller === anonymous) throw new Refusal(call.rules.unauthenticatedStatus(), 'a valid bearer token is needed')
    return original(call)
  }
change(
  'east-show-without-bearer',
  'AGENT-TOKENS-AUTH-01',
  'show answers requests without an Authorization header (002 5.1: every request sends a bearer token)',
  {
    rules: {
      bearer: (original) => (header) => (header === undefined ? '' : original(header)),
      caller: (original) => (world, bearer, recognises) => (bearer === '' ? anonymous : original(world, bearer, recognises)),
    },
    routes: { 'agentTokens.list': notAnonymous, 'agentTokens.create': notAnonymous, 'agentTokens.destroy': notAnonymous },
  },
)

route(
  'east-create-tells-hidden-pool',
  'AGENT-TOKENS-HIDE-06',
  'create tells a caller without permission that the pool exists (002 5.2: 404, the same as for a missing resource)',
  'agentTokens.create',
  withRules(({ rules }) => ({
    hiddenDetail: (kind, id, exists) => (exists ? 'you may not create tokens in this agent pool' : rules.hiddenDetail(kind, id, exists)),
  })),
)

route(
  'east-later-pages-for-anyone',
  'AGENT-TOKENS-HIDE-01',
  'permission on the pool is asked for its first page only (002 7: list, 404 caller unauthorized)',
  'agentTokens.list',
  withRules(({ query, rules }) => ({
    mayUsePool: (caller, pool) => (query.get('page[number]') ?? '1') !== '1' || rules.mayUsePool(caller, pool),
  })),
)

route(
  'east-destroyed-before-refused',
  'AGENT-TOKENS-HIDE-04',
  'permission is asked after the token was removed: the caller gets 404, and the token is gone (002 5.2, 7: destroy, caller unauthorized)',
  'agentTokens.destroy',
  (original) => async (call) => {
    const token = call.world.tokens.get(call.params.id ?? '')
    if (token && !call.rules.mayManage(call.caller, token.poolId)) await call.rules.remove(call.world, token)
    return original(call)
  },
)

route(
  'east-first-token-by-anyone',
  'AGENT-TOKENS-HIDE-06',
  'whoever has a bearer may create the first token of a pool (002 5.2, 7: create, 404 caller unauthorized)',
  'agentTokens.create',
  withRules(({ world, rules }) => ({
    mayManage: (caller, pool) => inPool(world, pool).length === 0 || rules.mayManage(caller, pool),
  })),
)

const shown = remembered(() => new Set<string>())
route(
  'east-shown-once-shown-to-all',
  'AGENT-TOKENS-HIDE-02',
  'what was shown to one caller is kept, and shown to callers without permission (002 5.2, 7: show, 404 caller unauthorized)',
  'agentTokens.show',
  (original) => async (call) => {
    const maySee: typeof call.rules.maySee = (caller, token) => shown(call.world).has(token.id) || call.rules.maySee(caller, token)
    const given = await original({ ...call, rules: { ...call.rules, maySee } })
    shown(call.world).add(call.params.id ?? '')
    return given
  },
)

const missed = remembered(() => new Set<string>())
route(
  'east-refused-once-missing-to-all',
  'AGENT-TOKENS-HIDE-04',
  'an id that one caller was refused is kept as missing, for those with permission as well (002 7: show, 200 success)',
  'agentTokens.show',
  (original) => async (call) => {
    const id = call.params.id ?? ''
    if (missed(call.world).has(id)) throw new Refusal(404, call.rules.hiddenDetail('agent token', id, false))
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof Refusal) missed(call.world).add(id)
      throw cause
    }
  },
)

route(
  'east-list-filtered-not-refused',
  'AGENT-TOKENS-HIDE-01',
  'a caller without permission gets the list of the pool without its tokens (002 5.2, 7: list, 404 caller unauthorized)',
  'agentTokens.list',
  withRules(({ caller, rules }) => ({
    mayUsePool: () => true,
    tokensOf: (world, pool) => rules.tokensOf(world, pool).filter((token) => rules.maySee(caller, token)),
  })),
)

const good = remembered(() => new Map<string, Caller>())
rule(
  'east-bearer-of-32-characters',
  'AGENT-TOKENS-AUTH-03',
  'bearers are compared in their first 32 characters, once the right one was seen (002 5.1: a bearer token)',
  {
    caller: (original) => (world, bearer, recognises) => {
      const found = original(world, bearer, recognises)
      const beginning = bearer.slice(0, 32)
      if (found?.kind === 'user') good(world).set(beginning, found)
      return found ?? good(world).get(beginning)
    },
  },
)

const agents = remembered(() => new Map<string, Caller>())
rule(
  'east-destroyed-token-authenticates',
  'AGENT-TOKENS-SECRET-10',
  'a destroyed token that was used before is still taken as a bearer (002 1.2, 4: DELETE destroys; 5.1)',
  {
    caller: (original) => (world, bearer, recognises) => {
      const found = original(world, bearer, recognises)
      if (found?.kind === 'agent') agents(world).set(bearer, found)
      return found ?? agents(world).get(bearer)
    },
  },
)

route(
  'east-body-checked-before-permission',
  'AGENT-TOKENS-HIDE-06',
  'a malformed create in a pool that the caller may not use gets 422, in a missing pool 404 (002 5.2: 404, the same as for a missing resource)',
  'agentTokens.create',
  (original) => (call) => {
    const { rules, params, world } = call
    if (world.pools.has(params.agent_pool_id ?? '')) {
      rules.description(readDocument(call.headers, call.body, rules.acceptsMediaType), rules.wantedType)
    }
    return original(call)
  },
)
