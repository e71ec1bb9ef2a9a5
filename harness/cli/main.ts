/** The entry: a run is certified in a thread of its own, which this one supervises; all other commands run here. */
import { NotWritten } from '../base/errors.ts'
import { outliveReaders, outputFailure } from './terminal.ts'

/** Runs one command line, sets the exit code and ends the process when all output is written. */
export const main = async (argv: string[]): Promise<void> => {
  outliveReaders()
  const code =
    argv[2] === 'certify'
      ? await (await import('./supervisor.ts')).supervised(argv)
      : await (await import('./commands.ts')).runCommand(argv)
  process.exitCode = code
  // Sockets of a hostile server or timers of a lost backend must not keep the process alive.
  await new Promise<void>((done) => process.stdout.write('', () => process.stderr.write('', () => done())))
  const failure = outputFailure()
  process.exit(failure === undefined ? code : (await import('./complaint.ts')).complain(new NotWritten('the output', failure)))
}

const isEntry =
  process.argv[1] !== undefined && import.meta.url.endsWith(process.argv[1].replaceAll('\\', '/').split('/').slice(-3).join('/'))
if (isEntry) await main(process.argv)
