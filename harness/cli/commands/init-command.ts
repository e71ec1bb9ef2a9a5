/** The flags of `assay init`. */
import { Command, Option } from 'commander'
import { permissions, provisionerFlag } from '../flags.ts'
import type { InitOptions } from '../init.ts'

const DEFAULT_FILE = 'assay.config.yaml'

export const initCommand = (): Command =>
  new Command('init')
    .description('write a target configuration and try it')
    .argument('<url>', 'address of the server')
    .addOption(new Option('--api <api>', 'which API it serves').choices(['secrets', 'run-management']).default('secrets'))
    .option('--dialect <name|file>', 'how it spells the names of the contract; default: the first known one that it speaks')
    .option(
      '--provisioner <kind|url>',
      'how it is prepared: static, sys, command, or the URL of a command provisioner',
      provisionerFlag,
      'sys',
    )
    .option('--ca-cert <file>', 'PEM file of the authority to trust')
    .option('--allow <permissions>', 'what disturbs other users of it and may be done: seal, oversize, rotateRoot', permissions)
    .option('--token <token>', 'token to try it with; never written to the file (or ASSAY_TOKEN)')
    .option('--token-file <file>', 'file that holds the token')
    .option('--out <file>', 'where to write', DEFAULT_FILE)
    .addOption(new Option('--file <file>', 'the same as --out').hideHelp())
    .option('--force', 'write over an existing file')
    .action(async (url: string, { file, ...options }: InitOptions & { file?: string }) => {
      const { init } = await import('../init.ts')
      process.exitCode = await init(url, file === undefined ? options : { ...options, out: file })
    })
