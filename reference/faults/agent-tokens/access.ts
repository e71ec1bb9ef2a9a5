/** Faults in who may see, create and destroy. */
import { fault } from '../../core/mutation.ts'
import { agentTokens } from '../../run-management/agent-tokens/index.ts'
import type { Caller, User, World } from '../../run-management/world.ts'

const engine = 'agent-tokens'

const anybody = (rights: User['rights']): Caller => ({ kind: 'user', user: { id: 'user-nobody', name: 'nobody', rights } })
const all = { readRuns: true, overrideChecks: true, managePools: true }
const isManager = (caller: Caller): boolean => caller.kind === 'user' && caller.user.rights.managePools

/** Lets a caller without token in; `may` says for which of the rules below. */
const openDoor = (world: World): Caller =>
  [...world.users.values()].map((user): Caller => ({ kind: 'user', user })).find(isManager) ?? anybody(all)

export const accessFaults = [
  fault(
    agentTokens,
    { id: 'agent-tokens-anonymous-reads', engine, title: 'tokens can be read without a bearer', clauses: ['AGENT-AUTH-01'] },
    {
      rules: {
        bearer: (original) => (header) => original(header) ?? 'anonymous',
        caller: (original) => (world, bearer, recognises) =>
          bearer === 'anonymous' ? anybody({ ...all, managePools: false }) : original(world, bearer, recognises),
        mayUsePool: (original) => (caller, pool) => (caller.kind === 'user' && caller.user.id === 'user-nobody') || original(caller, pool),
        maySee: (original) => (caller, token) => (caller.kind === 'user' && caller.user.id === 'user-nobody') || original(caller, token),
      },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-any-bearer',
      engine,
      title: 'any bearer is taken for the owner',
      clauses: ['AGENT-AUTH-03', 'AGENT-AUTH-05', 'AGENT-AUTH-06'],
    },
    {
      rules: { caller: (original) => (world, bearer, recognises) => original(world, bearer, recognises) ?? openDoor(world) },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-anonymous-writes',
      engine,
      title: 'a missing bearer is forgotten on the way to writes',
      clauses: ['AGENT-AUTH-05', 'AGENT-AUTH-06'],
    },
    {
      rules: {
        bearer: (original) => (header) => original(header) ?? 'anonymous',
        caller: (original) => (world, bearer, recognises) =>
          bearer === 'anonymous' ? anybody({ ...all, managePools: false }) : original(world, bearer, recognises),
        mayManage: (original) => (caller, pool) => (caller.kind === 'user' && caller.user.id === 'user-nobody') || original(caller, pool),
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-no-bearer-400', engine, title: 'a missing bearer is answered with 400', clauses: ['AGENT-AUTH-02'] },
    {
      rules: { unauthenticatedStatus: () => () => 400 },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-stranger-lists', engine, title: 'every user may list every pool', clauses: ['AGENT-HIDE-01', 'AGENT-HIDE-06'] },
    {
      rules: { mayUsePool: () => () => true },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-stranger-shows', engine, title: 'every user may show every token', clauses: ['AGENT-HIDE-02', 'AGENT-HIDE-05'] },
    {
      rules: { maySee: () => () => true },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-stranger-manages',
      engine,
      title: 'every user may create and destroy',
      clauses: ['AGENT-HIDE-03', 'AGENT-HIDE-04'],
    },
    {
      rules: { mayManage: () => (caller) => caller.kind === 'user' },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-forbidden-403',
      engine,
      title: 'what is hidden is answered with 403',
      clauses: ['AGENT-HIDE-01', 'AGENT-HIDE-02', 'AGENT-HIDE-04'],
    },
    {
      rules: { hiddenStatus: () => () => 403 },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-hidden-told',
      engine,
      title: 'the 404 of a hidden resource has a text of its own',
      clauses: ['AGENT-HIDE-05', 'AGENT-HIDE-06'],
    },
    {
      rules: {
        hiddenDetail: (original) => (kind, id, exists) => (exists ? `${kind} exists, but you lack permission` : original(kind, id, exists)),
      },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-destroy-then-ask',
      engine,
      title: 'a destruction is carried out before permission is looked at',
      clauses: ['AGENT-HIDE-04'],
    },
    {
      routes: {
        'agentTokens.destroy': (original) => async (call) => {
          const token = call.world.tokens.get(call.params.id ?? '')
          if (!token || call.rules.mayManage(call.caller, token.poolId)) return original(call)
          call.world.tokens.delete(token.id)
          return original(call)
        },
      },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-validates-first',
      engine,
      title: 'a malformed body is told to callers without permission',
      clauses: ['AGENT-HIDE-07'],
    },
    {
      routes: {
        'agentTokens.create': (original) => (call) => {
          call.rules.description(JSON.parse(new TextDecoder().decode(call.body)), call.rules.wantedType)
          return original(call)
        },
      },
    },
  ),
]
