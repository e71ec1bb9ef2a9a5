/** Runs chosen checks against a reference server with chosen faults, in this process. */

import type { CheckDefinition } from '../../harness/checks/vocabulary.ts'
import { startEmbedded } from '../../harness/cli/embedded.ts'
import { loadContract } from '../../harness/contract/load.ts'
import { catalogue } from '../../harness/planning/catalogue.ts'
import type { CheckRun } from '../../harness/running/check-run.ts'
import { closeRun, openRun } from '../../harness/running/open-run.ts'
import { removeShared, runChecks } from '../../harness/running/run.ts'
import { allFaults } from '../../reference/faults/index.ts'

export interface EmbeddedRun {
  runs: CheckRun[]
  counts: Map<string, number>
  leftovers: string[]
}

/**
 * Runs the checks that `select` picks.
 *
 * @param options.replay fast-check path, as the printed command gives it.
 */
export const runEmbedded = async (
  select: (check: CheckDefinition) => boolean,
  options: { fault?: string; seed?: number; replay?: string; engines?: string[] } = {},
): Promise<EmbeddedRun> => {
  const contract = await loadContract()
  const engines = options.engines ?? [...contract.engines.keys()]
  const faults = allFaults.filter(({ id }) => id === options.fault)
  if (options.fault !== undefined && faults.length === 0) throw new Error(`no fault ${options.fault}`)
  const { reference, config } = await startEmbedded(contract, { faults })
  try {
    const { context } = await openRun(contract, config, {
      seed: options.seed ?? 1,
      effort: 'standard',
      signal: new AbortController().signal,
      ...(options.replay === undefined ? {} : { replay: options.replay }),
    })
    const runs = await runChecks(context, (await catalogue(contract, engines)).filter(select))
    await removeShared(context)
    await closeRun(context)
    return { runs, counts: context.counts, leftovers: context.leftovers }
  } finally {
    await reference.close()
  }
}
