/** The flags of `assay verify`. */
import { Command } from 'commander'

export const verifyCommand = (): Command =>
  new Command('verify')
    .description('check a signed statement and all that it is about, offline')
    .argument('<file>', 'the statement that --sign wrote, beside its report')
    .requiredOption('--key <file>', 'PEM file of the public key')
    .action(async (file: string, options: { key: string }) => {
      process.exitCode = await (await import('../verify.ts')).verify(file, options)
    })
