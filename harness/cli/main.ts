/** The command line: one file per command; this one only joins them and turns errors into exit codes. */
import { Command, CommanderError } from 'commander'
import { ResultsError } from '../../reports/index.ts'
import { keepingSecrets } from '../base/credentials.ts'
import { Blocked } from '../base/errors.ts'
import { UsageError } from '../base/usage.ts'
import { packageVersion } from '../contract/root.ts'
import { SecretRegistry } from '../run/secrets.ts'
import { backendsCommand } from './backends.ts'
import { certifyCommand } from './certify-command.ts'
import { deviationsCommand } from './check-deviations.ts'
import { cleanCommand } from './clean.ts'
import { compareCommand } from './compare.ts'
import { contractCommand } from './contract-pages.ts'
import { diffCommand } from './diff.ts'
import { exit } from './exit.ts'
import { explainCommand } from './explain.ts'
import { initCommand } from './init.ts'
import { listCommand } from './list.ts'
import { mergeCommand } from './merge-shards.ts'
import { proveCommand } from './prove.ts'
import { replayCommand } from './replay.ts'
import { reportCommand } from './report.ts'
import { serveCommand } from './serve.ts'
import { outliveReaders } from './terminal.ts'
import { verifyCommand } from './verify.ts'

const program = (): Command => {
  const root = new Command('assay')
    .description('Certifies servers against the contract of the secrets service and of the run-management API, statement by statement.')
    .version(packageVersion)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'assay: ')) })
  const commands = [
    certifyCommand,
    initCommand,
    serveCommand,
    proveCommand,
    listCommand,
    explainCommand,
    reportCommand,
    diffCommand,
    compareCommand,
    contractCommand,
    mergeCommand,
    verifyCommand,
    replayCommand,
    deviationsCommand,
    backendsCommand,
    cleanCommand,
  ]
  for (const make of commands) {
    const command = make()
    for (const one of [command, ...command.commands]) one.exitOverride().copyInheritedSettings(root)
    root.addCommand(command)
  }
  return root
}

const codeOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exit.usage
  const complain = (text: string) => process.stderr.write(`assay: ${text}\n`)
  if (error instanceof UsageError || error instanceof ResultsError) {
    complain(error.message)
    return exit.usage
  }
  if (error instanceof Blocked) {
    complain(`${error.message}\n  remedy: ${error.remedy}`)
    return exit.incomplete
  }
  complain(`internal error: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`)
  if (process.env.ASSAY_DEBUG !== undefined && error instanceof Error) complain(error.stack ?? '')
  else complain('run again with ASSAY_DEBUG=1 for the details to report')
  return exit.errored
}

/** Runs one command line; sets the exit code and ends the process when all output is written. */
export const main = async (argv: string[]): Promise<void> => {
  outliveReaders()
  let code: number
  try {
    await keepingSecrets(new SecretRegistry(), () => program().parseAsync(argv))
    code = Number(process.exitCode ?? 0)
  } catch (error) {
    code = codeOf(error)
  }
  process.exitCode = code
  // Sockets of a hostile server or timers of a lost backend must not keep the process alive.
  await new Promise<void>((done) => process.stdout.write('', () => process.stderr.write('', () => done())))
  process.exit(code)
}

const isEntry =
  process.argv[1] !== undefined && import.meta.url.endsWith(process.argv[1].replaceAll('\\', '/').split('/').slice(-3).join('/'))
if (isEntry) await main(process.argv)
