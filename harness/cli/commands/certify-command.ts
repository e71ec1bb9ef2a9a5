/** The command `assay certify`. */
import { Command } from 'commander'
import { type CertifyOptions, certifyFlags } from '../certify-flags.ts'

export const certifyCommand = (): Command =>
  certifyFlags(new Command('certify').description('certify a target, or the embedded reference server')).action(
    async (url: string | undefined, options: CertifyOptions) => {
      process.exitCode = await (await import('../certify-rounds.ts')).certify(url, options)
    },
  )
