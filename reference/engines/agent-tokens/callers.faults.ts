/** Faults in which callers are refused, and told, other things than they may be. */
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { refusal, reply } from '../../mutations/wrappers.ts'
import { document, Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'
import type { Call } from './wrappers.ts'

const { rule, route } = faultsOf(agentTokens)

const managing = (call: Call): Call =>
  call.caller.kind === 'user'
    ? {
        ...call,
        caller: { kind: 'user', user: { ...call.caller.user, rights: { readRuns: true, overrideChecks: true, managePools: true } } },
      }
    : call

rule('identity-pool-404-differs', 'AGENT-TOKENS-HIDE-06', 'the 404 of a pool that is not the caller says so', {
  hiddenDetail: (original) => (kind, id, exists) =>
    exists && kind === 'agent pool' ? 'this agent pool is not yours' : original(kind, id, exists),
})

route(
  'identity-refused-destroy-locks',
  'AGENT-TOKENS-HIDE-09',
  'a token that a caller without permission asked to destroy cannot be destroyed any more',
  'agentTokens.destroy',
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

route(
  'identity-refused-create-done',
  ['AGENT-TOKENS-HIDE-03', 'AGENT-TOKENS-HIDE-08'],
  'a create of a caller without permission is answered 404 and done',
  'agentTokens.create',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof Refusal && cause.status === 404 && call.world.pools.has(call.params.agent_pool_id!))
        await original(managing(call))
      throw cause
    }
  },
)

route(
  'identity-reader-destroy-done',
  'AGENT-TOKENS-HIDE-08',
  'a destroy of a reader is answered 404 and done; that of a stranger is not',
  'agentTokens.destroy',
  (original) => async (call) => {
    const reads = call.caller.kind === 'user' && call.caller.user.rights.readRuns && !call.caller.user.rights.managePools
    const token = call.world.tokens.get(call.params.id!)
    if (!reads || !token) return original(call)
    await original(managing(call))
    throw new Refusal(404, call.rules.hiddenDetail('agent token', token.id, true))
  },
)

route(
  'identity-stranger-empty-list',
  ['AGENT-TOKENS-HIDE-01', 'AGENT-TOKENS-HIDE-06'],
  'a caller without permission gets an empty list instead of 404',
  'agentTokens.list',
  (original) =>
    refusal<Call>((refused, call) =>
      refused.status === 404 && call.world.pools.has(call.params.agent_pool_id!)
        ? document(200, {
            data: [],
            links: call.rules.links(call.path, { number: 1, size: 20 }, 1),
            meta: { pagination: call.rules.meta({ number: 1, size: 20 }, 1, 0) },
          })
        : refused,
    )(original),
)

route(
  'identity-created-by-asker',
  'AGENT-TOKENS-FIELD-13',
  'a token that is shown was created by whoever asks',
  'agentTokens.show',
  (original) =>
    reply<Call>((given, call) => {
      const body = given.body as { data: JsonObject }
      const id = call.caller.kind === 'user' ? call.caller.user.id : call.caller.token.createdBy
      return { ...given, body: { data: { ...body.data, relationships: { 'created-by': { data: { id, type: 'users' } } } } } }
    })(original),
)

route(
  'identity-body-before-permission',
  'AGENT-TOKENS-HIDE-06',
  'a malformed create is 422 for a caller who may not know the pool',
  'agentTokens.create',
  (original) => (call) => {
    if (call.world.pools.has(call.params.agent_pool_id!)) {
      try {
        call.rules.description(JSON.parse(new TextDecoder().decode(call.body)) as Json, call.rules.wantedType)
      } catch (cause) {
        if (cause instanceof Refusal) throw cause
      }
    }
    return original(call)
  },
)

rule('bare-token', 'AGENT-TOKENS-AUTH-10', 'a token is taken without the word Bearer', {
  bearer: (original) => (header) => original(header) ?? (header?.includes(' ') === false ? header : undefined),
})

rule('basic-token', 'AGENT-TOKENS-AUTH-10', 'a token is taken as the password of the scheme Basic, too', {
  bearer: (original) => (header) => {
    const basic = /^Basic +(\S+)$/i.exec(header ?? '')?.[1]
    return original(header) ?? (basic === undefined ? undefined : Buffer.from(basic, 'base64').toString().split(':')[1])
  },
})
