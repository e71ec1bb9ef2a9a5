/** Faults in who may see, create and destroy, and in what others are told. */
import { type Clauses, faultsOf } from '../../faults/declare.ts'
import { anybody, anyCasePasses, lastCallerStays, longerBearersPass } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { Caller, User } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'

const { rule, route, declared } = faultsOf(agentTokens)

const isNobody = (caller: Caller): boolean => caller.kind === 'user' && caller.user.id === 'user-anonymous'

/** A request without a bearer gets in as nobody. */
const letIn: Parameters<typeof rule>[3] = {
  bearer: (original) => (header) => original(header) ?? 'anonymous',
  caller: (original) => (world, bearer, recognises) =>
    bearer === 'anonymous' ? anybody({ readRuns: true, overrideChecks: true, managePools: false }) : original(world, bearer, recognises),
}

rule('anonymous-reads', 'AGENT-TOKENS-AUTH-01', 'tokens can be read without a bearer', {
  ...letIn,
  mayUsePool: (original) => (caller, pool) => isNobody(caller) || original(caller, pool),
  maySee: (original) => (caller, token) => isNobody(caller) || original(caller, token),
})
rule('anonymous-writes', ['AGENT-TOKENS-AUTH-05', 'AGENT-TOKENS-AUTH-06'], 'a missing bearer is forgotten on the way to writes', {
  ...letIn,
  mayManage: (original) => (caller, pool) => isNobody(caller) || original(caller, pool),
})
const UNKNOWN: Clauses = ['AGENT-TOKENS-AUTH-03', 'AGENT-TOKENS-AUTH-05', 'AGENT-TOKENS-AUTH-06']
rule('last-caller-stays', UNKNOWN, 'an unknown bearer counts as the caller before', { caller: lastCallerStays })
rule('longer-bearer', 'AGENT-TOKENS-AUTH-03', 'a bearer that only begins with a good one is taken for it', { caller: longerBearersPass })
rule('bearer-of-any-case', 'AGENT-TOKENS-AUTH-03', 'the letter case of a bearer does not count', { caller: anyCasePasses })
rule('no-bearer-400', 'AGENT-TOKENS-AUTH-02', 'a missing bearer is answered with 400', { unauthenticatedStatus: () => () => 400 })
rule('bare-token', 'AGENT-TOKENS-AUTH-10', 'a token is taken without the word Bearer', {
  bearer: (original) => (header) => original(header) ?? (header?.includes(' ') === false ? header : undefined),
})
rule('basic-token', 'AGENT-TOKENS-AUTH-10', 'a token is taken as the password of the scheme Basic, too', {
  bearer: (original) => (header) => {
    const basic = /^Basic +(\S+)$/i.exec(header ?? '')?.[1]
    return original(header) ?? (basic === undefined ? undefined : Buffer.from(basic, 'base64').toString().split(':')[1])
  },
})
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
const DESTROY = 'agentTokens.destroy'
const CREATE = 'agentTokens.create'

route('validates-first', 'AGENT-TOKENS-HIDE-07', 'a malformed body is told to callers without permission', CREATE, (original) => (call) => {
  call.rules.description(JSON.parse(new TextDecoder().decode(call.body)), call.rules.wantedType)
  return original(call)
})
route(
  'refused-destroy-locks',
  'AGENT-TOKENS-HIDE-09',
  'a refused destruction keeps others from destroying the token',
  DESTROY,
  (original) => {
    const locked = new Set<string>()
    return async (call) => {
      const id = call.params.id ?? ''
      if (!call.rules.mayManage(call.caller, '')) locked.add(id)
      else if (locked.has(id)) throw new Refusal(404, call.rules.hiddenDetail('agent token', id, true))
      return original(call)
    }
  },
)

/** A refused request is done by somebody who may, where a caller is one of these. */
const doneAnyway =
  (whose: (rights: User['rights']) => boolean): Parameters<typeof route>[4] =>
  (original) =>
  async (call) => {
    const { caller, rules } = call
    const rights = { readRuns: true, overrideChecks: true, managePools: true }
    if (caller.kind === 'user' && !rules.mayManage(caller, '') && whose(caller.user.rights))
      await Promise.resolve(original({ ...call, caller: { kind: 'user', user: { ...caller.user, rights } } })).catch(() => undefined)
    return original(call)
  }

const ALL: Clauses = ['AGENT-TOKENS-HIDE-03', 'AGENT-TOKENS-HIDE-08']
route(
  'refused-create-done',
  ALL,
  'a create without permission is refused and done',
  CREATE,
  doneAnyway(() => true),
)
route(
  'reader-destroy-done',
  'AGENT-TOKENS-HIDE-08',
  'a destruction by a reader is refused and done; by a stranger it is not',
  DESTROY,
  doneAnyway(({ readRuns }) => readRuns),
)

export const faults = declared
