/** How much of the contract a run has exercised. */
import type { OperationCoverage } from '../../specs/meta/results.ts'
import type { RunContext } from '../sending/context.ts'

/** Requests and statuses of every operation of these engines. */
export const coverageOf = (context: RunContext, engines: readonly string[]): OperationCoverage[] =>
  [...context.contract.operations.values()]
    .filter((operation) => engines.includes(operation.engine))
    .map((operation) => {
      const statuses = [...(context.ledger.statuses.get(operation.id) ?? [])].sort(([left], [right]) => left - right)
      return {
        operation: operation.id,
        engine: operation.engine,
        method: operation.method,
        path: operation.path,
        requests: statuses.reduce((sum, [, count]) => sum + count, 0),
        statuses: Object.fromEntries(statuses.map(([status, count]) => [String(status), count])),
      }
    })
