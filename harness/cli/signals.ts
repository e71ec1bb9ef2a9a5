/** SIGINT and SIGTERM: the first ends a run after cleaning up, the second at once, with a word on what is left. */
import type { Journal } from '../run/journal.ts'
import { exit } from './exit.ts'
import { wordsOfLeft } from './left.ts'

export interface Signals {
  /** Whether one came. */
  interrupted(): boolean
  /** The journal that says what is left. */
  tell(journal: Journal): void
  /** Leaves signals to others again. */
  close(): void
}

const stopAtOnce = (journal: Journal | undefined): never => {
  const left = journal?.left() ?? []
  const lines = left.length === 0 ? ['nothing is left'] : wordsOfLeft(left)
  process.stderr.write(`assay: stopped before cleaning up was done\n${lines.map((line) => `  ${line}\n`).join('')}`)
  // What is left belongs to nobody from now on, also in the eyes of other machines.
  journal?.close()
  process.exit(exit.interrupted)
}

/** Watches for signals until it is closed. @param abort aborted at the first one. */
export const watchSignals = (abort: AbortController): Signals => {
  let interrupted = false
  let journal: Journal | undefined
  const stop = () => {
    if (interrupted) stopAtOnce(journal)
    interrupted = true
    process.stderr.write('\nassay: interrupted, cleaning up (again to stop at once)\n')
    abort.abort(new Error('interrupted'))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return {
    interrupted: () => interrupted,
    tell: (of) => {
      journal = of
    },
    close: () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}
