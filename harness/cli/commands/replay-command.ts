/** The flags of `assay replay`. */
import { Command } from 'commander'
import { countNumber, header, headerEnv, proxyFlag, timeoutOf } from '../flags.ts'
import type { ReplayOptions } from '../replay.ts'

export const replayCommand = (): Command =>
  new Command('replay')
    .description('send the evidence of a violation again; exit 1 where the server does it again, 0 where it does not')
    .argument('<file>', 'an evidence/<clause>.har (or .sh) of a report')
    .option('--url <url>', 'another server than the one in the evidence')
    .option('--token <token>', 'token of a caller who may do everything (or ASSAY_TOKEN)')
    .option('--token-file <file>', 'file that holds the token')
    .option('--ca-cert <file>', 'PEM file of the authority to trust')
    .option('--client-cert <file>', 'PEM file of our certificate')
    .option('--client-key <file>', 'PEM file of our key')
    .option('--tls-skip-verify', 'do not verify the certificate of the server')
    .option('--header <header>', "header sent with every request, 'Name: value' or 'Name: @file'; may be repeated", header)
    .option('--header-env <name=variable>', 'the same, with the value of an environment variable; may be repeated', headerEnv)
    .option('--proxy <url|none>', 'proxy to the server', proxyFlag)
    .option('--timeout <duration>', 'for one exchange; default 30s', timeoutOf, 30_000)
    .option('--times <n>', 'how often', countNumber, 1)
    .action(async (file: string, options: ReplayOptions) => {
      process.exitCode = await (await import('../replay.ts')).replay(file, options)
    })
