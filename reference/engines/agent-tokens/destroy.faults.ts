/** Faults in destroying and showing tokens, and in error documents. */
import type { Reply } from '../../core/reply.ts'
import { type Clauses, faultsOf } from '../../faults/declare.ts'
import { refusal, replyStatus } from '../../faults/wrappers.ts'
import { MEDIA_TYPE, Refusal } from '../../run-management/documents.ts'
import type { AgentToken } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import { nearest, ofPool, pause } from './wrappers.ts'

const { rule, route, declared } = faultsOf(agentTokens)

const SHOW = 'agentTokens.show'
const DESTROY = 'agentTokens.destroy'

rule('destroyed-200', 'AGENT-TOKENS-DESTROY-01', 'destroying answers 200', { destroyedStatus: () => () => 200 })
route(
  'destroy-idempotent',
  ['AGENT-TOKENS-DESTROY-03', 'AGENT-TOKENS-DESTROY-04'],
  'destroying what is not there succeeds',
  DESTROY,
  (original) => (call) => (call.world.tokens.has(call.params.id ?? '') ? original(call) : { status: 204 }),
)

/** What a destruction takes along. */
const taking = (
  id: string,
  clauses: Clauses,
  title: string,
  fits: (other: AgentToken, token: AgentToken, all: AgentToken[]) => boolean,
): void =>
  rule(id, clauses, title, {
    remove: (original) => (world, token) => {
      const all = ofPool(world, token)
      for (const other of [...world.tokens.values()]) if (other !== token && fits(other, token, all)) world.tokens.delete(other.id)
      return original(world, token)
    },
  })

taking(
  'delete-next',
  ['AGENT-TOKENS-LIST-04', 'AGENT-TOKENS-DESTROY-05'],
  'destroying a token destroys the next one of its pool too',
  (other, token, all) => all.indexOf(other) === all.indexOf(token) + 1,
)
taking(
  'delete-namesakes-elsewhere',
  'AGENT-TOKENS-DESTROY-05',
  'destroying a token destroys those of other pools that have its description',
  (other, { description, poolId }) => other.poolId !== poolId && other.description === description,
)
route(
  'near-destroyed',
  'AGENT-TOKENS-DESTROY-03',
  'a part of an id, or more than it, destroys the token',
  DESTROY,
  (original) => (call) => original(nearest(call, 'id', call.world.tokens.keys())),
)
route('destroy-route', ['AGENT-TOKENS-DESTROY-07', 'AGENT-TOKENS-DESTROY-01'], 'the delete route is not served', DESTROY, () => () => {
  throw new Refusal(404, 'no such route')
})
rule('destroy-race', 'AGENT-TOKENS-DESTROY-06', 'two destructions at once both succeed', {
  remove: () => async (world, token) => {
    await pause()
    world.tokens.delete(token.id)
    return true
  },
})
route('show-203', 'AGENT-TOKENS-SHOW-01', 'show answers 203', SHOW, replyStatus(203))
route('show-unknown-400', 'AGENT-TOKENS-SHOW-03', 'an unknown id is a bad request', SHOW, (original) => (call) => {
  if (!call.world.tokens.has(call.params.id ?? '')) throw new Refusal(400, 'no such token')
  return original(call)
})

const operations = agentTokens.routes.map(({ id }) => id)

const jsonApi = { 'content-type': MEDIA_TYPE }

const refused = (id: string, clauses: Clauses, title: string, change: (error: { status: number; message: string }) => Reply): void =>
  route(id, clauses, title, operations, refusal(change))

refused('error-text', 'AGENT-TOKENS-ERROR-01', 'errors are texts, not objects', ({ status, message }) => ({
  status,
  body: { errors: [message] },
  headers: jsonApi,
}))
refused(
  'error-other-shape',
  ['AGENT-TOKENS-ERROR-01', 'AGENT-TOKENS-ERROR-04'],
  'refusals have error and no errors',
  ({ status, message }) => ({ status, body: { error: { message } }, headers: jsonApi }),
)
refused('error-status-number', 'AGENT-TOKENS-ERROR-03', 'the status in an error is a number', ({ status, message }) => ({
  status,
  body: { errors: [{ status, title: message }] },
  headers: jsonApi,
}))
refused('error-plain', 'AGENT-TOKENS-MEDIA-01', 'refusals are plain JSON', ({ status, message }) => ({
  status,
  body: { errors: [{ title: message }] },
}))

export const faults = declared
