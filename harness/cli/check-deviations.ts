/** `assay deviations check FILE --results R`: holds a file of known deviations against results, without a target. */
import { readResults } from '../../reports/index.ts'
import type { DeviationRecord, Results } from '../../specs/meta/results.ts'
import type { Contract } from '../contract/contract.ts'
import { loadContract } from '../contract/load.ts'
import { catalogue } from '../planning/catalogue.ts'
import { type Failure, matchDeviations } from '../planning/deviations.ts'
import { readDeviations, splitNotes } from '../planning/deviations-file.ts'
import { decidedIn, failuresIn } from '../results/failed-decisions.ts'
import { exit } from './exit.ts'

const MEANING: Record<DeviationRecord['state'], string> = {
  matched: 'fails as recorded',
  stale: 'no longer occurs: take the entry out',
  expired: 'has expired: mend the server or renew the entry',
  other: 'fails in another way than recorded',
  absent: 'did not occur this time, which the entry allows',
  removed: 'no longer occurs',
  unused: 'was not part of that run',
}

const BAD: DeviationRecord['state'][] = ['stale', 'expired']

/** Checks that might show an entry and that the results do not have. */
const leftOutOf = async (contract: Contract, { checks, scope }: Results): Promise<{ clause: string; check: string }[]> => {
  const ran = new Set(checks.filter(({ outcome }) => outcome !== 'notClaimed').map(({ id }) => id))
  const all = await catalogue(contract, scope.claimed)
  return all.filter(({ id }) => !ran.has(id)).flatMap(({ id, clauses }) => clauses.map((clause) => ({ clause, check: id })))
}

export interface CheckOptions {
  results: string
  json?: boolean
}

/** Holds a file of known deviations against results; returns the exit code. */
export const checkDeviations = async (file: string, options: CheckOptions): Promise<number> => {
  const contract = await loadContract()
  const entries = readDeviations(file, contract)
  const results = await readResults(options.results)
  const today = new Date().toISOString().slice(0, 10)
  const leftOut = await leftOutOf(contract, results)
  const { records, uncovered } = matchDeviations(entries, failuresIn(results), decidedIn(results), leftOut, today)
  const open = uncovered.filter(({ level, outcome }: Failure) => level === 'required' && outcome === 'violated')
  const passed = open.length === 0 && !records.some(({ state }) => BAD.includes(state))
  if (options.json === true) process.stdout.write(`${JSON.stringify({ passed, deviations: records, uncovered: open })}\n`)
  else {
    const lines = [
      ...records.map(({ clause, check: pattern, state }) => [state, clause, pattern, MEANING[state]]),
      ...open.map(({ clause, check: id }) => ['new', clause, id, 'is violated and no entry covers it']),
    ]
    for (const [state, ...rest] of lines)
      process.stdout.write(`${state!.padEnd(8)} ${rest.filter((word) => word !== undefined).join('  ')}\n`)
    for (const note of splitNotes(entries, contract)) process.stdout.write(`${note}\n`)
    process.stdout.write(`${records.length} entries, ${open.length} violations without one: ${passed ? 'passed' : 'failed'}\n`)
  }
  return passed ? exit.passed : exit.failed
}
