/** Refuses results whose parts contradict each other. */
import type { Results } from '../../specs/meta/results.ts'
import { UsageError } from '../base/usage.ts'
import { contradictionsIn } from '../results/contradictions.ts'

const MOST = 5

/**
 * @param file that the results were read from, for the message.
 * @throws UsageError that names what contradicts what.
 */
export const requireConsistent = (file: string, results: Results): void => {
  const found = contradictionsIn(results)
  if (found.length === 0) return
  const shown = [...found.slice(0, MOST), ...(found.length > MOST ? [`and ${found.length - MOST} more`] : [])]
  throw new UsageError(`${file} contradicts itself, as no run writes it:\n  ${shown.join('\n  ')}\n  take the file that the run wrote`)
}
