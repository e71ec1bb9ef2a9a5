/** What a run hears of signals, and tells about itself: the thread that supervises it catches them, see `supervisor.ts`. */
import { parentPort } from 'node:worker_threads'
import type { Journal } from '../cleanup/journal.ts'
import { exit } from './exit.ts'
import type { FromRun, ToRun } from './supervisor.ts'

export interface Signals {
  /** Whether one came. */
  interrupted(): boolean
  /** The journal that says what is left. */
  tell(journal: Pick<Journal, 'file'>): void
  /** The longest time of the run, in ms from now. */
  lasts(ms: number): void
  /** The run makes its report from now on; told again where it comes to the next step of that, which has as long again. */
  reports(): void
  /** Leaves signals to others again. */
  close(): void
}

/** Listens until it is closed. @param abort aborted at the first signal. */
export const watchSignals = (abort: AbortController): Signals => {
  let interrupted = false
  const tell = (message: FromRun): void => parentPort?.postMessage(message)
  const heard = (message: ToRun): void => {
    if (message === 'end') process.exit(exit.interrupted)
    interrupted = true
    abort.abort(new Error('interrupted'))
  }
  parentPort?.on('message', heard)
  tell({ run: 'begins' })
  return {
    interrupted: () => interrupted,
    tell: ({ file }) => tell({ journal: file }),
    lasts: (ms) => tell({ lasts: ms }),
    reports: () => tell({ run: 'reports' }),
    close: () => {
      parentPort?.off('message', heard)
      tell({ run: 'over' })
    },
  }
}
