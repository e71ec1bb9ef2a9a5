/** What `certify` does with the file of known deviations: before a run it is read, after it entries are drafted or taken out. */
import { existsSync } from 'node:fs'
import type { Results } from '../../specs/meta/results.ts'
import { UsageError } from '../base/usage.ts'
import { writeWhole } from '../base/whole-file.ts'
import type { Contract } from '../contract/contract.ts'
import type { Deviation } from '../planning/deviations.ts'
import { readDeviations, splitNotes, takeOut } from '../planning/deviations-file.ts'
import { draftDeviations, draftText } from '../results/draft-deviations.ts'
import { counted } from './left.ts'
import { requireWritableFile } from './surroundings.ts'

/** The flags about known deviations. */
export interface KnownOptions {
  deviations?: string
  writeDeviations?: string
  updateDeviations?: boolean
}

/**
 * Reads the entries that a run goes by, before anything is started.
 *
 * @throws UsageError for a file that may not be used, and for flags that cannot be followed.
 */
export const knownFrom = ({ deviations, writeDeviations, updateDeviations }: KnownOptions, contract: Contract): Deviation[] => {
  if (updateDeviations === true && deviations === undefined)
    throw new UsageError('--update-deviations takes entries out of the file of --deviations: name it')
  if (writeDeviations !== undefined) {
    if (existsSync(writeDeviations))
      throw new UsageError(`--write-deviations: ${writeDeviations} exists already: name another file, and take over what you want to keep`)
    requireWritableFile('--write-deviations', writeDeviations)
  }
  if (updateDeviations === true && existsSync(deviations!)) requireWritableFile('--update-deviations', deviations!)
  if (deviations === undefined) return []
  const entries = readDeviations(deviations, contract)
  for (const note of splitNotes(entries, contract)) process.stderr.write(`${deviations}: ${note}\n`)
  return entries
}

/** Writes drafts, takes out what no longer occurs, and says so. */
export const updateKnown = (results: Results, options: KnownOptions): void => {
  const say = (text: string) => process.stderr.write(`${text}\n`)
  const gone = results.deviations.flatMap(({ state }, place) => (state === 'removed' ? [place] : []))
  if (options.updateDeviations === true && gone.length > 0) {
    takeOut(options.deviations!, gone)
    for (const place of gone)
      say(`${options.deviations}: the entry of ${results.deviations[place]!.clause} was taken out: it no longer occurs`)
  }
  if (options.writeDeviations === undefined) return
  const drafts = draftDeviations(results)
  writeWhole(options.writeDeviations, draftText(results, drafts))
  say(`${options.writeDeviations}: ${counted(drafts.length, 'draft')} of known deviations; write the reason and the owner of each`)
}
