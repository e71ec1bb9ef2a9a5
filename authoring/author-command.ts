/** Frame of the commands for authors: a user's mistake is one line and exit code 2. */
import { UsageError } from '../harness/base/usage.ts'

/** Runs a command; what it returns is printed. */
export const command = async (run: (words: string[]) => Promise<string>): Promise<void> => {
  try {
    process.stdout.write(`${await run(process.argv.slice(2))}\n`)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`assay: ${error.message}\n`)
    process.exitCode = 2
  }
}
