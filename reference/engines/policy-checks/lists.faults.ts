/** Faults in lists. */
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyStatus } from '../../mutations/wrappers.ts'
import { Refusal } from '../../run-management/documents.ts'
import { policyChecks } from './engine.ts'
import { READS } from './wrappers.ts'

const { rule, route } = faultsOf(policyChecks)

route('list-object', 'POLICY-CHECKS-LIST-02', 'a run with one check lists an object', 'policyChecks.list', (original) => async (call) => {
  const reply = await original(call)
  const { data, ...rest } = reply.body as { data: Json[] }
  return { ...reply, body: { ...rest, data: Object.fromEntries(data.map((one) => [(one as { id: string }).id, one])) } }
})
route('list-html', 'POLICY-CHECKS-LIST-01', 'the list is called HTML', 'policyChecks.list', (original) => async (call) => ({
  ...(await original(call)),
  headers: { 'content-type': 'text/html' },
}))
route('list-203', 'POLICY-CHECKS-LIST-06', 'a list answers 203', 'policyChecks.list', replyStatus(203))
rule('list-open-only', 'POLICY-CHECKS-LIST-03', 'the first check of a run is not listed', {
  checksOf: (original) => (world, run) => original(world, run).slice(1),
})
rule('list-all-runs', 'POLICY-CHECKS-LIST-04', 'a run lists the checks of all runs', {
  checksOf: (original) => (world, run) => [
    ...original(world, run),
    ...[...world.checks.values()].filter(({ runId }) => runId !== run).slice(-3),
  ],
})
route('list-empty-null', 'POLICY-CHECKS-LIST-05', 'a run without checks lists null', 'policyChecks.list', (original) => async (call) => {
  const reply = await original(call)
  const body = reply.body as { data: Json[] }
  return body.data.length > 0 ? reply : { ...reply, body: { ...body, data: null } }
})
route(
  'list-unknown-first',
  'POLICY-CHECKS-LIST-07',
  'a run that does not exist lists the checks of the first run',
  'policyChecks.list',
  (original) => (call) => {
    const [first] = call.world.runs.keys()
    return original(call.world.runs.has(call.params.run_id ?? '') ? call : { ...call, params: { run_id: first ?? '' } })
  },
)
route(
  'list-unknown-400',
  'POLICY-CHECKS-LIST-08',
  'a run that does not exist is a bad request',
  'policyChecks.list',
  (original) => (call) => {
    if (!call.world.runs.has(call.params.run_id ?? '')) throw new Refusal(400, 'no such run')
    return original(call)
  },
)
route('list-brief', 'POLICY-CHECKS-LIST-09', 'items of the list say less than show', 'policyChecks.list', (original) => async (call) => {
  const reply = await original(call)
  const body = reply.body as { data: JsonObject[] }
  return {
    ...reply,
    body: { ...body, data: body.data.map((one) => ({ ...one, attributes: { ...(one.attributes as JsonObject), scope: '' } })) },
  }
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
  'include-overriders-only',
  ['POLICY-CHECKS-INCLUDE-01', 'POLICY-CHECKS-INCLUDE-02', 'POLICY-CHECKS-INCLUDE-03'],
  'a caller who may not override gets no related resources',
  READS,
  (original) => async (call) => {
    const reply = await original(call)
    const { included: _, ...rest } = reply.body as JsonObject
    return call.caller.kind === 'user' && call.caller.user.rights.overrideChecks ? reply : { ...reply, body: rest }
  },
)
