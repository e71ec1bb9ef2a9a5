/** Uncaught errors, such as those of timers and streams: Node would end with exit code 1, which says that a violation was decided. */
import { complain } from './complaint.ts'
import { exit } from './exit.ts'

type Listener = (error: unknown) => void

const endAtOnce: Listener = (error) => {
  complain(error)
  process.exit(exit.errored)
}

let listener = endAtOnce

/** Has uncaught errors end the process with the exit code of an internal error. */
export const watchUncaught = (): void => {
  process.on('uncaughtException', (error) => listener(error))
}

/** Tells uncaught errors to somebody who can still make a report. Returns what ends that. */
export const hearUncaught = (hear: Listener): (() => void) => {
  listener = hear
  return () => {
    listener = endAtOnce
  }
}
