import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../faults/declare.ts'
import { refusal, reply, replyStatus } from '../../faults/wrappers.ts'
import { changedDocument } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import { policyChecks } from './engine.ts'
import { headers, operations } from './wrappers.ts'

const { rule, route, declared } = faultsOf(policyChecks)

const SHOW = 'policyChecks.show'
const LIST = 'policyChecks.list'

route(
  'list-of-one-is-object',
  'POLICY-CHECKS-LIST-02',
  'the list of a run with one check is an object',
  LIST,
  changedDocument((body) => {
    const { data } = body
    return Array.isArray(data) && data.length === 1 && body.meta === undefined ? { ...body, data: data[0]! } : body
  }),
)
route(
  'list-html',
  'POLICY-CHECKS-LIST-01',
  'the list is called HTML',
  LIST,
  reply((given) => ({ ...given, headers: { 'content-type': 'text/html' } })),
)
route('list-203', 'POLICY-CHECKS-LIST-06', 'a list answers 203', LIST, replyStatus(203))
rule('list-all-runs', 'POLICY-CHECKS-LIST-04', 'a run lists the checks of all runs', {
  checksOf: (original) => (world, run) => [
    ...original(world, run),
    ...[...world.checks.values()].filter(({ runId }) => runId !== run).slice(-3),
  ],
})
route(
  'list-empty-null',
  'POLICY-CHECKS-LIST-05',
  'a run without checks lists null',
  LIST,
  changedDocument((body) => ({ ...body, data: Array.isArray(body.data) && body.data.length === 0 ? null : (body.data ?? null) })),
)
rule('empty-run-404', 'POLICY-CHECKS-LIST-05', 'the list of a run without checks is 404', {
  checksOf: (original) => (world, run) => {
    const found = original(world, run)
    if (found.length === 0) throw new Refusal(404, 'no such run, or it is not yours')
    return found
  },
})
route('list-unknown-first', 'POLICY-CHECKS-LIST-07', 'an unknown run lists the checks of the first', LIST, (original) => (call) => {
  const [first] = call.world.runs.keys()
  return original(call.world.runs.has(call.params.run_id ?? '') ? call : { ...call, params: { run_id: first ?? '' } })
})
route('list-unknown-400', 'POLICY-CHECKS-LIST-08', 'an unknown run is a bad request', LIST, (original) => (call) => {
  if (!call.world.runs.has(call.params.run_id ?? '')) throw new Refusal(400, 'no such run')
  return original(call)
})
rule('order-random', 'POLICY-CHECKS-PAGE-11', 'the order of the list is left to chance', {
  checksOf: (original) => {
    let reads = 0
    return (world, run) => {
      reads += 1
      return reads % 2 === 0 ? original(world, run).toReversed() : original(world, run)
    }
  },
})
route(
  'show-list',
  'POLICY-CHECKS-SHOW-02',
  'show answers a list of one',
  SHOW,
  changedDocument((body) => ({ ...body, data: [body.data ?? null] })),
)
route('show-text', 'POLICY-CHECKS-SHOW-01', 'show answers with plain text', SHOW, (original) => async (call) => {
  const reply = await original(call)
  return { status: 200, raw: { contentType: 'text/plain', bytes: new TextEncoder().encode(JSON.stringify(reply.body)) } }
})
route('show-203', 'POLICY-CHECKS-SHOW-04', 'show answers 203', SHOW, replyStatus(203))
route('show-no-route', ['POLICY-CHECKS-VERSION-01', 'POLICY-CHECKS-SHOW-01'], 'the show route is not served', SHOW, () => () => {
  throw new Refusal(404, 'no such route')
})
route(
  'show-unknown-null',
  'POLICY-CHECKS-SHOW-05',
  'an unknown id shows null',
  SHOW,
  (original) => (call) => (call.world.checks.has(call.params.id ?? '') ? original(call) : { status: 200, body: { data: null }, headers }),
)
route('show-unknown-400', 'POLICY-CHECKS-SHOW-06', 'an unknown id is a bad request', SHOW, (original) => (call) => {
  if (!call.world.checks.has(call.params.id ?? '')) throw new Refusal(400, 'no such policy check')
  return original(call)
})
const refused = (id: string, clause: string, title: string, change: (error: { status: number; message: string }) => Reply): void =>
  route(id, clause, title, operations, refusal(change))

refused('error-text', 'POLICY-CHECKS-SHOW-07', 'errors are texts, not objects', ({ status, message }) => ({
  status,
  body: { errors: [message] },
  headers,
}))
refused('error-status-number', 'POLICY-CHECKS-SHOW-09', 'the status in an error is a number', ({ status, message }) => ({
  status,
  body: { errors: [{ status, title: message }] },
  headers,
}))
refused('error-plain', 'POLICY-CHECKS-MEDIA-01', 'refusals are plain JSON', ({ status, message }) => ({
  status,
  body: { errors: [{ title: message }] },
}))

export const faults = declared
