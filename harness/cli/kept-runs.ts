/** `--history DIR`: earlier runs of a target are kept there, drawn, and used to give each shard as much as the others. */
import { join } from 'node:path'
import { nightsOf, readResults, renderHistoryPage, type TargetNights } from '../../reports/index.ts'
import type { Results } from '../../specs/meta/results.ts'
import { writeWhole } from '../base/whole-file.ts'
import { keepResults, keptIn } from '../history/history-folder.ts'
import { type HistoryOptions, KEPT } from './history-flags.ts'

/** What is kept; a file that cannot be read, as a cache cut short leaves it, is named and passed over. */
export const readKept = async (folder: string): Promise<Results[]> => {
  const found: Results[] = []
  for (const file of keptIn(folder)) {
    try {
      found.push(await readResults(file))
    } catch (error) {
      process.stderr.write(`assay: --history: passed over ${(error as Error).message.split('\n')[0]}; remove the file\n`)
    }
  }
  return found
}

/** Keeps results and returns what is kept of their target; undefined without a history. A shard is not a complete run and is not kept. */
export const keptWith = async (results: Results, { history, keep }: HistoryOptions): Promise<TargetNights | undefined> => {
  if (history === undefined) return undefined
  if (results.scope.shard === undefined) keepResults(history, results, keep ?? KEPT)
  return nightsOf(results.target.name, await readKept(history))
}

/** Writes the page of a history beside the report, and tells its path. */
export const writeHistoryPage = (nights: TargetNights | undefined, out: string): string[] => {
  if (nights === undefined || nights.nights.length === 0) return []
  const file = join(out, 'history.html')
  writeWhole(file, renderHistoryPage(nights))
  return [file]
}

/** Milliseconds that each check took in the latest run that has it. */
export const durationsIn = async ({ history }: HistoryOptions): Promise<Map<string, number>> => {
  const all = history === undefined ? [] : await readKept(history)
  return new Map(
    all.flatMap(({ checks }) =>
      checks.filter(({ outcome }) => outcome !== 'notClaimed').map(({ id, durationMs }) => [id, durationMs] as const),
    ),
  )
}
