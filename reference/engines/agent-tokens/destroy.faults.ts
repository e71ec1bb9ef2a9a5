/** Faults in destroying and showing tokens, and in error documents. */
import { faultsOf } from '../../mutations/declare.ts'
import { refusal, replyStatus } from '../../mutations/wrappers.ts'
import { MEDIA_TYPE, Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'

const { rule, route } = faultsOf(agentTokens)

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15))

const operations = agentTokens.routes.map(({ id }) => id)

const jsonApi = { 'content-type': MEDIA_TYPE }

rule('destroyed-200', 'AGENT-TOKENS-DESTROY-01', 'destroying answers 200', { destroyedStatus: () => () => 200 })
rule('destroy-marks', ['AGENT-TOKENS-DESTROY-02', 'AGENT-TOKENS-DESTROY-04'], 'a destroyed token can still be shown', {
  remove: () => () => true,
})
route(
  'destroy-idempotent',
  ['AGENT-TOKENS-DESTROY-03', 'AGENT-TOKENS-DESTROY-04'],
  'destroying what is not there succeeds',
  'agentTokens.destroy',
  (original) => (call) => (call.world.tokens.has(call.params.id ?? '') ? original(call) : { status: 204 }),
)
rule('destroy-more', 'AGENT-TOKENS-DESTROY-05', 'all tokens of the pool are destroyed', {
  remove:
    () =>
    (world, { poolId }) => {
      for (const [id, token] of world.tokens) if (token.poolId === poolId) world.tokens.delete(id)
      return true
    },
})
route(
  'destroy-route',
  ['AGENT-TOKENS-DESTROY-07', 'AGENT-TOKENS-DESTROY-01'],
  'the delete route is not served under the prefix',
  'agentTokens.destroy',
  () => () => {
    throw new Refusal(404, 'no such route')
  },
)
rule('destroy-race', 'AGENT-TOKENS-DESTROY-06', 'two destructions at once both succeed', {
  remove: () => async (world, token) => {
    await pause()
    world.tokens.delete(token.id)
    return true
  },
})
route('show-any', 'AGENT-TOKENS-SHOW-02', 'show answers with some token of the pool', 'agentTokens.show', (original) => (call) => {
  const wanted = call.world.tokens.get(call.params.id ?? '')
  const first = [...call.world.tokens.values()].find((token) => token.poolId === wanted?.poolId)
  return original({ ...call, params: { id: first?.id ?? call.params.id ?? '' } })
})
route('show-203', 'AGENT-TOKENS-SHOW-01', 'show answers 203', 'agentTokens.show', replyStatus(203))
route('show-unknown-400', 'AGENT-TOKENS-SHOW-03', 'an id that no token has is a bad request', 'agentTokens.show', (original) => (call) => {
  if (!call.world.tokens.has(call.params.id ?? '')) throw new Refusal(400, 'no such token')
  return original(call)
})
route(
  'list-unknown-empty',
  'AGENT-TOKENS-LIST-03',
  'a pool that does not exist lists nothing',
  'agentTokens.list',
  (original) => (call) => {
    if (call.world.pools.has(call.params.agent_pool_id ?? '')) return original(call)
    const links = { self: call.path, first: call.path, prev: null, next: null, last: call.path }
    const pagination = { 'current-page': 1, 'prev-page': null, 'next-page': null, 'total-pages': 1, 'total-count': 0 }
    return { status: 200, body: { data: [], links, meta: { pagination } }, headers: jsonApi }
  },
)
route(
  'error-text',
  'AGENT-TOKENS-ERROR-01',
  'errors are texts, not objects',
  operations,
  refusal(({ status, message }) => ({ status, body: { errors: [message] }, headers: jsonApi })),
)
route(
  'error-other-shape',
  ['AGENT-TOKENS-ERROR-01', 'AGENT-TOKENS-ERROR-04'],
  'refusals have error in place of errors',
  operations,
  refusal(({ status, message }) => ({ status, body: { error: { message } }, headers: jsonApi })),
)
route(
  'error-status-number',
  'AGENT-TOKENS-ERROR-03',
  'the status in an error is a number',
  operations,
  refusal(({ status, message }) => ({ status, body: { errors: [{ status, title: message }] }, headers: jsonApi })),
)
route(
  'error-plain',
  'AGENT-TOKENS-MEDIA-01',
  'refusals are plain JSON',
  operations,
  refusal(({ status, message }) => ({ status, body: { errors: [{ title: message }] } })),
)
