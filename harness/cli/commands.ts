/** The commands, each in its file: this one only joins them and turns errors into exit codes. */
import { Command } from 'commander'
import { keepingSecrets } from '../base/credential-guard.ts'
import { packageVersion } from '../contract/package-root.ts'
import { SecretRegistry } from '../secrets/secrets.ts'
import { complain } from './complaint.ts'
import { watchUncaught } from './uncaught.ts'

/** By name. A command that is not asked for is not loaded: some know the whole reference server with all that can be wrong with it. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  certify: async () => (await import('./certify-command.ts')).certifyCommand(),
  demo: async () => (await import('./demo.ts')).demoCommand(),
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

/** Runs one command line. @returns the exit code. */
export const runCommand = async (argv: string[]): Promise<number> => {
  watchUncaught()
  try {
    await keepingSecrets(new SecretRegistry(), async () => (await program(argv[2])).parseAsync(argv))
    return Number(process.exitCode ?? 0)
  } catch (error) {
    return complain(error)
  }
}
