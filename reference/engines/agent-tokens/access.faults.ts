/** Faults in who may see, create and destroy. */

import { faultsOf } from '../../mutations/declare.ts'
import type { Caller, User, World } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'

const { rule, route } = faultsOf(agentTokens)

const anybody = (rights: User['rights']): Caller => ({ kind: 'user', user: { id: 'user-nobody', name: 'nobody', rights } })

const all = { readRuns: true, overrideChecks: true, managePools: true }

const isManager = (caller: Caller): boolean => caller.kind === 'user' && caller.user.rights.managePools

/** Lets a caller without token in; `may` says for which of the rules below. */
const openDoor = (world: World): Caller =>
  [...world.users.values()].map((user): Caller => ({ kind: 'user', user })).find(isManager) ?? anybody(all)

rule('anonymous-reads', 'AGENT-TOKENS-AUTH-01', 'tokens can be read without a bearer', {
  bearer: (original) => (header) => original(header) ?? 'anonymous',
  caller: (original) => (world, bearer, recognises) =>
    bearer === 'anonymous' ? anybody({ ...all, managePools: false }) : original(world, bearer, recognises),
  mayUsePool: (original) => (caller, pool) => (caller.kind === 'user' && caller.user.id === 'user-nobody') || original(caller, pool),
  maySee: (original) => (caller, token) => (caller.kind === 'user' && caller.user.id === 'user-nobody') || original(caller, token),
})
rule('any-bearer', ['AGENT-TOKENS-AUTH-03', 'AGENT-TOKENS-AUTH-05', 'AGENT-TOKENS-AUTH-06'], 'any bearer is taken for the owner', {
  caller: (original) => (world, bearer, recognises) => original(world, bearer, recognises) ?? openDoor(world),
})
rule('anonymous-writes', ['AGENT-TOKENS-AUTH-05', 'AGENT-TOKENS-AUTH-06'], 'a missing bearer is forgotten on the way to writes', {
  bearer: (original) => (header) => original(header) ?? 'anonymous',
  caller: (original) => (world, bearer, recognises) =>
    bearer === 'anonymous' ? anybody({ ...all, managePools: false }) : original(world, bearer, recognises),
  mayManage: (original) => (caller, pool) => (caller.kind === 'user' && caller.user.id === 'user-nobody') || original(caller, pool),
})
rule('no-bearer-400', 'AGENT-TOKENS-AUTH-02', 'a missing bearer is answered with 400', { unauthenticatedStatus: () => () => 400 })
rule('stranger-lists', ['AGENT-TOKENS-HIDE-01', 'AGENT-TOKENS-HIDE-06'], 'every user may list every pool', { mayUsePool: () => () => true })
rule('stranger-shows', ['AGENT-TOKENS-HIDE-02', 'AGENT-TOKENS-HIDE-05'], 'every user may show every token', { maySee: () => () => true })
rule('stranger-manages', ['AGENT-TOKENS-HIDE-03', 'AGENT-TOKENS-HIDE-04'], 'every user may create and destroy', {
  mayManage: () => (caller) => caller.kind === 'user',
})
rule('forbidden-403', ['AGENT-TOKENS-HIDE-01', 'AGENT-TOKENS-HIDE-02', 'AGENT-TOKENS-HIDE-04'], 'what is hidden is answered with 403', {
  hiddenStatus: () => () => 403,
})
rule('hidden-told', ['AGENT-TOKENS-HIDE-05', 'AGENT-TOKENS-HIDE-06'], 'the 404 of a hidden resource has a text of its own', {
  hiddenDetail: (original) => (kind, id, exists) => (exists ? `${kind} exists, but you lack permission` : original(kind, id, exists)),
})
route(
  'destroy-then-ask',
  'AGENT-TOKENS-HIDE-04',
  'a destruction is carried out before permission is looked at',
  'agentTokens.destroy',
  (original) => async (call) => {
    const token = call.world.tokens.get(call.params.id ?? '')
    if (!token || call.rules.mayManage(call.caller, token.poolId)) return original(call)
    call.world.tokens.delete(token.id)
    return original(call)
  },
)
route(
  'validates-first',
  'AGENT-TOKENS-HIDE-07',
  'a malformed body is told to callers without permission',
  'agentTokens.create',
  (original) => (call) => {
    call.rules.description(JSON.parse(new TextDecoder().decode(call.body)), call.rules.wantedType)
    return original(call)
  },
)
