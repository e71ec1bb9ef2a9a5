/** Faults in showing one policy check, and in refusals. */
import type { Json } from '../../core/engine.ts'
import { Refusal } from '../../run-management/documents.ts'
import { handler, headers, refusals } from './declare.ts'

export const showsFaults = [
  handler('show-list', 'show answers a list of one', ['POLICY-SHOW-02'], {
    'policyChecks.show': (original) => async (call) => {
      const reply = await original(call)
      const body = reply.body as { data: Json }
      return { ...reply, body: { ...body, data: [body.data] } }
    },
  }),
  handler('show-text', 'show answers with plain text', ['POLICY-SHOW-01'], {
    'policyChecks.show': (original) => async (call) => {
      const reply = await original(call)
      return { status: 200, raw: { contentType: 'text/plain', bytes: new TextEncoder().encode(JSON.stringify(reply.body)) } }
    },
  }),
  handler('show-other', 'show answers with the first check of the run', ['POLICY-SHOW-03'], {
    'policyChecks.show': (original) => (call) => {
      const first = [...call.world.checks.keys()][0]
      return original({ ...call, params: { id: call.world.checks.has(call.params.id ?? '') ? (first ?? '') : (call.params.id ?? '') } })
    },
  }),
  handler('show-203', 'show answers 203', ['POLICY-SHOW-04'], {
    'policyChecks.show': (original) => async (call) => ({ ...(await original(call)), status: 203 }),
  }),
  handler('show-no-route', 'the show route is not served', ['POLICY-VERSION-01', 'POLICY-SHOW-01'], {
    'policyChecks.show': () => () => {
      throw new Refusal(404, 'no such route')
    },
  }),
  handler('show-unknown-null', 'an id that no check has shows null', ['POLICY-SHOW-05'], {
    'policyChecks.show': (original) => (call) =>
      call.world.checks.has(call.params.id ?? '') ? original(call) : { status: 200, body: { data: null }, headers },
  }),
  handler('show-unknown-400', 'an id that no check has is a bad request', ['POLICY-SHOW-06'], {
    'policyChecks.show': (original) => (call) => {
      if (!call.world.checks.has(call.params.id ?? '')) throw new Refusal(400, 'no such policy check')
      return original(call)
    },
  }),
  handler(
    'error-text',
    'errors are texts, not objects',
    ['POLICY-SHOW-07'],
    refusals(({ status, message }) => ({ status, body: { errors: [message] }, headers })),
  ),
  handler(
    'error-status-number',
    'the status in an error is a number',
    ['POLICY-SHOW-09'],
    refusals(({ status, message }) => ({ status, body: { errors: [{ status, title: message }] }, headers })),
  ),
  handler(
    'error-plain',
    'refusals are plain JSON',
    ['POLICY-MEDIA-01'],
    refusals(({ status, message }) => ({ status, body: { errors: [{ title: message }] } })),
  ),
]
