/** A journal for tests that start backends: what a killed test run leaves is found by the next one, and by the next run of assay. */
import { afterAll } from 'vitest'
import type { BackendJournal } from '../../harness/backends/provider.ts'
import { Journal } from '../../harness/cleanup/journal.ts'
import { newRunName } from '../../harness/running/open-run.ts'
import { localJournal } from '../../harness/running/used-backends.ts'

/** A journal of processes, folders and containers, closed when the tests of the file are through. Made before what it is for. */
export const backendJournal = (): BackendJournal => {
  const journal = new Journal(newRunName())
  afterAll(() => void journal.close())
  return localJournal(journal)
}
