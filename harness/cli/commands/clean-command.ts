/** The flags of `assay clean`. */
import { Command } from 'commander'
import type { CleanOptions } from '../clean.ts'

export const cleanCommand = (): Command =>
  new Command('clean')
    .description('remove what earlier runs left on this machine, on targets, and on the backends of a configuration')
    .argument('[url]', 'address of the server')
    .option('--token <token>', 'token of a caller who may do everything (or ASSAY_TOKEN, where the configuration names none)')
    .option('--token-file <file>', 'file that holds the token')
    .option('--config <file>', 'configuration file: its targets, and the backends that it names')
    .option('--dialect <name|file>', 'how the server spells the names of the contract')
    .option('--namespace <path>', 'namespace in which the runs worked')
    .option('--ca-cert <file>', 'PEM file of the authority to trust')
    .option('--forget', 'remove nothing, and no longer remember what is on this server, which is gone')
    .option('--tls-skip-verify', 'do not verify the certificate of the server')
    .action(async (url: string | undefined, options: CleanOptions) => {
      process.exitCode = await (await import('../clean.ts')).clean(url, options)
    })
