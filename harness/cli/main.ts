/** The command line: one file per command; this one only joins them and turns errors into exit codes. */
import { Command } from 'commander'
import { keepingSecrets } from '../base/credential-guard.ts'
import { NotWritten } from '../base/errors.ts'
import { packageVersion } from '../contract/package-root.ts'
import { SecretRegistry } from '../run/secrets.ts'
import { complain } from './complaint.ts'
import { outliveReaders, outputFailure } from './terminal.ts'
import { watchUncaught } from './uncaught.ts'

/** By name. A command that is not asked for is not loaded: some know the whole reference server with all that can be wrong with it. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  certify: async () => (await import('./certify-command.ts')).certifyCommand(),
  init: async () => (await import('./init.ts')).initCommand(),
  serve: async () => (await import('./serve.ts')).serveCommand(),
  prove: async () => (await import('./prove.ts')).proveCommand(),
  list: async () => (await import('./list.ts')).listCommand(),
  explain: async () => (await import('./explain.ts')).explainCommand(),
  report: async () => (await import('./report.ts')).reportCommand(),
  diff: async () => (await import('./diff.ts')).diffCommand(),
  compare: async () => (await import('./compare.ts')).compareCommand(),
  contract: async () => (await import('./contract-command.ts')).contractCommand(),
  merge: async () => (await import('./merge-shards.ts')).mergeCommand(),
  verify: async () => (await import('./verify.ts')).verifyCommand(),
  replay: async () => (await import('./replay.ts')).replayCommand(),
  deviations: async () => (await import('./check-deviations.ts')).deviationsCommand(),
  backends: async () => (await import('./backends.ts')).backendsCommand(),
  clean: async () => (await import('./clean.ts')).cleanCommand(),
}

/** @param first the first word, which is a command's name in all that works. */
const program = async (first: string | undefined): Promise<Command> => {
  const root = new Command('assay')
    .description('Certifies servers against the contract of the secrets service and of the run-management API, statement by statement.')
    .version(packageVersion)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'assay: ')) })
  const asked = first !== undefined && Object.hasOwn(COMMANDS, first) ? [COMMANDS[first]!] : Object.values(COMMANDS)
  for (const load of asked) {
    const command = await load()
    for (const one of [command, ...command.commands]) one.exitOverride().copyInheritedSettings(root)
    root.addCommand(command)
  }
  return root
}

/** Runs one command line; sets the exit code and ends the process when all output is written. */
export const main = async (argv: string[]): Promise<void> => {
  outliveReaders()
  watchUncaught()
  let code: number
  try {
    await keepingSecrets(new SecretRegistry(), async () => (await program(argv[2])).parseAsync(argv))
    code = Number(process.exitCode ?? 0)
  } catch (error) {
    code = complain(error)
  }
  process.exitCode = code
  // Sockets of a hostile server or timers of a lost backend must not keep the process alive.
  await new Promise<void>((done) => process.stdout.write('', () => process.stderr.write('', () => done())))
  const failure = outputFailure()
  process.exit(failure === undefined ? code : complain(new NotWritten('the output', failure)))
}

const isEntry =
  process.argv[1] !== undefined && import.meta.url.endsWith(process.argv[1].replaceAll('\\', '/').split('/').slice(-3).join('/'))
if (isEntry) await main(process.argv)
