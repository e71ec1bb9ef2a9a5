/** What generated checks tell the runner besides passing or failing, and what the runner tells them. */
import type { Bench } from './types.ts'

export interface Notes {
  /** Set by a generated check that failed: the shrunk case as a short transcript. */
  counterexample?: string
  /** Whether the shrunk case failed in every re-run. */
  stability?: 'deterministic' | 'unstable'
  /** fast-check path of the failure, printed in the rerun command. */
  path?: string
  /** fast-check path given by `--replay`: run that case alone. */
  readonly replay?: string
  /** Aborts when the check's deadline or the run ends. */
  readonly signal: AbortSignal
  /** How many exchanges the check has made. */
  exchanges(): number
  /** Milliseconds that it has waited for its turn, which count against no limit of its own. */
  waited?(): number
}

const notes = new WeakMap<Bench, Notes>()

export const attachNotes = (bench: Bench, value: Notes): void => {
  notes.set(bench, value)
}

/** The notes of a running check. */
export const notesOf = (bench: Bench): Notes => {
  const found = notes.get(bench)
  if (found === undefined) throw new Error('this bench belongs to no running check')
  return found
}
