/** What runs that were killed have left: on this machine at once, on targets for `assay clean`. */
import { rmSync } from 'node:fs'
import { isLocalEntry, removeLocalEntry } from '../run/backends.ts'
import { abandonedJournals, entriesOf, type JournalEntry } from '../run/journal.ts'

export interface Abandoned {
  file: string
  /** Objects on targets, by base URL. */
  onTargets: JournalEntry[]
}

/** Removes processes, folders and containers of killed runs; returns what they left on targets. */
export const removeAbandoned = async (): Promise<Abandoned[]> => {
  const left: Abandoned[] = []
  for (const file of abandonedJournals()) {
    const entries = entriesOf(file)
    for (const entry of entries.filter(isLocalEntry)) {
      await removeLocalEntry(entry).catch((error: Error) =>
        process.stderr.write(`assay: could not remove ${entry.kind} ${entry.name}: ${error.message}\n`),
      )
    }
    const onTargets = entries.filter((entry) => !isLocalEntry(entry))
    if (onTargets.length === 0) rmSync(file, { force: true })
    else left.push({ file, onTargets })
  }
  return left
}
