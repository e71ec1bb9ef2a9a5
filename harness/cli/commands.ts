/** The commands, each in its file: this one only joins them and turns errors into exit codes. */
import { Command } from 'commander'
import { keepingSecrets } from '../base/credential-guard.ts'
import { packageVersion } from '../contract/package-root.ts'
import { SecretRegistry } from '../secrets/secrets.ts'
import { complain } from './complaint.ts'
import { watchUncaught } from './uncaught.ts'

/** By name. These modules hold flags alone: what a command does is loaded when it is run. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  certify: async () => (await import('./commands/certify-command.ts')).certifyCommand(),
  demo: async () => (await import('./commands/demo-command.ts')).demoCommand(),
  init: async () => (await import('./commands/init-command.ts')).initCommand(),
  serve: async () => (await import('./commands/serve-command.ts')).serveCommand(),
  prove: async () => (await import('./commands/prove-command.ts')).proveCommand(),
  list: async () => (await import('./commands/list-command.ts')).listCommand(),
  explain: async () => (await import('./commands/explain-command.ts')).explainCommand(),
  report: async () => (await import('./commands/report-command.ts')).reportCommand(),
  diff: async () => (await import('./commands/diff-command.ts')).diffCommand(),
  compare: async () => (await import('./commands/compare-command.ts')).compareCommand(),
  contract: async () => (await import('./commands/contract-command.ts')).contractCommand(),
  merge: async () => (await import('./commands/merge-command.ts')).mergeCommand(),
  verify: async () => (await import('./commands/verify-command.ts')).verifyCommand(),
  replay: async () => (await import('./commands/replay-command.ts')).replayCommand(),
  deviations: async () => (await import('./commands/deviations-command.ts')).deviationsCommand(),
  backends: async () => (await import('./commands/backends-command.ts')).backendsCommand(),
  clean: async () => (await import('./commands/clean-command.ts')).cleanCommand(),
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
