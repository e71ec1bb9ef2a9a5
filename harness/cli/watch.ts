/** `certify --watch`: runs again on a key, when the target comes back or when a file changes; what changed is said first. */
import { differenceOf, differenceText } from '../../reports/index.ts'
import type { Results } from '../../specs/meta/results.ts'
import { Absent, Blocked } from '../base/errors.ts'
import { complain } from './complaint.ts'
import { watchTriggers } from './watch-triggers.ts'

/** One run. */
export interface Round {
  code: number
  /** None where nothing could be tried. */
  results?: Results
  interrupted?: boolean
  /** Origin of a target at which nothing listened. */
  absent?: string
}

/** Told the results of a run before its summary is written. */
export type Announce = (results: Results) => void

const attempted = async (once: (announce: Announce) => Promise<Round>, announce: Announce): Promise<Round> => {
  try {
    return await once(announce)
  } catch (error) {
    // A server that is being built is away now and then.
    if (!(error instanceof Blocked)) throw error
    return { code: complain(error), ...(error instanceof Absent ? { absent: error.origin } : {}) }
  }
}

/**
 * Runs again and again until it is told to quit.
 *
 * @param once one run, which says what it came to.
 * @param targets addresses whose return begins another run, `paths` files whose change does.
 * @returns the exit code of the last run.
 */
export const watchRuns = async (
  once: (announce: Announce) => Promise<Round>,
  targets: readonly URL[],
  paths: readonly string[],
): Promise<number> => {
  const triggers = watchTriggers(targets, paths)
  let before: Results | undefined
  const announce: Announce = (results) => {
    if (before !== undefined) process.stdout.write(`\n${differenceText(differenceOf(before, results))}\n`)
  }
  try {
    for (;;) {
      const { code, results, interrupted, absent } = await attempted(once, announce)
      if (interrupted === true) return code
      before = results ?? before
      if (absent !== undefined) triggers.wasGone(absent)
      process.stderr.write('watching: a key runs again, q quits\n')
      const trigger = await triggers.next()
      if (trigger === 'quit') return code
      process.stderr.write(`\n${trigger}: running again\n`)
    }
  } finally {
    triggers.close()
  }
}
