/** Faults in destroying and showing tokens, and in error documents. */
import { fault } from '../../core/mutation.ts'
import { agentTokens } from '../../run-management/agent-tokens/index.ts'
import { MEDIA_TYPE, Refusal } from '../../run-management/documents.ts'

const engine = 'agent-tokens'

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15))

type Handle = (typeof agentTokens.routes)[number]['handle']

/** Rewrites what refusals of every route answer. */
const refusals = (rewrite: (refusal: Refusal) => ReturnType<Handle>) =>
  Object.fromEntries(
    agentTokens.routes.map(({ id }) => [
      id,
      (original: Handle): Handle =>
        async (call) => {
          try {
            return await original(call)
          } catch (error) {
            if (!(error instanceof Refusal)) throw error
            return rewrite(error)
          }
        },
    ]),
  )

const jsonApi = { 'content-type': MEDIA_TYPE }

export const destroyFaults = [
  fault(
    agentTokens,
    { id: 'agent-tokens-destroyed-200', engine, title: 'destroying answers 200', clauses: ['AGENT-DESTROY-01'] },
    {
      rules: { destroyedStatus: () => () => 200 },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-destroy-marks',
      engine,
      title: 'a destroyed token can still be shown',
      clauses: ['AGENT-DESTROY-02', 'AGENT-DESTROY-04'],
    },
    {
      rules: {
        remove: () => () => true,
      },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-destroy-idempotent',
      engine,
      title: 'destroying what is not there succeeds',
      clauses: ['AGENT-DESTROY-03', 'AGENT-DESTROY-04'],
    },
    {
      routes: {
        'agentTokens.destroy': (original) => (call) => (call.world.tokens.has(call.params.id ?? '') ? original(call) : { status: 204 }),
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-destroy-more', engine, title: 'all tokens of the pool are destroyed', clauses: ['AGENT-DESTROY-05'] },
    {
      rules: {
        remove:
          () =>
          (world, { poolId }) => {
            for (const [id, token] of world.tokens) if (token.poolId === poolId) world.tokens.delete(id)
            return true
          },
      },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-destroy-route',
      engine,
      title: 'the delete route is not served under the prefix',
      clauses: ['AGENT-DESTROY-07', 'AGENT-DESTROY-01'],
    },
    {
      routes: {
        'agentTokens.destroy': () => () => {
          throw new Refusal(404, 'no such route')
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-destroy-race', engine, title: 'two destructions at once both succeed', clauses: ['AGENT-DESTROY-06'] },
    {
      rules: {
        remove: () => async (world, token) => {
          await pause()
          world.tokens.delete(token.id)
          return true
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-show-any', engine, title: 'show answers with some token of the pool', clauses: ['AGENT-SHOW-02'] },
    {
      routes: {
        'agentTokens.show': (original) => (call) => {
          const wanted = call.world.tokens.get(call.params.id ?? '')
          const first = [...call.world.tokens.values()].find((token) => token.poolId === wanted?.poolId)
          return original({ ...call, params: { id: first?.id ?? call.params.id ?? '' } })
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-show-203', engine, title: 'show answers 203', clauses: ['AGENT-SHOW-01'] },
    {
      routes: { 'agentTokens.show': (original) => async (call) => ({ ...(await original(call)), status: 203 }) },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-show-unknown-400', engine, title: 'an id that no token has is a bad request', clauses: ['AGENT-SHOW-03'] },
    {
      routes: {
        'agentTokens.show': (original) => (call) => {
          if (!call.world.tokens.has(call.params.id ?? '')) throw new Refusal(400, 'no such token')
          return original(call)
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-list-unknown-empty', engine, title: 'a pool that does not exist lists nothing', clauses: ['AGENT-LIST-03'] },
    {
      routes: {
        'agentTokens.list': (original) => (call) => {
          if (call.world.pools.has(call.params.agent_pool_id ?? '')) return original(call)
          const links = { self: call.path, first: call.path, prev: null, next: null, last: call.path }
          const pagination = { 'current-page': 1, 'prev-page': null, 'next-page': null, 'total-pages': 1, 'total-count': 0 }
          return { status: 200, body: { data: [], links, meta: { pagination } }, headers: jsonApi }
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-error-text', engine, title: 'errors are texts, not objects', clauses: ['AGENT-ERROR-01'] },
    {
      routes: refusals(({ status, message }) => ({ status, body: { errors: [message] }, headers: jsonApi })),
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-error-other-shape',
      engine,
      title: 'refusals have error in place of errors',
      clauses: ['AGENT-ERROR-01', 'AGENT-ERROR-04'],
    },
    {
      routes: refusals(({ status, message }) => ({ status, body: { error: { message } }, headers: jsonApi })),
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-error-status-number', engine, title: 'the status in an error is a number', clauses: ['AGENT-ERROR-03'] },
    {
      routes: refusals(({ status, message }) => ({ status, body: { errors: [{ status, title: message }] }, headers: jsonApi })),
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-error-plain', engine, title: 'refusals are plain JSON', clauses: ['AGENT-MEDIA-01'] },
    {
      routes: refusals(({ status, message }) => ({ status, body: { errors: [{ title: message }] } })),
    },
  ),
]
