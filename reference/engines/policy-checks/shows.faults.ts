/** Faults in showing one policy check, and in refusals. */
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { refusal, replyStatus } from '../../mutations/wrappers.ts'
import { Refusal } from '../../run-management/documents.ts'
import { policyChecks } from './engine.ts'
import { headers, operations } from './wrappers.ts'

const { route } = faultsOf(policyChecks)

route('show-list', 'POLICY-CHECKS-SHOW-02', 'show answers a list of one', 'policyChecks.show', (original) => async (call) => {
  const reply = await original(call)
  const body = reply.body as { data: Json }
  return { ...reply, body: { ...body, data: [body.data] } }
})
route('show-text', 'POLICY-CHECKS-SHOW-01', 'show answers with plain text', 'policyChecks.show', (original) => async (call) => {
  const reply = await original(call)
  return { status: 200, raw: { contentType: 'text/plain', bytes: new TextEncoder().encode(JSON.stringify(reply.body)) } }
})
route('show-other', 'POLICY-CHECKS-SHOW-03', 'show answers with the first check of the run', 'policyChecks.show', (original) => (call) => {
  const first = [...call.world.checks.keys()][0]
  return original({ ...call, params: { id: call.world.checks.has(call.params.id ?? '') ? (first ?? '') : (call.params.id ?? '') } })
})
route('show-203', 'POLICY-CHECKS-SHOW-04', 'show answers 203', 'policyChecks.show', replyStatus(203))
route(
  'show-no-route',
  ['POLICY-CHECKS-VERSION-01', 'POLICY-CHECKS-SHOW-01'],
  'the show route is not served',
  'policyChecks.show',
  () => () => {
    throw new Refusal(404, 'no such route')
  },
)
route(
  'show-unknown-null',
  'POLICY-CHECKS-SHOW-05',
  'an id that no check has shows null',
  'policyChecks.show',
  (original) => (call) => (call.world.checks.has(call.params.id ?? '') ? original(call) : { status: 200, body: { data: null }, headers }),
)
route(
  'show-unknown-400',
  'POLICY-CHECKS-SHOW-06',
  'an id that no check has is a bad request',
  'policyChecks.show',
  (original) => (call) => {
    if (!call.world.checks.has(call.params.id ?? '')) throw new Refusal(400, 'no such policy check')
    return original(call)
  },
)
route(
  'error-text',
  'POLICY-CHECKS-SHOW-07',
  'errors are texts, not objects',
  operations,
  refusal(({ status, message }) => ({ status, body: { errors: [message] }, headers })),
)
route(
  'error-status-number',
  'POLICY-CHECKS-SHOW-09',
  'the status in an error is a number',
  operations,
  refusal(({ status, message }) => ({ status, body: { errors: [{ status, title: message }] }, headers })),
)
route(
  'error-plain',
  'POLICY-CHECKS-MEDIA-01',
  'refusals are plain JSON',
  operations,
  refusal(({ status, message }) => ({ status, body: { errors: [{ title: message }] } })),
)
