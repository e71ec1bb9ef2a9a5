/** A run on a server of a test's own, that claims key-value. */
import { loadContract } from '../../contract/load.ts'
import type { RunContext } from '../../sending/context.ts'
import { completeRun, completeTarget } from '../../target/run-configuration.ts'
import { openRun } from '../open-run.ts'

/**
 * Opens the run; the caller closes it.
 *
 * @param timing as in a configuration, e.g. `{ timeout: '1s' }`.
 */
export const openedRun = async (url: string, token: string, timing: Record<string, string> = {}): Promise<RunContext> => {
  const target = completeTarget({ api: 'secrets', url, engines: ['kv'] }, process.cwd())
  const config = { ...completeRun({ timing }, process.cwd()), targets: [target] }
  const options = { seed: 1, effort: 'quick' as const, token, signal: new AbortController().signal }
  return (await openRun(await loadContract(), config, options)).context
}
