/** Faults in lists. */
import type { Json, JsonObject } from '../../core/engine.ts'
import { fault } from '../../core/mutation.ts'
import { policyChecks } from '../../run-management/policy-checks/index.ts'
import { engine, handler, headers } from './declare.ts'

export const listsFaults = [
  handler('list-object', 'a run with one check lists an object', ['POLICY-LIST-02'], {
    'policyChecks.list': (original) => async (call) => {
      const reply = await original(call)
      const { data, ...rest } = reply.body as { data: Json[] }
      return { ...reply, body: { ...rest, data: Object.fromEntries(data.map((one) => [(one as { id: string }).id, one])) } }
    },
  }),
  handler('list-html', 'the list is called HTML', ['POLICY-LIST-01'], {
    'policyChecks.list': (original) => async (call) => ({ ...(await original(call)), headers: { 'content-type': 'text/html' } }),
  }),
  handler('list-203', 'a list answers 203', ['POLICY-LIST-06'], {
    'policyChecks.list': (original) => async (call) => ({ ...(await original(call)), status: 203 }),
  }),
  fault(
    policyChecks,
    { id: 'policy-checks-list-open-only', engine, title: 'the first check of a run is not listed', clauses: ['POLICY-LIST-03'] },
    {
      rules: { checksOf: (original) => (world, run) => original(world, run).slice(1) },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-list-all-runs', engine, title: 'a run lists the checks of all runs', clauses: ['POLICY-LIST-04'] },
    {
      rules: {
        checksOf: (original) => (world, run) => [
          ...original(world, run),
          ...[...world.checks.values()].filter(({ runId }) => runId !== run).slice(-3),
        ],
      },
    },
  ),
  handler('list-empty-null', 'a run without checks lists null', ['POLICY-LIST-05'], {
    'policyChecks.list': (original) => async (call) => {
      const reply = await original(call)
      const body = reply.body as { data: Json[] }
      return body.data.length > 0 ? reply : { ...reply, body: { ...body, data: null } }
    },
  }),
  handler('list-unknown-empty', 'a run that does not exist lists nothing', ['POLICY-LIST-07', 'POLICY-LIST-08'], {
    'policyChecks.list': (original) => (call) =>
      call.world.runs.has(call.params.run_id ?? '') ? original(call) : { status: 200, body: { data: [] }, headers },
  }),
  handler('list-brief', 'items of the list say less than show', ['POLICY-LIST-09'], {
    'policyChecks.list': (original) => async (call) => {
      const reply = await original(call)
      const body = reply.body as { data: JsonObject[] }
      return {
        ...reply,
        body: { ...body, data: body.data.map((one) => ({ ...one, attributes: { ...(one.attributes as JsonObject), scope: '' } })) },
      }
    },
  }),
  fault(
    policyChecks,
    { id: 'policy-checks-order-random', engine, title: 'the order of the list is left to chance', clauses: ['POLICY-PAGE-11'] },
    {
      rules: {
        checksOf: (original) => {
          let reads = 0
          return (world, run) => {
            reads += 1
            return reads % 2 === 0 ? original(world, run).toReversed() : original(world, run)
          }
        },
      },
    },
  ),
]
