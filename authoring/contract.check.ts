/** The checks that no file declares: generated requests, and clauses that schemas decide from the answers to all others. */
import { registeredChecks } from '../harness/checks/check.ts'
import { registeredSweeps } from '../harness/checks/sweep.ts'
import { declareTest } from './tests.ts'
import { session } from './worker-run.ts'

const open = await session()
const declared = new Set(registeredChecks().map(({ id }) => id))
const sweeps = registeredSweeps().map(({ id }) => `${id}/`)

for (const check of open.checks.values()) {
  const isOfAFile = declared.has(check.id) || sweeps.some((sweep) => check.id.startsWith(sweep))
  if (!isOfAFile) declareTest(open, check)
}
