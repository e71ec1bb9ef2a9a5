/** Faults of who may ask: callers without permission, bearers that are missing, wrong or at their end, and what a refusal tells. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { anybody, objectIn } from '../../run-management/answer-changes.ts'
import { Refusal, readDocument } from '../../run-management/documents.ts'
import type { Caller } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import { documentOf, inPool, poolIn, sentIn, tokenIn, withRules } from './frank-help.ts'

const { rule, route, change } = faultsOf(agentTokens)

route(
  'frank-stranger-lists-nothing',
  'AGENT-TOKENS-HIDE-01',
  'a caller without permission gets an empty list of a pool that exists (002 5.2: 404, the same as for a missing resource)',
  'agentTokens.list',
  (original) => (call) => {
    const hidden = call.world.pools.has(poolIn(call)) && !call.rules.mayUsePool(call.caller, poolIn(call))
    return original(hidden ? withRules(call, { mayUsePool: () => true, tokensOf: () => [] }) : call)
  },
)

rule(
  'frank-pool-refusal-tells',
  'AGENT-TOKENS-HIDE-06',
  'the 404 of a pool that exists says that permission is missing (002 5.2: the same as for a missing resource)',
  {
    hiddenDetail: (original) => (kind, id, exists) =>
      exists && kind === 'agent pool' ? 'you have no permission on this agent pool' : original(kind, id, exists),
  },
)

route(
  'frank-anyone-destroys',
  'AGENT-TOKENS-HIDE-04',
  'any user who knows the id destroys a token (002 5.2; 7: destroy, caller unauthorized 404)',
  'agentTokens.destroy',
  (original) => (call) => original(withRules(call, { mayManage: ({ kind }) => kind === 'user' })),
)

const nobody = anybody({ readRuns: false, overrideChecks: false, managePools: false })

rule(
  'frank-no-bearer-reads',
  'AGENT-TOKENS-AUTH-01',
  'requests without the header Authorization may list and show (002 5.1: every request sends a bearer token)',
  {
    bearer: (original) => (header) => (header === undefined ? '' : original(header)),
    caller: (original) => (world, bearer, recognises) => (bearer === '' ? nobody : original(world, bearer, recognises)),
    maySee: (original) => (caller, token) => caller === nobody || original(caller, token),
    mayUsePool: (original) => (caller, pool) => caller === nobody || original(caller, pool),
  },
)

route(
  'frank-body-before-permission',
  'AGENT-TOKENS-HIDE-06',
  'a caller without permission gets 422 for a malformed body where the pool exists, and 404 elsewhere (002 5.2: the same as for a missing resource)',
  'agentTokens.create',
  (original) => (call) => {
    const { acceptsMediaType, description, wantedType } = call.rules
    if (call.world.pools.has(poolIn(call))) description(readDocument(call.headers, call.body, acceptsMediaType), wantedType)
    return original(call)
  },
)

const agentsSeen = remembered(() => new Map<string, Caller>())

rule(
  'frank-bearer-outlives-token',
  'AGENT-TOKENS-SECRET-10',
  'a token that was used as bearer stays a valid bearer after it was destroyed (002 4: DELETE destroys; 5.1)',
  {
    caller: (original) => (world, bearer, recognises) => {
      const found = original(world, bearer, recognises)
      if (found?.kind === 'agent') agentsSeen(world).set(bearer, found)
      return found ?? agentsSeen(world).get(bearer)
    },
  },
)

route(
  'frank-creator-from-body',
  'AGENT-TOKENS-FIELD-13',
  'created-by is whom the request body names as such, not the caller (002 2.2: relationships.created-by)',
  'agentTokens.create',
  (original) => (call) => {
    const { caller } = call
    const relationships = objectIn(objectIn(documentOf(sentIn(call)), 'data'), 'relationships')
    const { id } = objectIn(objectIn(relationships, 'created-by'), 'data')
    return original(
      caller.kind === 'user' && typeof id === 'string' ? { ...call, caller: { kind: 'user', user: { ...caller.user, id } } } : call,
    )
  },
)

route(
  'frank-created-then-refused',
  'AGENT-TOKENS-HIDE-03',
  'a caller without permission gets 404, but the token was created (002 5.2; 7: create, caller unauthorized)',
  'agentTokens.create',
  (original) => async (call) => {
    const { caller, rules } = call
    if (caller.kind !== 'user' || rules.mayManage(caller, poolIn(call)) || !call.world.pools.has(poolIn(call))) return original(call)
    const refused = new Refusal(rules.hiddenStatus(), rules.hiddenDetail('agent pool', poolIn(call), true))
    try {
      await original(withRules(call, { mayManage: () => true }))
    } catch {
      throw refused
    }
    throw refused
  },
)

const openPools = remembered(() => new Set<string>())

change(
  'frank-leave-kept-by-pool',
  'AGENT-TOKENS-HIDE-01',
  'once a pool was listed, every caller may list it until it changes (002 5.2; 7: list, caller unauthorized)',
  {
    rules: {
      add: (original) => (world, token) => {
        openPools(world).delete(token.poolId)
        return original(world, token)
      },
      remove: (original) => (world, token) => {
        openPools(world).delete(token.poolId)
        return original(world, token)
      },
    },
    routes: {
      'agentTokens.list': (original) => async (call) => {
        const { mayUsePool } = call.rules
        const open = openPools(call.world)
        const reply = await original(withRules(call, { mayUsePool: (caller, pool) => open.has(pool) || mayUsePool(caller, pool) }))
        open.add(poolIn(call))
        return reply
      },
    },
  },
)

route(
  'frank-empty-pool-is-open',
  'AGENT-TOKENS-HIDE-01',
  'permission is asked for each token of the list only, so that everyone lists a pool without any (002 5.2: 404 for an agent-pool resource)',
  'agentTokens.list',
  (original) => (call) => original(inPool(call.world, poolIn(call)).length === 0 ? withRules(call, { mayUsePool: () => true }) : call),
)

rule(
  'frank-half-a-secret',
  'AGENT-TOKENS-AUTH-03',
  'a bearer whose part before the period is right passes for the token (002 5.1: bearer token; 2.2: secret text)',
  {
    keep: (original) => (secret) => original(secret.split('.')[0] ?? secret),
    recognises: (original) => (token, secret) => original(token, secret.split('.')[0] ?? secret),
  },
)

route(
  'frank-shown-without-details',
  'AGENT-TOKENS-HIDE-02',
  'a caller without permission is shown the token, with its description blanked out (002 5.2; 7: show, caller unauthorized 404)',
  'agentTokens.show',
  (original) => (call) => {
    const token = tokenIn(call)
    const hidden = token !== undefined && !call.rules.maySee(call.caller, token)
    return original(hidden ? withRules(call, { maySee: () => true, describe: () => '' }) : call)
  },
)
