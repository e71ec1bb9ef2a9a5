/** `--trace`: every kept exchange of every check, on stderr, without secrets. */

import { shownRecord } from '../outcomes/evidence.ts'
import type { CheckRun } from '../running/check-run.ts'
import type { RunContext } from '../sending/context.ts'
import type { Target } from '../target/target.ts'
import { say } from './terminal.ts'

export const traceRuns = (context: RunContext, runs: CheckRun[]): void => {
  for (const run of runs) {
    for (const exchange of run.exchanges) {
      const record = shownRecord(context.secrets, context.targets.get(exchange.operation.api) as Target, exchange)
      const text = `${run.check.id} #${record.number} ${record.caller}\n${record.curl}\n-> ${record.response?.status ?? record.failure} ${record.response?.body ?? ''}\n`
      say(text)
    }
  }
}
