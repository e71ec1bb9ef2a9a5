/** Faults about who is calling and what is hidden from whom. */
import { faultsOf } from '../../mutations/declare.ts'
import { anybody, anyCasePasses, longerBearersPass } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'

const { rule, route } = faultsOf(agentTokens)

const NOBODY = 'nobody'
const manager = anybody({ readRuns: true, overrideChecks: false, managePools: true })

rule(
  'anyone-lists',
  ['AGENT-TOKENS-HIDE-01', 'AGENT-TOKENS-HIDE-06'],
  'a caller without permission lists the tokens of a pool (002 5.2; 7, list: 404 caller unauthorized)',
  {
    mayUsePool: () => () => true,
  },
)

rule(
  'anyone-shows',
  ['AGENT-TOKENS-HIDE-02', 'AGENT-TOKENS-HIDE-05'],
  'a caller without permission is shown a token whose id is known (002 5.2; 7, show: 404 caller unauthorized)',
  {
    maySee: () => () => true,
  },
)

route(
  'anyone-creates',
  ['AGENT-TOKENS-HIDE-06', 'AGENT-TOKENS-HIDE-03'],
  'a caller without permission creates tokens (002 5.2; 7, create: 404 caller unauthorized)',
  'agentTokens.create',
  (original) => (call) => original({ ...call, rules: { ...call.rules, mayManage: (caller) => caller.kind === 'user' } }),
)

route(
  'anyone-destroys',
  ['AGENT-TOKENS-HIDE-04', 'AGENT-TOKENS-HIDE-05'],
  'a caller without permission destroys tokens (002 5.2; 7, destroy: 404 caller unauthorized)',
  'agentTokens.destroy',
  (original) => (call) => original({ ...call, rules: { ...call.rules, mayManage: (caller) => caller.kind === 'user' } }),
)

route(
  'destroyed-before-refusal',
  ['AGENT-TOKENS-HIDE-04'],
  'a token is destroyed before its caller is refused (002 5.2; readings: refused, nothing changed)',
  'agentTokens.destroy',
  (original) => async (call) => {
    const token = call.world.tokens.get(call.params.id ?? '')
    if (token && !call.rules.mayManage(call.caller, token.poolId)) await call.rules.remove(call.world, token)
    return original(call)
  },
)

route(
  'hidden-token-403',
  ['AGENT-TOKENS-HIDE-02', 'AGENT-TOKENS-HIDE-05'],
  'a token that the caller may not see is answered with 403 (002 5.2, 404, the same as for a missing resource)',
  'agentTokens.show',
  (original) => (call) => original({ ...call, rules: { ...call.rules, hiddenStatus: () => 403 } }),
)

route(
  'hidden-pool-422',
  ['AGENT-TOKENS-HIDE-06'],
  'a malformed create in a pool of others is answered with 422 (002 5.2, 404, the same as for a missing resource)',
  'agentTokens.create',
  (original) => async (call) => {
    const pool = call.params.agent_pool_id ?? ''
    const isUnknown = call.world.pools.has(pool) && !call.rules.mayManage(call.caller, pool)
    if (!isUnknown) return original(call)
    const rules = {
      ...call.rules,
      mayManage: () => true,
      add: () => {
        throw new Refusal(404, call.rules.hiddenDetail('agent pool', pool, true))
      },
    }
    return original({ ...call, rules })
  },
)

rule(
  'hidden-detail-tells',
  ['AGENT-TOKENS-HIDE-06'],
  'the 404 of a hidden resource says that it exists (002 5.2, the same as for a missing resource)',
  {
    hiddenDetail: (original) => (kind, id, exists) => (exists ? `you have no permission on this ${kind}` : original(kind, id, exists)),
  },
)

rule(
  'anonymous-manages',
  ['AGENT-TOKENS-AUTH-01', 'AGENT-TOKENS-AUTH-06'],
  'a request without Authorization is treated as one by a manager of all pools (002 5.1)',
  {
    bearer: (original) => (header) => original(header) ?? (header === undefined ? NOBODY : undefined),
    caller: (original) => (world, bearer, recognises) => (bearer === NOBODY ? manager : original(world, bearer, recognises)),
  },
)

rule(
  'unknown-bearer-manages',
  ['AGENT-TOKENS-AUTH-05', 'AGENT-TOKENS-AUTH-06'],
  'a bearer that was never issued is taken for a manager of all pools (002 5.1)',
  {
    caller: (original) => (world, bearer, recognises) => original(world, bearer, recognises) ?? manager,
  },
)

rule('longer-bearer-passes', ['AGENT-TOKENS-SECRET-10'], 'a good bearer with more text behind it passes (002 5.1)', {
  caller: longerBearersPass,
})

rule('any-case-bearer-passes', ['AGENT-TOKENS-SECRET-10'], 'a good bearer passes in another letter case (002 5.1)', {
  caller: anyCasePasses,
})
