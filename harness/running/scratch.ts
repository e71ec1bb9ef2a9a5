/** One folder for all temporary files of a run, keys among them: the journal knows it before it exists, so that it goes after kill -9 too. */
import { chmodSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeFolder } from '../backends/private-instance.ts'
import type { Journal } from '../cleanup/journal.ts'
import { localJournal } from './used-backends.ts'

/** Servers run as another user must get to their own folders below; other users see nothing. */
const PASSABLE = 0o711

/**
 * Makes the folder and leads everything that asks the system for a temporary place there, programs that we start included.
 *
 * @param run name of the run.
 * @returns what removes the folder again.
 */
export const makeScratch = (run: string, journal: Journal): (() => void) => {
  const path = join(tmpdir(), `assay-run-${run}`)
  const entry = { kind: 'backend-folder', path } as const
  const notes = localJournal(journal)
  notes.add(entry)
  mkdirSync(path)
  chmodSync(path, PASSABLE)
  const before = process.env.TMPDIR
  process.env.TMPDIR = path
  return () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    removeFolder(path)
    notes.remove(entry)
  }
}
