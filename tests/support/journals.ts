/** Journals as runs leave them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Owner, thisOwner } from '../../harness/cleanup/owner.ts'

/** A run of this machine that is over: its process id belongs to another process by now. */
export const deadNeighbour = (): Owner => ({ ...thisOwner(), start: '1' })

/** A run in another container: a process id of ours means nothing there. */
export const stranger = (): Owner => ({ ...thisOwner(), host: 'another-container', namespace: 'pid:[1]', start: '1' })

/** Writes the journal of a run into a state folder; returns its path. */
export const writeJournal = (folder: string, run: string, owner: Owner, entries: object[]): string => {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${run}-0a1b2c3d.jsonl`)
  writeFileSync(file, [`=${JSON.stringify(owner)}`, ...entries.map((entry) => `+${JSON.stringify(entry)}`), ''].join('\n'))
  return file
}
