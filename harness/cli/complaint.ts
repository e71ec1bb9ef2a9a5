/** What the command line says of an error, and the exit code that it means. */
import { CommanderError } from 'commander'
import { ResultsError } from '../../reports/results-error.ts'
import { Blocked, Interrupted, NotWritten } from '../base/errors.ts'
import { UsageError } from '../base/usage.ts'
import { exit } from './exit.ts'
import { say } from './terminal.ts'

/** Says an error on stderr. Returns the exit code of a command that it ended. */
export const complain = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exit.passed : exit.usage
  if (error instanceof UsageError || error instanceof ResultsError) {
    say(`assay: ${error.message}`)
    return exit.usage
  }
  if (error instanceof Blocked) {
    say(`assay: ${error.message}\n  remedy: ${error.remedy}`)
    return exit.incomplete
  }
  if (error instanceof Interrupted) {
    say(`assay: ${error.message}`)
    return exit.interrupted
  }
  if (error instanceof NotWritten) {
    say(`assay: ${error.message}`)
    return exit.errored
  }
  say(`assay: internal error: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`)
  if (process.env.ASSAY_DEBUG !== undefined && error instanceof Error) say(`assay: ${error.stack ?? ''}`)
  else say('assay: run again with ASSAY_DEBUG=1 for the details to report')
  return exit.errored
}

/**
 * Says what failed beside the work of a command.
 *
 * @param code what the work came to.
 * @returns the exit code: errored, unless all that failed is what a run could not reach.
 */
export const withFailures = (failures: readonly unknown[], code: number): number => {
  const codes = failures.map(complain)
  if (codes.every((one) => one === exit.incomplete)) return codes.length > 0 && code === exit.passed ? exit.incomplete : code
  return exit.errored
}
