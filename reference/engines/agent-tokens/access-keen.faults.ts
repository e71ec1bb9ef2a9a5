/** Faults of who may ask: bearers, callers without permission, colleagues. */

import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { anybody, objectIn } from '../../run-management/answer-changes.ts'
import { Refusal, readDocument } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'
import { asManager, callerId, hiddenPool, inPool, onMissing, sentData } from './keen-help.ts'

const { rule, route } = faultsOf(agentTokens)

const nobody = anybody({ readRuns: true, overrideChecks: false, managePools: true })

rule(
  'keen-empty-bearer-reads',
  'AGENT-TOKENS-AUTH-01',
  'the word Bearer without a token is enough for list and show (002 5.1: every request sends a bearer token)',
  {
    bearer: (original) => (header) => original(header) ?? (/^bearer\s*$/i.test(header ?? '') ? '' : undefined),
    caller: (original) => (world, bearer, recognises) => (bearer === '' ? nobody : original(world, bearer, recognises)),
    mayManage: (original) => (caller, pool) => caller !== nobody && original(caller, pool),
  },
)

route(
  'keen-body-before-permission',
  'AGENT-TOKENS-HIDE-06',
  'a malformed create gets 422 from a pool that the caller may not use (002 5.2: 404, the same as for a missing resource)',
  'agentTokens.create',
  (original) => (call) => {
    const { rules } = call
    if (hiddenPool(call)) rules.description(readDocument(call.headers, call.body, rules.acceptsMediaType), rules.wantedType)
    return original(call)
  },
)

route(
  'keen-stored-then-refused',
  'AGENT-TOKENS-HIDE-06',
  'a create by a caller without permission answers 404 and makes the token all the same (002 5.2, 7: create 404, caller unauthorized)',
  'agentTokens.create',
  (original) => async (call) => {
    if (hiddenPool(call)) await original(asManager(call))
    return original(call)
  },
)

route(
  'keen-missing-destroy-has-source',
  'AGENT-TOKENS-HIDE-05',
  'the 404 of a destroy names a source only where the token is missing (002 5.2: the same as for a missing resource)',
  'agentTokens.destroy',
  (original) => (call) => {
    const known = call.world.tokens.has(call.params.id ?? '')
    return onMissing(
      () => original(call),
      (refused) => {
        if (known) return undefined
        throw new Refusal(404, refused.message, '/id')
      },
    )
  },
)

const shown = remembered(() => new Map<string, Reply>())

route(
  'keen-show-cached-for-all',
  'AGENT-TOKENS-HIDE-02',
  'a token that was shown to somebody who may see it is shown to everybody (002 5.2: 404 without permission)',
  'agentTokens.show',
  (original) => (call) => {
    const id = call.params.id ?? ''
    return onMissing(
      async () => {
        const reply = await original(call)
        shown(call.world).set(id, reply)
        return reply
      },
      () => (call.world.tokens.has(id) ? shown(call.world).get(id) : undefined),
    )
  },
)

const namesPage = (query: URLSearchParams): boolean => [...query.keys()].some((name) => name.startsWith('page['))

route(
  'keen-page-without-permission',
  'AGENT-TOKENS-HIDE-01',
  'a list with page parameters answers 200 without tokens to a caller without permission (002 7: list 404, caller unauthorized)',
  'agentTokens.list',
  (original) => (call) =>
    original(hiddenPool(call) && namesPage(call.query) ? { ...asManager(call), world: { ...call.world, tokens: new Map() } } : call),
)

route(
  'keen-list-own-only',
  'AGENT-TOKENS-FIELD-13',
  'a list has the tokens that the caller created only (002 4: list, 2.2: tokens belong to a pool)',
  'agentTokens.list',
  (original) => (call) => {
    if (call.caller.kind === 'agent') return original(call)
    const own = [...call.world.tokens].filter(([, { createdBy }]) => createdBy === callerId(call))
    return original({ ...call, world: { ...call.world, tokens: new Map(own) } })
  },
)

route(
  'keen-destroy-own-only',
  'AGENT-TOKENS-DESTROY-02',
  'a token that a colleague created is still there after a destroy that answers 204 (002 4: DELETE destroys, 7: 204 success)',
  'agentTokens.destroy',
  (original) => (call) => {
    const token = call.world.tokens.get(call.params.id ?? '')
    const isAnothers = token && call.rules.mayManage(call.caller, token.poolId) && token.createdBy !== callerId(call)
    return isAnothers ? { status: call.rules.destroyedStatus() } : original(call)
  },
)

const refusedAt = remembered(() => new Map<string, number>())

route(
  'keen-refusal-remembered',
  'AGENT-TOKENS-HIDE-04',
  'a token that was refused to a caller without permission is not found by others for some seconds (002 7: show 200)',
  'agentTokens.show',
  (original) => (call) => {
    const id = call.params.id ?? ''
    const refused = refusedAt(call.world)
    const since = call.now() - (refused.get(id) ?? 0)
    if (since < 5) throw new Refusal(404, call.rules.hiddenDetail('agent token', id, false))
    return onMissing(
      () => original(call),
      () => {
        refused.set(id, call.now())
        return undefined
      },
    )
  },
)

rule(
  'keen-id-as-bearer',
  'AGENT-TOKENS-AUTH-03',
  'the id of a token is as good a bearer as its secret text (002 2.2: token is the secret text, 5.1: bearer token)',
  {
    recognises: (original) => (token, secret) => token.id === secret || original(token, secret),
  },
)

route(
  'keen-creator-from-body',
  'AGENT-TOKENS-FIELD-13',
  'the creator is who the body names in relationships.created-by (002 2.2: created-by)',
  'agentTokens.create',
  (original) => (call) => {
    const { id } = objectIn(objectIn(objectIn(sentData(call), 'relationships'), 'created-by'), 'data')
    if (typeof id !== 'string' || call.caller.kind === 'agent') return original(call)
    return original({ ...call, caller: { kind: 'user', user: { ...call.caller.user, id } } })
  },
)

route(
  'keen-empty-pool-for-all',
  'AGENT-TOKENS-HIDE-01',
  'a pool without tokens is listed for everybody, as none of its tokens forbids it (002 7: list 404, caller unauthorized)',
  'agentTokens.list',
  (original) => (call) => {
    const empty = inPool(call.world, call.params.agent_pool_id ?? '').length === 0
    return original(empty && hiddenPool(call) ? asManager(call) : call)
  },
)
