/** Faults of agent tokens about who asks, with what bearer and for which verb. */
import { faultsOf } from '../../mutations/declare.ts'
import { refusal } from '../../mutations/wrappers.ts'
import { anybody, anyCasePasses, lastCallerStays } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { PartCall } from '../../run-management/part.ts'
import type { Caller } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'

type Rules = typeof agentTokens.rules
type Handle = (typeof agentTokens.routes)[number]['handle']
type Call = PartCall<Rules>

const { rule, route, change } = faultsOf(agentTokens)

const isReader = (caller: Caller): boolean => caller.kind === 'user' && caller.user.rights.readRuns && !caller.user.rights.managePools
const poolExists = (call: Call): boolean => call.world.pools.has(call.params.agent_pool_id ?? '')
const tokenExists = (call: Call): boolean => call.world.tokens.has(call.params.id ?? '')

/** Another answer to who is refused something that is there. */
const hiddenAs = (change: (refused: Refusal, call: Call) => Refusal, there: (call: Call) => boolean): ((original: Handle) => Handle) =>
  refusal<Call>((refused, call) => (refused.status === 404 && there(call) ? change(refused as Refusal, call) : refused))

rule('readers-list', ['AGENT-TOKENS-HIDE-01', 'AGENT-TOKENS-HIDE-06'], 'who may only read runs gets the list of a pool (002 5.2)', {
  mayUsePool: (original) => (caller, pool) => original(caller, pool) || isReader(caller),
})

route(
  'all-users-create',
  ['AGENT-TOKENS-HIDE-03', 'AGENT-TOKENS-HIDE-06'],
  'any user may create a token in a pool (002 5.2, 7)',
  'agentTokens.create',
  (original) => (call) => {
    const { caller } = call
    return original(caller.kind === 'user' ? { ...call, caller: { kind: 'user', user: managing(caller.user) } } : call)
  },
)

const managing = (user: Extract<Caller, { kind: 'user' }>['user']) => ({ ...user, rights: { ...user.rights, managePools: true } })

change('readers-destroy-what-they-saw', ['AGENT-TOKENS-HIDE-04'], 'who lists a pool in vain may destroy its tokens afterwards (002 5.2)', {
  routes: {
    'agentTokens.list': (original) => async (call) => {
      if (call.caller.kind === 'user' && poolExists(call)) tried.add(`${call.caller.user.id} ${call.params.agent_pool_id}`)
      return original(call)
    },
    'agentTokens.destroy': (original) => (call) => {
      const { caller } = call
      const pool = call.world.tokens.get(call.params.id ?? '')?.poolId
      const passes = caller.kind === 'user' && tried.has(`${caller.user.id} ${pool}`)
      return original(passes ? { ...call, caller: { kind: 'user', user: managing(caller.user) } } : call)
    },
  },
})

const tried = new Set<string>()

const forbidden = () => new Refusal(403, 'this is not yours')

route(
  'show-forbidden',
  ['AGENT-TOKENS-HIDE-02', 'AGENT-TOKENS-HIDE-05'],
  'the show of a token that is not the callers is 403 (002 7: 404)',
  'agentTokens.show',
  hiddenAs(forbidden, tokenExists),
)

route(
  'destroy-forbidden',
  ['AGENT-TOKENS-HIDE-04', 'AGENT-TOKENS-HIDE-05'],
  'destroying a token that is not the callers is 403 (002 7: 404)',
  'agentTokens.destroy',
  hiddenAs(forbidden, tokenExists),
)

route(
  'destroy-names-pool',
  ['AGENT-TOKENS-HIDE-05'],
  'the 404 of a destroy names the pool of a token that is there (002 5.2: the same as for a missing resource)',
  'agentTokens.destroy',
  hiddenAs((_refused, call) => new Refusal(404, `no rights in ${call.world.tokens.get(call.params.id ?? '')?.poolId}`), tokenExists),
)

route(
  'create-tells-apart',
  ['AGENT-TOKENS-HIDE-06'],
  'the 404 of a create differs where the pool is there (002 5.2)',
  'agentTokens.create',
  (original) => hiddenAs(() => new Refusal(404, 'you may not create tokens in this pool'), poolExists)(original),
)

const all = { readRuns: true, overrideChecks: true, managePools: true }

route(
  'destroy-hidden-done',
  ['AGENT-TOKENS-HIDE-04', 'AGENT-TOKENS-HIDE-05'],
  'a destroy by whoever has no permission is answered with 204 (002 7: 404)',
  'agentTokens.destroy',
  (original) => (call) =>
    tokenExists(call) && call.caller.kind === 'user' && !call.caller.user.rights.managePools ? { status: 204 } : original(call),
)

route(
  'body-before-permission',
  ['AGENT-TOKENS-HIDE-06'],
  'a create without permission and with a broken body is 422, not 404 (002 5.2)',
  'agentTokens.create',
  (original) => (call) => {
    if (poolExists(call)) {
      const given = new TextDecoder().decode(call.body)
      if (!given.includes('"description"')) throw new Refusal(422, 'the description has to be a text', '/data/attributes/description')
    }
    return original(call)
  },
)

change('nobody-destroys', ['AGENT-TOKENS-AUTH-06'], 'destroying needs no bearer (002 5.1)', {
  rules: {
    bearer: (original) => (header) => (header === undefined ? 'nobody' : original(header)),
    caller: (original) => (world, bearer, recognises) =>
      bearer === 'nobody' ? anybody({ ...all, managePools: false }) : original(world, bearer, recognises),
  },
  routes: {
    'agentTokens.destroy': (original) => (call) =>
      original(call.caller.kind === 'user' && call.caller.user.name === 'anonymous' ? { ...call, caller: anybody(all) } : call),
  },
})

rule(
  'unknown-bearer-is-last',
  ['AGENT-TOKENS-AUTH-05', 'AGENT-TOKENS-AUTH-06'],
  'an unknown bearer counts as whoever called before (002 5.1)',
  { caller: lastCallerStays },
)

rule('bearer-any-case', ['AGENT-TOKENS-SECRET-10'], 'a bearer in the wrong letter case is taken for the good one (002 5.1)', {
  caller: anyCasePasses,
})
